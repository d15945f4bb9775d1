/**
 * Replay with another thread's help: whoever builds which chunk, and whenever it is done, a start finds what was written.
 * The lane is one in this process that answers late and out of step; that of threads is in test/property/threads.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type BuiltChunk,
  ChunkBuilder,
  type ReplayLane,
  type ReplayOrder,
} from '../../../engine/collection/replay-chunk.js';
import type { SegmentStore } from '../../../engine/collection/segment-store.js';
import { recoverHistory, replayHistory, replaySizes, writeHistory } from '../../support/replay-history.js';

/** Builds its orders in turn whenever `choose` says so, and at the latest when they are waited for. */
class LateLane implements ReplayLane {
  readonly #store: SegmentStore;
  readonly #choose: () => boolean;
  readonly #builder = new ChunkBuilder();
  readonly #waiting: ReplayOrder[] = [];
  readonly #done = new Map<ReplayOrder, BuiltChunk | null>();
  built = 0;
  takenBack = 0;

  constructor(store: SegmentStore, choose: () => boolean) {
    this.#store = store;
    this.#choose = choose;
  }

  start(order: ReplayOrder): void {
    this.#waiting.push(order);
  }

  takeBack(order: ReplayOrder): boolean {
    this.#advance();
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

  wait(order: ReplayOrder): BuiltChunk | null {
    while (!this.#done.has(order)) this.#buildNext();
    const outcome = this.#done.get(order) ?? null;
    this.#done.delete(order);
    return outcome;
  }

  #advance(): void {
    while (this.#waiting.length > 0 && this.#choose()) this.#buildNext();
  }

  #buildNext(): void {
    const order = this.#waiting.shift();
    assert.ok(order !== undefined, 'an order that is waited for was started');
    this.#done.set(order, this.#builder.buildInto(this.#store.view(order.target), order.chunk));
    this.built++;
  }
}

test('a start finds what was written, whoever builds which part of the log', async () => {
  const totals = { built: 0, takenBack: 0 };
  await fc.assert(
    fc.asyncProperty(replayHistory, replaySizes, fc.infiniteStream(fc.boolean()), async (steps, sizes, choices) => {
      const { directory, text } = await writeHistory(steps);
      assert.equal(recoverHistory(directory), text);
      assert.equal(recoverHistory(directory, { replay: () => ({ sizes }) }), text);
      const lanes: LateLane[] = [];
      const replay = (store: SegmentStore) => {
        const lane = new LateLane(store, () => choices.next().value);
        lanes.push(lane);
        return { lane, sizes };
      };
      assert.equal(recoverHistory(directory, { replay }), text);
      for (const { built, takenBack } of lanes) {
        totals.built += built;
        totals.takenBack += takenBack;
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(totals.built > 0, 'the lane built something');
  assert.ok(totals.takenBack > 0, 'something was taken back from it');
});
