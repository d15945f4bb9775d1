/**
 * What a match must pass beside the text: the filter of a search, and what it excludes, a chunk of documents at a time.
 *
 * Made per query and segment by the segment collector.
 */
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { PhraseToken } from '../expand/alternative-phrase.js';
import type { FieldMap } from '../field-map.js';
import { type FilterBits, filterBits } from '../filter/filter-bits.js';
import type { ParsedSearch } from '../parse-search.js';
import type { ReadBudget } from '../read-budget.js';
import { allocateScratch } from '../scratch-memory.js';
import { PhraseMatcher } from './phrase-matcher.js';

export class ChunkFilter {
  readonly #segment: SearchableSegment;
  readonly #filter: FilterBits | null;
  readonly #excluded: readonly PhraseMatcher[];
  readonly #budget: ReadBudget;
  /** Address of a bitset of the chunk, 0 when nothing is excluded. */
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
    this.#filter = search.filter === null ? null : filterBits(search.filter, segment, budget);
    const ground = { segment, index, map, budget };
    this.#excluded = excluded
      .map((tokens) => new PhraseMatcher(tokens, ground, 1))
      .filter(({ matchesNothing }) => !matchesNothing);
    this.#bitset = this.#excluded.length > 0 ? allocateScratch(segment.binding, CHUNK_BITSET_BYTES) : 0;
  }

  /** Known without looking at a document: none passes. */
  get matchesNothing(): boolean {
    return this.#filter?.matchesNothing === true;
  }

  /**
   * The absolute address of a bitset of `chunk`, bit i 1 when its document i passes, or 0 when all do. Valid until the next
   * call, and not to be changed. Deleted documents are treated like any other.
   */
  fillChunk(chunk: number): number {
    const { kernels } = this.#segment.binding;
    const filtered = this.#filter === null ? 0 : this.#filter.fillChunk(chunk);
    if (this.#excluded.length === 0) return filtered;
    const bits = this.#fillAll(chunk);
    if (filtered !== 0) kernels.bitsetAnd(bits, filtered, docsOf(this.#segment, chunk));
    for (const phrase of this.#excluded) {
      this.#budget.check();
      kernels.bitsetRemove(bits, phrase.docsPtr, phrase.match(chunk));
    }
    return bits;
  }

  /**
   * Keeps of the `count` documents of `chunk` at `list`, the address of a u16 list outside the areas of phrases, in place
   * and in order, those that pass and whose bit is set at `live`, unless that is 0; returns how many.
   */
  filterList(chunk: number, list: number, count: number, live: number): number {
    const { kernels } = this.#segment.binding;
    const filtered = this.#filter === null || count === 0 ? 0 : this.#filter.fillChunk(chunk);
    const passing = kernels.filterList(list, count, live, filtered);
    if (passing === 0 || this.#excluded.length === 0) return passing;
    const bits = this.#fillAll(chunk);
    for (const phrase of this.#excluded) {
      this.#budget.check();
      kernels.bitsetRemove(bits, phrase.docsPtr, phrase.matchAmong(chunk, list, passing));
    }
    return kernels.filterList(list, passing, bits, 0);
  }

  #fillAll(chunk: number): number {
    this.#segment.binding.kernels.bitsetFill(this.#bitset, docsOf(this.#segment, chunk));
    return this.#bitset;
  }
}

const docsOf = ({ maxDoc }: SearchableSegment, chunk: number): number =>
  Math.min(CHUNK_DOCS, maxDoc - chunk * CHUNK_DOCS);
