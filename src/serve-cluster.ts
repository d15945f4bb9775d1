/**
 * A server as a node of a cluster: what the gate asks before anything is answered, what the engine is opened with, and what the others
 * have to hear of this process. Made by serve.ts, of a node of a cluster alone.
 */
import type { Logger } from 'pino';
import {
  type Engine,
  EngineError,
  type EngineStats,
  type ReplicaPosition,
  type ReplicatedEngine,
  type Replication,
  readReplicaPosition,
} from '../engine/index.js';
import { AppliedWaits } from './applied-waits.js';
import { ClusterNode } from './cluster/cluster-node.js';
import type { ClusterOptions } from './cluster/cluster-options.js';
import type { ServedState } from './cluster/cluster-state.js';
import type { ClusterGuard } from './engine-gate.js';

/** How often is looked what the others should hear of: memory, snapshots, damage. */
const LOOK_MS = 500;

const DAMAGED = 'files of its collections are damaged: stop it, remove its data folder, and start it again';

const nothingWaits = (): void => {};

export class ServedNode implements ClusterGuard {
  readonly #node: ClusterNode;
  readonly #dataDir: string;
  readonly #logger: Logger;
  readonly #waits = new AppliedWaits();
  #engine: Engine | null = null;
  #snapshots = 0;
  /** It has met damaged files: it answers nothing any more, as what it has applied since may not be what the others have. */
  #isDamaged = false;
  #watch: NodeJS.Timeout | null = null;

  /** Begins to connect. `onFatal`: this process cannot go on as a node, and must end. */
  constructor(options: ClusterOptions, dataDir: string, logger: Logger, onFatal: (error: Error) => void) {
    this.#dataDir = dataDir;
    this.#logger = logger;
    this.#node = new ClusterNode(options, dataDir, { logger, onFatal });
  }

  /** Until when this node may answer, for all threads that do. */
  get deadline(): ClusterNode['deadline'] {
    return this.#node.deadline;
  }

  get isShut(): boolean {
    return this.#isDamaged || this.#node.deadline.isOver;
  }

  get reason(): string {
    return this.#node.admitsRead()?.message ?? (this.#isDamaged ? DAMAGED : 'it is about to answer');
  }

  state(): ServedState {
    return this.#node.state();
  }

  /**
   * Resolves once the log is known, and the data directory is one that it can go on with: a new node, and one that was away for too long,
   * begins with a snapshot of the store. Errors: io_error for a directory that is not of this cluster; corrupt_data.
   */
  async prepare(): Promise<Replication> {
    let position = readReplicaPosition(this.#dataDir);
    await this.#node.connect();
    const { streamId, firstSequence, lastSequence } = this.#node;
    const lacks = (): boolean => position === null || position.replayFrom < this.#node.firstSequence;
    this.#logger.info({ streamId, firstSequence, lastSequence }, 'the log of the cluster is known');
    if (position !== null && position.streamId !== streamId)
      throw new EngineError(
        'io_error',
        `${this.#dataDir}: expected the data directory of the log ${streamId}, got one of ${position.streamId}: give this node a new folder`,
      );
    // Behind a lost end the log would give other messages the places that this directory has applied.
    if (position !== null && position.sequence > lastSequence)
      throw new EngineError(
        'io_error',
        `${this.#dataDir}: has applied the log of the cluster up to ${position.sequence}, but that ends at ${lastSequence}: NATS has lost writes that were acknowledged`,
      );
    // Once more where the log was trimmed behind a newer snapshot while this one was made the directory's.
    for (let before: number | null = null; lacks(); before = position?.sequence ?? null) {
      position = await this.#download(position);
      if (position === null || position.sequence === before) break;
    }
    if (position === null && this.#node.isSeeded)
      throw new EngineError(
        'io_error',
        'the cluster was seeded, and there is no snapshot of it in the store: without one this node would lack what it was seeded with. See that --cluster-store is that of the other nodes',
      );
    const wanted = position?.replayFrom ?? 1;
    if (wanted < this.#node.firstSequence)
      throw new EngineError(
        'io_error',
        `the log of the cluster begins at ${this.#node.firstSequence}, this node needs it from ${wanted} on, and no snapshot in the store does better`,
      );
    return this.#node.replication();
  }

  async #download(position: ReplicaPosition | null): Promise<ReplicaPosition | null> {
    const startedMs = performance.now();
    const downloaded = await this.#node.downloadSnapshot();
    if (downloaded === null) return position;
    const ms = Math.round(performance.now() - startedMs);
    this.#logger.info({ sequence: downloaded.sequence, ms }, 'begins with a snapshot of the store');
    return readReplicaPosition(this.#dataDir);
  }

  /** Lets `engine`, opened with what prepare() gave, follow the log. */
  attach(engine: Engine): void {
    const { replicated } = engine;
    if (replicated === null) throw new Error('expected an engine that follows a log');
    this.#engine = engine;
    // What the start has met keeps it from joining.
    this.#look(engine.stats());
    this.#node.attach(replicated, readReplicaPosition(this.#dataDir), (sequence) => this.#apply(replicated, sequence));
    this.#watch = setInterval(() => this.#look(engine.stats()), LOOK_MS);
  }

  whenApplied(sequence: number, client: () => string, run: () => void, refuse: () => void): () => void {
    if ((this.#engine?.replicated?.appliedSequence ?? 0) < sequence)
      return this.#waits.add(sequence, client(), run, refuse);
    run();
    return nothingWaits;
  }

  /** Gives the lease back at once: the others wait for this node no longer, and it answers no more reads. */
  async leave(): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch);
    await this.#node.leave();
  }

  /** Ends within `withinMs`, whatever is under way. */
  async close(withinMs: number): Promise<void> {
    await this.#node.close(withinMs);
  }

  #apply({ hasMetDamage }: ReplicatedEngine, sequence: number): void {
    if (hasMetDamage) this.#noteDamage();
    if (!this.#isDamaged) this.#waits.admit(sequence);
  }

  #noteDamage(): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#node.noteFault(DAMAGED);
  }

  #look(stats: EngineStats): void {
    const { memoryBytesMax, memoryBytesKept, memoryBytesUsed, snapshots, hasMetDamage } = stats;
    this.#node.noteMemory(memoryBytesUsed > memoryBytesMax - memoryBytesKept);
    if (hasMetDamage) this.#noteDamage();
    else this.#node.noteFault(this.#faultOf(snapshots.failure));
    if (snapshots.written === this.#snapshots) return;
    this.#snapshots = snapshots.written;
    this.#node.noteSnapshot();
  }

  /** Why this node should not answer while others can; null: it may. */
  #faultOf(failure: string | null): string | null {
    const { node, nodes } = this.#node.state();
    const hasOthers = nodes.some((other) => other.node !== node && other.state === 'held');
    return failure === 'disk_full' && hasOthers ? 'its disk is full: it can write no snapshot' : null;
  }
}
