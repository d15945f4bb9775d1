/**
 * The budget of what a thread remembers, against a list that is searched from end to end.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { BudgetedCache, CACHE_ENTRY_BYTES, CacheBudget } from '../../engine/core/cache-budget.js';

const PARTS = 4;
const BYTES_MAX = 12 * CACHE_ENTRY_BYTES;

interface NaiveEntry {
  readonly part: number;
  readonly key: string;
  readonly value: number;
  readonly bytes: number;
}

/** Entries from the one used longest ago to the newest. */
class NaiveBudget {
  entries: NaiveEntry[] = [];
  readonly released = new Set<number>();
  evicted: number[] = [];

  get bytes(): number {
    return this.entries.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get(part: number, key: string): number | undefined {
    const found = this.entries.find((entry) => entry.part === part && entry.key === key);
    if (found === undefined) return undefined;
    this.entries = [...this.entries.filter((entry) => entry !== found), found];
    return found.value;
  }

  delete(part: number, key: string): void {
    this.entries = this.entries.filter((entry) => entry.part !== part || entry.key !== key);
  }

  add(part: number, key: string, value: number, valueBytes: number): boolean {
    this.delete(part, key);
    const bytes = valueBytes + CACHE_ENTRY_BYTES;
    if (this.released.has(part) || bytes > BYTES_MAX) return false;
    while (this.bytes + bytes > BYTES_MAX) {
      const oldest = this.entries.shift();
      assert.ok(oldest);
      this.evicted.push(oldest.value);
    }
    this.entries.push({ part, key, value, bytes });
    return true;
  }

  release(part: number): void {
    this.released.add(part);
    this.entries = this.entries.filter((entry) => entry.part !== part);
  }
}

const part = fc.nat(PARTS - 1);
const key = fc.constantFrom(...'abcdef');
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), part, key, bytes: fc.nat(BYTES_MAX) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), part, key, bytes: fc.nat(200) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('get' as const), part, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), part, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), part }) },
);

test('remembers and forgets as a list in order of use does, and never holds more than its bytes', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      const budget = new CacheBudget(BYTES_MAX);
      const naive = new NaiveBudget();
      const evicted: number[] = [];
      const parts = Array.from(
        { length: PARTS },
        () => new BudgetedCache<string, number>(budget, (value) => evicted.push(value)),
      );
      let gets = 0;
      operations.forEach((one, i) => {
        const cache = parts[one.part];
        if (one.kind === 'add')
          assert.equal(cache.add(one.key, i, one.bytes), naive.add(one.part, one.key, i, one.bytes));
        else if (one.kind === 'get') {
          gets++;
          assert.equal(cache.get(one.key), naive.get(one.part, one.key));
        } else if (one.kind === 'delete') {
          cache.delete(one.key);
          naive.delete(one.part, one.key);
        } else {
          cache.release();
          naive.release(one.part);
        }
        assert.equal(budget.bytes, naive.bytes);
        assert.ok(budget.bytes <= BYTES_MAX);
        assert.deepEqual(evicted, naive.evicted);
        const { hits, misses, evictions } = budget.counts;
        assert.deepEqual([hits + misses, evictions], [gets, evicted.length]);
      });
      for (const [p, cache] of parts.entries())
        for (const each of 'abcdef') assert.equal(cache.peek(each), naive.get(p, each));
    }),
  );
});

test('a part that is released to make room for its own entry keeps nothing of it', () => {
  const budget = new CacheBudget(4 * CACHE_ENTRY_BYTES);
  const inner = new BudgetedCache<string, number>(budget);
  const outer = new BudgetedCache<string, number>(budget, () => inner.release());
  assert.ok(outer.add('collection', 1, 2 * CACHE_ENTRY_BYTES));
  assert.ok(!inner.add('word', 2, CACHE_ENTRY_BYTES));
  assert.equal(budget.bytes, 0);
  assert.equal(inner.peek('word'), undefined);
  assert.ok(!inner.add('another', 3, 0), 'nor does it take anything later');
});

test('the bytes that are counted are at least those that the heap has grown by', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const budget = new CacheBudget(2 ** 30);
  const before = held();
  const caches = Array.from({ length: 100 }, () => new BudgetedCache<string, object>(budget));
  for (const [c, cache] of caches.entries())
    for (let i = 0; i < 300; i++) {
      const name = `${c}-${i}-a-key-of-thirty-characters`;
      assert.ok(cache.add(name, { a: i, b: c }, name.length + 40));
    }
  const grown = held() - before;
  assert.ok(budget.bytes >= grown, `${budget.bytes} counted, ${grown} taken`);
  assert.ok(budget.bytes <= 2 * grown, `${budget.bytes} counted, ${grown} taken`);
});
