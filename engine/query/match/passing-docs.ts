/**
 * What a match of a sweep must pass beside the text, as bits: of a filter those that a segment keeps, else bits made for the search, of
 * a filter that comes for the first time and of exclusions.
 *
 * Made by the searcher, once a search; read by sweep.ts.
 */
import { assert } from '../../core/assert.js';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { type PhraseToken, phraseCost } from '../expand/alternative-phrase.js';
import type { TextQuery } from '../expand/text-query.js';
import type { FieldMap } from '../field-map.js';
import type { ParsedSearch } from '../parse-search.js';
import type { ReadBudget } from '../read-budget.js';
import { allocateScratch } from '../scratch-memory.js';
import { ChunkFilter } from './chunk-filter.js';

/** In the place of an address: all documents of the segment pass, or none. */
export const ALL_PASS = 0;
export const NONE_PASS = -1;

/**
 * Bits are made of all documents, of a search without a sweep of those chunks alone in which something matches: that takes less where there
 * is a posting for fewer than one document of so many.
 */
const MADE_SHARE = 64;
/** The same of exclusions, of which a search without a sweep looks up what matches: where they have so many times as many postings. */
const EXCLUDED_RATIO = 4;

/** Where the bits of a chunk are made before it is swept: `own` is room for them, of which `table` then has the address. */
interface ChunkBits {
  readonly filter: ChunkFilter;
  readonly segment: SearchableSegment;
  readonly table: number;
  readonly own: number;
}

export class PassingDocs {
  /** Of the segment that is swept chunk by chunk, unless its bits are kept. */
  #byChunk: ChunkBits | null = null;
  readonly #search: ParsedSearch;
  readonly #excluded: readonly (readonly PhraseToken[])[];
  readonly #budget: ReadBudget;

  constructor(search: ParsedSearch, excluded: readonly (readonly PhraseToken[])[], budget: ReadBudget) {
    this.#search = search;
    this.#excluded = excluded;
    this.#budget = budget;
  }

  /** Whether the segment keeps the bits of the filter, if there is one: nothing is evaluated then. */
  isKept({ open }: SearchableSegment): boolean {
    const { filter } = this.#search;
    return filter === null || open.filters.has(filter.key);
  }

  /** Whether all bits of `segments` are kept, or, with `mayMake`, making the others is worth it for `text`. */
  isWorthHaving(text: TextQuery, segments: readonly SearchableSegment[], mayMake: boolean): boolean {
    let documents = 0;
    for (const segment of segments) {
      if (this.#excluded.length > 0 || !this.isKept(segment)) documents += segment.maxDoc;
    }
    if (documents === 0 || !mayMake) return documents === 0;
    let postings = 0;
    for (const { cost } of text.clauses) postings += cost;
    let excluded = 0;
    for (const tokens of this.#excluded) excluded += phraseCost(tokens) * tokens.length;
    return postings * MADE_SHARE >= documents && postings * EXCLUDED_RATIO >= excluded;
  }

  /**
   * Writes the addresses of the bits of segment `index`, by chunk, to the heap of its arena, and returns where they lie; ALL_PASS or
   * NONE_PASS instead. They are valid until the heap is reset, or until the bits of a segment of which they are not kept are written.
   * Errors: overloaded when the heap has no room.
   */
  write(segment: SearchableSegment, index: number, map: FieldMap): number {
    const { filter } = this.#search;
    if (this.#excluded.length > 0 || filter === null) return this.#make(segment, index, map);
    const kept = segment.open.filters.get(filter.key);
    if (kept === undefined) return this.#make(segment, index, map);
    if (kept.count === 0) return NONE_PASS;
    return kept.bitsets.length === 0 ? ALL_PASS : this.#writeTable(segment, kept.bitsets);
  }

  /**
   * As write(), of a segment whose chunks are swept one by one: bits that are not kept are made of a chunk alone, by fillChunk(). There
   * are no exclusions, which need memory that sweeps do.
   */
  writeByChunk(segment: SearchableSegment, index: number, map: FieldMap): number {
    assert(this.#excluded.length === 0, 'nothing is excluded');
    this.#byChunk = null;
    if (this.isKept(segment)) return this.write(segment, index, map);
    const filter = new ChunkFilter(this.#search, [], index, segment, map, this.#budget);
    if (filter.matchesNothing) return NONE_PASS;
    const own = allocateScratch(segment.binding, CHUNK_BITSET_BYTES);
    const table = this.#writeTable(segment, new Array<number>(Math.ceil(segment.maxDoc / CHUNK_DOCS)).fill(0));
    this.#byChunk = { filter, segment, table, own };
    return table;
  }

  /** Makes what passes of `chunk`, which is swept next. */
  fillChunk(chunk: number): void {
    if (this.#byChunk === null) return;
    const { filter, segment, table, own } = this.#byChunk;
    const { kernels, scratch } = segment.binding;
    const bits = filter.fillChunk(chunk);
    scratch.u32[((table - scratch.ptr) >> 2) + chunk] = bits === 0 ? 0 : own;
    if (bits !== 0) kernels.bitsetCopy(own, bits, Math.min(CHUNK_DOCS, segment.maxDoc - chunk * CHUNK_DOCS));
  }

  #make(segment: SearchableSegment, index: number, map: FieldMap): number {
    const { binding, maxDoc } = segment;
    const filter = new ChunkFilter(this.#search, this.#excluded, index, segment, map, this.#budget);
    if (filter.matchesNothing) return NONE_PASS;
    const bitsets: number[] = [];
    for (let first = 0; first < maxDoc; first += CHUNK_DOCS) {
      this.#budget.check();
      const bits = filter.fillChunk(bitsets.length);
      if (bits === 0) return ALL_PASS;
      const own = allocateScratch(binding, CHUNK_BITSET_BYTES);
      binding.kernels.bitsetCopy(own, bits, Math.min(CHUNK_DOCS, maxDoc - first));
      bitsets.push(own);
    }
    return this.#writeTable(segment, bitsets);
  }

  #writeTable({ binding }: SearchableSegment, bitsets: readonly number[]): number {
    const table = allocateScratch(binding, bitsets.length * 4);
    binding.scratch.u32.set(bitsets, (table - binding.scratch.ptr) >> 2);
    return table;
  }
}
