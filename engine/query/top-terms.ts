/**
 * Finds the terms with the most live documents among ranges of each segment's terms, over all segments, exactly.
 *
 * A threshold algorithm (Fagin, Lotem & Naor, "Optimal aggregation algorithms for middleware", 2001): once `limit` terms
 * with at least T documents are known, another can only matter if some segment alone holds ceil(T / segments) of its
 * documents, so most terms are passed over by their document frequency. Where all are about as frequent, as in a field of
 * names, few are; then the segments' terms are walked side by side instead of being looked up one by one.
 */
import { FIELDS_MAX, TOKEN_BYTES_MAX } from '../core/limits.js';
import { PLAN_NO_FIELD } from '../layout/token-plan.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { type OrdRanges, RangeMerge } from '../terms/range-merge.js';
import { countHolders } from './live-counts.js';
import { CHECK_EVERY, type ReadBudget } from './read-budget.js';
import { allocateScratch } from './scratch-memory.js';

/** Looking a term up in all segments takes about as long as this many steps of the walk. */
const STEPS_PER_LOOKUP = 16;
/** So few look-ups are done without comparing what they cost. */
const LOOKUPS_MIN = 256;
/** Terms that a kernel passes over between two looks at the budget. */
const TERMS_BETWEEN_CHECKS = 1 << 18;

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
  #admits: (field: number) => boolean = () => false;
  #limit = 0;
  #best: CountedTerm[] = [];
  #known = new Set<string>();
  /** By segment: address of a byte a field, which says whether it is admitted, in the segment's arena. */
  #fieldMaps: readonly number[] = [];
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
    this.#admits = (field) => fields.has(field);
    this.#fieldMaps = writeFieldMaps(segments, fields);
    this.#limit = limit;
    this.#best = [];
    this.#known = new Set();
    // The most frequent of each segment first: they set a threshold that spares the rest.
    for (let s = 0; s < segments.length; s++) for (const ord of this.#mostFrequent(s, ranges[s])) this.#offer(s, ord);
    const candidates = this.#findCandidates(ranges);
    if (candidates === null) this.#walk(ranges);
    else this.#offerAll(candidates);
    this.#segments = [];
    this.#known.clear();
    return this.#best;
  }

  /**
   * The terms that can still matter, as pairs of a segment and an ordinal; null when looking all of them up would take more
   * time than #walk.
   */
  #findCandidates(ranges: readonly OrdRanges[]): readonly number[] | null {
    let terms = 0;
    for (const of of ranges) for (let i = 0; i < of.length; i += 2) terms += of[i + 1] - of[i];
    const lookUpsMax = Math.max(LOOKUPS_MIN, Math.floor(terms / STEPS_PER_LOOKUP));
    const wanted = this.#wanted;
    const candidates: number[] = [];
    for (let s = 0; s < ranges.length; s++) {
      const of = ranges[s];
      for (let i = 0; i < of.length; i += 2) {
        for (let ord = of[i]; ; ord++) {
          ord = this.#nextFrequent(s, ord, of[i + 1], wanted);
          if (ord >= of[i + 1]) break;
          candidates.push(s, ord);
          if (candidates.length > 2 * lookUpsMax) return null;
        }
      }
    }
    return candidates;
  }

  #offerAll(candidates: readonly number[]): void {
    for (let i = 0; i < candidates.length; i += 2)
      if (this.#bound(candidates[i], candidates[i + 1]) >= this.#wanted) this.#offer(candidates[i], candidates[i + 1]);
  }

  /** The first of the terms [low, high) of segment s with a #bound of at least `wanted` and above 0; `high`: there is none. */
  #nextFrequent(s: number, low: number, high: number, wanted: number): number {
    const { binding, reader } = this.#segments[s];
    const { startsPtr, entriesPtr, entryCount } = reader.postings;
    const { kernels } = binding;
    const map = this.#fieldMaps[s];
    for (let from = low; from < high; ) {
      const to = Math.min(from + TERMS_BETWEEN_CHECKS, high);
      const ord = kernels.nextFrequentTerm(startsPtr, entriesPtr, entryCount, from, to, map, Math.max(wanted, 1)) >>> 0;
      if (ord < to) return ord;
      from = to;
      this.#budget.check();
    }
    return high;
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

  #mostFrequent(s: number, ranges: OrdRanges): number[] {
    const top: { ord: number; bound: number }[] = [];
    for (let i = 0; i < ranges.length; i += 2) {
      for (let ord = ranges[i]; ; ord++) {
        const isFull = top.length === this.#limit;
        ord = this.#nextFrequent(s, ord, ranges[i + 1], isFull ? top[top.length - 1].bound + 1 : 1);
        if (ord >= ranges[i + 1]) break;
        const bound = this.#bound(s, ord);
        let place = top.length;
        while (place > 0 && top[place - 1].bound < bound) place--;
        top.splice(place, 0, { ord, bound });
        if (isFull) top.pop();
      }
    }
    return top.map(({ ord }) => ord);
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
    const key = this.#term.toString('latin1', 0, length);
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
      if (ords[i] >= 0) count += countHolders(segments[i], ords[i], this.#fieldMaps[i]);
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
