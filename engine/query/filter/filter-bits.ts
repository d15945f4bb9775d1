/**
 * What passes the filter of a search in one segment: kept bits when the segment has them or the filter comes again, else
 * evaluated a chunk at a time.
 *
 * Made per query and segment by match/chunk-filter.ts.
 */
import type { KeptFilter } from '../../segment/kept-filters.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { ReadBudget } from '../read-budget.js';
import type { ParsedFilter } from './recent-filters.js';
import { SegmentFilter } from './segment-filter.js';

/** The bits of a filter in a segment. */
export interface FilterBits {
  /** Known without looking at a document: none passes. */
  readonly matchesNothing: boolean;
  /**
   * The absolute address of a bitset of `chunk`, CHUNK_BITSET_BYTES, or 0 when every document passes: bit i is 1 when its document i
   * passes. Valid until the next call, and not to be changed. Deleted documents are treated like any other.
   */
  fillChunk(chunk: number): number;
}

/** Takes from the scratch heap, as SegmentFilter does. */
export function filterBits(filter: ParsedFilter, segment: SearchableSegment, budget: ReadBudget): FilterBits {
  const { filters } = segment.open;
  const kept = filters.get(filter.key);
  if (kept !== undefined) return new KeptBits(kept);
  const evaluated = new SegmentFilter(filter.node, segment);
  if (!filter.wasAnswered) return evaluated;
  const now = filters.keep(filter.key, (chunk) => {
    budget.check();
    return evaluated.fillChunk(chunk);
  });
  return now === null ? evaluated : new KeptBits(now);
}

class KeptBits implements FilterBits {
  readonly #kept: KeptFilter;

  constructor(kept: KeptFilter) {
    this.#kept = kept;
  }

  get matchesNothing(): boolean {
    return this.#kept.count === 0;
  }

  fillChunk(chunk: number): number {
    const { bitsets } = this.#kept;
    return bitsets.length === 0 ? 0 : bitsets[chunk];
  }
}
