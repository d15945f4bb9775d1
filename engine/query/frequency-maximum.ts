/**
 * Finds the largest collection-wide document frequency among ranges of terms: what the idf of a completed or corrected
 * token comes from. Used by token-expansion.ts, once a token.
 *
 * A term whose sum over s segments beats T has more than T / s in some segment (the threshold algorithm of Fagin, Lotem &
 * Naor, 2001), so a pass of a kernel over document frequencies leaves few terms to look up in the other segments. Where
 * all terms are about as frequent that rules out too little, and the segments' terms are walked side by side instead.
 */
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { RangeMerge } from '../terms/range-merge.js';
import type { FieldMap } from './field-map.js';

/** Terms looked up before the walk takes over: a few milliseconds' worth. */
const LOOKUPS_MAX = 2048;

const termBytes = new Uint8Array(TOKEN_BYTES_MAX);

export class FrequencyMaximum {
  #df: number;
  readonly #segments: readonly SearchableSegment[];
  readonly #fields: FieldMap;
  /** By segment: the entries taken in, low, high, repeated. */
  readonly #ranges: readonly number[][];
  #lookUps = 0;

  /** `atLeast`: a frequency already known. */
  constructor(segments: readonly SearchableSegment[], fields: FieldMap, atLeast: number) {
    this.#df = atLeast;
    this.#segments = segments;
    this.#fields = fields;
    this.#ranges = segments.map(() => []);
  }

  /** Takes in entries [low, high) of segment s; returns the number of their postings. */
  addRange(s: number, low: number, high: number): number {
    const { binding, reader } = this.#segments[s];
    const { kernels } = binding;
    const { entriesPtr } = reader.postings;
    const fieldMap = this.#fields.ptr(binding);
    const out = this.#fields.resultPtr(binding);
    this.#ranges[s].push(low, high);
    const sum = kernels.rangeStats(entriesPtr, low, high, fieldMap, out) >>> 0;
    const largest = binding.scratch.u32[(out - binding.scratch.ptr) >> 2];
    if (this.#segments.length === 1) {
      this.#df = Math.max(this.#df, largest);
      return sum;
    }
    const count = this.#segments.length;
    let threshold = Math.floor(this.#df / count);
    if (largest <= threshold) return sum;
    for (let entry = low; this.#lookUps < LOOKUPS_MAX; entry++) {
      entry = kernels.nextFrequentEntry(entriesPtr, entry, high, fieldMap, threshold) >>> 0;
      if (entry >= high) return sum;
      this.#lookUps++;
      this.#df = Math.max(this.#df, this.#total(s, entry));
      threshold = Math.floor(this.#df / count);
    }
    return sum;
  }

  /** The largest frequency of any one term in any one admitted field, summed over segments. */
  finish(): number {
    if (this.#lookUps === LOOKUPS_MAX) this.#walk();
    return this.#df;
  }

  /** Frequency of the entry's term in the entry's field, over all segments. */
  #total(s: number, entry: number): number {
    const { dictionary, postings } = this.#segments[s].reader;
    const ord = postings.termOfEntry(entry, dictionary.termCount);
    const length = dictionary.readTerm(ord, termBytes);
    const field = postings.field(entry);
    let total = postings.df(entry);
    for (let other = 0; other < this.#segments.length; other++) {
      if (other === s) continue;
      const reader = this.#segments[other].reader;
      const otherOrd = reader.dictionary.find(termBytes, 0, length);
      if (otherOrd < 0) continue;
      const otherEntry = reader.postings.findEntry(otherOrd, field);
      if (otherEntry >= 0) total += reader.postings.df(otherEntry);
    }
    return total;
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
    while (merge.next()) {
      this.#addTerm(merge, sums);
      this.#takeSums(merge, sums);
    }
  }

  /** Adds the frequencies of the current term to `sums`, by place of the field. */
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

  /** Takes the sums of the current term into the maximum and makes them 0 again. */
  #takeSums({ holderCount, holders, ords }: RangeMerge, sums: Float64Array): void {
    for (let i = 0; i < holderCount; i++) {
      const { postings } = this.#segments[holders[i]].reader;
      const end = postings.firstEntry(ords[i] + 1);
      for (let entry = postings.firstEntry(ords[i]); entry < end; entry++) {
        const place = this.#fields.placeOf(postings.field(entry));
        if (place < 0) continue;
        this.#df = Math.max(this.#df, sums[place]);
        sums[place] = 0;
      }
    }
  }
}
