/**
 * Writes what deletions took from the only list that a sweep reads of each segment (layout/losses.ts), so that its outline tells what is live.
 * Called by sweep.ts.
 */
import { ENTRY_KIND_CHUNKED } from '../../layout/postings.js';
import { ROW_BYTES, ROW_LOSSES } from '../../layout/sweep.js';
import { NO_LOSSES } from '../../segment/live-statistics.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { SegmentRanges } from '../expand/segment-ranges.js';
import type { FieldMap } from '../field-map.js';
import { allocateScratch } from '../scratch-memory.js';

/** A longer range is more than a list and its outline, but for fields that are not queried. */
const RANGE_ENTRIES_MAX = 8;
/** In the place of an entry: there is none, or there are several or others than the segment's own. */
const NONE = -1;
const OTHERS = -2;

/** The only entry of segment number `s` that `ranges` have in a queried field, beside that of its outline. */
function onlyOwn(ranges: SegmentRanges, s: number, { reader }: SearchableSegment, map: FieldMap): number {
  const { postings, outlines } = reader;
  const { starts, words } = ranges;
  let only = NONE;
  for (let i = starts[s]; i < starts[s + 1]; i += 3) {
    const high = words[i + 1];
    if (high - words[i] > RANGE_ENTRIES_MAX) return OTHERS;
    for (let entry = words[i]; entry < high; entry++) {
      if (only >= 0 && entry >= postings.entryCount && outlines.find(only) === entry) continue;
      if (entry >= postings.entryCount) return OTHERS;
      if (map.placeOf(postings.field(entry)) < 0) continue;
      if (only !== NONE) return OTHERS;
      only = entry;
    }
  }
  return only;
}

/** What `segment` has lost of the lists that `ranges` read of it; null: it is not known. */
function lossesOf(ranges: SegmentRanges, s: number, segment: SearchableSegment, map: FieldMap): Uint32Array | null {
  const entry = onlyOwn(ranges, s, segment, map);
  if (entry === OTHERS) return null;
  if (entry === NONE || segment.reader.postings.kind(entry) !== ENTRY_KIND_CHUNKED) return NO_LOSSES;
  return segment.losses(entry);
}

/**
 * Adds the losses of the segments [from, to), which lie in one arena, to their rows from index `first` of its scratch words on. `ranges`: what
 * the only clause of the sweep reads.
 */
export function writeLosses(
  ranges: SegmentRanges,
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  map: FieldMap,
  first: number,
): void {
  for (let s = from; s < to; s++) {
    const segment = segments[s];
    if (segment.liveDocs === null) continue;
    const losses = lossesOf(ranges, s, segment, map);
    if (losses === null) continue;
    const at = allocateScratch(segment.binding, losses.byteLength);
    const { u32, ptr } = segment.binding.scratch;
    u32.set(losses, (at - ptr) >> 2);
    u32[first + ((s - from) * ROW_BYTES + ROW_LOSSES) / 4] = at;
  }
}
