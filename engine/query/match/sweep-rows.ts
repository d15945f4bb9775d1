/**
 * Writes the rows of a sweep (layout/sweep.ts): its segments, and which of their documents may match. Called by sweep.ts.
 */
import { ENTRY_BYTES } from '../../layout/postings.js';
import {
  ROW_BYTES,
  ROW_COLUMN,
  ROW_ENTRIES,
  ROW_LIVE,
  ROW_LOSSES,
  ROW_MAX_DOC,
  ROW_ORDER_BASE,
  ROW_PASSING,
  ROW_PREFIX_ENTRIES,
  ROW_SEGMENT,
} from '../../layout/sweep.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { TopDocs } from '../sort/top-docs.js';
import { ALL_PASS, NONE_PASS, type PassingDocs } from './passing-docs.js';

/** Writes the rows of the segments [from, to) from index `first` of `u32` on, and has `top` go on to each. */
export function writeRows(
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  top: TopDocs,
  u32: Uint32Array,
  first: number,
): void {
  for (let s = from, row = first; s < to; s++, row += ROW_BYTES >> 2) {
    const segment = segments[s];
    const { postings, views } = segment.reader;
    top.beginSegment(segment, s);
    u32[row + (ROW_SEGMENT >> 2)] = views.region.ptr;
    u32[row + (ROW_ENTRIES >> 2)] = postings.entriesPtr;
    u32[row + (ROW_MAX_DOC >> 2)] = segment.maxDoc;
    u32[row + (ROW_LIVE >> 2)] = segment.liveDocsPtr;
    u32[row + (ROW_ORDER_BASE >> 2)] = top.orderBase;
    u32[row + (ROW_COLUMN >> 2)] = top.columnPtr;
    u32[row + (ROW_PASSING >> 2)] = 0;
    u32[row + (ROW_LOSSES >> 2)] = 0;
    u32[row + (ROW_PREFIX_ENTRIES >> 2)] = postings.entriesPtr + postings.entryCount * ENTRY_BYTES;
    top.endSegment();
  }
}

/** Adds what passes beside the text to the rows that writeRows() has written. */
export function writePassing(
  passing: PassingDocs,
  map: FieldMap,
  isByChunk: boolean,
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  u32: Uint32Array,
  first: number,
): void {
  for (let s = from, row = first; s < to; s++, row += ROW_BYTES >> 2) {
    const table = isByChunk ? passing.writeByChunk(segments[s], s, map) : passing.write(segments[s], s, map);
    if (table === NONE_PASS) u32[row + (ROW_MAX_DOC >> 2)] = 0;
    else if (table !== ALL_PASS) u32[row + (ROW_PASSING >> 2)] = table;
  }
}
