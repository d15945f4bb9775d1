/**
 * Takes values out of a histogram: counters of a column's codes, u32 by code, in the memory of an arena. Used by segment-counts.ts,
 * lent-counts.ts and count-totals.ts.
 */
import { CHUNK_DOCS, SCRATCH_OUT_DOCS, SCRATCH_OUT_SCORES } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { ValueRun } from './value-run.js';

/** Counters that are looked at in one call: as many as the room for what is found has. */
const CODES_AT_ONCE = CHUNK_DOCS;

/** Values that findTop() finds at most. */
export const MOST_MAX = 4096;

/** Where findTop() leaves codes and how often they occur, in 32-bit words of the thread's scratch. */
export const TOP_CODES = SCRATCH_OUT_SCORES / 4;
export const TOP_COUNTS = TOP_CODES + MOST_MAX;

/**
 * Finds the `most` most frequent of what the `codeCount` counters at absolute address `counters` have counted, at most MOST_MAX, by falling
 * count and rising code; returns how many there are.
 */
export function findTop({ kernels, scratch }: ArenaBinding, counters: number, codeCount: number, most: number): number {
  const room = scratch.ptr + SCRATCH_OUT_DOCS;
  return kernels.topCounts(counters, codeCount, most, room, scratch.ptr + 4 * TOP_CODES, scratch.ptr + 4 * TOP_COUNTS);
}

/**
 * Adds what the `codeCount` counters at absolute address `counters` have counted to `run`, which has begun; of that the `most` most
 * frequent values alone, in order, if that is few.
 */
export function takeHistogram(
  binding: ArenaBinding,
  counters: number,
  codeCount: number,
  most: number,
  run: ValueRun,
): void {
  const { kernels, scratch } = binding;
  const { ptr, u32 } = scratch;
  if (most <= MOST_MAX) {
    run.addCodes(u32, TOP_CODES, TOP_COUNTS, findTop(binding, counters, codeCount, most));
    run.isInOrder = true;
    return;
  }
  const codes = ptr + SCRATCH_OUT_DOCS;
  const counts = ptr + SCRATCH_OUT_SCORES;
  for (let from = 0; from < codeCount; from += CODES_AT_ONCE) {
    const to = Math.min(from + CODES_AT_ONCE, codeCount);
    const taken = kernels.takeCounts(counters, from, to, codes, counts);
    run.addCodes(u32, SCRATCH_OUT_DOCS / 4, SCRATCH_OUT_SCORES / 4, taken);
  }
}
