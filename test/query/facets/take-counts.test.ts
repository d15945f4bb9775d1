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

test('the codes that were counted are taken in order, and no others', () => {
  const { kernels, scratch } = binding;
  const { u32, ptr } = scratch;
  const property = fc.property(counters, fc.nat({ max: COUNTERS }), fc.nat({ max: COUNTERS }), (counts, a, b) => {
    const from = Math.min(a, b);
    const to = Math.max(a, b);
    u32.set(counts, SCRATCH_ACC / 4);
    const codes = ptr + SCRATCH_OUT_DOCS;
    const found = kernels.takeCounts(ptr + SCRATCH_ACC, from, to, codes, ptr + SCRATCH_OUT_SCORES);
    const expected = counts.flatMap((count, code) => (code >= from && code < to && count > 0 ? [code] : []));
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
