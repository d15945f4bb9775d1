/**
 * The write path: groups of writes are applied, logged, made durable, published and answered, in that order.
 *
 * One commit at a time, on the writer thread; the next may be begun while the disk works on one (prepare). A commit that
 * fails in any step leaves no trace: nothing of it is in the log, nothing is visible, and every request of it is refused.
 * When the disk keeps it in the log, the answer says that nobody knows: unknown_outcome.
 */
import { assert } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import type { ReaderUpdate } from '../../segment/updates.js';
import type { WriteAheadLog } from '../../storage/log/wal.js';
import { encodeWrite, type LoggedWrite } from '../../storage/log/wal-records.js';
import type { Manifest } from '../../storage/types/manifest.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { CollectionState } from '../state/collection-state.js';
import { viewCollection, viewDamaged } from '../state/collection-views.js';
import type { DocumentMatcher } from '../state/document-matcher.js';
import { entryOf } from '../state/manifest-entry.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import {
  type ChangedRules,
  type CommitResult,
  collectionOf,
  NO_CHANGES,
  type WriteAnswer,
  type WriteRequest,
  type WriterStats,
} from '../state/write-requests.js';
import { CommitGroup, refusal } from './commit-group.js';

/** How the write path reaches the threads that read. */
export interface Publisher {
  /** The last generation that readers can know. */
  readonly generation: number;
  /** Posts `updates` to every reader, then makes them the next generation. */
  publish(updates: readonly ReaderUpdate[]): void;
  /** The oldest generation that a query or a merge still uses. */
  oldestGenerationInUse(): number;
}

/**
 * Bodies that are applied before their commit, together: less than keeps the commit under way waiting, and far less than
 * fills a builder, which would be staged too early.
 */
const PREPARED_BYTES_MAX = 1 << 16;
/** Collections that they are for: each has a builder until the commit. */
const PREPARED_COLLECTIONS_MAX = 64;

const noop = (): void => {};

export class WritePath {
  readonly collections: CollectionSet;
  readonly #memory: SegmentMemory;
  readonly #wal: WriteAheadLog;
  readonly #publisher: Publisher;
  readonly #matcher: DocumentMatcher;
  /** Whether an acknowledgement waits for the disk. */
  readonly #syncEach: boolean;
  /** The beginning of the next commit, applied while the disk worked on the last. */
  #prepared: CommitGroup | null = null;
  #preparedBytes = 0;
  /** What is prepared is half applied: it ends with documents of a request that was refused in its middle. */
  #halfApplied = false;
  #indexed = 0;
  #failed = 0;
  #deleted = 0;
  #memoryRefusals = 0;
  /** Merges done, counted by whoever runs them. */
  merges = 0;

  constructor(
    collections: CollectionSet,
    memory: SegmentMemory,
    wal: WriteAheadLog,
    publisher: Publisher,
    syncEach: boolean,
    matcher: DocumentMatcher,
  ) {
    this.#matcher = matcher;
    this.collections = collections;
    this.#memory = memory;
    this.#wal = wal;
    this.#publisher = publisher;
    this.#syncEach = syncEach;
  }

  /**
   * Commits `requests` together and says what changed. Those that prepare() has taken since the last commit come first.
   * `meanwhile` is called once the disk works, when nothing but its answer is missing. Never throws for what a client or
   * a disk does wrong.
   */
  commit(requests: readonly WriteRequest[], meanwhile: () => void = noop): Promise<CommitResult> {
    return this.#commitUntilFull(requests, meanwhile, null);
  }

  /** As commit(); `full`: where the memory was found to be full, and what was said there. */
  async #commitUntilFull(
    requests: readonly WriteRequest[],
    meanwhile: () => void,
    full: { readonly from: number; readonly error: EngineError } | null,
  ): Promise<CommitResult> {
    if (this.#halfApplied) this.#discard();
    const group = this.#prepared ?? new CommitGroup(this.#memory, this.#matcher);
    this.#prepared = null;
    for (let i = 0; i < requests.length; i++) {
      if (i < group.requests.length) {
        assert(group.requests[i] === requests[i], 'what was prepared is committed next');
        continue;
      }
      // Otherwise each of many such requests would be tried, and every time all those before it applied again.
      if (full !== null && i >= full.from && takesMemory(requests[i])) {
        group.refuse(requests[i], full.error);
        continue;
      }
      const refused = group.take(requests[i], this.collections);
      if (refused === null) continue;
      // Where several nodes apply the same requests, they are grouped differently, and get the same numbers.
      this.#discard(true);
      const others = requests.filter((_, at) => at !== i);
      const isFull = refused.error?.code === 'memory_full';
      if (isFull) this.#memoryRefusals++;
      const found = isFull ? { from: i, error: new EngineError('memory_full', refused.error.message) } : full;
      const result = await this.#commitUntilFull(others, meanwhile, found);
      return { ...result, answers: [...result.answers, refused] };
    }
    const synced = this.#append(group.writes);
    // The disk works while the segments are built.
    const damaged = this.collections.stage();
    if (damaged.size === 0) meanwhile();
    const failure = synced === null ? null : await synced;
    if (failure !== null) return this.#fail(group, failure);
    const answers = this.#answer(group, damaged);
    const published = this.publish();
    for (const { error } of answers) if (error?.code === 'memory_full') this.#memoryRefusals++;
    return { ...published, answers, stats: this.stats() };
  }

  /**
   * Applies `request` for the next commit while the commit under way waits for the disk. Returns false when it has to
   * wait. When the commit under way fails, what was prepared upon it is forgotten, and applied again with its own commit.
   */
  prepare(request: WriteRequest): boolean {
    // Only documents: they are collected apart from what is staged, until their own commit stages them.
    if (request.kind !== 'index' || this.#halfApplied) return false;
    if (this.#prepared === null) this.#preparedBytes = 0;
    this.#preparedBytes += request.body.length;
    if (this.#preparedBytes > PREPARED_BYTES_MAX) return false;
    this.#prepared ??= new CommitGroup(this.#memory, this.#matcher);
    if (this.#prepared.indexed.size >= PREPARED_COLLECTIONS_MAX) return false;
    const { builders } = this.collections;
    builders.isAhead = true;
    // Nothing can be taken back before the commit under way has ended.
    this.#halfApplied = this.#prepared.take(request, this.collections, true) !== null;
    builders.isAhead = false;
    return !this.#halfApplied;
  }

  /** Requests that prepare() took and no commit has yet. */
  get preparedCount(): number {
    return this.#prepared?.requests.length ?? 0;
  }

  /** Between two commits: takes what is prepared back, which is applied anew with its commit. */
  discardPrepared(): void {
    if (this.#prepared !== null || this.#halfApplied) this.#discard();
  }

  /** Between two commits: makes `write` durable, alone. Resolves with what went wrong, or null; then the log does not hold it. */
  async log(write: LoggedWrite): Promise<EngineError | null> {
    const synced = this.#append([write]);
    const failure = synced === null ? null : await synced;
    if (failure === null) return null;
    if (!(failure instanceof EngineError)) throw failure;
    return this.#wal.rollback() ? failure : unknownOutcome(failure);
  }

  /** Forgets what is staged and what is prepared. */
  #discard(freesIds = false): void {
    this.#prepared = null;
    this.#halfApplied = false;
    this.collections.discard(freesIds);
  }

  /**
   * Appends the records of `writes` and puts the disk to work. The promise resolves, never rejects, with what went wrong,
   * or null, when they are durable; null: nothing is waited for.
   */
  #append(writes: readonly LoggedWrite[]): Promise<unknown> | null {
    if (writes.length === 0) return null;
    try {
      for (const write of writes) this.#wal.append(write.type, write.id, encodeWrite(write));
      this.#wal.flush();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return Promise.resolve(error);
    }
    if (this.#syncEach) return settle(this.#wal.sync());
    this.#wal.commit();
    return null;
  }

  /** Takes `group` back, whose records are not durable, and refuses all of it: as undecided when the log keeps it. */
  #fail({ applied, refusals }: CommitGroup, failure: unknown): CommitResult {
    this.#discard();
    const isUndone = this.#wal.rollback();
    const error = isUndone || !(failure instanceof EngineError) ? failure : unknownOutcome(failure);
    const answers = [...refusals, ...applied.map(({ request }) => refusal(request.ticket, error))];
    return { ...NO_CHANGES, answers, stats: this.stats() };
  }

  /**
   * The answers to a durable commit. What `damaged` collections were to take is refused, and stays in the log: it may be
   * on disk already, with what goes to the others, and is applied once their files are repaired.
   */
  #answer({ applied, refusals }: CommitGroup, damaged: ReadonlyMap<number, EngineError>): WriteAnswer[] {
    const answers = [...refusals];
    for (const { request, outcome } of applied) {
      const damage = damaged.get(collectionOf(request) ?? 0);
      if (damage !== undefined) {
        answers.push(refusal(request.ticket, damage));
        continue;
      }
      const { collectionId, report, deleted, view } = outcome;
      answers.push({
        ticket: request.ticket,
        error: null,
        collectionId,
        report,
        ...(deleted !== undefined && { deleted }),
        ...(view !== undefined && { view }),
      });
      this.#indexed += report?.numIndexed ?? 0;
      this.#failed += report?.numFailed ?? 0;
      if (request.kind === 'delete') this.#deleted++;
      this.#deleted += deleted ?? 0;
    }
    return answers;
  }

  /** Makes durable what is not yet, and closes the log. Errors: io_error, disk_full. */
  close(): Promise<void> {
    return this.#wal.close();
  }

  /** Publishes every collection, after recovery. */
  publishAll(): CommitResult {
    const all = [...this.collections.all()];
    const rules = all
      .map(({ id, rules }) => ({ collectionId: id, changes: rules.all() }))
      .filter(({ changes }) => changes.length > 0);
    const aliases = [...this.collections.names.aliases()];
    this.#publisher.publish([
      ...all.map((state): ReaderUpdate => ({ kind: 'collection', collection: state.describe() })),
      ...rules.map((one): ReaderUpdate => ({ kind: 'rules', ...one })),
      ...aliases.map((alias): ReaderUpdate => ({ kind: 'alias', alias })),
    ]);
    const damaged = [...this.collections.refused.all()].map(viewDamaged);
    const changed = [...all.map(viewCollection), ...damaged];
    return { changed, dropped: [], rules, aliases, answers: [], stats: this.stats() };
  }

  /**
   * Refuses the collections that proved to be damaged, between two commits; null: there are none. `manifest` is the one
   * in force.
   */
  refuseSuspects(manifest: Manifest): CommitResult | null {
    const suspects = this.collections.takeSuspects();
    if (suspects.length === 0) return null;
    this.discardPrepared();
    const updates: ReaderUpdate[] = [];
    for (const { collection, error } of suspects) {
      this.collections.damage(collection, entryOf(manifest, collection), error, this.#publisher.generation);
      updates.push({ kind: 'damage', collectionId: collection.id, message: error.message });
    }
    this.#publisher.publish(updates);
    this.reclaim();
    const refused = new Set(suspects.map(({ collection }) => collection.id));
    const changed = [...this.collections.refused.all()].filter(({ entry }) => refused.has(entry.id)).map(viewDamaged);
    return { ...NO_CHANGES, changed, answers: [], stats: this.stats() };
  }

  /** Publishes what is staged. */
  publish(): Omit<CommitResult, 'answers' | 'stats'> {
    const { changed, dropped } = this.collections.publish(this.#publisher.generation);
    const updates: ReaderUpdate[] = changed.map((state) => ({ kind: 'collection', collection: state.describe() }));
    const rules: ChangedRules[] = [];
    for (const { id, rules: own } of changed)
      if (own.published.length > 0) rules.push({ collectionId: id, changes: own.published });
    for (const one of rules) updates.push({ kind: 'rules', ...one });
    const aliases = this.collections.names.published;
    for (const alias of aliases) updates.push({ kind: 'alias', alias });
    for (const collectionId of dropped) updates.push({ kind: 'drop', collectionId });
    if (updates.length > 0) this.#publisher.publish(updates);
    this.reclaim();
    return { changed: changed.map(viewCollection), dropped, rules, aliases };
  }

  /** Publishes one collection as it is now, after a merge. */
  publishMerge(collection: CollectionState): CommitResult {
    this.merges++;
    return this.publishOne(collection);
  }

  /** Publishes one collection as it is now. */
  publishOne(collection: CollectionState): CommitResult {
    this.#publisher.publish([{ kind: 'collection', collection: collection.describe() }]);
    this.reclaim();
    return { ...NO_CHANGES, changed: [viewCollection(collection)], answers: [], stats: this.stats() };
  }

  /** Frees the regions that no query can reach any more. */
  reclaim(): void {
    this.#memory.reclaim(this.#publisher.oldestGenerationInUse());
  }

  stats(): WriterStats {
    const { budget } = this.#memory;
    return {
      walBytes: this.#wal.bytes,
      walSyncs: this.#wal.syncs,
      arenaBytesReserved: this.#memory.highWaterBytes,
      arenaBytesUsed: this.#memory.usedBytes,
      memoryBytesMax: budget.bytesMax,
      memoryBytesUsed: Math.ceil(budget.usedBytes),
      memoryBytesKept: Math.ceil(budget.reserveBytes),
      memoryRefusals: this.#memoryRefusals,
      documentsIndexed: this.#indexed,
      documentsFailed: this.#failed,
      documentsDeleted: this.#deleted,
      merges: this.merges,
    };
  }
}

/** What a write is answered that is not done, and that a start might do. */
function unknownOutcome(failure: EngineError): EngineError {
  const message = `${failure.message}; what the log holds of this write cannot be taken back: it is not done, and a restart may do it`;
  return new EngineError('unknown_outcome', message, { cause: failure });
}

/** Whether `request` adds to what is held in memory, more than a deletion does. */
const takesMemory = ({ kind }: WriteRequest): boolean => kind === 'index' || kind === 'create' || kind === 'rule';

/** The error of `work`, or null: so that a rejection is never left without a handler while something else runs. */
const settle = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
