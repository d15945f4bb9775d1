/**
 * Decides when a snapshot is due, starts it between two commits, and takes its outcome in: the log is cut behind it, and
 * the memory of what was written becomes page cache.
 *
 * Lives on the writer thread; the files are written elsewhere (snapshot-job.ts). A snapshot that fails leaves everything
 * as it was: the last one, and the whole log since, stay.
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import { EngineError } from '../../core/errors.js';
import type { SnapshotReport, SnapshotStats } from '../../core/snapshots.js';
import type { EngineLogger } from '../../engine.js';
import type { Directory } from '../../storage/files/directory.js';
import type { WriteAheadLog } from '../../storage/log/wal.js';
import type { Manifest } from '../../storage/types/manifest.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import { COMPOUND_POLICY, type CompoundPolicy, compoundSizes } from './compound-policy.js';
import { OutsideChanges } from './outside-changes.js';
import { rotateLog } from './rotate-log.js';
import type { SnapshotOrder, SnapshotOutcome } from './snapshot-job.js';
import { orderSnapshot, recordsContained, snapshotBytes } from './snapshot-order.js';
import { noteStored, remapSegment, unmappableBytes, type WrittenSegment } from './stored-segments.js';

/** After a failure, as of a full disk, the next attempt that nobody asked for waits this long. */
const RETRY_MS = 10_000;
/** And begins a new file of the log only behind one of so many bytes: else each attempt would leave one. */
const RETRY_FILE_BYTES = 1 << 22;

/** At rest a snapshot is worth its writing when so much memory becomes page cache by it. */
const REST_BYTES = 1 << 25;

/** Writes snapshots off the writer thread. */
export interface SnapshotRunner {
  /** Resolves when the order was carried out or given up; its regions stay untouched until then. */
  writeSnapshot(order: SnapshotOrder): Promise<SnapshotOutcome>;
}

export interface SnapshotPolicy {
  /** Bytes of log after which one is due; 0: never for its size. */
  readonly walBytes: number;
  /** Age of the oldest change outside after which one is due; 0: never for its age. */
  readonly intervalMs: number;
}

/** What the snapshotter works on. */
export interface SnapshotParts {
  readonly directory: Directory;
  readonly collections: CollectionSet;
  readonly memory: SegmentMemory;
  readonly wal: WriteAheadLog;
  readonly runner: SnapshotRunner;
  readonly policy: SnapshotPolicy;
  /** Default: COMPOUND_POLICY. */
  readonly compounds?: CompoundPolicy;
  readonly logger: EngineLogger;
  /** Called when a snapshot has ended: another may be due, and the figures have changed. */
  readonly onEnd: () => void;
}

interface Waiting {
  readonly resolve: (report: SnapshotReport) => void;
  readonly reject: (error: EngineError) => void;
}

export class Snapshotter {
  readonly #parts: SnapshotParts;
  #manifest: Manifest;
  #bytes: number;
  /** Sizes of the compound files on disk, by number. */
  readonly #compounds: Map<number, number>;
  /** Number of the last attempt: no two share the name of a file. */
  #attempt: number;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  readonly #outside = new OutsideChanges();
  /** By performance.now(), as the age of changes. */
  #notBeforeMs = 0;
  /** Bytes of log when the last snapshot began. */
  #walBytesAtBegin = 0;
  /** Those of them that it could not cut: a damaged collection needs them, or they cannot be removed. */
  #walBytesKept = 0;
  /** Bytes of regions that were not a file's after the last snapshot, though it had written them. */
  #unmappedBytesKept = 0;
  /** Documents were refused for want of memory since the last snapshot began. */
  #wasShort = false;
  /** See want(). */
  #isWanted = false;
  #written = 0;
  #failed = 0;
  #failure: string | null = null;
  #lastAtMs = 0;
  #lastElapsedMs = 0;

  /** `manifest`: the one in force. */
  constructor(parts: SnapshotParts, manifest: Manifest) {
    this.#parts = parts;
    this.#manifest = manifest;
    this.#bytes = snapshotBytes(manifest);
    this.#compounds = compoundSizes(manifest);
    this.#attempt = manifest.snapshot;
    if (this.#hasNewWrites) this.#outside.noteWrite();
  }

  /** The manifest in force. */
  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Whether the log holds writes that the last snapshot does not, or a merge has made segments that are not in it. */
  get isBehind(): boolean {
    return this.#hasNewWrites || this.#outside.oldestChangeMs !== null;
  }

  get #hasNewWrites(): boolean {
    return this.#parts.wal.sequence > this.#manifest.sequence;
  }

  stats(): SnapshotStats {
    return {
      snapshot: this.#manifest.snapshot,
      sequence: this.#manifest.sequence,
      written: this.#written,
      failed: this.#failed,
      failure: this.#failure,
      running: this.#running !== null,
      lastAtMs: this.#lastAtMs,
      lastElapsedMs: this.#lastElapsedMs,
      bytes: this.#bytes,
      oldestWriteMs: this.#outside.oldestWriteMs ?? 0,
    };
  }

  /** Hears of each commit. */
  noteWrite(): void {
    this.#outside.noteWrite();
  }

  /** Hears of each merge. */
  noteMerge(): void {
    this.#outside.noteMerge();
  }

  /** One is worth having soon, if any are to be written by themselves: a start without it would have much to do. */
  want(): void {
    this.#outside.noteMerge();
    this.#isWanted = true;
  }

  /** Hears that hardly anything is written, and nothing is left to merge: what has come together may lie in files. */
  noteRest(): void {
    const { memory } = this.#parts;
    if (memory.mapping === 'mmap' && this.#unmappedBytesNew >= REST_BYTES) this.want();
  }

  /** Bytes of regions that a snapshot would write and hand over to the page cache. */
  get #unmappedBytesNew(): number {
    return this.#parts.memory.unmappedBytes - this.#unmappedBytesKept;
  }

  /** Hears of documents that were refused for want of memory. */
  noteShortage(): void {
    this.#wasShort = true;
  }

  /** Whether one is being written after which more memory will be free. */
  get isFreeingMemory(): boolean {
    return this.#running !== null && this.#parts.memory.mapping === 'mmap';
  }

  /** Asks for a snapshot of everything committed by now; isDue() says so until it was started. */
  request(): Promise<SnapshotReport> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Whether start() is to be called, between two commits. */
  get isDue(): boolean {
    if (this.#running !== null) return false;
    if (this.#waiting.length > 0) return true;
    const nowMs = performance.now();
    if (this.#mayDiffer || nowMs < this.#notBeforeMs) return false;
    const { policy, wal } = this.#parts;
    const isAutomatic = policy.walBytes > 0 || policy.intervalMs > 0;
    // Also where nothing was written since: a node that left for a full disk comes back by it.
    if (this.#failure !== null && (isAutomatic || wal.stream !== undefined)) return true;
    if (!isAutomatic || !this.isBehind) return false;
    const grownBytes = wal.bytes - this.#walBytesKept;
    const ageMs = nowMs - (this.#outside.oldestChangeMs ?? Number.POSITIVE_INFINITY);
    const { walBytes, intervalMs } = policy;
    if ((walBytes > 0 && grownBytes >= walBytes) || (intervalMs > 0 && ageMs >= intervalMs)) return true;
    return this.#isWanted || this.#isMemoryShort;
  }

  /**
   * Whether this follows a replicated log and has met damage: a snapshot would make lasting what a write has done here alone. Without one
   * the next start stands at the place before.
   */
  get #mayDiffer(): boolean {
    return this.#parts.wal.stream !== undefined && this.#parts.collections.hasMetDamage;
  }

  /** Whether memory is getting scarce, and a snapshot would hand a good part of it over to the page cache. */
  get #isMemoryShort(): boolean {
    const { memory } = this.#parts;
    if (memory.mapping === 'read') return false;
    return memory.budget.wantsSnapshot(this.#unmappedBytesNew, this.#wasShort);
  }

  /** Resolves when no snapshot is under way. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /**
   * Starts the snapshot that is due. No commit is under way until the promise resolves; the files are written after it.
   * Never throws for what the disk does.
   */
  async start(): Promise<void> {
    const asked = this.#waiting;
    this.#waiting = [];
    const startMs = performance.now();
    let order: SnapshotOrder;
    try {
      order = await this.#begin();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#fail(error);
      this.#end(error, asked);
      return;
    }
    this.#outside.begin();
    this.#wasShort = false;
    this.#isWanted = false;
    this.#running = this.#parts.runner.writeSnapshot(order).then(async (outcome) => {
      const result = await this.#finish(order, outcome, startMs);
      this.#outside.end(outcome.error === null);
      this.#running = null;
      this.#end(result, asked);
    });
  }

  async #begin(): Promise<SnapshotOrder> {
    const { wal, collections, memory } = this.#parts;
    if (this.#mayDiffer)
      throw new EngineError(
        'corrupt_data',
        'damaged files were met: what was applied since may differ from what others have',
      );
    if (this.#hasNewWrites) await rotateLog(wal, this.#failure === null ? 0 : RETRY_FILE_BYTES);
    this.#walBytesAtBegin = wal.bytes;
    this.#attempt++;
    const head = {
      snapshot: this.#attempt,
      directoryId: this.#manifest.directoryId,
      sequence: wal.sequence,
      nextSegmentId: memory.nextSegmentId,
      walFile: wal.fileNumber,
      writtenAt: Date.now(),
      ...(wal.stream !== undefined && { stream: wal.stream }),
    };
    const order = orderSnapshot(collections, head, this.#compounds, this.#parts.compounds ?? COMPOUND_POLICY);
    for (const { region } of order.segments) memory.pin(region);
    for (const { region } of order.liveDocs) memory.pin(region);
    return order;
  }

  async #finish(
    order: SnapshotOrder,
    outcome: SnapshotOutcome,
    startMs: number,
  ): Promise<SnapshotReport | EngineError> {
    const { memory } = this.#parts;
    if (outcome.compound !== null) this.#compounds.set(outcome.compound.snapshot, outcome.compound.bytes);
    const written = noteStored(this.#parts.collections.all(), order, outcome);
    for (const { region } of order.segments) memory.unpin(region);
    for (const { region } of order.liveDocs) memory.unpin(region);
    const { manifest, error } = outcome;
    if (error !== null || manifest === null) {
      return this.#fail(new EngineError(error?.code ?? 'internal_error', error?.message ?? 'no manifest'));
    }
    this.#manifest = manifest;
    this.#bytes = snapshotBytes(manifest);
    const named = compoundSizes(manifest);
    for (const number of this.#compounds.keys()) if (!named.has(number)) this.#compounds.delete(number);
    this.#parts.collections.refused.update(manifest.collections);
    this.#cutLog(manifest);
    await this.#remap(written);
    this.#unmappedBytesKept = unmappableBytes(this.#parts.collections, memory);
    return this.#succeed(manifest, outcome, performance.now() - startMs);
  }

  /** Brings the figures up to date before it answers, so that whoever asked finds this snapshot in them. */
  #end(result: SnapshotReport | EngineError, asked: readonly Waiting[]): void {
    this.#parts.onEnd();
    for (const { resolve, reject } of asked) {
      if (result instanceof EngineError) reject(result);
      else resolve(result);
    }
  }

  #cutLog(manifest: Manifest): void {
    const { wal, logger } = this.#parts;
    const bytes = wal.bytes;
    try {
      wal.removeThrough(recordsContained(manifest));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      logger.warn({ code: error.code }, `cannot remove old log files, the next snapshot tries again: ${error.message}`);
    }
    this.#walBytesKept = this.#walBytesAtBegin - (bytes - wal.bytes);
  }

  /** Lets the written files take the place of memory, one segment at a time, with commits in between. */
  async #remap(written: readonly WrittenSegment[]): Promise<void> {
    const { directory, memory, logger, collections } = this.#parts;
    if (memory.mapping === 'read') return;
    for (const { collection, segment } of written) {
      await new Promise((resolve) => setImmediate(resolve));
      // Merged away meanwhile: the region may be free, or another segment's.
      if (!collections.isPublished(collection) || !collection.segments.includes(segment)) continue;
      remapSegment(segment, directory, memory, logger);
    }
  }

  #succeed(manifest: Manifest, outcome: SnapshotOutcome, elapsedMs: number): SnapshotReport {
    const { logger } = this.#parts;
    this.#written++;
    this.#failure = null;
    this.#notBeforeMs = 0;
    this.#lastAtMs = Date.now();
    this.#lastElapsedMs = Math.round(elapsedMs);
    const { snapshot, sequence, collections } = manifest;
    const segments = collections.reduce((sum, entry) => sum + entry.segments.length, 0);
    const { filesWritten, bytesWritten } = outcome;
    const report = { snapshot, sequence, collections: collections.length, segments, filesWritten, bytesWritten };
    logger.info({ ...report, ms: this.#lastElapsedMs }, 'snapshot written');
    if (outcome.notRemoved !== null) logger.warn({}, `old files stay: ${outcome.notRemoved}`);
    return { ...report, elapsedMs: this.#lastElapsedMs };
  }

  #fail(error: EngineError): EngineError {
    this.#failed++;
    this.#failure = error.code;
    this.#notBeforeMs = performance.now() + RETRY_MS;
    this.#parts.logger.error({ code: error.code }, `no snapshot was written, the log is kept: ${error.message}`);
    return error;
  }
}
