/**
 * Lays out the cursors of a phrase in one field of one segment for the phrase kernels (layout/phrase-cursor.ts).
 */
import {
  CURSOR_BYTES,
  CURSOR_DF,
  CURSOR_KIND,
  CURSOR_LIST,
  CURSOR_SEGMENT,
  CURSOR_STREAM,
  CURSOR_TABLE,
} from '../../layout/phrase-cursor.js';
import { ENTRY_KIND_SINGLE, POSITION_BLOCK } from '../../layout/postings.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { allocateScratch } from '../scratch-memory.js';

/** Writes a cursor for each of `entries`, the tokens' postings in the order typed, and returns the first's address. */
export function makePhraseCursors(segment: SearchableSegment, entries: readonly number[]): number {
  const { binding, reader } = segment;
  const { scratch } = binding;
  const cursors = allocateScratch(binding, entries.length * CURSOR_BYTES);
  const segmentPtr = reader.views.region.ptr;
  entries.forEach((entry, i) => {
    const { postings } = reader;
    const word = (cursors - scratch.ptr + i * CURSOR_BYTES) >> 2;
    const kind = postings.kind(entry);
    const df = postings.df(entry);
    const positions = segmentPtr + postings.positions(entry);
    const hasTable = df > POSITION_BLOCK;
    const list = postings.list(entry);
    scratch.u32[word + (CURSOR_LIST >> 2)] = kind === ENTRY_KIND_SINGLE ? list : segmentPtr + list;
    scratch.u32[word + (CURSOR_DF >> 2)] = df;
    scratch.u32[word + (CURSOR_KIND >> 2)] = kind;
    scratch.u32[word + (CURSOR_TABLE >> 2)] = hasTable ? positions : 0;
    scratch.u32[word + (CURSOR_STREAM >> 2)] = hasTable
      ? positions + (Math.ceil(df / POSITION_BLOCK) + 1) * 4
      : positions;
    scratch.u32[word + (CURSOR_SEGMENT >> 2)] = segmentPtr;
  });
  return cursors;
}
