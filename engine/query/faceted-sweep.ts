/**
 * Sweeps a search with facets, segment by segment: kernels count values by the bits or lists of a chunk's matches, in counters that lie in
 * the heap of the segment's arena. Segments with too many values for what matches are collected the general way.
 *
 * Called by the searcher, and by share/collect-chunks.ts.
 */
import { assertPresent } from '../core/assert.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { TextQuery } from './expand/text-query.js';
import { SegmentMatcher } from './match/segment-matcher.js';
import { sweepByChunk, sweepRun } from './match/sweep.js';
import type { SweptQuery } from './match/swept-query.js';
import { beginSegment, type Collectors, collectSegment, type SegmentRun } from './segment-collector.js';

/** As sweepSegments() of match/sweep.ts, and counts the facets that `collectors` have. */
export function sweepFaceted(
  query: SweptQuery,
  text: TextQuery,
  segments: readonly SearchableSegment[],
  collectors: Collectors,
): number {
  const share = shareOf(text, segments);
  let found = 0;
  for (let i = 0; i < segments.length; i++) {
    if (!SegmentMatcher.mayMatch(text, i)) continue;
    const swept = sweepSegment(query, segments, i, share, collectors);
    found += swept ?? collectSegment(collectors, text, segments[i], i);
  }
  return found;
}

/**
 * As beginSegment() of segment-collector.ts, of segment `index`, which is swept chunk by chunk unless it has too many values. `share`: of
 * its documents that match, about (shareOf()).
 */
export function beginFaceted(
  query: SweptQuery,
  text: TextQuery,
  segments: readonly SearchableSegment[],
  index: number,
  share: number,
  collectors: Collectors,
): SegmentRun | null {
  if (!SegmentMatcher.mayMatch(text, index)) return null;
  const { map, top, budget } = collectors;
  const facets = assertPresent(collectors.facets, 'facets of the search');
  const segment = segments[index];
  facets.beginSegment(segment, index);
  const records = facets.writeRecords(segment.binding, share * segment.maxDoc);
  if (records === null) {
    segment.binding.heap.reset();
    return beginSegment(collectors, text, segment, index);
  }
  const collect = sweepByChunk(query, segments, index, map, top, records, budget);
  return {
    collect(chunk) {
      const found = collect(chunk);
      facets.addCounted(found);
      return found;
    },
    end: () => facets.endSegment(),
  };
}

/** The share of all documents of `segments` that match `text`, about: as if clauses had nothing to do with one another. */
export function shareOf({ clauses, matchAll }: TextQuery, segments: readonly SearchableSegment[]): number {
  let documents = 0;
  for (const { maxDoc } of segments) documents += maxDoc;
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
