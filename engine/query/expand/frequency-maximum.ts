/**
 * Finds the largest collection-wide document frequency among ranges of terms, of live documents alone: what the idf of a
 * completed or corrected token comes from. Used by token-expansion.ts, once a token.
 *
 * The frequency that a segment's entry says bounds that of the live documents, which are counted only where it matters. A
 * term whose sum over s segments beats T has more than T / s in some segment (the threshold algorithm of Fagin, Lotem &
 * Naor, 2001), so a pass of a kernel over document frequencies leaves few terms to look up in the other segments. Where
 * all terms are about as frequent that rules out too little, and the segments' terms are walked side by side instead.
 */
import { TOKEN_BYTES_MAX } from '../../core/limits.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { RangeMerge } from '../../terms/range-merge.js';
import type { FieldMap } from '../field-map.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';

/** Terms looked up before the walk takes over: a few milliseconds' worth. */
const LOOKUPS_MAX = 2048;

/** Numbers of the ranges of a segment that are taken in between two looks at the budget. */
const RANGES_BETWEEN_CHECKS = 1024;

const termBytes = new Uint8Array(TOKEN_BYTES_MAX);

export class FrequencyMaximum {
  #df: number;
  readonly #segments: readonly SearchableSegment[];
  readonly #fields: FieldMap;
  readonly #budget: ReadBudget;
  /** By segment: the entries taken in, low, high, repeated; nothing until there are some. */
  #ranges: readonly number[][] = [];
  /** By segment: the entry of the term that is looked at, or -1. */
  readonly #entries: Int32Array;
  #lookUps = 0;

  /** `atLeast`: a frequency already known. */
  constructor(segments: readonly SearchableSegment[], fields: FieldMap, atLeast: number, budget: ReadBudget) {
    this.#budget = budget;
    this.#df = atLeast;
    this.#segments = segments;
    this.#fields = fields;
    this.#entries = new Int32Array(segments.length);
  }

  /** Takes in entries [low, high) of segment s. */
  addRange(s: number, low: number, high: number): void {
    const { binding, reader } = this.#segments[s];
    const { kernels } = binding;
    const { entriesPtr } = reader.postings;
    const fieldMap = this.#fields.ptr(binding);
    if (this.#ranges.length === 0) this.#ranges = this.#segments.map(() => []);
    this.#ranges[s].push(low, high);
    if (this.#ranges[s].length % RANGES_BETWEEN_CHECKS === 0) this.#budget.check();
    const largest = kernels.largestFrequency(entriesPtr, low, high, fieldMap) >>> 0;
    const count = this.#segments.length;
    if (count === 1 && this.#segments[s].liveDocs === null) {
      this.#df = Math.max(this.#df, largest);
      return;
    }
    let threshold = Math.floor(this.#df / count);
    if (largest <= threshold) return;
    for (let entry = low; this.#lookUps < LOOKUPS_MAX; entry++) {
      entry = kernels.nextFrequentEntry(entriesPtr, entry, high, fieldMap, threshold) >>> 0;
      if (entry >= high) return;
      this.#lookUps++;
      this.#takeTerm(s, entry);
      threshold = Math.floor(this.#df / count);
    }
  }

  /** The largest frequency of any one term in any one admitted field, summed over segments. */
  finish(): number {
    if (this.#lookUps === LOOKUPS_MAX) this.#walk();
    return this.#df;
  }

  /** Takes in the frequency of the entry's term in the entry's field, over all segments. */
  #takeTerm(s: number, entry: number): void {
    const { dictionary, postings } = this.#segments[s].reader;
    const field = postings.field(entry);
    const entries = this.#entries;
    entries.fill(-1);
    entries[s] = entry;
    let bound = postings.df(entry);
    if (entries.length > 1) {
      const ord = postings.termOfEntry(entry, dictionary.termCount);
      const length = dictionary.readTerm(ord, termBytes);
      for (let other = 0; other < entries.length; other++) {
        if (other === s) continue;
        const reader = this.#segments[other].reader;
        const otherOrd = reader.dictionary.find(termBytes, 0, length);
        if (otherOrd < 0) continue;
        entries[other] = reader.postings.findEntry(otherOrd, field);
        if (entries[other] >= 0) bound += reader.postings.df(entries[other]);
      }
    }
    if (bound <= this.#df) return;
    let df = 0;
    for (let i = 0; i < entries.length; i++) if (entries[i] >= 0) df += this.#segments[i].df(entries[i]);
    this.#df = Math.max(this.#df, df);
  }

  #walk(): void {
    const readers = this.#segments.map(({ reader }) => reader);
    const ranges = readers.map(({ dictionary, postings }, s) =>
      this.#ranges[s].map((entry, i) => {
        const end = i % 2;
        return postings.termOfEntry(entry - end, dictionary.termCount) + end;
      }),
    );
    const merge = new RangeMerge(
      readers.map(({ dictionary }) => dictionary),
      ranges,
    );
    const sums = new Float64Array(this.#fields.count);
    for (let step = 0; merge.next(); step++) {
      if ((step & (CHECK_EVERY - 1)) === 0) this.#budget.check();
      this.#addTerm(merge, sums);
      this.#takeSums(merge, sums);
    }
  }

  /** Adds the frequencies of the current term, deleted documents included, to `sums`, by place of the field. */
  #addTerm({ holderCount, holders, ords }: RangeMerge, sums: Float64Array): void {
    for (let i = 0; i < holderCount; i++) {
      const { postings } = this.#segments[holders[i]].reader;
      const end = postings.firstEntry(ords[i] + 1);
      for (let entry = postings.firstEntry(ords[i]); entry < end; entry++) {
        const place = this.#fields.placeOf(postings.field(entry));
        if (place >= 0) sums[place] += postings.df(entry);
      }
    }
  }

  /** Takes the current term into the maximum, as far as its sums let it matter, and makes them 0 again. */
  #takeSums(merge: RangeMerge, sums: Float64Array): void {
    for (let place = 0; place < sums.length; place++) {
      if (sums[place] > this.#df) this.#df = Math.max(this.#df, this.#liveSum(merge, place));
      sums[place] = 0;
    }
  }

  /** Frequency of the current term in the queried field at `place`. */
  #liveSum({ holderCount, holders, ords }: RangeMerge, place: number): number {
    let df = 0;
    for (let i = 0; i < holderCount; i++) {
      const segment = this.#segments[holders[i]];
      const { postings } = segment.reader;
      const end = postings.firstEntry(ords[i] + 1);
      for (let entry = postings.firstEntry(ords[i]); entry < end; entry++)
        if (this.#fields.placeOf(postings.field(entry)) === place) df += segment.df(entry);
    }
    return df;
  }
}
