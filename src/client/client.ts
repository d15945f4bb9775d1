/**
 * `sabre-search/client`: the HTTP interface of a Sabre server (docs/api.md) for browsers and Node, by fetch alone.
 *
 * The entry of the package; everything a caller needs is exported here. Imports nothing of the server but types.
 */
import type { AliasView } from '../api/types/aliases.js';
import type { CollectionSchema, CollectionView } from '../api/types/collections.js';
import type { Document } from '../api/types/documents.js';
import type { AnalyticsParameters } from '../api/types/parameters.js';
import type { Health, Latency, QueryList, Snapshot } from '../api/types/server.js';
import { Collection } from './collection.js';
import { SabreError } from './sabre-error.js';
import { createSearchCache } from './search-cache.js';
import { type Answer, createTransport, type QueryValues, segment, type Transport } from './transport.js';
import type { ClientOptions, Readiness, RequestOptions, SearchOf, SearchResult } from './types.js';

export type { AliasView } from '../api/types/aliases.js';
export type {
  CollectionSchema,
  CollectionView,
  Field,
  FieldChange,
  FieldView,
  SchemaChange,
  SchemaChangeCheck,
} from '../api/types/collections.js';
export type {
  BatchReport,
  Document,
  DocumentOutcome,
  FacetStats,
  Highlight,
  Suggestion,
  SuggestResponse,
} from '../api/types/documents.js';
export type { Health, Latency, QueryEntry, QueryList, Snapshot } from '../api/types/server.js';
export type { StopWordsBody, StopWordsView, SynonymBody, SynonymView } from '../api/types/text-rules.js';
export type { Collection, DocumentAction, ExportOptions, SearchOptions, SuggestParams } from './collection.js';
export type { ClientErrorCode, SabreErrorDetails } from './sabre-error.js';
export type * from './types.js';
export { SabreError };

/** A request that no method is there for. */
export interface RawRequest extends RequestOptions {
  readonly query?: QueryValues;
  /** sent as JSON */
  readonly body?: unknown;
  /** changes nothing on the server, so that it may be sent again. Default: it is a GET. */
  readonly isRead?: boolean;
  /** done twice it leaves what it does when done once, so that another address may be asked. Default: a PUT or a DELETE. */
  readonly isIdempotent?: boolean;
}

export class SabreClient {
  readonly #transport: Transport;
  readonly #cache: ReturnType<typeof createSearchCache>;

  constructor(options: ClientOptions) {
    this.#transport = createTransport(options);
    this.#cache = createSearchCache(options.cachedSearches ?? 0);
  }

  /** The collection of that name, or the one that an alias of that name points to. Asks nothing of the server. */
  collection<T extends object = Document>(name: string): Collection<T> {
    return new Collection<T>(name, this.#transport, this.#cache);
  }

  /** All collections, ordered by name. */
  collections(options?: RequestOptions): Promise<readonly CollectionView[]> {
    return this.#json('GET', '/collections', options);
  }

  createCollection(schema: CollectionSchema, options?: RequestOptions): Promise<CollectionView> {
    return this.#json('POST', '/collections', { ...options, body: schema });
  }

  /** Up to 50 searches in one request. A fault in one of them is its own result. */
  multiSearch<Documents extends readonly unknown[] = readonly Document[]>(
    searches: { readonly [At in keyof Documents]: SearchOf<Documents[At]> },
    options?: RequestOptions,
  ): Promise<{ readonly [At in keyof Documents]: SearchResult<Documents[At]> }> {
    const request = { ...options, body: { searches }, isRead: true };
    return this.#json<{ results: { readonly [At in keyof Documents]: SearchResult<Documents[At]> } }>(
      'POST',
      '/multi-search',
      request,
    ).then(({ results }) => results);
  }

  /** All aliases, ordered by name. */
  aliases(options?: RequestOptions): Promise<readonly AliasView[]> {
    return this.#json('GET', '/aliases', options);
  }

  /** Errors: `alias_not_found`. */
  alias(name: string, options?: RequestOptions): Promise<AliasView> {
    return this.#json('GET', `/aliases/${segment(name)}`, options);
  }

  setAlias(name: string, collection: string, options?: RequestOptions): Promise<AliasView> {
    return this.#json('PUT', `/aliases/${segment(name)}`, { ...options, body: { collection } });
  }

  /** Errors: `alias_not_found`. */
  async deleteAlias(name: string, options?: RequestOptions): Promise<void> {
    await this.#send('DELETE', `/aliases/${segment(name)}`, options);
  }

  /** Writes a snapshot now, which may take minutes. */
  snapshot(options?: RequestOptions): Promise<Snapshot> {
    return this.#transport.json({ method: 'POST', path: '/snapshot', isLong: true, options });
  }

  /** The most frequent queries. */
  topQueries(params: AnalyticsParameters & RequestOptions = {}): Promise<QueryList> {
    return this.#queries('top', params);
  }

  /** The queries that most often found nothing. */
  zeroResultQueries(params: AnalyticsParameters & RequestOptions = {}): Promise<QueryList> {
    return this.#queries('zero-results', params);
  }

  latency(options?: RequestOptions): Promise<Latency> {
    return this.#json('GET', '/analytics/latency', options);
  }

  health(options?: RequestOptions): Promise<Health> {
    return this.#json('GET', '/health', options);
  }

  /** Whether the server serves. That it does not is an answer, no error. */
  async ready(options?: RequestOptions): Promise<Readiness> {
    try {
      return await this.#json('GET', '/ready', { retries: 0, ...options });
    } catch (error) {
      if (!(error instanceof SabreError) || error.code !== 'overloaded') throw error;
      const { progress } = error.body as Extract<Readiness, { ready: false }>;
      return { ready: false, message: error.message, ...(progress && { progress }) };
    }
  }

  /** The metrics in Prometheus' text format. */
  async metrics(options?: RequestOptions): Promise<string> {
    return (await this.#send('GET', '/metrics', options)).text;
  }

  /** Any request to a path from the server's root; the JSON of its answer, undefined where that has no body. */
  async request(method: string, path: string, options?: RawRequest): Promise<unknown> {
    const { text } = await this.#send(method, path, options);
    return text === '' ? undefined : this.#transport.parse(text);
  }

  #queries(list: string, { collection, limit, ...options }: AnalyticsParameters & RequestOptions): Promise<QueryList> {
    return this.#json('GET', `/analytics/${list}`, { ...options, query: { collection, limit } });
  }

  #call(method: string, path: string, options: RawRequest = {}) {
    const { query, body, isRead, isIdempotent } = options;
    return {
      method,
      path,
      options,
      ...(query && { query }),
      ...(body !== undefined && { body: this.#transport.stringify(body) }),
      ...(isRead !== undefined && { isRead }),
      ...(isIdempotent !== undefined && { isIdempotent }),
    };
  }

  #send(method: string, path: string, options?: RawRequest): Promise<Answer> {
    return this.#transport.send(this.#call(method, path, options));
  }

  #json<Value>(method: string, path: string, options?: RawRequest): Promise<Value> {
    return this.#transport.json<Value>(this.#call(method, path, options));
  }
}

/** A client of the server, or of the cluster, at `options.url`. It keeps no connections of its own and needs no end. */
export function createClient(options: ClientOptions): SabreClient {
  return new SabreClient(options);
}
