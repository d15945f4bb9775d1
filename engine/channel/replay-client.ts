/**
 * The writer's side of the maintenance thread while the log is replayed: a worker that builds segments beside the writer.
 *
 * The writer runs recovery without ever returning to its event loop, so it waits on words and takes answers off the port
 * itself. An order's word says who has it; all accesses are by Atomics.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { assert, assertPresent } from '../core/assert.js';
import type { BuiltBundle, ReplayOrder, ReplayWorker } from '../writer/recovery/replay-bundle.js';
import type { SnapshotOrder, SnapshotOutcome } from '../writer/snapshot/snapshot-job.js';
import type { MaintenanceInput, MaintenanceOutput } from './messages.js';

/** The order was posted: whoever exchanges this has it. */
const WAITING = 0;
/** The writer took it back. */
const TAKEN_BACK = 1;
/** The maintenance thread is at it. */
const BEGUN = 2;
/** The maintenance thread has posted the answer and is done with everything that the order names. */
const DONE = 3;

/** The word of one order. */
export type OrderState = Int32Array<SharedArrayBuffer>;

/** Maintenance thread: whether the order is still to be carried out, by the caller then. */
export const beginOrder = (state: OrderState): boolean => Atomics.compareExchange(state, 0, WAITING, BEGUN) === WAITING;

/** Maintenance thread: tells the writer that the answer is posted. */
export function endOrder(state: OrderState): void {
  Atomics.store(state, 0, DONE);
  Atomics.notify(state, 0);
}

export class ReplayClient implements ReplayWorker {
  readonly #port: MessagePort;
  readonly #states = new Map<ReplayOrder, OrderState>();

  /** `port`: that of the maintenance thread, which nobody else may expect answers from until end(). */
  constructor(port: MessagePort) {
    this.#port = port;
  }

  start(order: ReplayOrder): void {
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.#states.set(order, state);
    this.#port.postMessage({ kind: 'build', order, state } satisfies MaintenanceInput);
  }

  takeBack(order: ReplayOrder): boolean {
    if (Atomics.compareExchange(this.#stateOf(order), 0, WAITING, TAKEN_BACK) !== WAITING) return false;
    this.#states.delete(order);
    return true;
  }

  isDone(order: ReplayOrder): boolean {
    return Atomics.load(this.#stateOf(order), 0) === DONE;
  }

  /** Orders are waited for as they were started, so the first answer is that of `order`. */
  wait(order: ReplayOrder): BuiltBundle | null {
    const state = this.#stateOf(order);
    const answer = this.#answerTo(state);
    this.#states.delete(order);
    assert(answer.kind === 'build', 'the answer to an order of a bundle');
    assert(answer.collectionId === order.bundle.collectionId, 'answers come in the order of the questions');
    return answer.built;
  }

  /** Has a snapshot written and waits for it. No order may be under way. */
  writeSnapshot(order: SnapshotOrder): SnapshotOutcome {
    assert(this.#states.size === 0, 'every order was waited for');
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.#port.postMessage({ kind: 'snapshot', order, state } satisfies MaintenanceInput);
    const answer = this.#answerTo(state);
    assert(answer.kind === 'snapshot', 'the answer to a snapshot');
    return answer.outcome;
  }

  /** There is nothing more to build. */
  end(): void {
    assert(this.#states.size === 0, 'every order was waited for');
    this.#port.postMessage({ kind: 'built' } satisfies MaintenanceInput);
  }

  #answerTo(state: OrderState): MaintenanceOutput {
    for (let now = Atomics.load(state, 0); now !== DONE; now = Atomics.load(state, 0)) Atomics.wait(state, 0, now);
    const received = assertPresent(receiveMessageOnPort(this.#port), 'answer to an order that is done');
    return received.message as MaintenanceOutput;
  }

  #stateOf(order: ReplayOrder): OrderState {
    return assertPresent(this.#states.get(order), 'state of an order');
  }
}
