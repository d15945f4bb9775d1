/**
 * Which lists a sweep reads for a token that is all of a query: what it stands for, or, when it comes again, what is kept of that.
 * Called by match/swept-query.ts.
 */
import { OUTLINED_POSTINGS_MIN } from '../../layout/list-outline.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { nextUse } from './kept-lists.js';
import { ownOutlines, withOutlines } from './list-outlines.js';
import { rangesToRead } from './list-unions.js';
import { hasSeveralTerms, type SegmentRanges } from './segment-ranges.js';

function countReleased(segments: readonly SearchableSegment[]): number {
  let count = 0;
  for (const { binding } of segments) count += binding.unions.released;
  return count;
}

/**
 * What to read for `ranges`, which a token of document frequency `df` stands for in `segments`; the entries of what is kept are for kernels alone. May take memory from scratch heaps, and resets them then.
 */
export function listsToRead(
  ranges: SegmentRanges,
  df: number,
  segments: readonly SearchableSegment[],
  fields: FieldMap,
  budget: ReadBudget,
): SegmentRanges {
  const isUnion = hasSeveralTerms(ranges);
  if (!isUnion && df < OUTLINED_POSTINGS_MIN) return ranges;
  const now = nextUse();
  const lists = isUnion ? rangesToRead(ranges, segments, fields, budget, now) : ranges;
  if (fields.count > 1) return lists;
  const own = ownOutlines(lists, segments, fields);
  if (own !== null) return own;
  const released = countReleased(segments);
  const outlined = withOutlines(lists, ranges, segments, fields, budget, now);
  // Outlines may have taken the place of a union.
  return released === countReleased(segments) ? outlined : ranges;
}
