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
import type { PhraseToken } from '../expand/alternative-phrase.js';
import { allocateScratch } from '../scratch-memory.js';

/**
 * Writes a cursor for each of `tokens`, in their order, in schema field `field` of the segment with index `index`, and
 * returns the first's address; 0 when some token does not occur there. Errors: overloaded.
 */
export function makePhraseCursors(
  tokens: readonly PhraseToken[],
  field: number,
  segment: SearchableSegment,
  index: number,
): number {
  const { heap } = segment.binding;
  const mark = heap.mark();
  const cursors = allocateScratch(segment.binding, tokens.length * CURSOR_BYTES);
  for (let i = 0; i < tokens.length; i++) {
    const entry = findEntry(tokens[i], field, segment, index);
    if (entry < 0) {
      heap.release(mark);
      return 0;
    }
    writeCursor(segment, entry, cursors + i * CURSOR_BYTES);
  }
  return cursors;
}

/** The entry of the token in `field`, or -1. Its term's entries are all that it stands for. */
function findEntry({ expansion }: PhraseToken, field: number, segment: SearchableSegment, index: number): number {
  const { words, starts } = expansion.ranges;
  const at = starts[index];
  if (at === starts[index + 1]) return -1;
  const { postings } = segment.reader;
  for (let entry = words[at]; entry < words[at + 1]; entry++) if (postings.field(entry) === field) return entry;
  return -1;
}

function writeCursor({ binding, reader }: SearchableSegment, entry: number, cursor: number): void {
  const { scratch } = binding;
  const { postings, views } = reader;
  const word = (cursor - scratch.ptr) >> 2;
  const segment = views.region.ptr;
  const kind = postings.kind(entry);
  const df = postings.df(entry);
  const positions = segment + postings.positions(entry);
  const hasTable = df > POSITION_BLOCK;
  const list = postings.list(entry);
  scratch.u32[word + (CURSOR_LIST >> 2)] = kind === ENTRY_KIND_SINGLE ? list : segment + list;
  scratch.u32[word + (CURSOR_DF >> 2)] = df;
  scratch.u32[word + (CURSOR_KIND >> 2)] = kind;
  scratch.u32[word + (CURSOR_TABLE >> 2)] = hasTable ? positions : 0;
  scratch.u32[word + (CURSOR_STREAM >> 2)] = hasTable
    ? positions + (Math.ceil(df / POSITION_BLOCK) + 1) * 4
    : positions;
  scratch.u32[word + (CURSOR_SEGMENT >> 2)] = segment;
}
