/**
 * Numbers the distinct values of keyword fields over all segments of a collection, so that counts of segments, each of which
 * has ordinals of its own, are added up without looking at a value.
 *
 * One per opened collection and reader thread, in that thread's budget; used by FacetValues. Outlives generations: a new segment
 * adds its values, and one that is gone takes those along that nobody else has.
 */
import { BudgetedCache, type CacheBudget } from '../../core/cache-budget.js';
import type { ColumnReader } from '../../values/column-reader.js';
import type { ReadBudget } from '../read-budget.js';
import { FieldNumbers } from './field-numbers.js';

/** The part of the thread's budget that one field may take. */
const BUDGET_SHARE = 4;
/** Bytes that a value takes at most, in each segment that has it. */
const VALUE_BYTES = 40;

export class ValueNumbers {
  readonly #budget: CacheBudget;
  /** By field. */
  readonly #fields: BudgetedCache<number, FieldNumbers>;
  /** By field: entries that were joined without numbers since these were last up to date. */
  readonly #joined: number[] = [];

  readonly #costMax: number;

  /** `costMax`: values that may be looked at in one search to number them; with more of them they are joined in each. */
  constructor(budget: CacheBudget, costMax = Number.POSITIVE_INFINITY) {
    this.#budget = budget;
    this.#costMax = costMax;
    this.#fields = new BudgetedCache(budget);
  }

  /**
   * The numbers of the values of `columns`, those of a keyword field in all segments that have it. null when `entries` of them are
   * to be joined in another way, because numbers are not worth making yet, which takes about as long as joining each value
   * once, or have no room. Errors: those of `budget`.
   */
  of(field: number, columns: readonly ColumnReader[], entries: number, budget: ReadBudget): FieldNumbers | null {
    const known = this.#fields.get(field);
    const numbers = known ?? new FieldNumbers();
    const cost = numbers.costOf(columns);
    if (cost > 0) {
      const joined = (this.#joined[field] ?? 0) + entries;
      this.#joined[field] = joined;
      if (joined < cost || cost > this.#costMax || !this.#fits(columns)) return null;
      this.#joined[field] = 0;
      // One that is stopped half way is not remembered.
      this.#fields.delete(field);
      numbers.follow(columns, budget);
      this.#fields.add(field, numbers, numbers.bytes);
    }
    return numbers;
  }

  /** Forgets everything, for good. */
  release(): void {
    this.#fields.release();
  }

  #fits(columns: readonly ColumnReader[]): boolean {
    let values = 0;
    for (const { cardinality } of columns) values += cardinality;
    return values * VALUE_BYTES <= this.#budget.bytesMax / BUDGET_SHARE;
  }
}
