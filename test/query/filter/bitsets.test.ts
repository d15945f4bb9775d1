/**
 * The bitset kernels against arrays of booleans, for every count of documents around word and vector ends.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS, SCRATCH_FILTER_BITS, SCRATCH_LIST_A } from '../../../engine/layout/scratch.js';
import { createArena } from '../../../engine/memory/arena.js';
import { bindArena } from '../../../engine/memory/kernel-instance.js';

const { kernels, scratch } = bindArena(createArena(0), 0);
const slot = (i: number): number => scratch.ptr + SCRATCH_FILTER_BITS + i * CHUNK_BITSET_BYTES;
const bytesOf = (i: number): Uint8Array =>
  scratch.u8.subarray(SCRATCH_FILTER_BITS + i * CHUNK_BITSET_BYTES, SCRATCH_FILTER_BITS + (i + 1) * CHUNK_BITSET_BYTES);

/** Fills bitset `i` with noise from `seed` in its first `count` bits; `clean`: zeros past them, else noise throughout. */
function noise(i: number, seed: number, count: number, clean: boolean): boolean[] {
  const bytes = bytesOf(i);
  bytes.fill(clean ? 0 : 0xb7);
  const bits = Array.from({ length: count }, (_, bit) => (Math.imul(bit + seed, 0x9e3779b1) >>> 7) % 3 === 0);
  bits.forEach((set, bit) => {
    const mask = 1 << (bit & 7);
    bytes[bit >> 3] = set ? bytes[bit >> 3] | mask : bytes[bit >> 3] & ~mask;
  });
  return bits;
}

function check(expected: boolean[]): void {
  const bytes = new Uint8Array(CHUNK_BITSET_BYTES);
  expected.forEach((set, bit) => {
    if (set) bytes[bit >> 3] |= 1 << (bit & 7);
  });
  assert.ok(Buffer.from(bytesOf(0)).equals(bytes));
}

const count = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.constantFrom(64, 127, 128, 192, 256, CHUNK_DOCS - 1, CHUNK_DOCS),
);

test('bitset operations agree with booleans and keep the bits past the count clear', () => {
  fc.assert(
    fc.property(count, fc.nat(1000), fc.nat(1000), (n, a, b) => {
      noise(0, a, n, false);
      kernels.bitsetFill(slot(0), n);
      check(Array.from({ length: n }, () => true));

      const copied = noise(1, b, n, false);
      kernels.bitsetCopy(slot(0), slot(1), n);
      check(copied);

      let own = noise(0, a, n, true);
      let other = noise(1, b, n, false);
      kernels.bitsetAnd(slot(0), slot(1), n);
      check(own.map((set, i) => set && other[i]));

      own = noise(2, a, n, false);
      other = noise(1, b, n, true);
      noise(0, a, n, false);
      assert.equal(kernels.bitsetMeet(slot(0), 0, slot(1), n), slot(1), 'bits alone stay where they are');
      assert.equal(kernels.bitsetMeet(slot(0), slot(2), slot(1), n), slot(0));
      check(own.map((set, i) => set && other[i]));
      kernels.bitsetMeet(slot(0), 0, 0, n);
      check(own.map(() => true));
      kernels.bitsetMeet(slot(0), slot(2), 0, n);
      check(own);

      own = noise(0, a, n, true);
      other = noise(1, b, n, true);
      kernels.bitsetOr(slot(0), slot(1), n);
      check(own.map((set, i) => set || other[i]));
      assert.equal(kernels.bitsetCount(slot(0), n), own.filter((set, i) => set || other[i]).length);
      assert.equal(kernels.bitsetIsEmpty(slot(0), n) === 1, !own.some((set, i) => set || other[i]));

      own = noise(0, a, n, true);
      kernels.bitsetComplement(slot(0), slot(1), n);
      check(own.map((set, i) => !set && other[i]));

      own = noise(0, a, n, true);
      kernels.bitsetComplement(slot(0), 0, n);
      check(own.map((set) => !set));
      own = noise(0, a, n, true);
      const removed = Array.from({ length: n }, (_, i) => i).filter((i) => (i * 7 + b) % 3 === 0);
      scratch.u16.set(removed, SCRATCH_LIST_A >> 1);
      kernels.bitsetRemove(slot(0), scratch.ptr + SCRATCH_LIST_A, removed.length);
      check(own.map((set, i) => set && (i * 7 + b) % 3 !== 0));

      kernels.bitsetClear(slot(0));
      check([]);
      assert.equal(kernels.bitsetIsEmpty(slot(0), n), 1);
    }),
    { numRuns: 40 },
  );
});
