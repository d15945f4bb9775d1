/**
 * Finds the terms with the most live documents among ranges of each segment's terms, over all segments, exactly.
 *
 * A threshold algorithm (Fagin, Lotem & Naor, "Optimal aggregation algorithms for middleware", 2001): once `limit` terms
 * with at least T documents are known, another can only matter if some segment alone holds enough of its documents, so most terms are
 * passed over by a bound of how many that segment holds. Where very many are left, as with names of people in several segments, the
 * segments' terms are walked side by side instead of being looked up one by one.
 */
import { FIELDS_MAX, TOKEN_BYTES_MAX } from '../core/limits.js';
import { PLAN_NO_FIELD } from '../layout/token-plan.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { type OrdRanges, RangeMerge } from '../terms/range-merge.js';
import { TermHolders } from './live-counts.js';
import type { ReadBudget } from './read-budget.js';
import { allocateScratch } from './scratch-memory.js';

/** Looking a term up in all segments takes about as long as this many steps of the walk. */
const STEPS_PER_LOOKUP = 16;
/** So few look-ups are done without comparing what they cost. */
const LOOKUPS_MIN = 256;
/** Terms that a kernel passes over between two looks at the budget: tens of nanoseconds each, and never more than a microsecond. */
const TERMS_BETWEEN_CHECKS = 1 << 14;
/** Steps of the walk, which take several times as long. */
const STEPS_BETWEEN_CHECKS = 1 << 12;

export interface CountedTerm {
  /** UTF-8, one character a byte. */
  readonly key: string;
  readonly count: number;
  /** Where the term was found: a segment and its ordinal there. */
  readonly segment: number;
  readonly ord: number;
}

export class TopTerms {
  readonly #term = Buffer.alloc(TOKEN_BYTES_MAX);
  #segments: readonly SearchableSegment[] = [];
  #limit = 0;
  #best: CountedTerm[] = [];
  /** What has been looked up, where there are several segments. */
  readonly #known = new Set<string>();
  /** By segment. */
  #holders: readonly TermHolders[] = [];
  /** By segment: the ordinal of a term, or -1. */
  #ords: number[] = [];
  /** How often something was taken in. */
  #taken = 0;
  readonly #budget: ReadBudget;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /**
   * The `limit` best terms of `ranges`, one list a segment, in `fields`: by count descending, then bytes ascending; none
   * with 0. Takes memory from the scratch heaps.
   */
  find(
    segments: readonly SearchableSegment[],
    ranges: readonly OrdRanges[],
    fields: ReadonlySet<number>,
    limit: number,
  ): readonly CountedTerm[] {
    this.#segments = segments;
    const maps = writeFieldMaps(segments, fields);
    this.#holders = segments.map((segment, s) => new TermHolders(segment, maps[s]));
    this.#limit = limit;
    this.#best = [];
    this.#known.clear();
    this.#ords = segments.map(() => -1);
    // The most frequent of each segment first: they set a threshold that spares the rest.
    for (let s = 0; s < segments.length; s++) for (const ord of this.#mostFrequent(s, ranges[s])) this.#lookUp(s, ord);
    if (!this.#lookUpAll(ranges)) this.#walk(ranges);
    this.#segments = [];
    this.#holders = [];
    this.#known.clear();
    return this.#best;
  }

  /**
   * Looks up the terms that can still matter; false: they are so many that #walk takes less time, and it has not looked at all of them.
   *
   * A term with c documents has at least c / n of them in one of n segments. Where that is one or none, as with names, nearly every
   * term has as many. But then it has all of them in the segment with the most terms, or one in another.
   */
  #lookUpAll(ranges: readonly OrdRanges[]): boolean {
    const sizes = ranges.map(termsIn);
    const largest = sizes.indexOf(Math.max(...sizes));
    const segmentCount = this.#segments.length;
    const isSpread = this.#threshold > segmentCount;
    const terms = sizes.reduce((sum, size) => sum + size, 0);
    let left =
      segmentCount === 1 ? Number.POSITIVE_INFINITY : Math.max(LOOKUPS_MIN, Math.floor(terms / STEPS_PER_LOOKUP));
    // All of the others' terms would be looked up.
    if (!isSpread && terms - sizes[largest] > left) return false;
    for (const [s, of] of ranges.entries()) {
      const share = (count: number): number => {
        if (isSpread) return Math.ceil(count / segmentCount);
        return s === largest ? count : 1;
      };
      /** Of terms that come before the worst of the best, the first so many, as many documents matter; of others more. */
      let before = 0;
      let asMany = 0;
      let more = 0;
      let taken = -1;
      for (let i = 0; i < of.length; i += 2) {
        const high = of[i + 1];
        for (let ord = of[i]; ord < high; ord++) {
          if (taken !== this.#taken) {
            taken = this.#taken;
            const threshold = this.#threshold;
            before = threshold === 0 ? 0 : this.#countBefore(s);
            asMany = share(threshold);
            more = threshold === 0 ? 1 : share(threshold + 1);
          }
          if (ord < before) ord = this.#nextFrequent(s, ord, Math.min(before, high), asMany);
          if (ord >= before) ord = this.#nextFrequent(s, ord, high, more);
          if (ord >= high) break;
          if (left-- === 0) return false;
          this.#lookUp(s, ord);
        }
      }
    }
    return true;
  }

  /** How many terms of segment s come before the worst of the best. */
  #countBefore(s: number): number {
    const length = this.#term.write(this.#best[this.#best.length - 1].key, 'latin1');
    return this.#segments[s].reader.dictionary.countBefore(this.#term, 0, length);
  }

  /** The first of the terms [low, high) of segment s with a bound of at least `wanted`, which is above 0; `high`: there is none. */
  #nextFrequent(s: number, low: number, high: number, wanted: number): number {
    for (let from = low; from < high; ) {
      const to = Math.min(from + TERMS_BETWEEN_CHECKS, high);
      const ord = this.#holders[s].next(from, to, wanted);
      if (ord < to) return ord;
      from = to;
      this.#budget.check();
    }
    return high;
  }

  #walk(ranges: readonly OrdRanges[]): void {
    const dictionaries = this.#segments.map(({ reader }) => reader.dictionary);
    const merge = new RangeMerge(dictionaries, ranges);
    const term = Buffer.from(merge.bytes.buffer);
    const ords = this.#ords;
    for (let step = 0; merge.next(); step++) {
      if (step % STEPS_BETWEEN_CHECKS === 0) this.#budget.check();
      ords.fill(-1);
      for (let i = 0; i < merge.holderCount; i++) ords[merge.holders[i]] = merge.ords[i];
      if (this.#mayEnter(this.#bound(), term, merge.length)) this.#offer(term, merge.length, merge.holders[0]);
    }
  }

  /** Whether a term with `count` documents is better than the worst of the best: it is `term[0, length)`. */
  #mayEnter(count: number, term: Buffer, length: number): boolean {
    const threshold = this.#threshold;
    if (count !== threshold || count === 0) return count > threshold;
    const best = this.#best;
    const { key } = best[best.length - 1];
    const end = Math.min(key.length, length);
    for (let i = 0; i < end; i++) if (key.charCodeAt(i) !== term[i]) return term[i] < key.charCodeAt(i);
    return length < key.length;
  }

  /** Documents that the worst of the best has; 0 while there is room. */
  get #threshold(): number {
    return this.#best.length < this.#limit ? 0 : this.#best[this.#limit - 1].count;
  }

  #mostFrequent(s: number, ranges: OrdRanges): number[] {
    const top: { ord: number; bound: number }[] = [];
    for (let i = 0; i < ranges.length; i += 2) {
      for (let ord = ranges[i]; ; ord++) {
        const isFull = top.length === this.#limit;
        ord = this.#nextFrequent(s, ord, ranges[i + 1], isFull ? top[top.length - 1].bound + 1 : 1);
        if (ord >= ranges[i + 1]) break;
        const bound = this.#holders[s].bound(ord);
        let place = top.length;
        while (place > 0 && top[place - 1].bound < bound) place--;
        top.splice(place, 0, { ord, bound });
        if (isFull) top.pop();
      }
    }
    return top.map(({ ord }) => ord);
  }

  /** Takes in term `ord` of segment s, if it is among the best. */
  #lookUp(s: number, ord: number): void {
    this.#budget.check();
    const ords = this.#ords;
    const term = this.#term;
    for (const known of this.#best) if (known.ord === ord && known.segment === s) return;
    const length = this.#segments[s].reader.dictionary.readTerm(ord, term);
    if (ords.length > 1) {
      const key = term.toString('latin1', 0, length);
      if (this.#known.has(key)) return;
      this.#known.add(key);
    }
    for (let other = 0; other < ords.length; other++)
      ords[other] = other === s ? ord : this.#segments[other].reader.dictionary.find(term, 0, length);
    if (this.#mayEnter(this.#bound(), term, length)) this.#offer(term, length, s);
  }

  /** At least as many documents as hold the term #ords. */
  #bound(): number {
    const ords = this.#ords;
    let bound = 0;
    for (let s = 0; s < ords.length; s++) if (ords[s] >= 0) bound += this.#holders[s].bound(ords[s]);
    return bound;
  }

  /** Counts the documents of the term #ords, `term[0, length)`, which segment s has, and takes it in if it is among the best. */
  #offer(term: Buffer, length: number, s: number): void {
    this.#budget.check();
    const ords = this.#ords;
    let count = 0;
    for (let i = 0; i < ords.length; i++) if (ords[i] >= 0) count += this.#holders[i].count(ords[i]);
    if (!this.#mayEnter(count, term, length)) return;
    const key = term.toString('latin1', 0, length);
    // A walk meets what was looked up.
    if (this.#best.some((known) => known.key === key)) return;
    this.#insert({ key, count, segment: s, ord: ords[s] });
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
    this.#taken++;
  }
}

/** How many terms `ranges` have. */
function termsIn(ranges: OrdRanges): number {
  let terms = 0;
  for (let i = 0; i < ranges.length; i += 2) terms += ranges[i + 1] - ranges[i];
  return terms;
}

/** Writes for each of `segments` which `fields` are admitted, once an arena, to the scratch heaps; the addresses. */
function writeFieldMaps(segments: readonly SearchableSegment[], fields: ReadonlySet<number>): number[] {
  let written: ArenaBinding | null = null;
  let map = 0;
  return segments.map(({ binding }) => {
    if (binding === written) return map;
    written = binding;
    map = allocateScratch(binding, FIELDS_MAX);
    const { u8, ptr } = binding.scratch;
    u8.fill(PLAN_NO_FIELD, map - ptr, map - ptr + FIELDS_MAX);
    for (const field of fields) u8[map - ptr + field] = 0;
    return map;
  });
}
