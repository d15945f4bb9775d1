/**
 * The first values of one field over several segments, in the order of the values.
 *
 * Owned by FacetValues. A value among the first of all is among the first of each segment that has it, so these are taken of each
 * and merged.
 */
import { FACET_LIMIT_MAX } from '../../core/limits.js';
import { selectTop } from './select-top.js';
import { compareEntries, type ValueRun } from './value-run.js';

/** Room for more is given up after the query. */
const EQUAL_KEPT_MAX = 1 << 18;

export class FirstValues {
  /** The values found, in order: where each occurs (a run and an entry of it), and its count. */
  readonly topRuns = new Uint32Array(FACET_LIMIT_MAX);
  readonly topEntries = new Uint32Array(FACET_LIMIT_MAX);
  readonly topCounts = new Uint32Array(FACET_LIMIT_MAX);
  /** Equal counts for as many entries as a run has: values alone decide. */
  #equal = new Uint32Array(0);

  /** Finds the `wanted` first values of `runs`, all of one field, and returns how many there are. */
  findFirst(runs: readonly ValueRun[], wanted: number): number {
    const firsts = runs.map((run) => this.#firstOfRun(run, wanted));
    const next = new Uint32Array(runs.length);
    let found = 0;
    for (; found < wanted; found++) {
      let least = -1;
      for (let r = 0; r < runs.length; r++) {
        if (next[r] === firsts[r].length) continue;
        if (least < 0 || compareHeads(runs, firsts, next, r, least) < 0) least = r;
      }
      if (least < 0) break;
      this.topRuns[found] = least;
      this.topEntries[found] = firsts[least][next[least]];
      let count = 0;
      for (let r = runs.length - 1; r >= 0; r--) {
        if (next[r] === firsts[r].length || compareHeads(runs, firsts, next, r, least) !== 0) continue;
        count += runs[r].counts[firsts[r][next[r]]];
        // The least one is the first of equal ones: what it is compared with stays until the end.
        next[r]++;
        if (r === least) break;
      }
      this.topCounts[found] = count;
    }
    if (this.#equal.length > EQUAL_KEPT_MAX) this.#equal = new Uint32Array(0);
    return found;
  }

  /** The entries with the first values of `run`, in order. */
  #firstOfRun(run: ValueRun, wanted: number): Uint32Array {
    if (this.#equal.length < run.size) this.#equal = new Uint32Array(2 * run.size);
    const first = new Uint32Array(Math.min(run.size, wanted));
    selectTop(this.#equal, run.size, wanted, first, (a, b) => compareEntries(run, a, run, b));
    return first;
  }
}

/** Orders the next entries of the runs `a` and `b`. */
function compareHeads(
  runs: readonly ValueRun[],
  firsts: readonly Uint32Array[],
  next: Uint32Array,
  a: number,
  b: number,
): number {
  return compareEntries(runs[a], firsts[a][next[a]], runs[b], firsts[b][next[b]]);
}
