/**
 * A stand-in for the thread that helps with replay, in this process: it answers late and out of step.
 */
import assert from 'node:assert/strict';
import {
  type BuiltBundle,
  BundleBuilder,
  type ReplayOrder,
  type ReplayWorker,
} from '../../engine/writer/recovery/replay-bundle.js';
import type { SegmentMemory } from '../../engine/writer/state/segment-memory.js';

/** Builds its orders in turn whenever `choose` says so, and at the latest when they are waited for. */
export class LateWorker implements ReplayWorker {
  readonly #memory: SegmentMemory;
  readonly #choose: () => boolean;
  readonly #builder = new BundleBuilder();
  readonly #waiting: ReplayOrder[] = [];
  readonly #done = new Map<ReplayOrder, BuiltBundle | null>();
  built = 0;
  takenBack = 0;

  constructor(memory: SegmentMemory, choose: () => boolean) {
    this.#memory = memory;
    this.#choose = choose;
  }

  start(order: ReplayOrder): void {
    this.#waiting.push(order);
  }

  takeBack(order: ReplayOrder): boolean {
    const at = this.#waiting.indexOf(order);
    if (at < 0 || this.#choose()) return false;
    this.#waiting.splice(at, 1);
    this.takenBack++;
    return true;
  }

  isDone(order: ReplayOrder): boolean {
    this.#advance();
    return this.#done.has(order);
  }

  wait(order: ReplayOrder): BuiltBundle | null {
    while (!this.#done.has(order)) this.#buildNext();
    const outcome = this.#done.get(order) ?? null;
    this.#done.delete(order);
    return outcome;
  }

  #advance(): void {
    if (this.#waiting.length > 0 && this.#choose() && this.#choose() && this.#choose()) this.#buildNext();
  }

  #buildNext(): void {
    const order = this.#waiting.shift();
    assert.ok(order !== undefined, 'an order that is waited for was started');
    this.#done.set(order, this.#builder.buildInto(this.#memory.view(order.target), order.bundle));
    this.built++;
  }
}
