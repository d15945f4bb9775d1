/**
 * The largest document frequency of a token that is a term, or of what it is completed to. idf comes from the token itself, so it only
 * orders the clauses of a query and tells how much there is to read: for the latter, and of a query of one clause, a bound will do.
 *
 * Made by token-expansion.ts, kept with the expansion.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { FrequencyMaximum } from './frequency-maximum.js';

export class CompletionFrequency {
  readonly #segments: readonly SearchableSegment[];
  readonly #fields: FieldMap;
  readonly #budget: ReadBudget;
  /** Segment, low, high, repeated: the entries of the completions. */
  readonly #ranges: number[] = [];
  readonly #df: number;
  #bound = 0;
  #largest = -1;

  /** `df`: of the token itself. */
  constructor(segments: readonly SearchableSegment[], fields: FieldMap, budget: ReadBudget, df: number) {
    this.#segments = segments;
    this.#fields = fields;
    this.#budget = budget;
    this.#df = df;
  }

  /** Takes in entries [low, high) of segment s, which comes once. */
  add(s: number, low: number, high: number): void {
    const { binding, reader } = this.#segments[s];
    const { entriesPtr } = reader.postings;
    this.#ranges.push(s, low, high);
    this.#bound += binding.kernels.largestFrequency(entriesPtr, low, high, this.#fields.ptr(binding)) >>> 0;
  }

  /** What the frequency does not exceed: as if the most frequent completions of all segments were the same. */
  get bound(): number {
    return Math.max(this.#df, this.#bound);
  }

  /** The frequency. */
  get largest(): number {
    if (this.#largest < 0) this.#largest = this.#find();
    return this.#largest;
  }

  #find(): number {
    if (this.#ranges.length === 0) return this.#df;
    // The token itself is likely the most frequent, and a high maximum rules the others out early.
    const best = new FrequencyMaximum(this.#segments, this.#fields, this.#df, this.#budget);
    for (let i = 0; i < this.#ranges.length; i += 3)
      best.addRange(this.#ranges[i], this.#ranges[i + 1], this.#ranges[i + 2]);
    return best.finish();
  }
}
