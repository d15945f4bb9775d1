/**
 * What callers of the client give and get, beside the wire types: those with a document of the caller's own type in them, and
 * options. Types alone, no code.
 */
import type { Document, FacetStats, Highlight, SearchResponse as WireResponse } from '../api/types/documents.js';
import type { SearchBody } from '../api/types/parameters.js';
import type { ErrorBody, Progress } from '../api/types/server.js';

/** A name of a field of `T`, which editors complete; others are allowed, because not all need to be declared. */
export type FieldOf<T> = (keyof T & string) | (string & Record<never, never>);

/** Several names: an array, or one string with commas. */
export type FieldList<T> = FieldOf<T> | readonly FieldOf<T>[];

/** The parameters of a search, as docs/api.md lists them. */
export interface SearchParams<T = Document>
  extends Omit<
    SearchBody,
    'query_by' | 'facet' | 'highlight' | 'include_fields' | 'exclude_fields' | 'sort' | 'distinct'
  > {
  query_by?: FieldList<T>;
  facet?: FieldList<T>;
  highlight?: FieldList<T>;
  include_fields?: FieldList<T>;
  exclude_fields?: FieldList<T>;
  /** e.g. `price:asc`, or several */
  sort?: string | readonly string[];
  distinct?: FieldOf<T>;
}

/** A hit whose document is a `T`. */
export interface Hit<T = Document> {
  readonly document: T;
  /** relevance: BM25, times the bonuses of ranking `best` */
  readonly text_match: number;
  /** with `distinct`: how many matching documents have the value of this one */
  readonly distinct_count?: number;
  /** with `highlight`: for each of its fields that the document holds */
  readonly highlight?: { readonly [field: string]: Highlight };
  /** what the score is made of; only with `explain` */
  readonly explain?: WireResponse['hits'][number]['explain'];
}

/** The answer of a search. */
export interface SearchResponse<T = Document> extends Omit<WireResponse, 'hits' | 'facet_stats'> {
  readonly hits: readonly Hit<T>[];
  /** for each facet field of numbers or dates; only with `facet_stats`, null without `facet` */
  readonly facet_stats?: { readonly [field: string]: FacetStats } | null;
}

/** One of several searches. */
export interface SearchOf<T = Document> extends SearchParams<T> {
  collection: string;
}

/** The answer of one of several searches, or why it has none: `'error' in result` tells. */
export type SearchResult<T = Document> = SearchResponse<T> | (ErrorBody & { readonly hits?: undefined });

/** Which top-level fields of documents are shown. */
export interface ShownFields<T = Document> {
  include_fields?: FieldList<T>;
  exclude_fields?: FieldList<T>;
}

/** Whether the server serves; if not, why, and how far its recovery is. */
export type Readiness =
  | { readonly ready: true }
  | { readonly ready: false; readonly message: string; readonly progress?: Progress };

/** Options of any one request. */
export interface RequestOptions {
  /** ends the request, and what waits for another try */
  readonly signal?: AbortSignal;
  /** of all tries together, and of an export to its end, in milliseconds; 0: none */
  readonly timeoutMs?: number;
  /** of one try of what may be tried again after it, in milliseconds; 0: none */
  readonly tryTimeoutMs?: number;
  /** further tries after the first; with several addresses, further rounds through all of them */
  readonly retries?: number;
}

/** Sent as `x-service-api-key`: the key itself, or what makes one, asked before every try. */
export type KeySource = string | (() => string | Promise<string>);

/** Options of a client; those of requests are the defaults of its requests. */
export interface ClientOptions extends Omit<RequestOptions, 'signal'> {
  /**
   * where the server is, e.g. `https://search.example`, without user and password; in a browser also a path of the page's own
   * origin. Several: nodes of one cluster, the preferred one first.
   */
  readonly url: string | readonly string[];
  readonly key?: KeySource;
  /** the first wait before another try is at most this long, each further one twice that. Default: 100. */
  readonly backoffMs?: number;
  /** sent with every request */
  readonly headers?: Readonly<Record<string, string>>;
  /** answers of searches that are kept to be asked for by their tag alone. Default: 0. */
  readonly cachedSearches?: number;
  /** in the place of JSON.parse, for integers beyond 2^53 */
  readonly parse?: (text: string) => unknown;
  /** in the place of JSON.stringify, for the same */
  readonly stringify?: (value: unknown) => string;
  /** in the place of the global one */
  readonly fetch?: typeof globalThis.fetch;
}

/** Documents, or bytes of NDJSON, as they come. */
export type ImportSource<T> =
  | Iterable<T | Uint8Array>
  | AsyncIterable<T | Uint8Array>
  | ReadableStream<T>
  | ReadableStream<Uint8Array>;

/** What became of a document of an import. */
export interface ImportOutcome {
  /** its place in the source, from 0 */
  readonly index: number;
  readonly success: boolean;
  /** empty when it could not be read */
  readonly id: string;
  readonly error: string | null;
  readonly code: string | null;
}

export interface ImportOptions extends RequestOptions {
  /** as of a batch. Default: `upsert`. */
  readonly action?: 'upsert' | 'create' | 'update';
  /** documents of a batch at most. Default: 1,000. */
  readonly batchDocuments?: number;
  /** characters of a batch, beyond which none is added. Default: 4,000,000. */
  readonly batchChars?: number;
  /** batches under way at a time; with several the order of equal ids is not kept. Default: 1. */
  readonly concurrency?: number;
  /** told of every document, batch by batch */
  readonly onBatch?: (outcomes: readonly ImportOutcome[]) => void;
}

export interface ImportReport {
  num_indexed: number;
  num_failed: number;
  /** the first 1,000 that failed */
  failures: ImportOutcome[];
}
