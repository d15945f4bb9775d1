/** What several threads have counted of some fields, added up by one of them, against adding up each value by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clearScratch } from '../../../engine/memory/kernel-instance.js';
import {
  answerOf,
  TASK_WORDS,
  type TotalledField,
  totalCounts,
  writeTask,
} from '../../../engine/query/facets/count-totals.js';
import { binding } from '../../support/engine-arena.js';

const THREADS_MAX = 4;
const CODES_MAX = 70;
const UNTOUCHED = 0xabcdef;

interface CountedField {
  readonly most: number;
  /** By thread, by code. */
  readonly counts: readonly (readonly number[])[];
}

const field = fc
  .record({ threads: fc.integer({ min: 1, max: THREADS_MAX }), codes: fc.integer({ min: 1, max: CODES_MAX }) })
  .chain(({ threads, codes }) => {
    const counted = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 9 }), fc.nat({ max: 1e8 })), {
      minLength: codes,
      maxLength: codes,
    });
    return fc.record({
      most: fc.integer({ min: 1, max: CODES_MAX + 5 }),
      counts: fc.array(counted, { minLength: threads, maxLength: threads }),
    });
  });

/** The values of a field by falling count and rising code, and their counts. */
function expectedOf({ most, counts }: CountedField): readonly (readonly [number, number])[] {
  const sums = counts[0]?.map((_, code) => counts.reduce((sum, own) => sum + (own[code] ?? 0), 0)) ?? [];
  const all = sums.map((count, code) => [code, count] as const).filter(([, count]) => count > 0);
  return all.sort(([a, m], [b, n]) => n - m || a - b).slice(0, most);
}

function lay(counts: readonly number[]): number {
  const { heap, scratch } = binding;
  // The kernels add whole vectors.
  const ptr = heap.allocate(4 * counts.length + 64);
  scratch.u32.fill(0, (ptr - scratch.ptr) / 4, (ptr - scratch.ptr) / 4 + counts.length + 16);
  scratch.u32.set(counts, (ptr - scratch.ptr) / 4);
  return ptr;
}

test('counters of several threads and fields are added up, and the most frequent values found', () => {
  const property = fc.property(fc.array(field, { minLength: 1, maxLength: 4 }), fc.boolean(), (fields, isTight) => {
    binding.heap.reset();
    const totalled: TotalledField[] = fields.map(({ most, counts }) => ({
      codes: counts[0]?.length ?? 0,
      most,
      counters: counts.map(lay),
    }));
    const words =
      2 + totalled.reduce((sum, { codes, most, counters }) => sum + 4 + counters.length + 2 * Math.min(codes, most), 0);
    assert.equal(writeTask(new Uint32Array(words - 1), totalled), false, 'there is no room');
    const task = new Uint32Array((isTight ? 0 : 100) + words).fill(UNTOUCHED);
    assert.ok(writeTask(task, totalled));
    totalCounts(binding, task);
    let at = answerOf(task);
    for (const each of fields) {
      const expected = expectedOf(each);
      const found = task[at] ?? 0;
      assert.equal(found, expected.length);
      assert.deepEqual(
        [...task.subarray(at + 1, at + 1 + found)],
        expected.map(([code]) => code),
      );
      assert.deepEqual(
        [...task.subarray(at + 1 + found, at + 1 + 2 * found)],
        expected.map(([, count]) => count),
      );
      at += 1 + 2 * found;
    }
    for (const rest of task.subarray(at)) assert.equal(rest, UNTOUCHED, 'nothing is written behind');
  });
  fc.assert(property, { numRuns: 300 });
  clearScratch(binding.scratch);
});

test('so many values that an answer would not fit are not asked for', () => {
  const fields = Array.from({ length: 17 }, () => ({ codes: 5000, most: 1000, counters: [64, 64] }));
  assert.equal(writeTask(new Uint32Array(TASK_WORDS), fields), false);
  assert.equal(writeTask(new Uint32Array(TASK_WORDS), fields.slice(1)), true);
});
