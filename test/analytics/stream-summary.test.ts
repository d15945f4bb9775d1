/**
 * The stream-summary against a naive Space-Saving that searches an array for its smallest counter.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { StreamSummary, SummaryNode } from '../../src/analytics/stream-summary.js';

class Item extends SummaryNode {
  readonly key: number;
  constructor(key: number) {
    super();
    this.key = key;
  }
}

interface NaiveCounter {
  readonly key: number;
  count: number;
  error: number;
  touched: number;
}

/** The algorithm as the paper states it: of the smallest counters, the least recently touched gives way. */
class NaiveSpaceSaving {
  counters: NaiveCounter[] = [];
  #clock = 0;
  readonly #capacity: number;
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  see(key: number): void {
    this.#clock += 1;
    const known = this.counters.find((counter) => counter.key === key);
    if (known !== undefined) {
      known.count += 1;
      known.touched = this.#clock;
      return;
    }
    let inherited = 0;
    if (this.counters.length === this.#capacity) {
      const [smallest] = [...this.counters].sort((a, b) => a.count - b.count || a.touched - b.touched);
      inherited = (smallest as NaiveCounter).count;
      this.counters = this.counters.filter((counter) => counter !== smallest);
    }
    this.counters.push({ key, count: inherited + 1, error: inherited, touched: this.#clock });
  }

  forget(key: number): void {
    this.counters = this.counters.filter((counter) => counter.key !== key);
  }
}

const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;

/** Counts `key`, as the owner of a summary does. */
function see(summary: StreamSummary<Item>, items: Map<number, Item>, key: number): void {
  const item = items.get(key);
  if (item !== undefined) {
    summary.increment(item);
    return;
  }
  const fresh = new Item(key);
  const evicted = summary.insert(fresh);
  if (evicted !== null) items.delete(evicted.key);
  items.set(key, fresh);
}

test('counts, errors and evictions are those of the naive algorithm, removals included', () => {
  const steps = fc.array(fc.record({ key: fc.nat(15), isRemoval: fc.boolean().map((b) => b), rare: fc.nat(5) }), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), steps, (capacity, sequence) => {
      const summary = new StreamSummary<Item>(capacity);
      const naive = new NaiveSpaceSaving(capacity);
      const items = new Map<number, Item>();
      for (const { key, isRemoval, rare } of sequence) {
        const item = items.get(key);
        if (isRemoval && rare === 0) {
          if (item !== undefined) summary.remove(item);
          items.delete(key);
          naive.forget(key);
          continue;
        }
        naive.see(key);
        see(summary, items, key);
      }
      const got = [...items.values()].map(({ key, count, error }) => ({ key, count, error })).sort(byKey);
      const expected = naive.counters.map(({ key, count, error }) => ({ key, count, error })).sort(byKey);
      assert.deepEqual(got, expected);
      assert.equal(summary.size, expected.length);
    }),
  );
});

test('an item seen more often than stream length / capacity is always held, and its count errs only upwards', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.nat(9), { maxLength: 200 }), (capacity, stream) => {
      const summary = new StreamSummary<Item>(capacity);
      const items = new Map<number, Item>();
      const truth = new Map<number, number>();
      for (const key of stream) {
        truth.set(key, (truth.get(key) ?? 0) + 1);
        see(summary, items, key);
      }
      for (const [key, count] of truth) {
        const item = items.get(key);
        if (count > stream.length / capacity) assert.ok(item !== undefined);
        if (item === undefined) continue;
        assert.ok(item.count >= count);
        assert.ok(item.count - item.error <= count);
      }
    }),
  );
});
