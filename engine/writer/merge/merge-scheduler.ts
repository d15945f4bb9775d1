/**
 * Starts merges when they are due: tiny ones at once on the writer thread, larger ones one at a time elsewhere.
 *
 * Asked after every commit and every finished merge, and now and then while hardly anything is written. The writer goes on
 * committing while a merge runs; past SEGMENTS_MAX segments it merges small ones itself, or waits for the merge. A merge that meets damage changes nothing:
 * the collection is noted as suspect, and not merged again.
 */
import { EngineError } from '../../core/errors.js';
import type { Region } from '../../memory/arena.js';
import { readingSegments } from '../../segment/damage-check.js';
import type { Publisher, WritePath } from '../commit/write-path.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { CollectionState } from '../state/collection-state.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import type { CommitResult } from '../state/write-requests.js';
import { FreshBytes } from './fresh-bytes.js';
import { MergeJob, type MergeOrder, type MergeOutcome } from './merge-job.js';
import {
  chooseMerge,
  chooseRestMerge,
  chooseWholeMerge,
  countSmall,
  MERGED_BYTES_MAX,
  type MergeWindow,
  type PolicySegment,
} from './merge-policy.js';

/** A merge of at most this many source bytes takes a few milliseconds: not worth handing over. */
const INLINE_BYTES_MAX = 1 << 20;
/** Memory that a merge may take for each byte that it writes. */
const ROOM_PER_BYTE = 2.5;
/** Segments of one collection that are small enough for merges, beyond which commits wait until there are fewer. */
export const SEGMENTS_MAX = 19;
/** A merge of at most this many bytes ends before the one that a commit waits for, most likely: about a quarter of a second. */
const WAITING_BYTES_MAX = 1 << 26;
/** Segments of one collection that a start may leave to later merges. */
const RECOVERED_SEGMENTS_MAX = 32;

/** Runs merge orders off the writer thread. */
export interface MergeRunner {
  /** Resolves when the order was carried out; the sources stay untouched until then. */
  run(order: MergeOrder): Promise<MergeOutcome>;
}

export class MergeScheduler {
  readonly #path: WritePath;
  readonly #memory: SegmentMemory;
  readonly #publisher: Publisher;
  readonly #runner: MergeRunner;
  readonly #onMerged: (result: CommitResult) => void;
  readonly #fresh: FreshBytes;
  #running: Promise<void> | null = null;
  /** Collections that may have a merge due. */
  readonly #due = new Set<CollectionState>();
  /** Collections that changed while a merge ran on the other thread: looked at again when it has ended. */
  readonly #later = new Set<CollectionState>();
  /** Collections that there was no address space for: none of their merges begins until retry(). */
  readonly #putOff = new Set<CollectionState>();

  /** `onMerged` hears what each merge changed, once it is published. */
  constructor(
    path: WritePath,
    memory: SegmentMemory,
    publisher: Publisher,
    runner: MergeRunner,
    onMerged: (result: CommitResult) => void,
  ) {
    this.#path = path;
    this.#memory = memory;
    this.#publisher = publisher;
    this.#runner = runner;
    this.#onMerged = onMerged;
    this.#fresh = new FreshBytes(path.collections.all());
  }

  /** Whether a merge is under way on the other thread: it has a region that is not filled yet. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Starts what is due in the collections that have changed. */
  schedule(): void {
    const { collections } = this.#path;
    this.#noteChanged();
    for (const collection of this.#due) {
      this.#due.delete(collection);
      if (!collections.isPublished(collection)) continue;
      while (!collections.suspects.has(collection) && this.#startNext(collection));
      if (this.#running !== null || this.#lacksRoom(collection)) this.#later.add(collection);
    }
  }

  /** Looks again at collections whose merges had to wait for memory. */
  retry(): void {
    if (this.#running !== null || this.#later.size + this.#putOff.size === 0) return;
    for (const collection of this.#putOff) this.#later.add(collection);
    this.#putOff.clear();
    this.#resume();
  }

  /** Merges what pays while hardly anything is written: called again and again then. Whether a merge is under way. */
  rest(): boolean {
    const { collections } = this.#path;
    for (const collection of collections.all()) {
      if (!collections.isPublished(collection) || collections.suspects.has(collection)) continue;
      const choose: typeof chooseRestMerge = (segments, bytesMax) => this.#chooseAtRest(collection, segments, bytesMax);
      while (this.#running === null && this.#startNext(collection, choose));
    }
    return this.#running !== null;
  }

  #chooseAtRest(collection: CollectionState, segments: readonly PolicySegment[], bytesMax: number): MergeWindow | null {
    const freshBytes = this.#fresh.of(collection);
    if (segments.length === 1) return null;
    const paying = chooseRestMerge(segments, bytesMax);
    const whole = chooseWholeMerge(segments, bytesMax, paying === null ? freshBytes : Number.POSITIVE_INFINITY);
    if (paying !== null && (paying.from !== whole?.from || paying.to !== whole.to)) return paying;
    // However little of it there is room for, and whether it comes to an end: else it would be tried again and again.
    if (whole !== null) this.#fresh.noteMerged(collection);
    return whole;
  }

  #resume(): void {
    for (const waiting of this.#later) this.#due.add(waiting);
    this.#later.clear();
    this.schedule();
  }

  /** Whether a merge of the collection is due that there is no memory for now. */
  #lacksRoom(collection: CollectionState): boolean {
    if (mergeBytesMax(this.#memory) >= MERGED_BYTES_MAX) return false;
    return chooseMerge(policyOf(collection, Number.POSITIVE_INFINITY), MERGED_BYTES_MAX) !== null;
  }

  #noteChanged(): void {
    for (const collection of this.#path.collections.takeChanged()) this.#due.add(collection);
  }

  /**
   * Resolves when commits may go on: at once, unless a collection has too many segments and a merge is under way. While the
   * writer has to wait it merges what does not take long.
   */
  async throttle(): Promise<void> {
    while (this.#running !== null) {
      const crowded = this.#findCrowded();
      if (crowded === null) return;
      if (!this.#mergeWhileWaiting(crowded)) await this.#running;
    }
  }

  /** A collection with more than SEGMENTS_MAX small segments, or null. */
  #findCrowded(): CollectionState | null {
    this.#noteChanged();
    for (const noted of [this.#due, this.#later])
      for (const collection of noted) {
        const { segments } = collection;
        if (segments.length <= SEGMENTS_MAX || !this.#path.collections.isPublished(collection)) continue;
        if (countSmall(policyOf(collection, Number.POSITIVE_INFINITY)) > SEGMENTS_MAX) return collection;
      }
    return null;
  }

  /** Merges small segments of `collection` here; false when there are none. */
  #mergeWhileWaiting(collection: CollectionState): boolean {
    if (this.#path.collections.suspects.has(collection)) return false;
    const bytesMax = Math.min(mergeBytesMax(this.#memory), WAITING_BYTES_MAX);
    const window = chooseMerge(policyOf(collection, bytesMax), bytesMax, 1);
    if (window === null) return false;
    return this.#mergeHere(new MergeJob(collection, collection.segments.slice(window.from, window.to), this.#memory));
  }

  /** Starts the merge of `collection` that `choose` chooses; false when there is none or it must wait. */
  #startNext(collection: CollectionState, choose: typeof chooseRestMerge = chooseMerge): boolean {
    if (this.#putOff.has(collection)) return false;
    const busy = this.#running !== null;
    // While a merge runs elsewhere only what can be merged here is touched.
    const bytesMax = Math.min(mergeBytesMax(this.#memory), busy ? INLINE_BYTES_MAX : MERGED_BYTES_MAX);
    const window = choose(policyOf(collection, busy ? INLINE_BYTES_MAX : Number.POSITIVE_INFINITY), bytesMax);
    if (window === null) return false;
    const job = new MergeJob(collection, collection.segments.slice(window.from, window.to), this.#memory);
    if (busy || job.liveCount === 0 || job.sourceBytes <= INLINE_BYTES_MAX) return this.#mergeHere(job);
    const order = this.#orderOf(job, 1);
    if (order === null) return false;
    this.#running = this.#runElsewhere(job, order).finally(() => {
      this.#running = null;
      this.#resume();
    });
    return true;
  }

  /** false: it was given up, and would be again. */
  #mergeHere(job: MergeJob): boolean {
    try {
      this.#finish(job, job.liveCount === 0 ? null : job.run());
      return true;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#giveUp(job, error);
      return false;
    }
  }

  async #runElsewhere(first: MergeJob, firstOrder: MergeOrder): Promise<void> {
    let job = first;
    let order: MergeOrder | null = firstOrder;
    for (let factor = 2; job.liveCount > 0; factor *= 2) {
      if (order === null) return;
      const { bytes, damage } = await this.#runner.run(order);
      if (bytes !== null) {
        this.#finish(job, this.#memory.shrink(order.target, bytes));
        return;
      }
      this.#memory.free(order.target);
      if (damage !== null) {
        this.#giveUp(job, new EngineError('corrupt_data', damage));
        return;
      }
      // Listed anew: a bitmap that a commit has replaced meanwhile is not protected any more.
      job = new MergeJob(job.collection, job.sources, this.#memory);
      order = job.liveCount > 0 ? this.#orderOf(job, factor) : null;
    }
    this.#finish(job, null);
  }

  /** null: there is no address space for it, and the merge is put off until retry(). */
  #orderOf(job: MergeJob, factor: number): MergeOrder | null {
    try {
      return readingSegments(
        () => job.sources.filter(({ stored }) => stored !== null).map(({ reader }) => reader.views),
        () => job.order(factor),
      );
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#giveUp(job, error);
      this.#putOff.add(job.collection);
      return null;
    }
  }

  /** Ends a merge without an outcome. Unless it lacked memory, the collection is about to be refused. */
  #giveUp(job: MergeJob, error: EngineError): void {
    const { collections } = this.#path;
    if (!collections.isPublished(job.collection)) {
      this.#releaseSources(job);
      return;
    }
    for (const source of job.sources) source.merging = false;
    if (error.code !== 'memory_full') collections.suspect(job.collection, error);
  }

  #releaseSources({ collection, sources }: MergeJob): void {
    for (const source of sources) collection.release(source, this.#publisher.generation - 1);
    this.#path.reclaim();
  }

  #finish(job: MergeJob, region: Region | null): void {
    const { collection } = job;
    if (this.#path.collections.isPublished(collection)) {
      job.finish(region, this.#publisher.generation);
      this.#onMerged(this.#path.publishMerge(collection));
      return;
    }
    // The collection was dropped meanwhile, which left the sources to this merge. The current generation lacks them.
    if (region !== null) this.#memory.free(region);
    this.#releaseSources(job);
  }
}

/**
 * Merges on the calling thread what is due in those of `among` that are published and have more than
 * RECOVERED_SEGMENTS_MAX segments: for recovery, before any reader knows a segment. The rest is merged while the server
 * serves. Errors: corrupt_data, the collection being noted as suspect.
 */
export function mergeNow(among: Iterable<CollectionState>, collections: CollectionSet, memory: SegmentMemory): void {
  for (const collection of among) {
    if (!collections.isPublished(collection)) continue;
    while (collection.segments.length > RECOVERED_SEGMENTS_MAX) {
      const window = chooseMerge(policyOf(collection, Number.POSITIVE_INFINITY), mergeBytesMax(memory));
      if (window === null) break;
      const job = new MergeJob(collection, collection.segments.slice(window.from, window.to), memory);
      try {
        job.finish(job.liveCount === 0 ? null : job.run(), 0);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        for (const source of job.sources) source.merging = false;
        // Without address space it is left to the server that serves.
        if (error.code === 'memory_full') break;
        collections.suspect(collection, error);
        throw error;
      }
      memory.reclaim(Number.POSITIVE_INFINITY);
    }
  }
}

/** Bytes that a merge may write: its target is estimated generously, and its work takes memory of its own. */
const mergeBytesMax = ({ budget }: SegmentMemory): number =>
  Math.min(budget.mergeRoomBytes / ROOM_PER_BYTE, MERGED_BYTES_MAX);

/** What the policy knows of the segments; those of more than `bytesMax` bytes are not to be touched. */
function policyOf(collection: CollectionState, bytesMax: number): PolicySegment[] {
  return collection.segments.map(({ region, reader, liveCount, merging }) => ({
    bytes: region.bytes,
    maxDoc: reader.maxDoc,
    liveCount,
    merging: merging || region.bytes > bytesMax,
  }));
}
