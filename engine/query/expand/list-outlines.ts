/**
 * Finds, for a token that is one list in each segment, the outlines of them (layout/list-outline.ts): with them few blocks are read but
 * those of documents that may be on the page. Segments have them of their own lists; of unions they are kept, and so of a list of a segment
 * that an earlier program wrote, once the token has come again and again.
 *
 * Used by lists-to-read.ts.
 */
import { CHAMPIONS_BYTES_MAX } from '../../layout/champions.js';
import {
  OUTLINE_CLASS_BYTES,
  OUTLINE_CLASSES,
  OUTLINE_GROUP_BLOCKS,
  OUTLINE_GROUP_BYTES,
  OUTLINED_POSTINGS_MIN,
} from '../../layout/list-outline.js';
import {
  CHUNK_BLOCKS,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_CHUNKED,
} from '../../layout/postings.js';
import { CHUNK_DOCS, SCRATCH_OUT_DOCS } from '../../layout/scratch.js';
import { WHOLE_IMPACT } from '../../postings/impacts.js';
import { NO_ENTRY } from '../../postings/outline-reader.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import type { MadeList, WantedList } from './kept-lists.js';
import { KeptRanges } from './kept-ranges.js';
import { LaterUse } from './later-use.js';
import { type EntryRanges, joinRanges, rangesIn, type SegmentRanges } from './segment-ranges.js';

/** Of the classes, champions and groups of an outline, about: what a list of many blocks has. */
const OUTLINE_BYTES = 2432;
/** Postings that are counted while a union takes one, about, and what the rest of the making costs. */
const COUNTED_POSTINGS = 8;
const OUTLINE_COST = 128;
/** Room for all that an outline of a segment may be. */
const CLASSES_BYTES = OUTLINE_CLASSES + 256 * OUTLINE_CLASS_BYTES + CHAMPIONS_BYTES_MAX;
/** Of a chunk, at most. */
const CHUNK_GROUPS = CHUNK_BLOCKS / OUTLINE_GROUP_BLOCKS;

/** The entry at address `ptr`, of a segment or of what is kept beside it. */
interface OnlyEntry {
  /** Counted from those of the segment. */
  readonly entry: number;
  readonly ptr: number;
  readonly field: number;
  readonly df: number;
  readonly weight: number;
}

/** The only entry that `ranges` have in the queried field, if it is one of a long list; null: there are others, or none. */
function onlyEntry(ranges: EntryRanges, { binding, reader }: SearchableSegment, fields: FieldMap): OnlyEntry | null {
  const { scratch } = binding;
  const { postings, views } = reader;
  let only: OnlyEntry | null = null;
  for (let i = 0; i < ranges.length; i += 3) {
    for (let entry = ranges[i]; entry < ranges[i + 1]; entry++) {
      const ptr = (postings.entriesPtr + entry * ENTRY_BYTES) % 2 ** 32;
      const isOwn = entry < postings.entryCount;
      const bytes = isOwn ? views.u8 : scratch.u8;
      const at = ptr - (isOwn ? views.region.ptr : scratch.ptr);
      const field = bytes[at + ENTRY_FIELD];
      if (fields.placeOf(field) < 0) continue;
      if (only !== null || bytes[at + ENTRY_KIND] !== ENTRY_KIND_CHUNKED) return null;
      const df = (isOwn ? views.u32 : scratch.u32)[(at + ENTRY_DF) >> 2];
      only = { entry, ptr, field, df, weight: ranges[i + 2] };
    }
  }
  return only !== null && only.df >= OUTLINED_POSTINGS_MIN ? only : null;
}

/** Makes the outline of the list of `entry`; resets the scratch heap of the segment's arena. */
function makeOutline(
  { binding, reader, maxDoc }: SearchableSegment,
  { ptr, field, weight }: OnlyEntry,
  take: (bytes: number) => number,
): MadeList | null {
  const { kernels, heap, scratch } = binding;
  const chunks = Math.ceil(maxDoc / CHUNK_DOCS);
  const segment = reader.views.region.ptr;
  heap.reset();
  const room = heap.allocate(CLASSES_BYTES + chunks * CHUNK_GROUPS * OUTLINE_GROUP_BYTES);
  if (room === 0) return null;
  const counts = scratch.ptr + SCRATCH_OUT_DOCS;
  const bytes = kernels.writeOutline(segment, ptr, chunks, WHOLE_IMPACT, counts, room);
  const block = bytes === 0 ? 0 : take(ENTRY_BYTES + bytes);
  if (block === 0) return null;
  kernels.placeOutline(segment, field, room, bytes, block);
  // Entries are counted from those of the segment, wherever they lie: modulo 2^32 bytes.
  const first = ((block - reader.postings.entriesPtr) >>> 0) / ENTRY_BYTES;
  return { ptr: block, bytes: ENTRY_BYTES + bytes, ranges: [first, first + 1, weight] };
}

/** Lists with the outlines beside them that segments have. */
interface OutlinedLists {
  readonly ranges: SegmentRanges;
  /** Segments that have none of their list, which is long. */
  readonly without: readonly number[];
}

function findOutlines(lists: SegmentRanges, segments: readonly SearchableSegment[], fields: FieldMap): OutlinedLists {
  const without: number[] = [];
  const bySegment = segments.map((segment, s): EntryRanges[] => {
    const ranges = rangesIn(lists, s);
    const only = onlyEntry(ranges, segment, fields);
    if (only === null) return [ranges];
    const standIn = segment.reader.outlines.find(only.entry);
    if (standIn !== NO_ENTRY) return [ranges, [standIn, standIn + 1, only.weight]];
    without.push(s);
    return [ranges];
  });
  return { ranges: joinRanges(bySegment, lists.weights), without };
}

function wantOutlines(
  lists: SegmentRanges,
  ranges: SegmentRanges,
  segments: readonly SearchableSegment[],
  fields: FieldMap,
  without: readonly number[],
): WantedList[] {
  const wanted: WantedList[] = [];
  for (const index of without) {
    const entry = onlyEntry(rangesIn(lists, index), segments[index], fields);
    if (entry === null) continue;
    wanted.push({
      segment: index,
      key: `${fields.indexes.join()}:${rangesIn(ranges, index).join()}:outline`,
      cost: entry.df / COUNTED_POSTINGS + OUTLINE_COST,
      bytes: OUTLINE_BYTES,
      make: (of, _, take) => makeOutline(of, entry, take),
    });
  }
  return wanted;
}

const outlined = new WeakMap<SegmentRanges, OutlinedLists>();
const later = new LaterUse<SegmentRanges, KeptRanges>();

function outlinedLists(lists: SegmentRanges, segments: readonly SearchableSegment[], fields: FieldMap): OutlinedLists {
  let own = outlined.get(lists);
  if (own === undefined) {
    own = findOutlines(lists, segments, fields);
    outlined.set(lists, own);
  }
  return own;
}

/** `lists` with the outlines that segments have of them; null: of some there is none. */
export function ownOutlines(
  lists: SegmentRanges,
  segments: readonly SearchableSegment[],
  fields: FieldMap,
): SegmentRanges | null {
  const { ranges, without } = outlinedLists(lists, segments, fields);
  return without.length === 0 ? ranges : null;
}

/**
 * `lists`, which are read for `ranges`, with outlines beside them in some of the segments, which are for kernels alone. `now`: the
 * time of this use. May take memory from scratch heaps, and resets them then.
 */
export function withOutlines(
  lists: SegmentRanges,
  ranges: SegmentRanges,
  segments: readonly SearchableSegment[],
  fields: FieldMap,
  budget: ReadBudget,
  now: number,
): SegmentRanges {
  const { ranges: read, without } = outlinedLists(lists, segments, fields);
  const make = (): KeptRanges =>
    new KeptRanges(read, segments, wantOutlines(lists, ranges, segments, fields, without), true, now);
  return later.get(lists, make)?.read(fields, budget, now) ?? read;
}
