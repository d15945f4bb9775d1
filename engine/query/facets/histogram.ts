/**
 * Takes values out of a histogram: counters of a column's codes, u32 by code, in the memory of an arena. Used by segment-counts.ts and
 * lent-counts.ts.
 */
import { CHUNK_DOCS, SCRATCH_OUT_DOCS, SCRATCH_OUT_SCORES } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { ValueRun } from './value-run.js';

/** Counters that are looked at in one call: as many as the room for what is found has. */
const CODES_AT_ONCE = CHUNK_DOCS;

/** Values that topCounts() finds at most. */
const MOST_MAX = 4096;

/**
 * Adds what the `codeCount` counters at absolute address `counters` have counted to `run`, which has begun; of that the `most` most
 * frequent values alone, in order, if that is few.
 */
export function takeHistogram(
  { kernels, scratch }: ArenaBinding,
  counters: number,
  codeCount: number,
  most: number,
  run: ValueRun,
): void {
  const { ptr, u32 } = scratch;
  const codes = ptr + SCRATCH_OUT_DOCS;
  const counts = ptr + SCRATCH_OUT_SCORES;
  if (most <= MOST_MAX) {
    const taken = kernels.topCounts(counters, codeCount, most, codes, counts, counts + 4 * MOST_MAX);
    run.addCodes(u32, SCRATCH_OUT_SCORES / 4, SCRATCH_OUT_SCORES / 4 + MOST_MAX, taken);
    run.isInOrder = true;
    return;
  }
  for (let from = 0; from < codeCount; from += CODES_AT_ONCE) {
    const to = Math.min(from + CODES_AT_ONCE, codeCount);
    const taken = kernels.takeCounts(counters, from, to, codes, counts);
    run.addCodes(u32, SCRATCH_OUT_DOCS / 4, SCRATCH_OUT_SCORES / 4, taken);
  }
}
