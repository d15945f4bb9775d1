/**
 * Puts the write side together: recovers what is on disk, publishes it, and starts the loop that takes writes.
 *
 * Called by the writer thread. Knows no thread: how others are reached comes in as parts.
 */
import type { DurabilityStats, EngineLogger, RecoveryProgress, VerifyMode } from '../engine.js';
import type { Arena } from '../memory/arena.js';
import { collectGarbage } from '../memory/collect-garbage.js';
import { MemoryBudget } from '../memory/memory-budget.js';
import { processBytes } from '../memory/process-memory.js';
import type { Directory } from '../storage/files/directory.js';
import type { PageMapper } from '../storage/mapping/page-mapper.js';
import type { RebuildRunner } from './change/rebuild-order.js';
import { SchemaChanges } from './change/schema-changes.js';
import { type Publisher, WritePath } from './commit/write-path.js';
import { type FollowedLog, followLog } from './follow-log.js';
import { IntervalSync } from './interval-sync.js';
import { type MergeRunner, MergeScheduler } from './merge/merge-scheduler.js';
import { openReplica } from './recovery/open-replica.js';
import { type ReplayOptions, recover } from './recovery/recovery.js';
import { type SnapshotPolicy, type SnapshotRunner, Snapshotter } from './snapshot/snapshotter.js';
import type { VerifyRunner } from './snapshot/verify-stored.js';
import { CollectionSet } from './state/collection-set.js';
import type { DocumentMatcher } from './state/document-matcher.js';
import { SegmentMemory } from './state/segment-memory.js';
import { type CommitResult, NO_CHANGES } from './state/write-requests.js';
import { WriteBacklog } from './write-backlog.js';
import { type WriterEvents, WriterLoop } from './writer-loop.js';

/** About what each thread that knows them takes for a byte of synonyms and stop words: tokens, and tables to look them up. */
const RULE_FACTOR = 24;
/** Documents that are being collected take their room in the builder, and again as the segment that they become. */
const PENDING_FACTOR = 2;

/** What the writer is started with. */
export interface WriterOptions {
  readonly syncIntervalMs: number;
  readonly snapshots: SnapshotPolicy;
  readonly verify: VerifyMode;
  /** Where regions begin in each arena. */
  readonly firstPtr: number;
  readonly memoryBytes: number;
  /** Threads that know the synonyms and stop words of all collections. */
  readonly ruleCopies: number;
  /** Reserved, to be used first. */
  readonly arenas: readonly Arena[];
}

/** How the writer reaches the disk and the other threads. */
export interface OpenWriterParts {
  readonly directory: Directory;
  readonly mapper: PageMapper;
  readonly publisher: Publisher;
  /** Carries out what would keep the writer from committing. */
  readonly runner: MergeRunner & RebuildRunner & SnapshotRunner & VerifyRunner & { collectGarbage(): void };
  /** Finds documents by filters. */
  readonly matcher: DocumentMatcher;
  /** Bytes that reader threads remember. */
  readonly cachedBytes: () => number;
  readonly replay: ReplayOptions;
  readonly logger: EngineLogger;
  readonly onProgress: (progress: RecoveryProgress) => void;
  /** Hears of a new arena before any region in it is published. */
  readonly onArena: (arena: Arena) => void;
  readonly events: WriterEvents;
  /** Where writes come from; null: from whoever asks for them, and the directory has a log. */
  readonly followed: FollowedLog | null;
  /** Called once recovered, with all collections as published, before the first merge. */
  readonly onReady: (result: CommitResult, durability: DurabilityStats, loop: WriterLoop) => void;
}

/** Recovers and starts. Errors: corrupt_data, io_error, disk_full, memory_full. */
export function openWriter(options: WriterOptions, parts: OpenWriterParts): void {
  const { directory, mapper, publisher, runner, logger, followed } = parts;
  const syncIntervalMs = parts.followed === null ? options.syncIntervalMs : 0;
  // Asked for while documents are taken, when all of them are there.
  const countedBytes = (): number => memory.unmappedBytes;
  const knownBytes = (): number =>
    countedBytes() +
    PENDING_FACTOR * collections.pendingBytes +
    RULE_FACTOR * options.ruleCopies * memory.textRuleBytes +
    parts.cachedBytes() +
    waitingBytes();
  let waitingBytes = (): number => 0;
  const nowMs = (): number => performance.now();
  let isFilling = (): boolean => false;
  const sources = { knownBytes, countedBytes, isFilling: () => isFilling(), processBytes, nowMs };
  const budget = new MemoryBudget(options.memoryBytes, sources);
  budget.isEnforced = false;
  const memory = new SegmentMemory(options.firstPtr, mapper, parts.onArena, budget, options.arenas);
  const collections = new CollectionSet(memory);
  const recovery = { logger, verify: options.verify === 'open', onProgress: parts.onProgress };
  const replica = followed === null ? null : openReplica(directory, collections, memory, recovery, followed.streamId);
  const { wal, manifest, verifiedBytes } = replica ?? recover(directory, collections, memory, recovery, parts.replay);
  const following =
    followed === null || replica === null ? null : followLog(followed, replica.wal, collections, parts.events);
  const { events } = following ?? parts;
  const path = new WritePath(
    collections,
    memory,
    wal,
    publisher,
    replica === null && syncIntervalMs === 0,
    parts.matcher,
  );
  const onEnd = (): void => {
    events.result({ ...NO_CHANGES, answers: [], stats: path.stats() });
    events.durability(loop.durability());
    loop.wake();
  };
  const snapshots = new Snapshotter(
    { directory, collections, memory, wal, runner, policy: options.snapshots, logger, onEnd },
    manifest,
  );
  const merges = new MergeScheduler(path, memory, publisher, runner, (result) => {
    snapshots.noteMerge();
    events.result(result);
  });
  const changes = new SchemaChanges({
    ...{ path, memory, publisher, runner, logger },
    onResult: (result) => events.result(result),
    onDue: () => loop.wake(),
    onChanged: () => snapshots.want(),
    ...(followed !== null && { onReadyToDecide: (id, schema) => followed.proposeChangeEnd(id, schema) }),
  });
  const backlog = following?.backlog ?? new WriteBacklog();
  const loop = new WriterLoop(
    {
      ...{ backlog, path, memory, merges, snapshots, changes, verifier: runner, logger, verifiedBytes },
      collectGarbage: () => {
        collectGarbage();
        runner.collectGarbage();
      },
    },
    events,
  );
  if (syncIntervalMs > 0) new IntervalSync(wal, logger).start(syncIntervalMs, events.fail);
  waitingBytes = () => loop.waitingBytes;
  isFilling = () => merges.isRunning;
  collectGarbage();
  budget.measureBase();
  // What others have acknowledged is not refused here.
  budget.isEnforced = followed === null;
  const applied = replica === null ? {} : { applied: wal.sequence };
  parts.onReady({ ...path.publishAll(), ...applied }, loop.durability(), loop);
  following?.begin(loop);
  merges.schedule();
  changes.resume();
  if (options.verify === 'background') void loop.verifyAll().catch(events.fail);
}
