/**
 * An engine that answers from a script, for tests of the HTTP layer alone: one collection "books", one document "1".
 */
import {
  type Alias,
  type AliasEngine,
  type BodyFormat,
  type CollectionStats,
  type CollectionVersion,
  type CollectionView,
  type Engine,
  EngineError,
  type EngineStats,
  type FetchRequest,
  type IndexResult,
  type ReadCallback,
  type ReadHandle,
  type ReadResult,
  type SchemaChangeCheck,
  type SearchRequest,
  type SnapshotReport,
  type StopWords,
  type SuggestRequest,
  type Synonym,
  type TextRuleEngine,
} from '../../engine/index.js';

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

/** Those of the collection "books". */
class FakeTextRules implements TextRuleEngine {
  readonly synonyms = new Map<string, Synonym>();
  stopWords: StopWords | null = null;

  listSynonyms(): readonly Synonym[] {
    return [...this.synonyms.values()];
  }

  getSynonym(collection: string, id: string): Synonym | null {
    assertBooks(collection);
    return this.synonyms.get(id) ?? null;
  }

  async putSynonym(collection: string, synonym: Synonym): Promise<void> {
    assertBooks(collection);
    this.synonyms.set(synonym.id, synonym);
  }

  async deleteSynonym(_collection: string, id: string): Promise<void> {
    if (!this.synonyms.delete(id)) throw new EngineError('synonym_not_found', `no synonym "${id}"`);
  }

  getStopWords(): StopWords | null {
    return this.stopWords;
  }

  async putStopWords(_collection: string, stopWords: StopWords): Promise<void> {
    this.stopWords = stopWords;
  }

  async deleteStopWords(): Promise<void> {
    if (this.stopWords === null) throw new EngineError('stop_words_not_found', 'no stop words');
    this.stopWords = null;
  }
}

function assertBooks(collection: string): void {
  if (collection !== BOOKS.name)
    throw new EngineError('collection_not_found', `there is no collection "${collection}"`);
}

/** They stand for the collection "books". */
class FakeAliases implements AliasEngine {
  readonly all = new Map<string, string>();

  list(): readonly Alias[] {
    return Array.from(this.all, ([name, collection]) => ({ name, collection }));
  }

  get(name: string): Alias | null {
    const collection = this.all.get(name);
    return collection === undefined ? null : { name, collection };
  }

  async put(name: string, collection: string): Promise<void> {
    assertBooks(collection);
    this.all.set(name, collection);
  }

  async delete(name: string): Promise<void> {
    if (!this.all.delete(name)) throw new EngineError('alias_not_found', `no alias "${name}"`);
  }
}

const EMPTY_ANSWER = sharedBytes('{"found":0}');

const VERSION: CollectionVersion = { collectionId: 1, version: 1 };
function resultOf(body: Uint8Array, found: number, elapsedUs = 1, heldBytes = 0): ReadResult {
  return { body, found, elapsedUs, waitedUs: 0, heldBytes, ...VERSION };
}

export class FakeEngine implements Engine {
  readonly textRules = new FakeTextRules();
  readonly aliases = new FakeAliases();
  readonly exports = {
    open: (): Promise<never> => Promise.reject(new EngineError('collection_not_found', 'there is no export here')),
  };
  readonly readSeats = [];
  readonly rest = (): void => {};
  readonly searches: SearchRequest[] = [];
  readonly suggestions: SuggestRequest[] = [];
  readonly fetches: FetchRequest[] = [];
  readonly batches: { collection: string; bytes: Buffer; format: BodyFormat }[] = [];
  readonly deleted: string[] = [];
  readonly created: unknown[] = [];
  readonly changed: unknown[] = [];
  readonly patched: { id: string; bytes: Buffer }[] = [];
  readonly filters: string[] = [];
  readonly checked: unknown[] = [];
  /** Handles of reads that nobody waits for any more. */
  readonly cancelled: ReadHandle[] = [];
  /** Memory that the answers of the next searches hold, and what was given back. */
  heldBytes = 0;
  releasedBytes = 0;
  /** Every call on this collection meets damaged files. */
  damagedCollection: string | null = null;
  snapshotError: EngineError | null = null;
  snapshots = 0;
  /** What the next searches answer. */
  searchBody: Uint8Array = EMPTY_ANSWER;
  searchFound = 0;
  searchError: EngineError | null = null;
  /** Delays answers of searches. */
  searchDelayMs = 0;
  beforeIndex: () => Promise<unknown> = async () => {};
  readBacklogMs = 1500;
  /** What it lists, ordered by name. */
  views: readonly CollectionView[] = [BOOKS];
  /** How often all collections were gone through. */
  lists = 0;
  replicated: Engine['replicated'] = null;

  listCollections(): readonly CollectionView[] {
    this.lists += 1;
    return this.views;
  }

  get collectionCount(): number {
    return this.views.length;
  }

  getCollection(name: string): CollectionView | null {
    this.#assertSound(name);
    return name === BOOKS.name ? BOOKS : null;
  }

  async createCollection(body: unknown): Promise<CollectionView> {
    this.created.push(body);
    const { name } = body as { name: string };
    if (name === BOOKS.name) throw new EngineError('collection_exists', 'collection "books" exists');
    if (name === 'bug') throw new TypeError('secret inside');
    return { ...BOOKS, name };
  }

  async changeCollection(name: string, body: unknown): Promise<CollectionView> {
    this.changed.push(body);
    assertBooks(name);
    return BOOKS;
  }

  async checkChange(name: string, body: unknown): Promise<SchemaChangeCheck> {
    this.checked.push(body);
    assertBooks(name);
    return { documents: 2, misfits: 1, first: [{ id: '1', message: 'no' }] };
  }

  async patchDocument(collection: string, id: string, body: Uint8Array): Promise<Uint8Array> {
    assertBooks(collection);
    if (id === 'none') throw new EngineError('document_not_found', 'no such document');
    this.patched.push({ id, bytes: Buffer.from(body) });
    return Buffer.from(`{"id":"${id}"}`);
  }

  async deleteDocuments(collection: string, filter: string): Promise<number> {
    assertBooks(collection);
    this.filters.push(filter);
    return 3;
  }

  async dropCollection(name: string): Promise<void> {
    if (name !== BOOKS.name) throw new EngineError('collection_not_found', `collection "${name}" does not exist`);
  }

  async indexDocuments(collection: string, body: Uint8Array<ArrayBuffer>, format: BodyFormat): Promise<IndexResult> {
    this.#assertSound(collection);
    await this.beforeIndex();
    this.batches.push({ collection, bytes: Buffer.from(body), format });
    // The engine owns it now. Node from 22 on refuses to transfer what lies in its pool.
    if (body.byteLength === body.buffer.byteLength) structuredClone(body, { transfer: [body.buffer] });
    else body.fill(0);
    return { numIndexed: 1, numFailed: 0, body: sharedBytes('{"num_indexed":1}') };
  }

  async deleteDocument(collection: string, id: string): Promise<void> {
    this.#assertSound(collection);
    if (id === 'none') throw new EngineError('document_not_found', `document "${id}" does not exist`);
    this.deleted.push(`${collection} ${id}`);
  }

  search(request: SearchRequest, done: ReadCallback): ReadHandle {
    this.searches.push(request);
    const answer = (): void => {
      const error = this.searchError ?? this.#damage(request.collection);
      if (error !== null) done(error, null);
      else done(null, resultOf(this.searchBody, this.searchFound, 214, this.heldBytes));
    };
    if (this.searchDelayMs > 0) setTimeout(answer, this.searchDelayMs);
    else setImmediate(answer);
    return this.searches.length;
  }

  suggest(request: SuggestRequest, done: ReadCallback): ReadHandle {
    this.suggestions.push(request);
    const error = this.#damage(request.collection);
    setImmediate(() => done(error, error === null ? resultOf(EMPTY_ANSWER, 0) : null));
    return 1;
  }

  fetchDocument(request: FetchRequest, done: ReadCallback): ReadHandle {
    this.fetches.push(request);
    const damage = this.#damage(request.collection);
    setImmediate(() => {
      if (damage !== null) done(damage, null);
      else if (request.id === 'none') done(new EngineError('document_not_found', 'no document "none"'), null);
      else done(null, resultOf(sharedBytes('{"id":"1"}'), 1));
    });
    return 1;
  }

  versionOf = (_collection?: string): CollectionVersion => VERSION;

  cancelRead(handle: ReadHandle): void {
    this.cancelled.push(handle);
  }

  releaseAnswer(heldBytes: number): void {
    this.releasedBytes += heldBytes;
  }

  stats(): EngineStats {
    return {
      walBytes: 7,
      walSyncs: 1,
      arenaBytesReserved: 0,
      arenaBytesUsed: 0,
      mappedBytes: 4096,
      mapping: 'mmap',
      snapshots: {
        snapshot: 9,
        written: 2,
        failed: 1,
        running: true,
        lastAtMs: 1_700_000_000_500,
        ...{ lastElapsedMs: 250, bytes: 5000, oldestWriteMs: 1_700_000_000_250, sequence: 9, failure: null },
      },
      verifiedBytes: 512,
      damagedCollections: this.damagedCollection === null ? 0 : 1,
      hasMetDamage: this.damagedCollection !== null,
      memoryBytesMax: 1_000_000,
      memoryBytesUsed: 400_000,
      memoryBytesKept: 100_000,
      processBytes: 300_000,
      memoryRefusals: 2,
      inlineReaders: [
        {
          ...{ queries: 5, busyUs: 100, givenUp: 2, helped: 0 },
          ...{ cacheBytes: 512, cacheHits: 1, cacheMisses: 1, cacheEvictions: 0 },
        },
      ],
      readers: [
        {
          ...{ queries: 3, busyUs: 500_000, givenUp: 0, helped: 4 },
          ...{ cacheBytes: 4096, cacheHits: 7, cacheMisses: 2, cacheEvictions: 1 },
        },
      ],
      readQueueDepth: 0,
      readBacklogMs: this.readBacklogMs,
      readTimeouts: 4,
      readsAbandoned: 5,
      readsShed: 6,
      answerBytes: 4096,
      writeQueueDepth: 0,
      documentsIndexed: 1,
      documentsFailed: 0,
      documentsDeleted: 0,
      merges: 0,
      mergeRunning: true,
    };
  }

  collectionStats(): readonly CollectionStats[] {
    this.lists += 1;
    return this.views.map(({ name }) => ({ name, documents: 1, segments: 1, segmentBytes: 4096 }));
  }

  async snapshot(): Promise<SnapshotReport> {
    if (this.snapshotError !== null) throw this.snapshotError;
    this.snapshots++;
    const counts = { collections: 1, segments: 4, filesWritten: 2, bytesWritten: 5000 };
    return { snapshot: 10, sequence: 77, ...counts, elapsedMs: 12.5 };
  }

  async close(): Promise<void> {}

  #damage(collection: string): EngineError | null {
    if (collection !== this.damagedCollection) return null;
    return new EngineError('corrupt_data', `collection "${collection}": segment-000001.seg is damaged`);
  }
  #assertSound(collection: string): void {
    const damage = this.#damage(collection);
    if (damage !== null) throw damage;
  }
}
