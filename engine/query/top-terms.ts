/**
 * Finds the terms with the most live documents among ranges of each segment's terms, over all segments, exactly.
 *
 * A threshold algorithm (Fagin, Lotem & Naor, "Optimal aggregation algorithms for middleware", 2001): once `limit` terms
 * with at least T documents are known, another can only matter if some segment alone holds ceil(T / segments) of its
 * documents, so most terms are passed over by their document frequency. Where all are about as frequent, as in a field of
 * names, few are; then the segments' terms are walked side by side instead of being looked up one by one.
 */
import { assert } from '../core/assert.js';
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { type OrdRanges, RangeMerge } from '../terms/range-merge.js';
import { LiveCounts } from './live-counts.js';
import { CHECK_EVERY, type ReadBudget } from './read-budget.js';

/** Looking a term up in all segments takes about as long as this many steps of the walk. */
const STEPS_PER_LOOKUP = 16;
/** So few look-ups are done without comparing what they cost. */
const LOOKUPS_MIN = 256;

export interface CountedTerm {
  /** UTF-8, one character a byte. */
  readonly key: string;
  readonly count: number;
  /** Where the term was found: a segment and its ordinal there. */
  readonly segment: number;
  readonly ord: number;
}

export class TopTerms {
  readonly #counts = new LiveCounts();
  readonly #term = new Uint8Array(TOKEN_BYTES_MAX);
  #segments: readonly SearchableSegment[] = [];
  #admits: (field: number) => boolean = () => false;
  #limit = 0;
  #best: CountedTerm[] = [];
  #known = new Set<string>();
  /** By segment: #bound of each term, in the order of its ranges. */
  #bounds: readonly Uint32Array[] = [];
  readonly #budget: ReadBudget;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /** The `limit` best terms of `ranges`, one list a segment, by count descending, then bytes ascending; none with 0. */
  find(
    segments: readonly SearchableSegment[],
    ranges: readonly OrdRanges[],
    admits: (field: number) => boolean,
    limit: number,
  ): readonly CountedTerm[] {
    this.#segments = segments;
    this.#admits = admits;
    this.#limit = limit;
    this.#best = [];
    this.#known = new Set();
    this.#bounds = ranges.map((of, s) => this.#boundsOf(s, of));
    // The most frequent of each segment first: they set a threshold that spares the rest.
    for (let s = 0; s < segments.length; s++) for (const ord of this.#mostFrequent(s, ranges[s])) this.#offer(s, ord);
    if (this.#lookUpsPay()) for (let s = 0; s < segments.length; s++) this.#scan(s, ranges[s]);
    else this.#walk(ranges);
    this.#bounds = [];
    this.#segments = [];
    this.#known.clear();
    this.#counts.trim();
    return this.#best;
  }

  /** Whether #scan would take less time than #walk. */
  #lookUpsPay(): boolean {
    const wanted = this.#wanted;
    let terms = 0;
    let lookUps = 0;
    for (const bounds of this.#bounds) {
      terms += bounds.length;
      for (let i = 0; i < bounds.length; i++) if (bounds[i] >= wanted) lookUps++;
    }
    return lookUps <= LOOKUPS_MIN || lookUps * STEPS_PER_LOOKUP <= terms;
  }

  /** Documents that some segment has of a term that can still matter. */
  get #wanted(): number {
    return Math.ceil(this.#threshold / this.#segments.length);
  }

  #walk(ranges: readonly OrdRanges[]): void {
    const dictionaries = this.#segments.map(({ reader }) => reader.dictionary);
    const merge = new RangeMerge(dictionaries, ranges);
    for (let step = 0; merge.next(); step++) {
      if ((step & (CHECK_EVERY - 1)) === 0) this.#budget.check();
      let bound = 0;
      for (let i = 0; i < merge.holderCount; i++) bound += this.#bound(merge.holders[i], merge.ords[i]);
      if (bound > this.#threshold || (bound === this.#threshold && this.#winsTie(merge)))
        this.#offer(merge.holders[0], merge.ords[0]);
    }
  }

  /** Whether the term comes before the worst of the best. */
  #winsTie({ bytes, length }: RangeMerge): boolean {
    const best = this.#best;
    if (best.length < this.#limit) return true;
    const { key } = best[best.length - 1];
    const end = Math.min(key.length, length);
    for (let i = 0; i < end; i++) if (key.charCodeAt(i) !== bytes[i]) return bytes[i] < key.charCodeAt(i);
    return length < key.length;
  }

  /** Documents that the worst of the best has; 0 while there is room. */
  get #threshold(): number {
    return this.#best.length < this.#limit ? 0 : this.#best[this.#limit - 1].count;
  }

  #scan(s: number, ranges: OrdRanges): void {
    const bounds = this.#bounds[s];
    let wanted = this.#wanted;
    let at = 0;
    for (let i = 0; i < ranges.length; i += 2) {
      for (let ord = ranges[i]; ord < ranges[i + 1]; ord++) {
        if (bounds[at++] < wanted) continue;
        this.#offer(s, ord);
        wanted = this.#wanted;
      }
    }
  }

  #mostFrequent(s: number, ranges: OrdRanges): number[] {
    const bounds = this.#bounds[s];
    const top: { ord: number; bound: number }[] = [];
    let at = 0;
    for (let i = 0; i < ranges.length; i += 2) {
      for (let ord = ranges[i]; ord < ranges[i + 1]; ord++) {
        const bound = bounds[at++];
        if (top.length === this.#limit && bound <= top[top.length - 1].bound) continue;
        let place = top.length;
        while (place > 0 && top[place - 1].bound < bound) place--;
        top.splice(place, 0, { ord, bound });
        if (top.length > this.#limit) top.pop();
      }
    }
    return top.map(({ ord }) => ord);
  }

  /** #bound of each term of `ranges`. */
  #boundsOf(s: number, ranges: OrdRanges): Uint32Array {
    let terms = 0;
    for (let i = 0; i < ranges.length; i += 2) terms += ranges[i + 1] - ranges[i];
    assert(terms <= 2 * this.#segments[s].reader.dictionary.termCount, 'a term comes at most as two corrections');
    const bounds = new Uint32Array(terms);
    let at = 0;
    for (let i = 0; i < ranges.length; i += 2)
      for (let ord = ranges[i]; ord < ranges[i + 1]; ord++) {
        if ((at & (CHECK_EVERY - 1)) === 0) this.#budget.check();
        bounds[at++] = this.#bound(s, ord);
      }
    return bounds;
  }

  /** At least as many documents of segment s as hold the term in an admitted field. */
  #bound(s: number, ord: number): number {
    const { postings } = this.#segments[s].reader;
    const end = postings.firstEntry(ord + 1);
    let bound = 0;
    for (let entry = postings.firstEntry(ord); entry < end; entry++)
      if (this.#admits(postings.field(entry))) bound += postings.df(entry);
    return bound;
  }

  #offer(s: number, ord: number): void {
    this.#budget.check();
    const segments = this.#segments;
    const length = segments[s].reader.dictionary.readTerm(ord, this.#term);
    const key = Buffer.from(this.#term.buffer, 0, length).toString('latin1');
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const ords = segments.map(({ reader }, other) =>
      other === s ? ord : reader.dictionary.find(this.#term, 0, length),
    );
    let bound = 0;
    for (let i = 0; i < ords.length; i++) if (ords[i] >= 0) bound += this.#bound(i, ords[i]);
    if (bound === 0 || bound < this.#threshold) return;
    let count = 0;
    for (let i = 0; i < ords.length; i++)
      if (ords[i] >= 0) count += this.#counts.count(segments[i], ords[i], this.#admits);
    if (count > 0) this.#insert({ key, count, segment: s, ord });
  }

  #insert(term: CountedTerm): void {
    const best = this.#best;
    let at = best.length;
    while (
      at > 0 &&
      (best[at - 1].count < term.count || (best[at - 1].count === term.count && best[at - 1].key > term.key))
    )
      at--;
    if (at >= this.#limit) return;
    best.splice(at, 0, term);
    if (best.length > this.#limit) best.pop();
  }
}
