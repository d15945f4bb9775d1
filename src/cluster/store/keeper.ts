/**
 * What the cluster thread keeps of snapshots outside of the nodes: uploads them, one node at a time, fetches them, and trims store
 * and stream behind them.
 *
 * A store that fails stops only that: it is told once, and tried again after a while. Nothing here is in the way of reads and writes.
 */
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { holdSnapshotFiles, readReplicaPosition } from '../../../engine/index.js';
import type { SnapshotSettings } from '../cluster-options.js';
import type { SnapshotKeeper, StoredSnapshot } from '../snapshot-keeper.js';
import type { ClusterLog } from './cluster-log.js';
import { downloadSnapshot } from './download-snapshot.js';
import { FailureNotes } from './failure-notes.js';
import { openStore } from './open-store.js';
import { damagedName } from './snapshot-catalog.js';
import type { SnapshotStore } from './snapshot-store.js';
import { type ReadContents, readContents, readSnapshots } from './store-contents.js';
import { streamLimits } from './stream-limits.js';
import { planTrim } from './trim.js';
import { trimStore } from './trim-store.js';
import { isUploadDue } from './upload-due.js';
import { type HeldLock, openUploadLock, type UploadLock } from './upload-lock.js';
import { uploadSnapshot } from './upload-snapshot.js';

/** For how long what the store had is good enough for who only wants to show it. */
const NEWEST_MS = 10_000;

export interface KeeperOptions {
  /** Best one of its own: pieces are large, and the log's messages would wait behind them. Not closed here. */
  readonly connection: NatsConnection;
  readonly clusterName: string;
  /** The stream of the log, and what tells it apart. */
  readonly streamName: string;
  readonly streamId: string;
  readonly node: string;
  readonly dataDir: string;
  readonly settings: SnapshotSettings;
  readonly log: ClusterLog;
}

/** Asks nobody before its first call. */
export function createSnapshotKeeper(options: KeeperOptions): SnapshotKeeper {
  return new Keeper(options);
}

interface OpenKeeper {
  readonly store: SnapshotStore;
  readonly lock: UploadLock;
  readonly manager: JetStreamManager;
}

class Keeper implements SnapshotKeeper {
  readonly #options: KeeperOptions;
  readonly #failures: FailureNotes;
  readonly #closing = new AbortController();
  #opening: Promise<OpenKeeper> | null = null;
  #round: Promise<void> | null = null;
  /** What the store had, and when that was read. */
  #seen: { readonly newest: NewestSnapshot | null; readonly atMs: number } | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#failures = new FailureNotes(options.log, 'no snapshot is uploaded and the log is not trimmed');
  }

  async newest(): Promise<StoredSnapshot | null> {
    if (this.#seen === null || performance.now() - this.#seen.atMs > NEWEST_MS) await this.#look();
    const newest = this.#seen?.newest ?? null;
    return newest === null ? null : { sequence: newest.sequence, replayFrom: newest.replayFrom };
  }

  async download(dataDir: string): Promise<StoredSnapshot | null> {
    const { store } = await this.#open();
    const { streamId, log } = this.#options;
    const position = await downloadSnapshot(store, streamId, dataDir, log);
    return position === null ? null : { sequence: position.sequence, replayFrom: position.replayFrom };
  }

  upkeep(): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve();
    this.#round ??= this.#tryRound().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the node stops'));
    await this.#round;
  }

  #open(): Promise<OpenKeeper> {
    this.#opening ??= this.#openAll().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  /** As many copies as the log has. */
  async #openAll(): Promise<OpenKeeper> {
    const { connection, clusterName, streamName, node, settings } = this.#options;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { config } = await manager.streams.info(streamName);
    const store = await openStore(settings.store, connection, clusterName, config.num_replicas);
    return { store, lock: await openUploadLock(connection, clusterName, node, config.num_replicas), manager };
  }

  async #look(): Promise<NewestSnapshot | null> {
    const { store } = await this.#open();
    const { snapshots } = await readSnapshots(store, this.#options.streamId);
    return this.#note(snapshots[0]);
  }

  #note(snapshot: ReadContents['snapshots'][number] | undefined): NewestSnapshot | null {
    const { sequence = 0, replayFrom = 1, storedAt = 0, catalog } = snapshot ?? {};
    const newest = catalog === undefined ? null : { sequence, replayFrom, storedAt, node: catalog.node };
    this.#seen = { newest, atMs: performance.now() };
    return newest;
  }

  async #tryRound(): Promise<void> {
    if (!this.#failures.mayTry(performance.now())) return;
    try {
      await this.#uploadIfDue();
      this.#failures.succeeded();
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#failures.failed(error, performance.now());
    }
  }

  async #uploadIfDue(): Promise<void> {
    const sequence = readReplicaPosition(this.#options.dataDir)?.sequence ?? 0;
    // What was seen last tells most times that there is nothing to be done.
    if (this.#seen !== null && !this.#isDue(sequence, this.#seen.newest)) return;
    if (!this.#isDue(sequence, await this.#look())) return;
    const { lock } = await this.#open();
    const held = await lock.tryTake();
    if (held === null) return;
    try {
      await this.#uploadAndTrim(held);
    } finally {
      await held.release();
    }
  }

  #isDue(sequence: number, newest: NewestSnapshot | null): boolean {
    const { node, settings } = this.#options;
    return isUploadDue(node, sequence, newest, settings.uploadIntervalS * 1000, Date.now());
  }

  async #uploadAndTrim(lock: HeldLock): Promise<void> {
    const { streamId, node, dataDir, log } = this.#options;
    const { store } = await this.#open();
    const signal = AbortSignal.any([lock.signal, this.#closing.signal]);
    const before = await readContents(store, streamId);
    // Somebody else may have uploaded while nobody had the lock.
    const held = holdSnapshotFiles(dataDir);
    try {
      if (!this.#isDue(held.sequence, this.#note(before.snapshots[0]))) return;
      const startMs = performance.now();
      const report = await uploadSnapshot(store, held, node, before, signal);
      const ms = Math.round(performance.now() - startMs);
      log.info({ ...report, ms }, `uploaded a snapshot to ${store.place}`);
    } finally {
      held.close();
    }
    await this.#trim(signal);
  }

  async #trim(signal: AbortSignal): Promise<void> {
    const { streamId, streamName, settings, log } = this.#options;
    const { store, manager } = await this.#open();
    const contents = await readContents(store, streamId);
    this.#note(contents.snapshots[0]);
    const { state } = await manager.streams.info(streamName);
    const timeOf = async (sequence: number): Promise<number | null> => {
      const message = await manager.streams.getMessage(streamName, { seq: sequence });
      return message === null ? null : message.time.getTime();
    };
    const stream = { first: state.first_seq, last: state.last_seq, bytes: state.bytes, timeOf };
    const limits = await streamLimits(stream, settings.keepBytes, settings.keepHours * 3_600_000, Date.now());
    const plan = planTrim(contents, limits, Date.now());
    signal.throwIfAborted();
    if (plan.purgeBefore !== null && plan.purgeBefore > state.first_seq) {
      const { purged } = await manager.streams.purge(streamName, { seq: plan.purgeBefore });
      log.info({ before: plan.purgeBefore, purged }, 'trimmed the log behind the snapshots');
    }
    await trimStore(store, plan, signal);
    const named = new Set(contents.snapshots.flatMap((snapshot) => [...snapshot.pieces]));
    for (const hash of contents.damaged) if (!named.has(hash)) await store.remove(damagedName(hash));
  }
}

interface NewestSnapshot extends StoredSnapshot {
  readonly node: string;
  readonly storedAt: number;
}
