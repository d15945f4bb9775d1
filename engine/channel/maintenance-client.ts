/**
 * The writer's side of the maintenance thread: hands over merges, snapshots and verifications, at most one of each kind
 * at a time. Nothing of a thread outlives an order but the arenas it knows, so it may end when there is none (rest()); the next order
 * has another one started.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { assert, assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import type { Arena } from '../memory/arena.js';
import type { ManifestSegment } from '../storage/types/manifest.js';
import type { RebuildOrder, RebuildOutcome, RebuildRunner } from '../writer/change/rebuild-order.js';
import type { MergeOrder, MergeOutcome } from '../writer/merge/merge-job.js';
import type { MergeRunner } from '../writer/merge/merge-scheduler.js';
import type { SnapshotOrder, SnapshotOutcome } from '../writer/snapshot/snapshot-job.js';
import type { SnapshotRunner } from '../writer/snapshot/snapshotter.js';
import type { VerifyRunner } from '../writer/snapshot/verify-stored.js';
import type { Epoch } from './generations.js';
import type { MaintenanceInput, MaintenanceOutput } from './messages.js';

type Kind = MaintenanceOutput['kind'];

export class MaintenanceClient implements MergeRunner, RebuildRunner, SnapshotRunner, VerifyRunner {
  /** Null: there is no thread. */
  #port: MessagePort | null = null;
  /** Has a thread started that takes its orders from the port. */
  readonly #startThread: (port: MessagePort) => void;
  readonly #arenas: Arena[] = [];
  /** Protects what merges and rebuilds read, from when the first of those under way began. */
  readonly #epoch: Epoch;
  #reading = 0;
  readonly #waiting = new Map<Kind, (message: MaintenanceOutput) => void>();

  /** `port`: of the thread that replays the log, too. `epoch`: that of the maintenance thread. */
  constructor(port: MessagePort, epoch: Epoch, startThread: (port: MessagePort) => void) {
    this.#epoch = epoch;
    this.#startThread = startThread;
    this.#listen(port);
  }

  addArena(arena: Arena): void {
    this.#arenas.push(arena);
    this.#port?.postMessage({ kind: 'arena', arena } satisfies MaintenanceInput);
  }

  /** Has its garbage collected when it comes to it. */
  collectGarbage(): void {
    this.#port?.postMessage({ kind: 'collect' } satisfies MaintenanceInput);
  }

  /** Ends the thread, unless it has something to do. Returns whether one was ended. */
  rest(): boolean {
    if (this.#port === null || this.#waiting.size > 0) return false;
    this.#port.postMessage({ kind: 'end' } satisfies MaintenanceInput);
    this.#port = null;
    return true;
  }

  /** Merges; an epoch keeps the sources, and the bitmaps that a commit may replace meanwhile. */
  async run(order: MergeOrder): Promise<MergeOutcome> {
    this.#enter();
    const answer = await this.#ask({ kind: 'merge', order }, 'merge');
    this.#leave();
    assert(answer.kind === 'merge', 'the answer to a merge');
    return answer.outcome;
  }

  /** Rebuilds; protected as a merge is. */
  async rebuild(order: RebuildOrder): Promise<RebuildOutcome> {
    this.#enter();
    const answer = await this.#ask({ kind: 'rebuild', order }, 'rebuild');
    this.#leave();
    assert(answer.kind === 'rebuild', 'the answer to a rebuild');
    return answer.outcome;
  }

  #enter(): void {
    if (this.#reading++ === 0) this.#epoch.enter();
  }

  #leave(): void {
    if (--this.#reading === 0) this.#epoch.leave();
  }

  /** Writes a snapshot, whose regions are pinned. */
  async writeSnapshot(order: SnapshotOrder): Promise<SnapshotOutcome> {
    const answer = await this.#ask({ kind: 'snapshot', order, state: null }, 'snapshot');
    assert(answer.kind === 'snapshot', 'the answer to a snapshot');
    return answer.outcome;
  }

  async verify(segment: ManifestSegment): Promise<EngineError | null> {
    const answer = await this.#ask({ kind: 'verify', segment }, 'verify');
    assert(answer.kind === 'verify', 'the answer to a verification');
    return answer.error === null ? null : new EngineError(answer.error.code, answer.error.message);
  }

  close(): void {
    this.#port?.close();
  }

  #listen(port: MessagePort): void {
    this.#port = port;
    port.on('message', (message: MaintenanceOutput) => {
      const done = assertPresent(this.#waiting.get(message.kind), 'an order of this kind is under way');
      this.#waiting.delete(message.kind);
      done(message);
    });
  }

  #ask(message: MaintenanceInput, kind: Kind): Promise<MaintenanceOutput> {
    assert(!this.#waiting.has(kind), 'one order of a kind at a time');
    this.#send(message);
    return new Promise((resolve) => {
      this.#waiting.set(kind, resolve);
    });
  }

  #send(message: MaintenanceInput): void {
    const port = this.#port ?? this.#start();
    port.postMessage(message);
  }

  #start(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#startThread(port2);
    this.#listen(port1);
    // There is no log to replay.
    const first: MaintenanceInput[] = [
      { kind: 'built' },
      ...this.#arenas.map((arena) => ({ kind: 'arena', arena }) as const),
    ];
    for (const message of first) port1.postMessage(message);
    return port1;
  }
}
