/**
 * Counts the live documents that hold a term in any of some fields: a document once, deleted ones never.
 *
 * Called by query/top-terms.ts for the few terms that can still be among the best.
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
