/**
 * An engine that answers from a script, for tests of the HTTP layer alone: one collection "books", one document "1".
 */
import {
  type BodyFormat,
  type CollectionView,
  type Engine,
  EngineError,
  type EngineStats,
  type FetchRequest,
  type IndexResult,
  type ReadCallback,
  type SearchRequest,
  type SuggestRequest,
} from '../../../engine/index.js';

export const BOOKS: CollectionView = {
  name: 'books',
  fields: [
    {
      name: 'title',
      type: 'text',
      facet: false,
      filter: false,
      sort: false,
      index: true,
      optional: true,
      boost: null,
    },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
  created_at: 1,
  num_documents: 1,
  num_segments: 1,
};

/** Shared memory, as a reader's answer lies in. */
export function sharedBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

const EMPTY_ANSWER = sharedBytes('{"found":0}');

export class FakeEngine implements Engine {
  readonly searches: SearchRequest[] = [];
  readonly suggestions: SuggestRequest[] = [];
  readonly fetches: FetchRequest[] = [];
  readonly batches: { collection: string; bytes: Buffer; format: BodyFormat }[] = [];
  readonly deleted: string[] = [];
  readonly created: unknown[] = [];
  isClosed = false;
  /** What the next searches answer. */
  searchBody: Uint8Array = EMPTY_ANSWER;
  searchFound = 0;
  searchError: EngineError | null = null;
  /** Delays answers of searches. */
  searchDelayMs = 0;
  indexDelayMs = 0;

  listCollections(): readonly CollectionView[] {
    return [BOOKS];
  }

  getCollection(name: string): CollectionView | null {
    return name === BOOKS.name ? BOOKS : null;
  }

  async createCollection(body: unknown): Promise<CollectionView> {
    this.created.push(body);
    const { name } = body as { name: string };
    if (name === BOOKS.name) throw new EngineError('collection_exists', 'collection "books" exists');
    if (name === 'bug') throw new TypeError('secret inside');
    return { ...BOOKS, name };
  }

  async dropCollection(name: string): Promise<void> {
    if (name !== BOOKS.name) throw new EngineError('collection_not_found', `collection "${name}" does not exist`);
  }

  async indexDocuments(collection: string, body: Uint8Array<ArrayBuffer>, format: BodyFormat): Promise<IndexResult> {
    if (this.indexDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.indexDelayMs));
    this.batches.push({ collection, bytes: Buffer.from(body), format });
    structuredClone(body, { transfer: [body.buffer] });
    return { numIndexed: 1, numFailed: 0, body: sharedBytes('{"num_indexed":1}') };
  }

  async deleteDocument(collection: string, id: string): Promise<void> {
    if (id === 'none') throw new EngineError('document_not_found', `document "${id}" does not exist`);
    this.deleted.push(`${collection} ${id}`);
  }

  search(request: SearchRequest, done: ReadCallback): void {
    this.searches.push(request);
    const answer = (): void => {
      if (this.searchError !== null) done(this.searchError, null);
      else done(null, { body: this.searchBody, found: this.searchFound, elapsedUs: 214 });
    };
    if (this.searchDelayMs > 0) setTimeout(answer, this.searchDelayMs);
    else setImmediate(answer);
  }

  suggest(request: SuggestRequest, done: ReadCallback): void {
    this.suggestions.push(request);
    setImmediate(() => done(null, { body: EMPTY_ANSWER, found: 0, elapsedUs: 1 }));
  }

  fetchDocument(request: FetchRequest, done: ReadCallback): void {
    this.fetches.push(request);
    setImmediate(() => {
      if (request.id === 'none') done(new EngineError('document_not_found', 'document "none" does not exist'), null);
      else done(null, { body: sharedBytes('{"id":"1"}'), found: 1, elapsedUs: 1 });
    });
  }

  stats(): EngineStats {
    return {
      collections: [{ name: 'books', documents: 1, segments: 1, segmentBytes: 4096 }],
      walBytes: 7,
      walSyncs: 1,
      arenaBytesReserved: 0,
      arenaBytesUsed: 0,
      readers: [{ queries: 3, busyUs: 500_000 }],
      readQueueDepth: 0,
      writeQueueDepth: 0,
      documentsIndexed: 1,
      documentsFailed: 0,
      documentsDeleted: 0,
      merges: 0,
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
