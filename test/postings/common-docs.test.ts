/**
 * What two ascending lists have in common, by kernels, against sets.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_DOCS, SCRATCH_LIST_A, SCRATCH_LIST_B, SCRATCH_OUT_DOCS } from '../../engine/layout/scratch.js';
import { binding, randomNumbers } from '../support/engine-arena.js';

const { kernels, scratch } = binding;
const A = SCRATCH_LIST_A >> 1;
const B = SCRATCH_LIST_B >> 1;
const OUT = SCRATCH_OUT_DOCS;
const [aPtr, bPtr, outPtr] = [SCRATCH_LIST_A, SCRATCH_LIST_B, SCRATCH_OUT_DOCS].map((at) => scratch.ptr + at);

/** Ends of what kernels go by: eight and 32 documents at a time, and lists that are 4 and 64 times as long. */
const lengths = fc.oneof(
  fc.constantFrom(0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 128, 2047),
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: 0, max: 2100 }),
);

interface Setting {
  readonly seed: number;
  readonly lengths: readonly [number, number];
  /** Documents that are drawn from: few make many common ones, and gaps of which most are 1. */
  readonly docs: number;
  /** Whether most of them lie in a sixteenth of those. */
  readonly isClustered: boolean;
  /** Of one list, what is taken for the other. */
  readonly shared: number;
}

const setting: fc.Arbitrary<Setting> = fc.record({
  seed: fc.nat(),
  lengths: fc.tuple(lengths, lengths),
  docs: fc.constantFrom(2200, 5000, CHUNK_DOCS),
  isClustered: fc.boolean(),
  shared: fc.constantFrom(0, 0.1, 0.9, 1),
});

/** `count` ascending documents of [CHUNK_DOCS - docs, CHUNK_DOCS), some of them those of `others`. */
function draw(
  random: (below: number) => number,
  count: number,
  docs: number,
  isClustered: boolean,
  others: number[],
  shared: number,
) {
  const set = new Set(others.filter(() => random(1000) < shared * 1000).slice(0, count));
  while (set.size < count) {
    const range = isClustered && random(10) > 0 && set.size < docs / 64 ? docs >> 4 : docs;
    set.add(CHUNK_DOCS - 1 - random(range));
  }
  return [...set].sort((x, y) => x - y);
}

function drawLists({ seed, lengths: [one, other], docs, isClustered, shared }: Setting) {
  const random = randomNumbers(seed);
  const b = draw(random, Math.max(one, other), docs, isClustered, [], 0);
  const a = draw(random, Math.min(one, other), docs, isClustered, b, shared);
  // What lies behind a list is not part of it, whatever it is.
  const garbage = Array.from({ length: 40 }, () => a[random(Math.max(1, a.length))] ?? CHUNK_DOCS - 1);
  scratch.u16.set([...a, ...garbage], A);
  scratch.u16.set([...b, ...garbage], B);
  const common = a.filter((doc) => b.includes(doc));
  return { a, b, common };
}

test('common documents are those of both lists, ascending, also where they replace the shorter one', () => {
  fc.assert(
    fc.property(setting, fc.boolean(), (given, inPlace) => {
      const { a, b, common } = drawLists(given);
      const count = kernels.commonDocs(aPtr, a.length, bPtr, b.length, inPlace ? aPtr : outPtr);
      const from = inPlace ? A : OUT >> 1;
      assert.deepEqual([...scratch.u16.subarray(from, from + count)], common);
      assert.deepEqual([...scratch.u16.subarray(B, B + b.length)], b);
    }),
    { numRuns: 1500 },
  );
});

test('places of common documents are theirs in both lists', () => {
  fc.assert(
    fc.property(setting, (given) => {
      const { a, b, common } = drawLists(given);
      const count = kernels.commonPlaces(aPtr, a.length, bPtr, b.length, outPtr);
      const pairs = [...scratch.u32.subarray(OUT >> 2, (OUT >> 2) + count)];
      assert.deepEqual(
        pairs.map((pair) => [pair & 0xffff, pair >>> 16]),
        common.map((doc) => [a.indexOf(doc), b.indexOf(doc)]),
      );
    }),
    { numRuns: 1500 },
  );
});
