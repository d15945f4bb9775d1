/**
 * What a match must pass beside the text: the filter of a search, and what it excludes, as one bitset a chunk.
 *
 * Made per query and segment by the segment collector.
 */
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { FieldMap } from './field-map.js';
import { SegmentFilter } from './filter/segment-filter.js';
import type { ParsedSearch } from './parse-search.js';
import { allocateMarks, PhraseMatcher } from './phrase-matcher.js';
import type { ReadBudget } from './read-budget.js';
import { allocateScratch } from './scratch-memory.js';
import type { PhraseToken } from './text-query.js';

export class ChunkFilter {
  readonly #segment: SearchableSegment;
  readonly #filter: SegmentFilter | null;
  readonly #excluded: readonly PhraseMatcher[];
  readonly #budget: ReadBudget;
  /** Where the bitset is made when no filter makes one. */
  readonly #bitset: number;

  /** Takes its memory from the heap of the segment's arena. Errors: overloaded when that has no room. */
  constructor(
    search: ParsedSearch,
    excluded: readonly (readonly PhraseToken[])[],
    index: number,
    segment: SearchableSegment,
    map: FieldMap,
    budget: ReadBudget,
  ) {
    this.#segment = segment;
    this.#budget = budget;
    this.#filter = search.filter === null ? null : new SegmentFilter(search.filter, segment);
    const marks = excluded.length === 0 ? 0 : allocateMarks(segment);
    this.#excluded = excluded
      .filter((tokens) => tokens.every(({ expansion }) => expansion.ranges[index].length > 0))
      .map((tokens) => new PhraseMatcher(tokens, index, segment, map, search.fields, marks, 1));
    const needsBitset = this.#filter === null && this.#excluded.length > 0;
    this.#bitset = needsBitset ? allocateScratch(segment.binding, CHUNK_BITSET_BYTES) : 0;
  }

  /** Known without looking at a document: none passes. */
  get matchesNothing(): boolean {
    return this.#filter?.matchesNothing === true;
  }

  /** Known without looking at a document: all pass. */
  get matchesAll(): boolean {
    return this.#filter === null && this.#excluded.length === 0;
  }

  /**
   * The absolute address of the bitset of `chunk`, bit i 1 when its document i passes, or 0 when all do. Valid until the
   * next call. Deleted documents are treated like any other.
   */
  fillChunk(chunk: number): number {
    if (this.matchesAll) return 0;
    const { kernels } = this.#segment.binding;
    const bits = this.#filter === null ? this.#bitset : this.#filter.fillChunk(chunk);
    if (this.#filter === null)
      kernels.bitsetFill(bits, Math.min(CHUNK_DOCS, this.#segment.maxDoc - chunk * CHUNK_DOCS));
    for (const phrase of this.#excluded) {
      this.#budget.check();
      kernels.bitsetRemove(bits, phrase.docsPtr, phrase.match(chunk));
    }
    return bits;
  }
}
