/**
 * Asks a filter about one document.
 */
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FilterNode } from './filter-node.js';
import { SegmentFilter } from './segment-filter.js';

/** Whether document `doc` of `segment` passes. Takes the scratch heap of the segment's arena for itself. */
export function passesFilter(node: FilterNode, segment: SearchableSegment, doc: number): boolean {
  segment.binding.heap.reset();
  const filter = new SegmentFilter(node, segment);
  if (filter.matchesNothing) return false;
  const { ptr, u8 } = segment.binding.scratch;
  const bits = filter.fillChunk(Math.floor(doc / CHUNK_DOCS)) - ptr;
  const inChunk = doc % CHUNK_DOCS;
  return ((u8[bits + (inChunk >> 3)] >> (inChunk & 7)) & 1) === 1;
}
