/**
 * This process as a node of a cluster, as the main thread sees it: starts the cluster thread, puts the engine and the log together, and
 * says whether reads and writes may be answered. Used by serve.ts.
 *
 * Loads nothing of NATS: that is the thread's.
 */
import { MessageChannel, type Transferable, type Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import {
  EngineError,
  type ReplicaPosition,
  type ReplicatedEngine,
  type Replication,
  SharedDeadline,
  spawnBeside,
} from '../../engine/index.js';
import { readVersion } from '../version.js';
import type { ClusterOptions } from './cluster-options.js';
import { type ClusterState, connectingState, type ServedState } from './cluster-state.js';
import type { ClusterThreadData, FromCluster, ProposalMessage, ToCluster } from './messages.js';
import type { StoredSnapshot } from './snapshot-keeper.js';

/** Bytes of writes that the log has not taken: beyond that no more are. */
const PROPOSED_BYTES_MAX = 64 * 1024 * 1024;
const RETRY_AFTER_S = 1;
/** A write may wait for its place in the log, for this node, and for the others, each about as long. */
const ANSWER_FACTOR = 3;
/** How long the thread may take for its farewell. */
const FAREWELL_MS = 5000;

export interface ClusterHost {
  readonly logger: Logger;
  /** Hears why this process cannot go on as a node: it must end. */
  readonly onFatal: (error: Error) => void;
}

type Connected = Extract<FromCluster, { kind: 'connected' }>;

export class ClusterNode {
  /** Until when reads may be answered: each thread that answers some asks it first. */
  readonly deadline = new SharedDeadline();
  readonly #lease = new SharedDeadline();
  readonly #worker: Worker;
  readonly #host: ClusterHost;
  readonly #channel = new MessageChannel();
  readonly #waiting = new Map<FromCluster['kind'], (message: FromCluster) => void>();
  #state: ClusterState;
  #connected: Connected | null = null;
  #firstSequence: number | null = null;
  #engine: ReplicatedEngine | null = null;
  #proposals: ProposalMessage[] = [];
  #proposedBytes = 0;
  readonly #answerWithinMs: number;
  #isClosing = false;
  /** Whether it is told that the lease has ended in the phase `ready`. */
  #isEndTold = false;
  /** Whether it is this process that has ended the lease. */
  #hasEnded = false;

  /** Starts the thread, which connects; `dataDir`: of the engine. */
  constructor(options: ClusterOptions, dataDir: string, host: ClusterHost) {
    this.#host = host;
    this.#answerWithinMs = ANSWER_FACTOR * options.writeTimeoutMs;
    this.#state = connectingState(options.nodeName, null, null);
    const workerData: ClusterThreadData = {
      ...{ options, dataDir, version: readVersion() },
      ...{ readWords: this.deadline.words, leaseWords: this.#lease.words },
    };
    this.#worker = spawnBeside(import.meta.url, 'cluster-thread', { workerData });
    this.#worker.on('message', (message: FromCluster) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) => {
      this.#waiting.get('closed')?.({ kind: 'closed' });
      this.#fail(new Error(`the cluster thread ended with code ${code}`));
    });
  }

  /** Resolves once a NATS server is connected and the log is known: it may take for ever. */
  async connect(): Promise<void> {
    if (this.#connected === null) await this.#next('connected');
  }

  /** Of the log. */
  get streamId(): string {
    return this.#whenConnected.streamId;
  }

  /** Whether the cluster was seeded, so that no node may begin without a snapshot. */
  get isSeeded(): boolean {
    return this.#whenConnected.isSeeded;
  }

  /** Of the first message that was in the log when this node connected, or since, when it had downloaded a snapshot. */
  get firstSequence(): number {
    return this.#firstSequence ?? this.#whenConnected.first;
  }

  /** Of the last. */
  get lastSequence(): number {
    return this.#whenConnected.last;
  }

  /**
   * Fills the data directory with the newest snapshot of the store, before the engine is opened; resolves with where it stands, null:
   * there is none.
   */
  async downloadSnapshot(): Promise<StoredSnapshot | null> {
    const failed = this.#next('download failed');
    this.#post({ kind: 'download' });
    const message = await Promise.race([this.#next('downloaded'), failed]);
    if (message.kind === 'download failed') throw new EngineError(message.code, message.message);
    if (message.kind !== 'downloaded') return null;
    this.#firstSequence = message.first;
    return message.snapshot;
  }

  /** What the engine is opened with, once. */
  replication(): Replication {
    return {
      streamId: this.streamId,
      deliveries: this.#channel.port1,
      propose: (number, record) => this.#propose(number, record),
      answerWithinMs: this.#answerWithinMs,
      admits: (takesMemory) => this.admitsWrite(takesMemory),
    };
  }

  /**
   * Begins to follow the log behind `position`, null: from its beginning; joins by itself when it has caught up. `onApplied` hears up to
   * where reads see it, before the others do: a fault that it notes ends reads before.
   */
  attach(engine: ReplicatedEngine, position: ReplicaPosition | null, onApplied: (sequence: number) => void): void {
    this.#engine = engine;
    engine.onApplied((sequence) => {
      onApplied(sequence);
      this.#post({ kind: 'applied', sequence });
    });
    const deliveries = this.#channel.port2;
    const [applied, replayFrom] = [position?.sequence ?? 0, position?.replayFrom ?? 1];
    this.#post({ kind: 'attach', deliveries, applied, replayFrom }, [deliveries]);
  }

  /** As the thread has told it last, within half a second. */
  state(): ServedState {
    return { ...this.#state, leaseMs: this.#lease.leftMs, proposedBytes: this.#proposedBytes };
  }

  /** Whether reads may be answered; else why not. */
  admitsRead(): EngineError | null {
    return this.deadline.isOver ? this.#notReady('reads') : null;
  }

  /** Whether a write may be taken; else why not. `takesMemory`: it is no deletion. */
  admitsWrite(takesMemory = true): EngineError | null {
    if (this.#state.phase !== 'ready' || this.#lease.isOver) return this.#notReady('writes');
    if (this.#proposedBytes > PROPOSED_BYTES_MAX)
      return overloaded("the cluster's log does not keep up with the writes");
    if (!takesMemory) return null;
    const short = this.#state.nodes.find(({ state, isShort }) => state === 'held' && isShort);
    if (short === undefined) return null;
    return new EngineError('memory_full', `the node ${short.node} of the cluster has too little memory for writes`);
  }

  /** Whether this node has too little memory for writes: then no node takes any. */
  noteMemory(isShort: boolean): void {
    this.#post({ kind: 'short', isShort });
  }

  /** Why this node should not answer reads, by what this process has found; null: it may. */
  noteFault(reason: string | null): void {
    this.#post({ kind: 'fault', reason });
  }

  /** A snapshot was written to the data directory. */
  noteSnapshot(): void {
    this.#post({ kind: 'snapshot' });
  }

  /** Stops reads at once and gives the lease back, so the others wait for this node no longer. */
  async leave(): Promise<void> {
    this.#end();
    const left = this.#nextWithin('left', FAREWELL_MS);
    this.#post({ kind: 'leave' });
    await left;
  }

  /** Ends the thread, within `withinMs`; writes that wait for the log are refused. */
  async close(withinMs = FAREWELL_MS): Promise<void> {
    this.#isClosing = true;
    const closed = this.#nextWithin('closed', Math.min(FAREWELL_MS, withinMs));
    this.#post({ kind: 'close' });
    await closed;
    await this.#worker.terminate();
    this.#channel.port1.close();
  }

  get #whenConnected(): Connected {
    if (this.#connected === null) throw new Error('nothing is known of the log before connect() has resolved');
    return this.#connected;
  }

  #post(message: ToCluster, transferList: Transferable[] = []): void {
    this.#worker.postMessage(message, transferList);
  }

  /** Proposals of one turn of the event loop go over together. */
  #propose(number: number, record: Uint8Array<ArrayBuffer>): void {
    this.#proposedBytes += record.length;
    if (this.#proposals.length === 0) queueMicrotask(() => this.#flush());
    this.#proposals.push({ number, record });
  }

  #flush(): void {
    const proposals = this.#proposals;
    this.#proposals = [];
    const buffers = proposals.map(({ record }) => record.buffer);
    this.#post({ kind: 'propose', proposals }, buffers);
  }

  #receive(message: FromCluster): void {
    if (message.kind === 'release') this.#engine?.release(message.sequence);
    else if (message.kind === 'done') this.#proposedBytes -= message.bytes;
    else if (message.kind === 'state') this.#takeState(message.state);
    else if (message.kind === 'log') this.#host.logger[message.level](message.details ?? {}, message.message);
    else if (message.kind === 'connected') this.#connected = message;
    else if (message.kind === 'fatal') this.#fail(new EngineError(message.code, message.message));
    else if (message.kind === 'refuse') {
      const { number, code, message: text, retryAfterS } = message.refusal;
      this.#engine?.refuse(
        number,
        new EngineError(code, text, { isLate: true, ...(retryAfterS !== null && { retryAfterS }) }),
      );
    }
    const resolve = this.#waiting.get(message.kind);
    this.#waiting.delete(message.kind);
    resolve?.(message);
  }

  #takeState(state: ClusterState): void {
    const { phase } = this.#state;
    this.#state = state;
    if (state.phase === phase) {
      if (phase === 'ready' && !this.#hasEnded) this.#tellLease();
      return;
    }
    this.#isEndTold = false;
    const level = phase === 'ready' && state.phase !== 'left' ? 'warn' : 'info';
    this.#host.logger[level](
      { node: state.node, phase: state.phase, applied: state.applied, reason: state.reason ?? undefined },
      'this node of the cluster is in another phase',
    );
  }

  /** A lease that nobody has taken away ends within the phase: that is told once, and when it is valid again. */
  #tellLease(): void {
    const { isOver } = this.#lease;
    if (isOver === this.#isEndTold) return;
    this.#isEndTold = isOver;
    const { node } = this.#state;
    const { logger } = this.#host;
    if (!isOver) logger.info({ node }, 'this node of the cluster holds its lease again');
    else {
      const what = this.deadline.isOver ? 'it answers no reads and takes no writes' : 'it takes no writes';
      logger.warn(
        { node, reason: this.#cause ?? undefined },
        `the lease of this node of the cluster has ended: ${what}`,
      );
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.deadline.end();
    this.#lease.end();
  }

  #fail(error: Error): void {
    this.#end();
    if (!this.#isClosing) this.#host.onFatal(error);
  }

  #notReady(what: string): EngineError {
    const { phase, reason, isConnected } = this.#state;
    const state = phase === 'ready' ? 'its lease has ended' : phase;
    const why = isConnected ? (reason ?? joined(state, this.#cause)) : this.#cause;
    return overloaded(`this node of the cluster takes no ${what} now: ${why}`);
  }

  /** Why NATS does not do what this node asks for; null: it is not known to be so. */
  get #cause(): string | null {
    const { isConnected, trouble } = this.#state;
    return isConnected ? trouble : joined('no NATS server is connected', trouble);
  }

  #next(kind: FromCluster['kind']): Promise<FromCluster> {
    return new Promise((resolve) => {
      this.#waiting.set(kind, resolve);
    });
  }

  #nextWithin(kind: FromCluster['kind'], timeoutMs: number): Promise<FromCluster | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), timeoutMs);
      void this.#next(kind).then((message) => {
        clearTimeout(timer);
        resolve(message);
      });
    });
  }
}

const joined = (what: string, why: string | null): string => (why === null ? what : `${what}: ${why}`);

const overloaded = (message: string): EngineError =>
  new EngineError('overloaded', message, { retryAfterS: RETRY_AFTER_S });
