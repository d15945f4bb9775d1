/**
 * A collection as the client sees it: its documents, searches, text rules and schema. Made by client.collection().
 *
 * Every method is one request, but import() and export(), which stream.
 */
import type { CollectionView, SchemaChange, SchemaChangeCheck } from '../api/types/collections.js';
import type { BatchReport, Document, SuggestResponse } from '../api/types/documents.js';
import type { SuggestParameters } from '../api/types/parameters.js';
import type { StopWordsBody, StopWordsView, SynonymBody, SynonymView } from '../api/types/text-rules.js';
import { importDocuments } from './import-documents.js';
import { cutLines, iterate } from './lines.js';
import type { SearchCache } from './search-cache.js';
import { type Call, type QueryValues, reach, readJson, segment, type Transport } from './transport.js';
import type {
  FieldList,
  ImportOptions,
  ImportReport,
  ImportSource,
  RequestOptions,
  SearchParams,
  SearchResponse,
  ShownFields,
} from './types.js';

const NDJSON = 'application/x-ndjson';
/** Longer ones are sent as a body. */
const QUERY_CHARS_MAX = 4000;

const ndjson = (body: string | Uint8Array): Partial<Call> => ({ body, contentType: NDJSON });
/** A document has its id, so that twice is once; but a second `create` would fail. */
const indexing = (action: DocumentAction | undefined): Partial<Call> => ({
  query: { action },
  isIdempotent: action !== 'create',
});

export type DocumentAction = 'upsert' | 'create' | 'update';

export interface SearchOptions extends RequestOptions {
  /** Default: GET, which caches understand, while the parameters are short. */
  readonly method?: 'GET' | 'POST';
}

export interface ExportOptions<T> extends RequestOptions, ShownFields<T> {
  /** only documents that pass it */
  readonly filter?: string;
}

/** Parameters of a suggestion. */
export interface SuggestParams<T> extends Omit<SuggestParameters, 'query_by'> {
  query_by?: FieldList<T>;
}

/** Everything that can be asked of a collection, or of the alias of one, whose documents are `T`. */
export class Collection<T extends object = Document> {
  readonly name: string;
  readonly #transport: Transport;
  readonly #cache: SearchCache;

  constructor(name: string, transport: Transport, cache: SearchCache) {
    this.name = name;
    this.#transport = transport;
    this.#cache = cache;
  }

  /** Its schema and statistics. */
  view(options?: RequestOptions): Promise<CollectionView> {
    return this.#json('GET', '', { options });
  }

  /** Changes its schema; answered when the change is in force, which may take minutes. */
  change(change: SchemaChange, options?: RequestOptions): Promise<CollectionView> {
    return this.#json('PATCH', '', { ...this.#body(change), isLong: true, options });
  }

  /** Only tells which documents would not fit a changed schema. */
  checkChange(change: SchemaChange, options?: RequestOptions): Promise<SchemaChangeCheck> {
    const call = { ...this.#body(change), query: { dry_run: true }, isRead: true, isLong: true, options };
    return this.#json('PATCH', '', call);
  }

  /** Deletes it with all documents; with `force` also the aliases that point to it, which else refuse that. */
  async delete(options: RequestOptions & { readonly force?: boolean } = {}): Promise<void> {
    await this.#send('DELETE', '', { query: { force: options.force }, options });
  }

  /** Searches it. `Shown` is what hits hold, where `include_fields` leaves less than a `T` of it. */
  async search<Shown = T>(params: SearchParams<T> = {}, options: SearchOptions = {}): Promise<SearchResponse<Shown>> {
    const query: QueryValues = { ...params };
    const key = JSON.stringify(query);
    const isGet = (options.method ?? (key.length > QUERY_CHARS_MAX ? 'POST' : 'GET')) === 'GET';
    const known = this.#cache.find(`${this.name} ${isGet} ${key}`);
    const call: Partial<Call> = isGet ? { query } : this.#body(query);
    const headers: Record<string, string> = known.tag === undefined ? {} : { 'if-none-match': known.tag };
    const answer = await this.#send(isGet ? 'GET' : 'POST', '/search', { ...call, headers, isRead: true, options });
    return readJson(this.#transport.parse, known.keep(answer));
  }

  /** Completes the last word of `q`. */
  suggest(params: SuggestParams<T> = {}, options?: RequestOptions): Promise<SuggestResponse> {
    return this.#json('GET', '/suggest', { query: { ...params }, options });
  }

  /** Indexes one document or a batch of them, also as bytes of NDJSON; each document succeeds or fails alone. */
  index(
    documents: T | readonly T[] | Uint8Array,
    options: RequestOptions & { readonly action?: DocumentAction } = {},
  ): Promise<BatchReport> {
    const sent = documents instanceof Uint8Array ? ndjson(documents) : this.#body(documents);
    return this.#json('POST', '/documents', { ...sent, ...indexing(options.action), options });
  }

  /** Indexes documents, in the place of those with the same ids. */
  upsert(documents: T | readonly T[], options?: RequestOptions): Promise<BatchReport> {
    return this.index(documents, { ...options, action: 'upsert' });
  }

  /** Indexes documents whose ids are new; others fail with `document_exists`. */
  create(documents: T | readonly T[], options?: RequestOptions): Promise<BatchReport> {
    return this.index(documents, { ...options, action: 'create' });
  }

  /** Replaces documents whose ids are there; others fail with `document_not_found`. */
  update(documents: T | readonly T[], options?: RequestOptions): Promise<BatchReport> {
    return this.index(documents, { ...options, action: 'update' });
  }

  /** Changes fields of one document, by a JSON merge patch: null removes a field. Returns it as it is then. */
  patch(id: string | number, changes: { readonly [K in keyof T]?: T[K] | null }, options?: RequestOptions): Promise<T> {
    return this.#json('PATCH', `/documents/${segment(id)}`, { ...this.#body(changes), options });
  }

  /** One document. Errors: `document_not_found`. */
  fetch<Shown = T>(id: string | number, options: RequestOptions & ShownFields<T> = {}): Promise<Shown> {
    const { include_fields, exclude_fields } = options;
    return this.#json('GET', `/documents/${segment(id)}`, { query: { include_fields, exclude_fields }, options });
  }

  /** Deletes one document. Errors: `document_not_found`. */
  async deleteDocument(id: string | number, options?: RequestOptions): Promise<void> {
    await this.#send('DELETE', `/documents/${segment(id)}`, { options });
  }

  /** Deletes all documents that pass `filter`, at one moment, and returns how many. */
  async deleteWhere(filter: string, options?: RequestOptions): Promise<number> {
    // A second one would tell how many were left.
    const call = { query: { filter }, isLong: true, isIdempotent: false, options };
    return (await this.#json<{ num_deleted: number }>('DELETE', '/documents', call)).num_deleted;
  }

  /** All documents, or those that pass a filter, of one moment, one by one as they come. */
  async *export<Shown = T>(options: ExportOptions<T> = {}): AsyncGenerator<Shown, void, undefined> {
    const cutter = cutLines();
    for await (const bytes of this.exportBytes(options))
      for (const line of cutter.push(bytes)) yield this.#transport.parse(line) as Shown;
    for (const line of cutter.end()) yield this.#transport.parse(line) as Shown;
  }

  /** The same as bytes of NDJSON, to be kept as they are. Errors: `unreachable` for one that was cut off. */
  async *exportBytes(options: ExportOptions<T> = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { filter, include_fields, exclude_fields, signal } = options;
    const stop = new AbortController();
    const call = { query: { filter, include_fields, exclude_fields }, headers: { accept: NDJSON }, options };
    try {
      const path = '/documents';
      const { body, url } = await this.#transport.open(this.#call('GET', path, { ...call, isLong: true }), stop);
      const chunks = iterate(body as ReadableStream<Uint8Array>);
      for (;;) {
        const next = await reach(chunks.next(), url);
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : (stop.signal.reason ?? error);
    } finally {
      stop.abort();
    }
  }

  /** Indexes what `source` gives, batch by batch, and returns what became of it. See ImportOptions. */
  import(source: ImportSource<T>, options: ImportOptions = {}): Promise<ImportReport> {
    const send = (lines: string, signal: AbortSignal): Promise<BatchReport> =>
      this.#json('POST', '/documents', {
        ...ndjson(lines),
        ...indexing(options.action),
        options: { ...options, signal },
      });
    return importDocuments(source, send, this.#transport.stringify, options);
  }

  /** Its synonyms, ordered by id. */
  synonyms(options?: RequestOptions): Promise<readonly SynonymView[]> {
    return this.#json('GET', '/synonyms', { options });
  }

  /** Errors: `synonym_not_found`. */
  synonym(id: string, options?: RequestOptions): Promise<SynonymView> {
    return this.#json('GET', `/synonyms/${segment(id)}`, { options });
  }

  setSynonym(id: string, synonym: SynonymBody, options?: RequestOptions): Promise<SynonymView> {
    return this.#json('PUT', `/synonyms/${segment(id)}`, { ...this.#body(synonym), options });
  }

  /** Errors: `synonym_not_found`. */
  async deleteSynonym(id: string, options?: RequestOptions): Promise<void> {
    await this.#send('DELETE', `/synonyms/${segment(id)}`, { options });
  }

  /** Errors: `stop_words_not_found`. */
  stopWords(options?: RequestOptions): Promise<StopWordsView> {
    return this.#json('GET', '/stop-words', { options });
  }

  setStopWords(words: StopWordsBody, options?: RequestOptions): Promise<StopWordsView> {
    return this.#json('PUT', '/stop-words', { ...this.#body(words), options });
  }

  /** Errors: `stop_words_not_found`. */
  async deleteStopWords(options?: RequestOptions): Promise<void> {
    await this.#send('DELETE', '/stop-words', { options });
  }

  #body(value: unknown): Partial<Call> {
    return { body: this.#transport.stringify(value) };
  }

  #call(method: string, path: string, rest: Partial<Call>): Call {
    return { ...rest, method, path: `/collections/${segment(this.name)}${path}` };
  }

  #send(method: string, path: string, rest: Partial<Call>) {
    return this.#transport.send(this.#call(method, path, rest));
  }

  async #json<Value>(method: string, path: string, rest: Partial<Call>): Promise<Value> {
    return readJson<Value>(this.#transport.parse, await this.#send(method, path, rest));
  }
}
