/**
 * Clients take turns: what comes out of a FairQueue, against a naive one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from '../../engine/channel/fair-queue.js';

/** The same by a list of all reads: the client that was served longest ago, or came first, is next. */
class NaiveQueue {
  readonly #reads: { readonly slot: number; readonly client: string }[] = [];
  readonly #turns: string[] = [];

  push(slot: number, client: string): void {
    if (!this.#turns.includes(client)) this.#turns.push(client);
    this.#reads.push({ slot, client });
  }

  shift(): number {
    const client = this.#turns.shift();
    if (client === undefined) return -1;
    const slot = this.#take(this.#reads.findIndex((read) => read.client === client));
    if (this.#reads.some((read) => read.client === client)) this.#turns.push(client);
    return slot;
  }

  remove(slot: number, client: string): boolean {
    const at = this.#reads.findIndex((read) => read.slot === slot && read.client === client);
    if (at < 0) return false;
    this.#take(at);
    this.#forgetIdle(client);
    return true;
  }

  popOf(client: string): number {
    const slot = this.#take(this.#reads.findLastIndex((read) => read.client === client));
    this.#forgetIdle(client);
    return slot;
  }

  countOf(client: string): number {
    return this.#reads.filter((read) => read.client === client).length;
  }

  get size(): number {
    return this.#reads.length;
  }

  #take(at: number): number {
    const [read] = this.#reads.splice(at, 1);
    assert.ok(read !== undefined);
    return read.slot;
  }

  #forgetIdle(client: string): void {
    if (this.countOf(client) === 0) this.#turns.splice(this.#turns.indexOf(client), 1);
  }
}

const client = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('push' as const), client }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('shift' as const), client }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'popLargest' as const), client }) },
);

test('reads come out as from a naive queue, whatever is taken out in between', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue();
      const naive = new NaiveQueue();
      let next = 0;
      for (const { kind, client: name } of steps) {
        if (kind === 'push') {
          queue.push(next, name);
          naive.push(next++, name);
        } else if (kind === 'shift') {
          const first = queue.peek();
          const slot = queue.shift();
          assert.equal(slot, first);
          assert.equal(slot, naive.shift());
        } else if (kind === 'remove') {
          const slot = next >> 1;
          assert.equal(queue.remove(slot, name), naive.remove(slot, name));
        } else {
          const largest = queue.largest();
          assert.equal(largest?.count ?? 0, Math.max(...['a', 'b', 'c', 'd'].map((each) => naive.countOf(each))));
          if (largest !== null) assert.equal(queue.popOf(largest.client), naive.popOf(largest.client));
        }
        assert.equal(queue.size, naive.size);
        assert.equal(queue.countOf(name), naive.countOf(name));
      }
      for (let slot = queue.shift(); slot >= 0; slot = queue.shift()) assert.equal(slot, naive.shift());
      assert.equal(naive.size, 0);
    }),
  );
});

test('a client with one read waits for one read of each other client at most', () => {
  const queue = new FairQueue();
  for (let slot = 0; slot < 1000; slot++) queue.push(slot, 'flood');
  queue.push(1000, 'other');
  assert.deepEqual([queue.shift(), queue.shift()], [0, 1000]);
});
