/**
 * The writer's side of the maintenance thread while the log is replayed: a worker that builds segments beside the writer.
 *
 * The writer runs recovery without ever returning to its event loop, so it waits on words and takes answers off the port
 * itself. An order's word says who has it (order-word.ts).
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { assert, assertPresent } from '../core/assert.js';
import type { BuiltBundle, ReplayOrder, ReplayWorker } from '../writer/recovery/replay-bundle.js';
import type { SnapshotOrder, SnapshotOutcome } from '../writer/snapshot/snapshot-job.js';
import { SharedWords } from './atomic-words.js';
import type { MaintenanceInput, MaintenanceOutput } from './messages.js';
import { OrderWord } from './order-word.js';

/** The word of one order, as it crosses threads. */
export type OrderState = Int32Array<SharedArrayBuffer>;

const makeState = (): OrderState => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

export class ReplayClient implements ReplayWorker {
  readonly #port: MessagePort;
  readonly #orders = new Map<ReplayOrder, OrderWord>();

  /** `port`: that of the maintenance thread, which nobody else may expect answers from until end(). */
  constructor(port: MessagePort) {
    this.#port = port;
  }

  start(order: ReplayOrder): void {
    const state = makeState();
    this.#orders.set(order, new OrderWord(new SharedWords(state)));
    this.#port.postMessage({ kind: 'build', order, state } satisfies MaintenanceInput);
  }

  takeBack(order: ReplayOrder): boolean {
    if (!this.#wordOf(order).takeBack()) return false;
    this.#orders.delete(order);
    return true;
  }

  isDone(order: ReplayOrder): boolean {
    return this.#wordOf(order).isDone;
  }

  /** Orders are waited for as they were started, so the first answer is that of `order`. */
  wait(order: ReplayOrder): BuiltBundle | null {
    const answer = this.#answerTo(this.#wordOf(order));
    this.#orders.delete(order);
    assert(answer.kind === 'build', 'the answer to an order of a bundle');
    assert(answer.collectionId === order.bundle.collectionId, 'answers come in the order of the questions');
    return answer.built;
  }

  /** Has a snapshot written and waits for it. No order may be under way. */
  writeSnapshot(order: SnapshotOrder): SnapshotOutcome {
    assert(this.#orders.size === 0, 'every order was waited for');
    const state = makeState();
    this.#port.postMessage({ kind: 'snapshot', order, state } satisfies MaintenanceInput);
    const answer = this.#answerTo(new OrderWord(new SharedWords(state)));
    assert(answer.kind === 'snapshot', 'the answer to a snapshot');
    return answer.outcome;
  }

  /** There is nothing more to build. */
  end(): void {
    assert(this.#orders.size === 0, 'every order was waited for');
    this.#port.postMessage({ kind: 'built' } satisfies MaintenanceInput);
  }

  #answerTo(word: OrderWord): MaintenanceOutput {
    word.wait();
    const received = assertPresent(receiveMessageOnPort(this.#port), 'answer to an order that is done');
    return received.message as MaintenanceOutput;
  }

  #wordOf(order: ReplayOrder): OrderWord {
    return assertPresent(this.#orders.get(order), 'word of an order');
  }
}
