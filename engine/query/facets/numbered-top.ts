/**
 * The most frequent values of one keyword field over several segments, whose values are numbered.
 *
 * Owned by FacetCollector; where there are no numbers, it joins the segments' values with RunJoin.
 */
import { FACET_VALUES_MAX } from '../../core/limits.js';
import type { FieldNumbers } from './field-numbers.js';
import { selectTop } from './select-top.js';
import type { ValueRun } from './value-run.js';

const TOTALS_MIN = 1024;
/** More totals are given up after the query. */
const TOTALS_KEPT_MAX = 1 << 20;

export class NumberedTop {
  /** The values found, the most frequent first. */
  readonly topValues = new Uint32Array(FACET_VALUES_MAX);
  readonly topCounts = new Uint32Array(FACET_VALUES_MAX);
  /** By number; all zero between calls. */
  #totals = new Uint32Array(TOTALS_MIN);

  /**
   * Finds the FACET_VALUES_MAX most frequent values of `runs`, whose columns `numbers` follows, by falling count and rising value, and
   * returns how many there are.
   */
  findTop(numbers: FieldNumbers, runs: readonly ValueRun[]): number {
    const { count } = numbers;
    if (this.#totals.length < count) this.#totals = new Uint32Array(2 * count);
    const totals = this.#totals;
    for (const run of runs) addCounts(totals, numbers.numbersOf(run.column), run);
    const compare = (a: number, b: number): number => numbers.compare(a, b);
    const selected = selectTop(totals, count, FACET_VALUES_MAX, this.topValues, compare);
    let found = 0;
    for (; found < selected; found++) {
      const total = totals[this.topValues[found]];
      if (total === 0) break;
      this.topCounts[found] = total;
    }
    if (totals.length > TOTALS_KEPT_MAX) this.#totals = new Uint32Array(TOTALS_MIN);
    else totals.fill(0, 0, count);
    return found;
  }
}

/** Adds the counts of `run`, whose ordinals have `numbers`, to `totals`. */
function addCounts(totals: Uint32Array, numbers: Uint32Array, { lo, counts, size }: ValueRun): void {
  for (let entry = 0; entry < size; entry++) totals[numbers[lo[entry]]] += counts[entry];
}
