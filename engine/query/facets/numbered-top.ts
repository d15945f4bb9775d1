/**
 * The most frequent values of one keyword field over several segments, whose values are numbered.
 *
 * Owned by FacetValues; where there are no numbers, it joins the segments' values with RunJoin.
 */
import { FACET_LIMIT_MAX } from '../../core/limits.js';
import type { FieldNumbers } from './field-numbers.js';
import { selectTop } from './select-top.js';
import type { ValueRun } from './value-run.js';

const ROOM_MIN = 1024;
/** Room for more values is given up after the query. */
const ROOM_KEPT_MAX = 1 << 20;

export class NumberedTop {
  /** The values found, the most frequent first. */
  readonly topValues = new Uint32Array(FACET_LIMIT_MAX);
  readonly topCounts = new Uint32Array(FACET_LIMIT_MAX);
  readonly #top = new Uint32Array(FACET_LIMIT_MAX);
  /** By number; all zero between calls. */
  #totals = new Uint32Array(ROOM_MIN);
  /** The numbers that occur, and how often. */
  #numbers = new Uint32Array(ROOM_MIN);
  #counts = new Uint32Array(ROOM_MIN);
  #size = 0;

  /**
   * Finds the `wanted` most frequent values of `runs`, whose columns `numbers` follows, by falling count and rising value, and
   * returns how many there are.
   */
  findTop(numbers: FieldNumbers, runs: readonly ValueRun[], wanted: number): number {
    if (this.#totals.length < numbers.count) this.#makeRoom(2 * numbers.count);
    let entries = 0;
    for (const { size } of runs) entries += size;
    // Where each number occurs about once or more, it is quicker to look at all than to note which do.
    const found =
      entries < numbers.count ? this.#topOfSome(numbers, runs, wanted) : this.#topOfAll(numbers, runs, wanted);
    if (this.#totals.length > ROOM_KEPT_MAX) this.#makeRoom(ROOM_MIN);
    return found;
  }

  #topOfSome(numbers: FieldNumbers, runs: readonly ValueRun[], wanted: number): number {
    this.#size = 0;
    for (const run of runs) this.#add(numbers.numbersOf(run.column), run);
    this.#takeTotals();
    const occurring = this.#numbers;
    const counts = this.#counts;
    const compare = (a: number, b: number): number => numbers.compare(occurring[a], occurring[b]);
    const found = selectTop(counts, this.#size, wanted, this.#top, compare);
    for (let rank = 0; rank < found; rank++) {
      this.topValues[rank] = occurring[this.#top[rank]];
      this.topCounts[rank] = counts[this.#top[rank]];
    }
    return found;
  }

  #topOfAll(numbers: FieldNumbers, runs: readonly ValueRun[], wanted: number): number {
    const { count } = numbers;
    const totals = this.#totals;
    for (const run of runs) addCounts(totals, numbers.numbersOf(run.column), run);
    const compare = (a: number, b: number): number => numbers.compare(a, b);
    const selected = selectTop(totals, count, wanted, this.topValues, compare);
    let found = 0;
    for (; found < selected && totals[this.topValues[found]] > 0; found++)
      this.topCounts[found] = totals[this.topValues[found]];
    totals.fill(0, 0, count);
    return found;
  }

  /** Adds the counts of `run`, whose ordinals have `numbers`, and notes which occur. */
  #add(numbers: Uint32Array, { lo, counts, size }: ValueRun): void {
    const totals = this.#totals;
    const occurring = this.#numbers;
    let next = this.#size;
    for (let entry = 0; entry < size; entry++) {
      const number = numbers[lo[entry]];
      const total = totals[number];
      if (total === 0) occurring[next++] = number;
      totals[number] = total + counts[entry];
    }
    this.#size = next;
  }

  /** Moves the totals of the numbers that occur to #counts. */
  #takeTotals(): void {
    const totals = this.#totals;
    const occurring = this.#numbers;
    const counts = this.#counts;
    for (let i = 0; i < this.#size; i++) {
      const number = occurring[i];
      counts[i] = totals[number];
      totals[number] = 0;
    }
  }

  #makeRoom(numbers: number): void {
    this.#totals = new Uint32Array(numbers);
    this.#numbers = new Uint32Array(numbers);
    this.#counts = new Uint32Array(numbers);
  }
}

/** Adds the counts of `run`, whose ordinals have `numbers`, to `totals`. */
function addCounts(totals: Uint32Array, numbers: Uint32Array, { lo, counts, size }: ValueRun): void {
  for (let entry = 0; entry < size; entry++) totals[numbers[lo[entry]]] += counts[entry];
}
