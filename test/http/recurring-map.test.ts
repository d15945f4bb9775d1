/** What is asked for again and again is kept, whatever else is asked for meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecurringMap } from '../../src/routes/recurring-map.js';

/** Asks for `key` as a route does: what is not there is made and offered. Whether it was there. */
function ask(map: RecurringMap<string>, key: string): boolean {
  const found = map.get(key);
  if (found === undefined) map.offer(key, `value of ${key}`);
  else assert.equal(found, `value of ${key}`);
  return found !== undefined;
}

/** `count` keys of `kind`. */
const keysOf = (kind: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${kind} ${i}`);

test('a key is taken in when it comes again', () => {
  const map = new RecurringMap<string>(4);
  assert.deepEqual(
    [1, 2, 3].map(() => ask(map, 'a')),
    [false, false, true],
  );
});

test('ever other keys are not taken in', () => {
  const map = new RecurringMap<string>(64);
  for (const key of keysOf('other', 10_000)) ask(map, key);
  assert.ok(map.size <= 2, `${map.size} of 10,000 have the hash of the key before them in their place`);
});

test('in a round of twice as many keys as there is room for, those that are kept stay and are found', () => {
  const map = new RecurringMap<string>(64);
  const round = keysOf('round', 128);
  for (let i = 0; i < 20; i++) for (const key of round) ask(map, key);
  const kept = round.filter((key) => map.get(key) !== undefined);
  const found = round.filter((key) => ask(map, key));
  assert.equal(kept.length, 64);
  assert.deepEqual(found, kept);
});

test('what is not asked for any more gives way to what is', () => {
  const map = new RecurringMap<string>(64);
  for (let i = 0; i < 4; i++) for (const key of keysOf('before', 64)) ask(map, key);
  for (let i = 0; i < 8; i++) for (const key of keysOf('now', 32)) ask(map, key);
  const found = keysOf('now', 32).filter((key) => ask(map, key));
  // Two hashes may share a place, and drive each other out of it.
  assert.ok(found.length >= 24, `${found.length} of 32`);
});

test('whether a key has come before is told', () => {
  const map = new RecurringMap<number>(4);
  assert.deepEqual(
    [1, 2, 3].map((value) => map.offer('a', value)),
    [false, true, true],
  );
  assert.equal(map.offer('b', 1), false);
});

test('another value for a key that is there takes the place of the one before', () => {
  const map = new RecurringMap<number>(4);
  for (const value of [1, 2, 3]) map.offer('a', value);
  assert.equal(map.get('a'), 3);
  assert.equal(map.size, 1);
});

test('whatever comes, values are those of their keys, and no more of them than there is room for', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 2000 }), (asked) => {
      const map = new RecurringMap<string>(8);
      for (const key of asked) {
        ask(map, `${key}`);
        assert.ok(map.size <= 8);
      }
    }),
  );
});
