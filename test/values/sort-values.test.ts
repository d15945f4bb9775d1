/**
 * The dictionary sort and the hash table against Buffer.compare and a Map.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortValues } from '../../engine/values/sort-values.js';
import { ValueInterner } from '../../engine/values/value-interner.js';

function intern(values: readonly Uint8Array[]): { interner: ValueInterner; numbers: number[] } {
  const interner = new ValueInterner();
  return { interner, numbers: values.map((value) => interner.intern(value, 0, value.length)) };
}

function sortedHex(values: readonly Uint8Array[]): string[] {
  const { interner } = intern(values);
  const { bytes, offsets, count } = interner;
  return [...sortValues(bytes, offsets, count)].map((i) =>
    Buffer.from(bytes.slice(offsets[i], offsets[i + 1])).toString('hex'),
  );
}

const distinctHex = (values: readonly Uint8Array[]): string[] => {
  const distinct = [...new Set(values.map((value) => Buffer.from(value).toString('hex')))];
  return distinct.sort((a, b) => Buffer.compare(Buffer.from(a, 'hex'), Buffer.from(b, 'hex')));
};

// Few symbols, zero among them, so that values share prefixes and end inside each other.
const value = fc.array(fc.constantFrom(0, 1, 97, 255), { maxLength: 14 }).map((bytes) => Uint8Array.from(bytes));

test('values sort into byte order', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 300 }), (values) => {
      assert.deepEqual(sortedHex(values), distinctHex(values));
    }),
    { numRuns: 200 },
  );
});

test('long common prefixes and nested prefixes sort into byte order', () => {
  const nested = Array.from({ length: 500 }, (_, i) => new Uint8Array(499 - i).fill(120));
  const prefixed = Array.from({ length: 2000 }, (_, i) => Buffer.from(`${'p'.repeat(300)}${(i * 7919) % 2003}`));
  const values = [...nested, ...prefixed];
  assert.deepEqual(sortedHex(values), distinctHex(values));
});

test('equal values get one number, different ones different numbers, in order of appearance', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 700 }), (values) => {
      const seen = new Map<string, number>();
      const expected = values.map((bytes) => {
        const key = Buffer.from(bytes).toString('hex');
        const known = seen.get(key) ?? seen.size;
        seen.set(key, known);
        return known;
      });
      const { interner, numbers } = intern(values);
      assert.deepEqual(numbers, expected);
      assert.equal(interner.count, seen.size);
    }),
    { numRuns: 100 },
  );
});

test('an interner forgets everything when reset, also after it grew large', () => {
  const interner = new ValueInterner();
  for (const count of [10, 40_000, 10]) {
    for (let i = 0; i < count; i++) {
      const bytes = Buffer.from(`${count}/${i}`);
      assert.equal(interner.intern(bytes, 0, bytes.length), i);
    }
    interner.reset();
    assert.equal(interner.count, 0);
    assert.equal(interner.byteCount, 0);
  }
});
