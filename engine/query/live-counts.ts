/**
 * Counts the live documents that hold a term in any of some fields: a document once, deleted ones never. And bounds what that would count.
 *
 * Called by query/top-terms.ts: bounds for very many terms, counts for the few that can still be among the best.
 */

import { SCRATCH_FILTER_BITS } from '../layout/scratch.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';

/** Live documents of `segment` with term `ord` in a field that the map at `fieldMap`, in the segment's arena, admits. */
export function countHolders(segment: SearchableSegment, ord: number, fieldMap: number): number {
  const { binding, maxDoc, liveDocsPtr } = segment;
  const { postings, views } = segment.reader;
  const count = binding.kernels.countHolders(
    views.region.ptr,
    postings.entriesPtr,
    postings.firstEntry(ord),
    postings.firstEntry(ord + 1),
    fieldMap,
    liveDocsPtr,
    maxDoc,
    binding.scratch.ptr + SCRATCH_FILTER_BITS,
  );
  return count >>> 0;
}

/** At least as many documents as countHolders() would count; exactly as many where that is a few. */
export function boundHolders(segment: SearchableSegment, ord: number, fieldMap: number): number {
  const { binding, maxDoc, liveDocsPtr } = segment;
  const { postings, views } = segment.reader;
  const bound = binding.kernels.boundHolders(
    views.region.ptr,
    postings.entriesPtr,
    postings.firstEntry(ord),
    postings.firstEntry(ord + 1),
    fieldMap,
    liveDocsPtr,
    maxDoc,
  );
  return bound >>> 0;
}

/** The first of the terms [low, high) with a bound of at least `wanted`, which is above 0; `high`: there is none. */
export function nextBounded(
  segment: SearchableSegment,
  low: number,
  high: number,
  fieldMap: number,
  wanted: number,
): number {
  const { binding, maxDoc, liveDocsPtr } = segment;
  const { postings, views } = segment.reader;
  const ord = binding.kernels.nextFrequentTerm(
    views.region.ptr,
    postings.startsPtr,
    postings.entriesPtr,
    postings.entryCount,
    low,
    high,
    fieldMap,
    wanted,
    liveDocsPtr,
    maxDoc,
  );
  return ord >>> 0;
}
