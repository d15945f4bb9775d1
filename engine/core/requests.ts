/**
 * What callers ask of the engine and what they get back: plain data that crosses threads.
 *
 * Strings are as the client sent them; the engine parses and checks them (query/), so every message about them comes
 * from one place.
 */

export type MatchMode = 'all' | 'any';

/** Form of a response body or of a batch of documents. */
export type BodyFormat = 'json' | 'ndjson' | 'msgpack';
export type ResponseFormat = 'json' | 'msgpack';

export interface SearchRequest {
  readonly collection: string;
  /** '' and '*' match every document. */
  readonly q: string;
  /** Comma-separated, or null for all searchable text fields. */
  readonly queryBy: string | null;
  readonly filter: string | null;
  readonly sort: string | null;
  readonly facet: string | null;
  readonly limit: number;
  readonly offset: number;
  readonly prefix: boolean;
  /** null: as the collection says. */
  readonly typoTolerance: boolean | null;
  readonly matchMode: MatchMode;
  readonly format: ResponseFormat;
}

export interface SuggestRequest {
  readonly collection: string;
  readonly q: string;
  readonly queryBy: string | null;
  readonly limit: number;
  readonly typoTolerance: boolean | null;
  readonly format: ResponseFormat;
}

export interface FetchRequest {
  readonly collection: string;
  readonly id: string;
  readonly format: ResponseFormat;
}

/** A finished read. */
export interface ReadResult {
  /** The whole response body. Lies in shared memory and is valid only until the callback returns. */
  readonly body: Uint8Array;
  /** Search: matching documents. Suggest: suggestions. Fetch: 1. */
  readonly found: number;
  /** Time in the reader thread. */
  readonly elapsedUs: number;
}

/** A finished batch. */
export interface IndexResult {
  readonly numIndexed: number;
  readonly numFailed: number;
  /** The BatchReport of the interface as JSON. */
  readonly body: Uint8Array;
}
