/** Which counters of a histogram were counted, against looking at each: runs of zeros, full runs and odd ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SCRATCH_ACC, SCRATCH_OUT_DOCS, SCRATCH_OUT_SCORES } from '../../../engine/layout/scratch.js';
import { clearScratch } from '../../../engine/memory/kernel-instance.js';
import { binding } from '../../support/engine-arena.js';

const COUNTERS = 200;
const counters = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 0xffffffff })), {
  minLength: COUNTERS,
  maxLength: COUNTERS,
});

/** Counts from here on are taken. */
const least = fc.oneof(fc.constantFrom(1, 2, 0x80000000), fc.integer({ min: 1, max: 0xffffffff }));

test('the codes that were counted are taken in order, and no others', () => {
  const { kernels, scratch } = binding;
  const { u32, ptr } = scratch;
  const range = fc.nat({ max: COUNTERS });
  const property = fc.property(counters, range, range, least, (counts, a, b, floor) => {
    const from = Math.min(a, b);
    const to = Math.max(a, b);
    u32.set(counts, SCRATCH_ACC / 4);
    const codes = ptr + SCRATCH_OUT_DOCS;
    const found = kernels.takeCounts(ptr + SCRATCH_ACC, from, to, floor, codes, ptr + SCRATCH_OUT_SCORES);
    const expected = counts.flatMap((count, code) => (code >= from && code < to && count >= floor ? [code] : []));
    const taken = (area: number): number[] => [...u32.subarray(area / 4, area / 4 + found)];
    assert.deepEqual(taken(SCRATCH_OUT_DOCS), expected);
    assert.deepEqual(
      taken(SCRATCH_OUT_SCORES),
      expected.map((code) => counts[code]),
    );
  });
  fc.assert(property, { numRuns: 300 });
  clearScratch(scratch);
});

test('the least of the largest counts is found, however many there are and however many are equal', () => {
  const { kernels, scratch } = binding;
  const { u32, ptr } = scratch;
  const count = fc.oneof(fc.constant(0), fc.nat({ max: 5 }), fc.nat({ max: 0xffffffff }));
  const counts = fc.array(count, { minLength: 1, maxLength: 150 });
  const property = fc.property(counts, fc.integer({ min: 1, max: 160 }), (all, wanted) => {
    u32.set(all, SCRATCH_ACC / 4);
    u32[SCRATCH_ACC / 4 + all.length] = 0xffffffff;
    u32.fill(0xabcdef, SCRATCH_OUT_DOCS / 4, SCRATCH_OUT_DOCS / 4 + wanted + 1);
    const found = kernels.leastOfTop(ptr + SCRATCH_ACC, all.length, wanted, ptr + SCRATCH_OUT_DOCS) >>> 0;
    const falling = all.toSorted((a, b) => b - a);
    assert.equal(found, Math.max(1, falling[wanted - 1] ?? 0));
    assert.equal(u32[SCRATCH_OUT_DOCS / 4 + wanted], 0xabcdef, 'nothing is written behind the heap');
  });
  fc.assert(property, { numRuns: 1000 });
  clearScratch(scratch);
});
