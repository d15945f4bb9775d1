/**
 * Counters of one field in one segment that stay where a thread has counted, in its scratch, until another thread has read them: to take
 * out what was counted, write it down and add it up elsewhere takes several times as long as to add all counters to others.
 *
 * Written by the thread that lends them among its runs (query/share/search-part.ts), as five words:
 *
 *   segment   which it is of, as the evaluator calls it
 *   LENT      where runs have the number of their entries, which are fewer
 *   counters  absolute address in the segment's arena: u32 by code
 *   codes     how many there are
 *   matches   how many documents were counted
 */
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { takeHistogram } from './histogram.js';
import type { ValueRun } from './value-run.js';

const LENT = 0xffffffff;
const LENT_WORDS = 5;

/** Whether counters that are lent are written at `at`, not a run. */
export const isLent = (words: Uint32Array, at: number): boolean => words[at + 1] === LENT;

const lentSegment = (words: Uint32Array, at: number): number => words[at];
export const lentCounters = (words: Uint32Array, at: number): number => words[at + 2];
export const lentCodes = (words: Uint32Array, at: number): number => words[at + 3];
export const lentMatches = (words: Uint32Array, at: number): number => words[at + 4];
export const lentEnd = (at: number): number => at + LENT_WORDS;

/** Whether all that is written of a field from `at` on, where its runs are counted, are `codes` counters that are lent. */
export const isOnlyLent = (words: Uint32Array, at: number, codes: number): boolean =>
  words[at] === 1 && isLent(words, at + 1) && lentCodes(words, at + 1) === codes;

/** Writes to `words`, from `at` on, that counters of segment `segment` are lent; returns where that ends. */
export function writeLent(
  words: Uint32Array,
  at: number,
  segment: number,
  counters: number,
  codes: number,
  matches: number,
): number {
  words[at] = segment;
  words[at + 1] = LENT;
  words[at + 2] = counters;
  words[at + 3] = codes;
  words[at + 4] = matches;
  return lentEnd(at);
}

/** Moves what is lent at `at`, of `column` in the arena of `binding`, to `run`; returns where it ends. */
export function readLent(
  words: Uint32Array,
  at: number,
  run: ValueRun,
  column: ColumnReader,
  binding: ArenaBinding,
): number {
  const codes = lentCodes(words, at);
  run.begin(column, lentSegment(words, at), column.multi ? codes : Math.min(codes, lentMatches(words, at)));
  takeHistogram(binding, lentCounters(words, at), codes, Number.POSITIVE_INFINITY, run);
  return lentEnd(at);
}
