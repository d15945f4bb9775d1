/**
 * What callers ask of the engine and what they get back: plain data that crosses threads.
 *
 * Strings are as the client sent them; the engine parses and checks them (query/), so every message about them comes
 * from one place.
 */

export type MatchMode = 'all' | 'any';

/** How documents are scored: by BM25 with bonuses for nearness and exactness, or by BM25 alone. */
export type Ranking = 'best' | 'bm25';

/** Which values of a facet come first: the most frequent, or by the value itself. */
export type FacetSort = 'count' | 'value';

/** What becomes of the documents of a batch: all are taken; those that are not there yet; those that are. */
export type DocumentAction = 'upsert' | 'create' | 'update';

/** Form of a response body or of a batch of documents. */
export type BodyFormat = 'json' | 'ndjson' | 'msgpack';
export type ResponseFormat = 'json' | 'msgpack';

/** Which top-level fields of a document are shown: comma-separated names, or null. */
export interface FieldChoice {
  /** null: all fields. */
  readonly includeFields: string | null;
  /** Of those. null: none is left out. */
  readonly excludeFields: string | null;
}

/** Which documents whoever asks may know of. */
export interface DocumentScope {
  /** Documents that do not pass this filter are as if they were not there; null: all may be known. A blank one is an error. */
  readonly requiredFilter: string | null;
}

/**
 * Where the engine notes how it read a request, if whoever asks it keeps it to ask again; of one that is asked once nothing is noted.
 * On the thread that asks: it does not cross to others.
 */
export class RequestNote {
  /** For the engine alone. */
  isAskedAgain = false;
  reading: object | null = null;

  /** It is no part of the request. */
  toJSON(): undefined {
    return undefined;
  }
}

export interface SearchRequest extends FieldChoice, DocumentScope {
  readonly collection: string;
  /** '' and '*' match every document. */
  readonly q: string;
  /** Comma-separated, or null for all searchable text fields. */
  readonly queryBy: string | null;
  readonly filter: string | null;
  readonly sort: string | null;
  readonly facet: string | null;
  /** Values shown of each facet. */
  readonly facetLimit: number;
  readonly facetSort: FacetSort;
  /** The least, largest, sum and average of numeric facets are told. */
  readonly facetStats: boolean;
  /** `field:text`: of this facet only values that begin with it; null: of none. */
  readonly facetQuery: string | null;
  /** The field of which each value has one hit; null: each document is one. */
  readonly distinct: string | null;
  readonly limit: number;
  readonly offset: number;
  readonly prefix: boolean;
  /** null: as the collection says. */
  readonly typoTolerance: boolean | null;
  readonly matchMode: MatchMode;
  /** With fewer matches than this, known words are corrected too. */
  readonly typoThreshold: number;
  /** null: as the collection says. */
  readonly ranking: Ranking | null;
  /** Comma-separated text fields whose matches are marked; null: none. */
  readonly highlight: string | null;
  /** What stands before and after a marked word; null: a mark element. */
  readonly highlightOpen: string | null;
  readonly highlightClose: string | null;
  /** Tokens of a snippet; 0: the whole value. */
  readonly snippetTokens: number;
  readonly explain: boolean;
  /** The id of a document of which is told why it is a hit or not; null: of none. */
  readonly explainId: string | null;
  readonly format: ResponseFormat;
  /** null: the request is not kept. */
  readonly note: RequestNote | null;
}

export interface SuggestRequest {
  readonly collection: string;
  readonly q: string;
  readonly queryBy: string | null;
  readonly limit: number;
  readonly typoTolerance: boolean | null;
  readonly format: ResponseFormat;
}

export interface FetchRequest extends FieldChoice, DocumentScope {
  readonly collection: string;
  readonly id: string;
  readonly format: ResponseFormat;
}

/** Which documents of a collection an export gives, and what of them. */
export interface ExportRequest extends FieldChoice, DocumentScope {
  readonly collection: string;
  /** null: all documents. */
  readonly filter: string | null;
  /** What follows each document: one byte. */
  readonly separator: '\n' | ',';
}

/** A range of an arena's bytes (memory/arena.ts). */
export interface RegionPlace {
  readonly arena: number;
  readonly ptr: number;
  readonly bytes: number;
}

/** The next documents of one segment of an export. The segment is held, whatever becomes of its collection. */
export interface ExportPageRequest extends Omit<ExportRequest, 'collection'> {
  /** null: there is none, and only what was asked for is checked. */
  readonly segment: RegionPlace | null;
  /** null: no document is deleted. */
  readonly liveDocs: RegionPlace | null;
  /** Where the page begins. */
  readonly firstDoc: number;
  /** As the segment was made by, in JSON; read when there is a filter. */
  readonly schema: string;
  readonly format: 'json';
}

export const OPERATION_SEARCH = 1;
export const OPERATION_SUGGEST = 2;
export const OPERATION_FETCH = 3;
export const OPERATION_EXPORT = 4;

/** In the place of where the next page of an export begins: the segment has no more. No segment has so many documents. */
export const SEGMENT_EXPORTED = 0xffffffff;

/** What a reader can be asked. */
export type Read =
  | { readonly operation: typeof OPERATION_SEARCH; readonly request: SearchRequest }
  | { readonly operation: typeof OPERATION_SUGGEST; readonly request: SuggestRequest }
  | { readonly operation: typeof OPERATION_FETCH; readonly request: FetchRequest };

/** What a reader can be asked by the engine itself. */
export type InnerRead = Read | { readonly operation: typeof OPERATION_EXPORT; readonly request: ExportPageRequest };

/** A state of a collection: two reads of one request that saw the same one have the same answer. */
export interface CollectionVersion {
  /** No two collections have the same while the process lives. */
  readonly collectionId: number;
  /** Updates of it that were taken in, modulo 2^32. */
  readonly version: number;
}

/** A finished read, with the state that it saw; of an export 0. */
export interface ReadResult extends CollectionVersion {
  /** The whole response body. With `heldBytes` 0 it lies in shared memory and is valid only until the callback returns. */
  readonly body: Uint8Array;
  /** Search: matching documents. Suggest: suggestions. Fetch: 1. Export: where the next page begins. */
  readonly found: number;
  /** Time in the reader thread. */
  readonly elapsedUs: number;
  /** Time from the question to the answer in which it was not worked at; 0 of what the calling thread answered itself. */
  readonly waitedUs: number;
  /**
   * Bytes of memory beside the shared ones that the body takes: whoever was given it says when it is done with it, by
   * Engine.releaseAnswer(), and until then as many less are lent to other answers. 0: there is nothing to release.
   */
  readonly heldBytes: number;
}

/** A finished batch. */
export interface IndexResult {
  readonly numIndexed: number;
  readonly numFailed: number;
  /** The BatchReport of the interface as JSON. */
  readonly body: Uint8Array;
}

/**
 * Where one of several reads that are asked for at the same time is best answered: by the calling thread, which has planned the
 * time for it; by the readers; or, while nobody knows what it takes, here unless it takes a while.
 */
export type ReadPlace = 'here' | 'readers' | 'unknown';
