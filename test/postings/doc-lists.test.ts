/**
 * The kernels over lists of one chunk's documents against plain loops.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_DOCS, SCRATCH_LIST_A, SCRATCH_MATCHED } from '../../engine/layout/scratch.js';
import { binding, randomNumbers, resetRegions, takeViews } from '../support/engine-arena.js';

const { kernels, scratch } = binding;
const LIST = SCRATCH_LIST_A >> 1;
const listPtr = scratch.ptr + SCRATCH_LIST_A;

/** A bitset of a chunk, or none. */
interface Bitset {
  readonly ptr: number;
  readonly has: (doc: number) => boolean;
}

const NONE: Bitset = { ptr: 0, has: () => true };

function makeBitset(seed: number, share: number | null): Bitset {
  if (share === null) return NONE;
  const random = randomNumbers(seed);
  const { u8, region } = takeViews(CHUNK_DOCS / 8);
  const bits = Uint8Array.from({ length: CHUNK_DOCS }, () => (random(100) < share ? 1 : 0));
  for (let i = 0; i < CHUNK_DOCS / 8; i++) {
    u8[i] = 0;
    for (let bit = 0; bit < 8; bit++) u8[i] |= bits[i * 8 + bit] << bit;
  }
  return { ptr: region.ptr, has: (doc) => bits[doc] === 1 };
}

const setting = fc.record({
  seed: fc.nat(),
  live: fc.constantFrom(null, 0, 3, 90, 100),
  filter: fc.constantFrom(null, 0, 1, 50, 100),
  docs: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: CHUNK_DOCS }), fc.constant(CHUNK_DOCS)),
});

const listed = (count: number): number[] => [...scratch.u16.subarray(LIST, LIST + count)];

function passing(docs: number, live: Bitset, filter: Bitset): number[] {
  const passed: number[] = [];
  for (let doc = 0; doc < docs; doc++) if (live.has(doc) && filter.has(doc)) passed.push(doc);
  return passed;
}

test('a list keeps, in order, what both bitsets hold', () => {
  fc.assert(
    fc.property(setting, ({ seed, live, filter, docs }) => {
      resetRegions();
      const random = randomNumbers(seed);
      const [a, b] = [makeBitset(seed, live), makeBitset(seed + 1, filter)];
      const list = Array.from({ length: Math.min(docs, 5000) }, () => random(CHUNK_DOCS));
      scratch.u16.set(list, LIST);
      const count = kernels.filterList(listPtr, list.length, a.ptr, b.ptr);
      assert.deepEqual(
        listed(count),
        list.filter((doc) => a.has(doc) && b.has(doc)),
      );
    }),
    { numRuns: 40 },
  );
});

test('the documents of a chunk are listed, up to a limit', () => {
  fc.assert(
    fc.property(setting, fc.constantFrom(0, 1, 63, 64, 65, 1000, CHUNK_DOCS), ({ seed, live, filter, docs }, limit) => {
      resetRegions();
      const [a, b] = [makeBitset(seed, live), makeBitset(seed + 1, filter)];
      const expected = passing(docs, a, b);
      const count = kernels.listChunk(a.ptr, b.ptr, docs, listPtr, limit);
      assert.deepEqual(listed(count), expected.slice(0, limit));
    }),
    { numRuns: 60 },
  );
});

test('listing up to a limit writes nothing past the list area', () => {
  resetRegions();
  const all = makeBitset(1, 100);
  scratch.u16[LIST + CHUNK_DOCS] = 0xbeef;
  assert.equal(kernels.listChunk(all.ptr, 0, CHUNK_DOCS, listPtr, CHUNK_DOCS), CHUNK_DOCS);
  assert.equal(scratch.u16[LIST + CHUNK_DOCS], 0xbeef);
  scratch.u16[LIST + CHUNK_DOCS] = 0;
});

test('the counts of matched tokens of a list are cleared, of a long one all at once', () => {
  for (const count of [0, 1, 16384, 16385, CHUNK_DOCS]) {
    const random = randomNumbers(count + 1);
    const list = Array.from({ length: count }, () => random(CHUNK_DOCS));
    const matched = scratch.u8.subarray(SCRATCH_MATCHED, SCRATCH_MATCHED + CHUNK_DOCS);
    scratch.u16.set(list, LIST);
    for (const doc of list) matched[doc] = 1 + random(60);
    kernels.clearMatched(scratch.ptr + SCRATCH_MATCHED, listPtr, count);
    assert.ok(matched.every((byte) => byte === 0));
  }
});
