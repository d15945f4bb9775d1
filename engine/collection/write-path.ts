/**
 * The write path: groups of writes are applied, logged, made durable, published and answered, in that order.
 *
 * One commit at a time, on the writer thread; the next may be begun while the disk works on one. A commit that fails in any
 * step leaves no trace: nothing of it is in the log, nothing is visible, and every request of it is refused.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import type { IndexResult } from '../core/requests.js';
import { msgpackToJson } from '../documents/msgpack.js';
import { WAL_PAYLOAD_BYTES_MAX } from '../layout/wal.js';
import type { ManifestCollection } from '../storage/manifest.js';
import type { WriteAheadLog } from '../storage/wal.js';
import type { CollectionSet } from './collection-set.js';
import type { CollectionState } from './collection-state.js';
import { mirrorOf, mirrorOfDamaged } from './mirrors.js';
import type { SegmentStore } from './segment-store.js';
import type { ReaderUpdate } from './updates.js';
import {
  encodeWrite,
  type LoggedWrite,
  RECORD_CREATE,
  RECORD_DELETE,
  RECORD_DOCUMENTS,
  RECORD_DROP,
} from './wal-records.js';
import type { WriteAnswer, WriteRequest, WriterNews, WriterStats } from './write-requests.js';

/** How the write path reaches the threads that read. */
export interface Publisher {
  /** The last generation that readers can know. */
  readonly generation: number;
  /** Posts `updates` to every reader, then makes them the next generation. */
  publish(updates: readonly ReaderUpdate[]): void;
  /** The oldest generation that a query or a merge still uses. */
  oldestGenerationInUse(): number;
}

interface Outcome {
  readonly collectionId: number | null;
  readonly report: IndexResult | null;
}

/** Requests of a commit that have been applied, and what came of them. */
interface Applied {
  readonly requests: WriteRequest[];
  readonly answers: WriteAnswer[];
  readonly done: { readonly request: WriteRequest; readonly outcome: Outcome }[];
}

/**
 * Bodies that are applied before their commit, together: less than keeps the commit under way waiting, and far less than
 * fills a builder, which would be sealed too early.
 */
const PREPARED_BYTES_MAX = 1 << 16;

/** What a record of documents holds beside them, generously. */
const RECORD_HEAD_BYTES_MAX = 64;

/** Errors that can end a batch in its middle. */
const HALF_APPLIED_CODES = new Set(['payload_too_large', 'corrupt_data']);

const encoder = new TextEncoder();
const noop = (): void => {};

export class WritePath {
  readonly collections: CollectionSet;
  readonly #store: SegmentStore;
  readonly #wal: WriteAheadLog;
  readonly #publisher: Publisher;
  /** Whether an acknowledgement waits for the disk. */
  readonly #syncEach: boolean;
  /** Writes of the commit under way, in order, not yet in the log. */
  #unlogged: LoggedWrite[] = [];
  /** The beginning of the next commit, applied while the disk worked on the last. */
  #prepared: Applied | null = null;
  #preparedBytes = 0;
  /** What is prepared ends with documents of a request that was refused in its middle. */
  #spoiled = false;
  #indexed = 0;
  #failed = 0;
  #deleted = 0;
  /** Merges done, counted by whoever runs them. */
  merges = 0;

  constructor(
    collections: CollectionSet,
    store: SegmentStore,
    wal: WriteAheadLog,
    publisher: Publisher,
    syncEach: boolean,
  ) {
    this.collections = collections;
    this.#store = store;
    this.#wal = wal;
    this.#publisher = publisher;
    this.#syncEach = syncEach;
  }

  /**
   * Commits `requests` together and says what changed. Those that prepare() has taken since the last commit come first.
   * `meanwhile` is called once the disk works, when nothing but its answer is missing. Never throws for what a client or
   * a disk does wrong.
   */
  async commit(requests: readonly WriteRequest[], meanwhile: () => void = noop): Promise<WriterNews> {
    if (this.#spoiled) this.#discard();
    const { requests: prepared, answers, done } = this.#prepared ?? { requests: [], answers: [], done: [] };
    this.#prepared = null;
    for (let i = 0; i < requests.length; i++) {
      const request = requests[i];
      if (i < prepared.length) {
        assert(prepared[i] === request, 'what was prepared is committed next');
        continue;
      }
      try {
        done.push({ request, outcome: this.#apply(request) });
      } catch (error) {
        const refused = refusal(request.ticket, error);
        if (mayBeHalfApplied(request, error)) return this.#commitWithout(request, refused, requests, meanwhile);
        answers.push(refused);
      }
    }
    let damaged: ReadonlyMap<number, EngineError> = new Map();
    try {
      if (this.#unlogged.length > 0) damaged = await this.#makeDurable(meanwhile);
    } catch (error) {
      this.#discard();
      this.#wal.rollback();
      if (!(error instanceof EngineError)) throw error;
      for (const { request } of done) answers.push(refusal(request.ticket, error));
      return { changed: [], dropped: [], answers, stats: this.stats() };
    }
    for (const { request, outcome } of done) {
      const damage = request.kind === 'create' ? undefined : damaged.get(request.collectionId);
      if (damage !== undefined) {
        answers.push(refusal(request.ticket, damage));
        continue;
      }
      answers.push({ ticket: request.ticket, error: null, ...outcome });
      this.#indexed += outcome.report?.numIndexed ?? 0;
      this.#failed += outcome.report?.numFailed ?? 0;
      if (request.kind === 'delete') this.#deleted++;
    }
    return { ...this.publish(), answers, stats: this.stats() };
  }

  /** Starts over without a request that was refused in its middle. */
  async #commitWithout(
    request: WriteRequest,
    refused: WriteAnswer,
    requests: readonly WriteRequest[],
    meanwhile: () => void,
  ): Promise<WriterNews> {
    this.#discard();
    const others = requests.filter((other) => other !== request);
    const news = await this.commit(others, meanwhile);
    return { ...news, answers: [...news.answers, refused] };
  }

  /**
   * Applies `request` as the next of the next commit, while the commit under way waits for the disk; false: not now. When
   * that commit fails, what was built upon it is forgotten, and applied again with its own.
   */
  prepare(request: WriteRequest): boolean {
    // Only documents: they are collected apart from what is staged, until their commit seals them.
    if (request.kind !== 'index' || this.#spoiled) return false;
    if (this.#prepared === null) this.#preparedBytes = 0;
    this.#preparedBytes += request.body.length;
    if (this.#preparedBytes > PREPARED_BYTES_MAX) return false;
    this.#prepared ??= { requests: [], answers: [], done: [] };
    const { requests, answers, done } = this.#prepared;
    try {
      done.push({ request, outcome: this.#apply(request) });
    } catch (error) {
      const refused = refusal(request.ticket, error);
      if (mayBeHalfApplied(request, error)) {
        // Nothing can be taken back before the commit under way has ended.
        this.#spoiled = true;
        return false;
      }
      answers.push(refused);
    }
    requests.push(request);
    return true;
  }

  /** Requests that prepare() took and no commit has yet. */
  get preparedCount(): number {
    return this.#prepared?.requests.length ?? 0;
  }

  /** Forgets what is staged and what is prepared. */
  #discard(): void {
    this.#unlogged = [];
    this.#prepared = null;
    this.#spoiled = false;
    this.collections.discard();
  }

  /**
   * Returns the collections that proved to be damaged. What they were to take is refused, and stays in the log: it may be
   * on disk already, with what goes to the others, and is applied once their files are repaired.
   */
  async #makeDurable(meanwhile: () => void): Promise<ReadonlyMap<number, EngineError>> {
    for (const write of this.#unlogged) this.#wal.append(write.type, encodeWrite(write));
    this.#unlogged = [];
    this.#wal.flush();
    const synced = this.#syncEach ? settle(this.#wal.sync()) : null;
    // The disk works while the segments are built.
    const damaged = this.collections.seal();
    if (damaged.size === 0) meanwhile();
    if (synced !== null) raise(await synced);
    else this.#wal.commit();
    return damaged;
  }

  /** Syncs what relaxed durability left unsynced. Errors: io_error, disk_full. */
  sync(): Promise<void> {
    return this.#wal.sync();
  }

  /** Makes durable what is not yet, and closes the log. Errors: io_error, disk_full. */
  close(): Promise<void> {
    return this.#wal.close();
  }

  /** Publishes every collection, after recovery. */
  publishAll(): WriterNews {
    const all = [...this.collections.all()];
    this.#publisher.publish(all.map((state) => ({ kind: 'collection', collection: state.describe() })));
    const damaged = [...this.collections.damaged()].map(mirrorOfDamaged);
    return { changed: [...all.map(mirrorOf), ...damaged], dropped: [], answers: [], stats: this.stats() };
  }

  /**
   * Refuses the collections that proved to be damaged, between two commits; null: there are none. `entryOf` gives what
   * the last manifest says of a collection.
   */
  refuseSuspects(entryOf: (collectionId: number) => ManifestCollection): WriterNews | null {
    const suspects = this.collections.takeSuspects();
    if (suspects.length === 0) return null;
    if (this.#prepared !== null || this.#spoiled) this.#discard();
    const updates: ReaderUpdate[] = [];
    for (const { collection, error } of suspects) {
      this.collections.damage(collection, entryOf(collection.id), error, this.#publisher.generation);
      updates.push({ kind: 'damage', collectionId: collection.id, message: error.message });
    }
    this.#publisher.publish(updates);
    this.reclaim();
    const refused = new Set(suspects.map(({ collection }) => collection.id));
    const changed = [...this.collections.damaged()].filter(({ entry }) => refused.has(entry.id)).map(mirrorOfDamaged);
    return { changed, dropped: [], answers: [], stats: this.stats() };
  }

  /** Publishes what is staged. */
  publish(): Pick<WriterNews, 'changed' | 'dropped'> {
    const { changed, dropped } = this.collections.publish(this.#publisher.generation);
    const updates: ReaderUpdate[] = changed.map((state) => ({ kind: 'collection', collection: state.describe() }));
    for (const collectionId of dropped) updates.push({ kind: 'drop', collectionId });
    if (updates.length > 0) this.#publisher.publish(updates);
    this.reclaim();
    return { changed: changed.map(mirrorOf), dropped };
  }

  /** Publishes one collection as it is now, after a merge. */
  publishMerge(collection: CollectionState): WriterNews {
    this.merges++;
    this.#publisher.publish([{ kind: 'collection', collection: collection.describe() }]);
    this.reclaim();
    return { changed: [mirrorOf(collection)], dropped: [], answers: [], stats: this.stats() };
  }

  /** Frees the regions that no query can reach any more. */
  reclaim(): void {
    this.#store.reclaim(this.#publisher.oldestGenerationInUse());
  }

  stats(): WriterStats {
    return {
      walBytes: this.#wal.bytes,
      walSyncs: this.#wal.syncs,
      arenaBytesReserved: this.#store.highWaterBytes,
      arenaBytesUsed: this.#store.usedBytes,
      documentsIndexed: this.#indexed,
      documentsFailed: this.#failed,
      documentsDeleted: this.#deleted,
      merges: this.merges,
    };
  }

  #apply(request: WriteRequest): Outcome {
    const { collections } = this;
    switch (request.kind) {
      case 'create': {
        const id = collections.nextId;
        const createdAt = Date.now();
        collections.create(id, request.schema, createdAt);
        this.#unlogged.push({ type: RECORD_CREATE, id, createdAt, schema: request.schema });
        return { collectionId: id, report: null };
      }
      case 'drop':
        collections.drop(request.collectionId);
        this.#unlogged.push({ type: RECORD_DROP, id: request.collectionId });
        return { collectionId: null, report: null };
      case 'index': {
        const format = request.format === 'ndjson' ? 'ndjson' : 'json';
        const body = request.format === 'msgpack' ? msgpackToJson(request.body) : request.body;
        checkRecordFits(body);
        const report = collections.index(request.collectionId, body, format);
        if (report.numIndexed > 0)
          this.#unlogged.push({ type: RECORD_DOCUMENTS, id: request.collectionId, format, body });
        return { collectionId: null, report };
      }
      case 'delete': {
        const documentId = encoder.encode(request.documentId);
        if (!collections.deleteDocument(request.collectionId, documentId))
          throw new EngineError('document_not_found', `there is no document with the id "${request.documentId}"`);
        this.#unlogged.push({ type: RECORD_DELETE, id: request.collectionId, documentId });
        return { collectionId: null, report: null };
      }
    }
  }
}

/** A batch that the log has no room for is refused alone, not with the others of its commit. */
function checkRecordFits(body: Uint8Array): void {
  const bodyBytesMax = WAL_PAYLOAD_BYTES_MAX - RECORD_HEAD_BYTES_MAX;
  if (body.length <= bodyBytesMax) return;
  throw new EngineError('payload_too_large', `expected at most ${bodyBytesMax} bytes of JSON, got ${body.length}`);
}

/** Whether documents of `request` may be staged though it failed: a report can outgrow its bound at any of them. */
const mayBeHalfApplied = (request: WriteRequest, error: unknown): boolean =>
  request.kind === 'index' && error instanceof EngineError && HALF_APPLIED_CODES.has(error.code);

function refusal(ticket: number, error: unknown): WriteAnswer {
  if (!(error instanceof EngineError)) throw error;
  return { ticket, error: { code: error.code, message: error.message } };
}

/** The error of `work`, or null: so that a rejection is never left without a handler while something else runs. */
const settle = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

function raise(error: unknown): void {
  if (error !== null) throw error;
}
