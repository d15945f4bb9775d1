/**
 * The write side without threads: write path, segment memory, log and snapshots over a directory in memory, and a reader's
 * catalog that hears what is published.
 */

import assert from 'node:assert/strict';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import type { SnapshotReport } from '../../engine/core/snapshots.js';
import type { TextRuleChange } from '../../engine/core/text-rules.js';
import type { EngineLogger } from '../../engine/engine.js';
import type { Arena } from '../../engine/memory/arena.js';
import { regionsStart } from '../../engine/memory/kernel-instance.js';
import { MemoryBudget } from '../../engine/memory/memory-budget.js';
import { MatchingDocuments } from '../../engine/query/filter/matching-documents.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { ReadCatalog } from '../../engine/query/read-catalog.js';
import type { SearchTarget } from '../../engine/query/searcher.js';
import type { ReaderUpdate } from '../../engine/segment/updates.js';
import type { Directory } from '../../engine/storage/files/directory.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import { ReadPageMapper } from '../../engine/storage/mapping/read-page-mapper.js';
import { TextRuleSet } from '../../engine/text/text-rule-set.js';
import { type Publisher, WritePath } from '../../engine/writer/commit/write-path.js';
import { type ReplayOptions, recover } from '../../engine/writer/recovery/recovery.js';
import type { CompoundPolicy } from '../../engine/writer/snapshot/compound-policy.js';
import { type SnapshotOrder, writeSnapshot } from '../../engine/writer/snapshot/snapshot-job.js';
import { type SnapshotPolicy, type SnapshotRunner, Snapshotter } from '../../engine/writer/snapshot/snapshotter.js';
import { CollectionSet } from '../../engine/writer/state/collection-set.js';
import { SegmentMemory } from '../../engine/writer/state/segment-memory.js';
import { liveDocuments, storedText } from './engine-collection.js';

const ignore = (): void => {};
export const silentLogger: EngineLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export interface HarnessOptions {
  /** When a snapshot is due. Default: when one is asked for. */
  readonly policy?: SnapshotPolicy;
  readonly logger?: EngineLogger;
  /** Stands between the snapshotter and whoever writes the files. */
  readonly runner?: (runner: SnapshotRunner) => SnapshotRunner;
  /** How the log is replayed. */
  readonly replay?: (memory: SegmentMemory) => ReplayOptions;
  /** Hears of each arena before there is a region in it. */
  readonly onArena?: (arena: Arena) => void;
  /** The memory budget. Default: none. */
  readonly memoryBytes?: number;
  /** When small files share one. */
  readonly compounds?: CompoundPolicy;
  /** Called when a snapshot has ended. */
  readonly onEnd?: () => void;
}

export class WriteHarness<D extends Directory = Directory> implements Publisher {
  readonly directory: D;
  readonly snapshots: Snapshotter;
  readonly memory: SegmentMemory;
  readonly collections: CollectionSet;
  readonly path: WritePath;
  readonly wal: WriteAheadLog;
  readonly catalog = new ReadCatalog(0, new CacheBudget(64 << 20));
  generation = 0;
  /** Numbers of collections by alias, as readers have heard. */
  readonly aliases = new Map<string, number>();
  readonly #matcher = new MatchingDocuments(1);
  /** The generation that a reader has noted; null: none is at work. */
  heldGeneration: number | null = null;

  /** Recovers what `directory` holds. Errors: what recover() throws. */
  constructor(directory: D, syncEach = true, verify = false, harness: HarnessOptions = {}) {
    const { logger = silentLogger, policy = { walBytes: 0, intervalMs: 0 }, onEnd = ignore } = harness;
    this.directory = directory;
    const onArena = (arena: Arena): void => {
      this.#matcher.addArena(arena);
      this.catalog.apply({ kind: 'arena', arena });
      harness.onArena?.(arena);
    };
    const countedBytes = (): number => this.memory.unmappedBytes;
    const knownBytes = (): number => countedBytes() + 2 * this.collections.pendingBytes;
    const sources = { knownBytes, countedBytes, isFilling: () => false, processBytes: () => null, nowMs: () => 0 };
    const budget = new MemoryBudget(harness.memoryBytes ?? Number.MAX_SAFE_INTEGER, sources);
    budget.isEnforced = false;
    this.memory = new SegmentMemory(regionsStart(2), new ReadPageMapper(), onArena, budget);
    this.collections = new CollectionSet(this.memory);
    const options = { logger, verify, onProgress: ignore };
    const replay = harness.replay?.(this.memory);
    const { wal, manifest } = recover(directory, this.collections, this.memory, options, replay);
    budget.isEnforced = true;
    this.wal = wal;
    this.path = new WritePath(this.collections, this.memory, wal, this, syncEach, this.#matcher);
    const runner = {
      writeSnapshot: (order: SnapshotOrder) => writeSnapshot(order, directory, (region) => this.memory.view(region)),
    };
    const { collections, memory } = this;
    const wrapped = harness.runner?.(runner) ?? runner;
    const { compounds } = harness;
    const parts = { directory, collections, memory, wal, runner: wrapped, policy, compounds, logger, onEnd };
    this.snapshots = new Snapshotter(parts, manifest);
    this.path.publishAll();
  }

  /** Writes a snapshot, as the writer does between two commits. Errors: disk_full, io_error. */
  async snapshot(): Promise<SnapshotReport> {
    const report = this.snapshots.request();
    // A rejection is the caller's: it may come before the await below.
    report.catch(ignore);
    await this.snapshots.start();
    await this.snapshots.idle();
    return report;
  }

  publish(updates: readonly ReaderUpdate[]): void {
    for (const update of updates) {
      this.catalog.apply(structuredCloneOf(update));
      if (update.kind !== 'alias') continue;
      const { name, collectionId } = update.alias;
      if (collectionId === null) this.aliases.delete(name);
      else this.aliases.set(name, collectionId);
    }
    this.generation++;
  }

  oldestGenerationInUse(): number {
    return this.heldGeneration ?? this.generation;
  }

  /** What a reader sees of the collection with number `id`. */
  target(id: number): SearchTarget | null {
    return this.catalog.target(id, NO_LIMIT);
  }

  /** The synonyms and stop words that a reader knows, as ruleTexts() says them; between two commits the writer knows the same. */
  rules(id: number, isBetweenCommits = true): string[] {
    const rules = this.target(id)?.rules ?? null;
    assert.ok(rules === null || rules instanceof TextRuleSet);
    const read: TextRuleChange[] = [];
    for (const { id: synonym, root, synonyms } of rules?.synonyms() ?? [])
      read.push({ kind: 'synonym', id: synonym, rule: { root, synonyms } });
    const stopWords = rules?.stopWords ?? null;
    if (stopWords !== null) read.push({ kind: 'stop-words', stopWords });
    const known = this.collections.find(id)?.rules.all() ?? [];
    if (isBetweenCommits) assert.deepEqual(ruleTexts(known), ruleTexts(read));
    return ruleTexts(read);
  }

  /** The live documents that a reader sees, in order of insertion, as they were sent; null: there is no collection. */
  documents(id: number): string[] | null {
    const target = this.target(id);
    if (target === null) return null;
    return target.segments.flatMap((segment) => liveDocuments(segment).map((doc) => storedText(segment, doc)));
  }
}

/** What `changes`, none of them of the same entry, make of nothing, each as text, in order. */
export const ruleTexts = (changes: readonly TextRuleChange[]): string[] =>
  changes
    .map((change) =>
      change.kind === 'synonym'
        ? JSON.stringify([change.id, change.rule?.root, change.rule?.synonyms])
        : JSON.stringify(change.stopWords),
    )
    .sort();

/** What crosses threads is copied; an arena's memory is shared. */
const structuredCloneOf = (update: ReaderUpdate): ReaderUpdate =>
  update.kind === 'arena' ? update : structuredClone(update);
