/**
 * Adds up what several threads have counted of the values of one segment, and finds the most frequent of them, in the thread of one that
 * has nothing else to do while the starter of the search orders its best documents.
 *
 * What is to be added up, as 32-bit words that the starter writes (FacetCollector.writeTask):
 *
 *   1        facet fields, n
 *   1        index of the word at which the answer begins
 *   then by field:
 *   1, 1     counters, as many in each thread; how many of the most frequent values are wanted
 *   1        threads, m
 *   m        absolute addresses of their counters, u32 by code: to the first, those of the thread that adds up, the others are added
 *
 * The answer, by field:
 *
 *   1        values, k
 *   k, k     their codes, and how often each occurs: by falling count and rising code
 */
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { findTop, TOP_CODES, TOP_COUNTS } from './histogram.js';

/** Words of a task with its answer at most: what takes more is not asked for. */
export const TASK_WORDS = 1 << 15;

/** Counters of one field. */
export interface TotalledField {
  readonly codes: number;
  /** Of the most frequent values so many are wanted. */
  readonly most: number;
  /** Absolute addresses, those of the thread that adds up first. */
  readonly counters: readonly number[];
}

/** Writes to `task` what is to be added up; false: it or its answer takes more than there is room for. */
export function writeTask(task: Uint32Array, fields: readonly TotalledField[]): boolean {
  let words = 2;
  let answerWords = 0;
  for (const { codes, most, counters } of fields) {
    words += 3 + counters.length;
    answerWords += 1 + 2 * Math.min(most, codes);
  }
  if (words + answerWords > task.length) return false;
  task[0] = fields.length;
  task[1] = words;
  let end = 2;
  for (const { codes, most, counters } of fields) {
    task[end++] = codes;
    task[end++] = most;
    task[end++] = counters.length;
    for (const address of counters) task[end++] = address;
  }
  return true;
}

/** Does what `task` says with the kernels of the arena of `binding`, in which all counters lie, and writes the answer. */
export function totalCounts(binding: ArenaBinding, task: Uint32Array): void {
  const { kernels, scratch } = binding;
  let at = 2;
  let end = task[1];
  for (let field = 0; field < task[0]; field++) {
    const codes = task[at++];
    const most = task[at++];
    const last = at + task[at];
    const own = task[at + 1];
    for (at += 2; at <= last; at++) kernels.addCounts(own, task[at], codes);
    const found = findTop(binding, own, codes, most);
    task[end++] = found;
    task.set(scratch.u32.subarray(TOP_CODES, TOP_CODES + found), end);
    task.set(scratch.u32.subarray(TOP_COUNTS, TOP_COUNTS + found), end + found);
    end += 2 * found;
  }
}

/** Where the answer in `task` begins. */
export const answerOf = (task: Uint32Array): number => task[1];
