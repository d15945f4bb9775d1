/**
 * Sweeps a search with facets, segment by segment: kernels count values by the bits or lists of a chunk's matches, in counters that lie in
 * the heap of the segment's arena. Segments with too many values for what matches are collected the general way.
 *
 * Called by the searcher.
 */
import { assertPresent } from '../core/assert.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { TextQuery } from './expand/text-query.js';
import { SegmentMatcher } from './match/segment-matcher.js';
import { sweepRun } from './match/sweep.js';
import type { SweptQuery } from './match/swept-query.js';
import { type Collectors, collectSegment } from './segment-collector.js';

/** As sweepSegments() of match/sweep.ts, and counts the facets that `collectors` have. */
export function sweepFaceted(
  query: SweptQuery,
  text: TextQuery,
  segments: readonly SearchableSegment[],
  collectors: Collectors,
): number {
  let documents = 0;
  for (const { maxDoc } of segments) documents += maxDoc;
  const share = shareOf(text, documents);
  let found = 0;
  for (let i = 0; i < segments.length; i++) {
    if (!SegmentMatcher.mayMatch(text, i)) continue;
    const swept = sweepSegment(query, segments, i, share, collectors);
    found += swept ?? collectSegment(collectors, text, segments[i], i);
  }
  return found;
}

/** How many of `documents` match `text`, about, for one of them: as if clauses had nothing to do with one another. */
function shareOf({ clauses, matchAll }: TextQuery, documents: number): number {
  let share = matchAll ? 1 : 0;
  for (const { cost } of clauses) share = matchAll ? share * Math.min(1, cost / documents) : share + cost / documents;
  return share;
}

/** `share`: of its documents that match, about. null: it was not swept. */
function sweepSegment(
  query: SweptQuery,
  segments: readonly SearchableSegment[],
  index: number,
  share: number,
  { map, top, facets, budget }: Collectors,
): number | null {
  const counted = assertPresent(facets, 'facets of the search');
  const segment = segments[index];
  budget.check();
  segment.binding.heap.reset();
  counted.beginSegment(segment, index);
  const records = counted.writeRecords(segment.binding, share * segment.maxDoc);
  if (records === null) return null;
  const found = sweepRun(query, segments, index, index + 1, map, top, records, budget);
  counted.addCounted(found);
  counted.endSegment();
  return found;
}
