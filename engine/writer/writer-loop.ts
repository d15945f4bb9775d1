/**
 * What the writer thread does all day: commits what has gathered, and between two commits whatever needs quiet there,
 * the start of a snapshot and the refusal of a damaged collection.
 *
 * Never runs two of these at a time.
 */

import { EngineError } from '../core/errors.js';
import type { SnapshotReport } from '../core/snapshots.js';
import type { DurabilityStats, EngineLogger } from '../engine.js';
import { Calm } from './calm.js';
import type { SchemaChanges } from './change/schema-changes.js';
import { claimOf } from './commit/commit-group.js';
import type { WritePath } from './commit/write-path.js';
import type { MergeScheduler } from './merge/merge-scheduler.js';
import { QuietHeap } from './quiet-heap.js';
import type { Snapshotter } from './snapshot/snapshotter.js';
import { type VerifyRunner, verifyAllStored } from './snapshot/verify-stored.js';
import { HeldSegments } from './state/held-segments.js';
import type { SegmentMemory } from './state/segment-memory.js';
import { type CommitResult, type LoneRequest, NO_CHANGES, type WriterRequest } from './state/write-requests.js';
import type { Backlog } from './write-backlog.js';

/**
 * While no commit comes along, this often: memory that nobody reads any more is freed, snapshots that are due begin, and
 * so do merges that wait for it.
 */
const TICK_MS = 500;
/** How often garbage is collected while memory is short. */
const RELIEVE_EVERY_MS = 1000;
/** How writes end that the disk is to blame for, and what the log says of those of a commit. */
const LOGGED_FAILURES = [
  ['unknown_outcome', 'nobody knows what becomes of writes'],
  ['io_error', 'writes were refused'],
] as const;

/** What the loop works on. */
export interface WriterParts {
  readonly backlog: Backlog;
  readonly path: WritePath;
  readonly memory: SegmentMemory;
  readonly merges: MergeScheduler;
  readonly snapshots: Snapshotter;
  readonly changes: SchemaChanges;
  readonly verifier: VerifyRunner;
  readonly logger: EngineLogger;
  /** Collects the garbage of the threads that write. */
  readonly collectGarbage: () => void;
  /** Bytes of segment files that the start has verified. */
  readonly verifiedBytes: number;
}

/** How the loop is heard. */
export interface WriterEvents {
  readonly result: (result: CommitResult) => void;
  /** Snapshots, mappings, verification or damage have changed. */
  readonly durability: (durability: DurabilityStats) => void;
  readonly snapshot: (ticket: number, report: SnapshotReport | null, error: EngineError | null) => void;
  /** Everything has ended; `error`: what was acknowledged may not be durable. */
  readonly stopped: (error: EngineError | null) => void;
  /** A bug. */
  readonly fail: (error: unknown) => void;
}

export class WriterLoop {
  readonly #parts: WriterParts;
  readonly #events: WriterEvents;
  readonly #backlog: Backlog;
  readonly #calm = new Calm();
  #running = false;
  #stopWithinMs: number | null = null;
  /** A commit waits for the disk. */
  #syncing = false;
  /** Bytes of segment files verified since start. */
  verifiedBytes: number;
  #committedSinceTick = false;
  #isDamageTold = false;
  readonly #quietHeap: QuietHeap;
  #relievedAtMs = 0;
  /** What exports read. */
  readonly held: HeldSegments;

  constructor(parts: WriterParts, events: WriterEvents) {
    this.#parts = parts;
    this.#backlog = parts.backlog;
    this.#events = events;
    this.held = new HeldSegments(parts.path.collections, parts.memory);
    this.verifiedBytes = parts.verifiedBytes;
    const { collectGarbage, memory } = parts;
    const boundPools = (areTight: boolean): void => memory.boundPools(areTight);
    this.#quietHeap = new QuietHeap({ collectGarbage, boundPools, trimHeap: () => memory.trimHeap() });
    setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** What is on disk now, and how it lies in memory. */
  durability(): DurabilityStats {
    const { memory, snapshots, path } = this.#parts;
    return {
      mappedBytes: memory.mappedBytes,
      mapping: memory.mapping,
      snapshots: snapshots.stats(),
      verifiedBytes: this.verifiedBytes,
      damagedCollections: path.collections.refused.count,
      hasMetDamage: path.collections.hasMetDamage,
    };
  }

  /** Takes writes in, in order; each is answered once. */
  write(requests: Iterable<WriterRequest>): void {
    for (const request of requests) this.#backlog.add(request);
    if (this.#syncing) this.#prepare();
    this.wake();
  }

  /** Bytes of the bodies that wait to be committed. */
  get waitingBytes(): number {
    return this.#backlog.bytes;
  }

  /** Asks for a snapshot of everything committed by now; the answer carries `ticket`. */
  requestSnapshot(ticket: number): void {
    this.#parts.snapshots.request().then(
      (report) => this.#events.snapshot(ticket, report, null),
      (error: unknown) => {
        if (error instanceof EngineError) this.#events.snapshot(ticket, null, error);
        else this.#events.fail(error);
      },
    );
    this.wake();
  }

  /** Notes that the files of a collection proved to be damaged: it is refused before the next commit. */
  suspect(collectionId: number, error: EngineError): void {
    this.#suspect(collectionId, error);
    this.wake();
  }

  /** Ends the loop once everything taken in was answered, with a last snapshot if it takes at most `snapshotWithinMs`. */
  stop(snapshotWithinMs: number): void {
    this.#stopWithinMs = snapshotWithinMs;
    this.wake();
  }

  /** Looks for work, soon: what else has arrived by then joins the commit. */
  wake(): void {
    if (this.#running) return;
    this.#running = true;
    this.#quietHeap.stir();
    setImmediate(() => void this.#run().catch(this.#events.fail));
  }

  /** Compares the checksums of all segments that came from files, one after the other. */
  async verifyAll(): Promise<void> {
    const { verifier, snapshots, path, logger } = this.#parts;
    for await (const { bytes, damage } of verifyAllStored(verifier, path.collections, () => snapshots.manifest)) {
      this.verifiedBytes += bytes;
      if (damage === null) continue;
      const { collectionId, name, error } = damage;
      logger.error({ code: error.code, collection: name }, `the collection is refused: ${error.message}`);
      this.suspect(collectionId, error);
    }
    this.#events.durability(this.durability());
    logger.info({ bytes: this.verifiedBytes }, 'compared the checksums of all segment files');
  }

  /** Works until there is nothing to do. */
  async #run(): Promise<void> {
    const { path, merges, snapshots, changes } = this.#parts;
    for (;;) {
      this.#refuseSuspects();
      if (changes.isDue && this.#stopWithinMs === null) {
        this.#tell(await changes.finish());
        continue;
      }
      if (snapshots.isDue && this.#stopWithinMs === null && !this.#backlog.isInside) {
        await snapshots.start();
        this.#events.durability(this.durability());
      } else if (this.#backlog.count > 0) {
        await merges.throttle();
        await changes.throttle();
        const lone = this.#backlog.takeLone();
        if (lone !== null) {
          await this.#commitLone(lone);
          continue;
        }
        const mustWait = this.#mustWaitForRoom();
        const group = mustWait ? this.#backlog.takeDeletions() : this.#backlog.takeGroup(path.preparedCount);
        if (group.length === 0) {
          this.#backlog.release(group);
          this.#events.result({ ...NO_CHANGES, answers: [], stats: path.stats() });
          if (mustWait) await snapshots.idle();
          continue;
        }
        const result = await path.commit(group, () => this.#whileSyncing());
        this.#syncing = false;
        this.#backlog.release(group);
        if (result.answers.some(({ error }) => error?.code === 'memory_full')) snapshots.noteShortage();
        // Before the answer: whoever drops a damaged collection finds it gone from the figures.
        if (result.dropped.length > 0) this.#events.durability(this.durability());
        this.#tell(result);
        // Else the disk is put to work first.
        if (this.#backlog.count === 0) merges.schedule();
      } else break;
    }
    this.#running = false;
    if (this.#stopWithinMs === null) return;
    this.#running = true;
    await this.#stop(this.#stopWithinMs);
  }

  async #commitLone(request: LoneRequest): Promise<void> {
    const { changes } = this.#parts;
    const result = request.kind === 'change' ? await changes.begin(request) : await changes.decide(request);
    this.#backlog.release([request]);
    this.#tell(result);
  }

  /** Tells everybody of a commit. */
  #tell(result: CommitResult): void {
    const { snapshots, logger, path } = this.#parts;
    // Before it is said what is applied: a write that met damage is not, and the others have it.
    if (path.collections.hasMetDamage && !this.#isDamageTold) {
      this.#isDamageTold = true;
      this.#events.durability(this.durability());
    }
    const { changed, dropped, rules, aliases, answers } = result;
    for (const [code, what] of LOGGED_FAILURES) {
      const failed = answers.filter(({ error }) => error?.code === code);
      if (failed.length > 0) logger.error({ code, writes: failed.length }, `${what}: ${failed[0].error?.message}`);
    }
    // Before the answer, too: who has it finds the write in the figures.
    if (changed.length + dropped.length + rules.length + aliases.length > 0) snapshots.noteWrite();
    this.#committedSinceTick = true;
    this.#events.result(result);
  }

  /** What need not wait until the disk has answered. */
  #whileSyncing(): void {
    this.#syncing = true;
    this.#parts.merges.schedule();
    this.#prepare();
  }

  /** Begins the next commit with what has arrived. */
  #prepare(): void {
    const { path } = this.#parts;
    for (let i = path.preparedCount; ; i++) {
      const request = this.#backlog.writeAt(i);
      if (request === null || !path.prepare(request)) return;
    }
  }

  /** Whether the next commit should rather wait for the snapshot under way than be refused. */
  #mustWaitForRoom(): boolean {
    const { path, memory, snapshots } = this.#parts;
    const { budget, builderBytesMax } = memory;
    // Counted only when that may matter.
    if (budget.hasRoom(claimOf(this.#backlog.bytes, builderBytesMax)) && !budget.isHoldingMore) return false;
    const wanted = claimOf(this.#backlog.groupBytes(path.preparedCount), builderBytesMax);
    if (budget.hasRoom(wanted) && !budget.isHoldingMore) return false;
    this.#relieve();
    return snapshots.isFreeingMemory && !budget.hasRoom(wanted);
  }

  /** Gives back what is held for nothing, now and then. */
  #relieve(): void {
    const nowMs = performance.now();
    if (nowMs - this.#relievedAtMs < RELIEVE_EVERY_MS) return;
    this.#relievedAtMs = nowMs;
    const { memory, collectGarbage } = this.#parts;
    memory.releaseFreed();
    collectGarbage();
    memory.budget.lowerBase();
  }

  #tick(): void {
    const { path, memory, snapshots, merges } = this.#parts;
    const { mappedBytes, usedBytes } = memory;
    path.reclaim();
    // What an export has held is freed without a commit, which would tell.
    if (memory.usedBytes !== usedBytes) this.#events.result({ ...NO_CHANGES, answers: [], stats: path.stats() });
    // A long query may keep what was dropped for many ticks.
    if (this.#committedSinceTick || memory.mappedBytes !== mappedBytes) this.#events.durability(this.durability());
    else memory.releaseFreed();
    this.#committedSinceTick = false;
    this.#quietHeap.tick(path.stats().walBytes, this.#running);
    if (memory.budget.hasRoom(0)) memory.budget.lowerBase();
    else this.#relieve();
    merges.retry();
    if (this.#calm.tick(path.stats().walBytes) && !this.#running && !merges.rest()) snapshots.noteRest();
    if (snapshots.isDue || path.collections.suspects.count > 0) this.wake();
  }

  #suspect(collectionId: number, error: EngineError): void {
    const { collections } = this.#parts.path;
    const collection = collections.find(collectionId);
    if (collection !== null) collections.suspect(collection, error);
  }

  #refuseSuspects(): void {
    const { path, snapshots } = this.#parts;
    const result = path.refuseSuspects(snapshots.manifest);
    if (result === null) return;
    this.#events.result(result);
    this.#events.durability(this.durability());
  }

  /** Leaves a merge that is under way to itself: the next start would repeat it anyway. */
  async #stop(snapshotWithinMs: number): Promise<void> {
    const { path, changes } = this.#parts;
    const told = changes.stop();
    if (told !== null) this.#events.result(told);
    await this.#snapshotWithin(snapshotWithinMs);
    let failure: EngineError | null = null;
    try {
      await path.close();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      failure = error;
    }
    this.#events.stopped(failure);
  }

  /** Writes a last snapshot. One that takes too long is given up by ending its thread: the log has everything. */
  async #snapshotWithin(ms: number): Promise<void> {
    const { snapshots, logger } = this.#parts;
    if (ms === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), ms);
    });
    const written = async (): Promise<void> => {
      await snapshots.idle();
      if (!snapshots.isBehind) return;
      await snapshots.start();
      await snapshots.idle();
    };
    if ((await Promise.race([written(), late])) === 'late')
      logger.warn({ ms }, 'the last snapshot takes too long and is given up; the next start replays the log');
    clearTimeout(timer);
  }
}
