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
  const range = fc.nat({ max: COUNTERS });
  const property = fc.property(counters, range, range, (counts, a, b) => {
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

test('the most frequent codes are found in order, however many there are and however many are equal', () => {
  const { kernels, scratch, heap } = binding;
  const { u32, ptr } = scratch;
  heap.reset();
  const counts = heap.allocate(4 * 5001);
  const at = (counts - ptr) / 4;
  const out = SCRATCH_OUT_SCORES / 4;
  const count = fc.oneof(fc.constant(0), fc.nat({ max: 5 }), fc.nat({ max: 0xffffffff }));
  const all = fc.oneof(
    fc.array(count, { minLength: 1, maxLength: 150 }),
    fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.array(count, { minLength: 1, maxLength: 40 })).map(([size, some]) =>
      // Here and there among codes that were not counted.
      Array.from({ length: size }, (_, code) => ((code * 2654435761) % 97 < 3 ? (some[code % some.length] ?? 0) : 0)),
    ),
  );
  const property = fc.property(all, fc.integer({ min: 1, max: 160 }), (own, wanted) => {
    u32.set(own, at);
    u32[at + own.length] = 0xffffffff;
    u32.fill(0xabcdef, out, out + 400);
    const found = kernels.topCounts(
      counts,
      own.length,
      wanted,
      ptr + SCRATCH_OUT_DOCS,
      4 * out + ptr,
      4 * (out + 200) + ptr,
    );
    const expected = [...own.keys()]
      .filter((code) => (own[code] ?? 0) > 0)
      .sort((a, b) => (own[b] ?? 0) - (own[a] ?? 0) || a - b)
      .slice(0, wanted);
    assert.deepEqual([...u32.subarray(out, out + found)], expected);
    assert.deepEqual(
      [...u32.subarray(out + 200, out + 200 + found)],
      expected.map((code) => own[code]),
    );
    assert.equal(u32[out + found], 0xabcdef, 'nothing is written behind');
  });
  fc.assert(property, { numRuns: 1000 });
  clearScratch(scratch);
});

test('so are those of more codes than there are groups of the smallest size', () => {
  const { kernels, scratch, heap } = binding;
  const { u32, ptr } = scratch;
  heap.reset();
  const codes = (1 << 22) + 77;
  const counts = heap.allocate(4 * codes);
  const at = (counts - ptr) / 4;
  u32.fill(0, at, at + codes);
  const frequent = [3, 64, 65, 1 << 20, (1 << 21) - 1, codes - 78, codes - 1];
  for (const [rank, code] of frequent.entries()) u32[at + code] = 1 + (rank >> 1);
  const out = SCRATCH_OUT_SCORES / 4;
  const found = kernels.topCounts(counts, codes, 5, ptr + SCRATCH_OUT_DOCS, 4 * out + ptr, 4 * (out + 10) + ptr);
  assert.equal(found, 5);
  assert.deepEqual([...u32.subarray(out, out + 5)], [codes - 1, (1 << 21) - 1, codes - 78, 65, 1 << 20]);
  assert.deepEqual([...u32.subarray(out + 10, out + 15)], [4, 3, 3, 2, 2]);
  u32.fill(0, at, at + codes);
});

test('as many as may be wanted of as many groups as there may be fit into the room, and nothing is written behind it', () => {
  const { kernels, scratch, heap } = binding;
  const { u32, ptr } = scratch;
  heap.reset();
  const [wanted, codes, roomBytes] = [4096, 1 << 18, 160 * 1024 + 8];
  const counts = heap.allocate(4 * codes);
  const room = heap.allocate(roomBytes + 8);
  const out = heap.allocate(8 * wanted);
  const [at, behind, found] = [counts, room + roomBytes, out].map((address) => (address - ptr) / 4) as [
    number,
    number,
    number,
  ];
  for (let code = 0; code < codes; code++) u32[at + code] = (code * 2654435761) >>> 8;
  u32.fill(0xabcdef, behind, behind + 2);
  assert.equal(kernels.topCounts(counts, codes, wanted, room, out, out + 4 * wanted), wanted);
  const expected = Array.from({ length: codes }, (_, code) => code)
    .sort((a, b) => (u32[at + b] ?? 0) - (u32[at + a] ?? 0) || a - b)
    .slice(0, wanted);
  assert.deepEqual([...u32.subarray(found, found + wanted)], expected);
  assert.deepEqual([...u32.subarray(behind, behind + 2)], [0xabcdef, 0xabcdef]);
  u32.fill(0, at, at + codes);
});
