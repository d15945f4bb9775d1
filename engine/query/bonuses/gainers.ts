/**
 * Finds, for a token that is all of a query over several fields, the documents of each segment that get a bonus for it, and has them
 * listed when the token comes again (layout/gainers.ts): then nobody has to look up where it stands in the best ones. Of one field,
 * lists tell it while they are read.
 *
 * Used by bonuses.ts. How often a token came is known of one generation.
 */
import {
  GAINERS_DOCS,
  GAINERS_STATE_BEGINS,
  GAINERS_STATE_BYTES,
  GAINERS_STATE_ENTRIES,
  GAINERS_STATE_FIELD_MAP,
  GAINERS_STATE_MAX_DOC,
  GAINERS_STATE_SEGMENT,
  GAINERS_STATE_WHOLE,
  GAINERS_STATE_WHOLES,
} from '../../layout/gainers.js';
import { RUNS_MAX } from '../../layout/occurrences.js';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { WHOLE_IMPACT } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { KeptLists, type MadeList, nextUse, type WantedList } from '../expand/kept-lists.js';
import { LaterUse } from '../expand/later-use.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { allocateScratch } from '../scratch-memory.js';
import type { SourceRanges } from './own-ranges.js';
import type { QuerySlots } from './query-slots.js';

/** Of fewer postings the best documents are soon measured. */
const POSTINGS_MIN = 512;
/** Postings that are looked at while a union takes one, about, and what the rest of the making costs. */
const SEEN_POSTINGS = 8;
const GAINERS_COST = 256;
/** Of the gainers of a segment, about. */
const GAINERS_BYTES = 2048;
const NO_RANGES: readonly number[] = [];

/** What the only slot of a query stands for in a segment. */
interface OwnTerms {
  /** All of the token. */
  readonly plain: SourceRanges;
  /** Terms that it begins, where these give bonuses. */
  readonly completed: SourceRanges;
}

function countPostings(ranges: SourceRanges, { binding, reader }: SearchableSegment, map: FieldMap): number {
  const { entriesPtr, entryCount } = reader.postings;
  let postings = 0;
  for (let i = 0; i < ranges.length; i += 2)
    if (ranges[i] < entryCount)
      postings += binding.kernels.sumFrequencies(entriesPtr, ranges[i], ranges[i + 1], map.ptr(binding));
  return postings;
}

/** Whether a document may hold more of the terms than bonuses look at. */
function areMany(ranges: SourceRanges): boolean {
  let entries = 0;
  for (let i = 0; i < ranges.length; i += 2) entries += ranges[i + 1] - ranges[i];
  return entries > RUNS_MAX;
}

/** Lists the gainers of a segment in a block that `take` gives; resets the scratch heap of the segment's arena. */
function makeGainers(
  { binding, reader, maxDoc }: SearchableSegment,
  { plain, completed }: OwnTerms,
  map: FieldMap,
  take: (bytes: number) => number,
): MadeList | null {
  const { kernels, heap, scratch } = binding;
  heap.reset();
  const bytes = Math.ceil(maxDoc / CHUNK_DOCS) * CHUNK_BITSET_BYTES;
  const state = heap.allocate(GAINERS_STATE_BYTES);
  const bits = heap.allocate(2 * bytes);
  if (state === 0 || bits === 0) return null;
  scratch.u8.fill(0, bits - scratch.ptr, bits - scratch.ptr + 2 * bytes);
  const word = (state - scratch.ptr) >> 2;
  scratch.u32[word + (GAINERS_STATE_SEGMENT >> 2)] = reader.views.region.ptr;
  scratch.u32[word + (GAINERS_STATE_ENTRIES >> 2)] = reader.postings.entriesPtr;
  scratch.u32[word + (GAINERS_STATE_MAX_DOC >> 2)] = maxDoc;
  scratch.u32[word + (GAINERS_STATE_FIELD_MAP >> 2)] = map.ptr(binding);
  scratch.u32[word + (GAINERS_STATE_WHOLE >> 2)] = WHOLE_IMPACT;
  scratch.u32[word + (GAINERS_STATE_BEGINS >> 2)] = bits;
  scratch.u32[word + (GAINERS_STATE_WHOLES >> 2)] = bits + bytes;
  for (let i = 0; i < plain.length; i += 2) if (!kernels.noteGainers(state, plain[i], plain[i + 1], 0)) return null;
  for (let i = 0; i < completed.length; i += 2)
    if (!kernels.noteGainers(state, completed[i], completed[i + 1], 1)) return null;
  const isUnsure = areMany(plain) ? 1 : 0;
  const size = GAINERS_DOCS + 4 * kernels.listGainers(state, isUnsure, 0);
  const ptr = take(size);
  if (ptr === 0) return null;
  kernels.listGainers(state, isUnsure, ptr);
  return { ptr, bytes: size, ranges: NO_RANGES };
}

/** What is wanted in each segment; nothing, where the best documents are soon measured, or segments lie in several arenas. */
function wantGainers(
  { terms: [plain, completed] }: QuerySlots,
  segments: readonly SearchableSegment[],
  map: FieldMap,
): readonly WantedList[] {
  const wanted: WantedList[] = [];
  let all = 0;
  for (const [segment, of] of segments.entries()) {
    const own: OwnTerms = { plain: plain(segment), completed: completed === undefined ? [] : completed(segment) };
    if (own.plain.length + own.completed.length === 0) continue;
    const postings = countPostings(own.plain, of, map) + countPostings(own.completed, of, map);
    all += postings;
    wanted.push({
      segment,
      key: `${map.indexes.join()}:${own.plain.join()}:${own.completed.join()}:gainers`,
      cost: postings / SEEN_POSTINGS + GAINERS_COST,
      bytes: GAINERS_BYTES,
      make: (made, fields, take) => makeGainers(made, own, fields, take),
    });
  }
  const isOneArena = segments.every(({ binding }) => binding === segments[0].binding);
  return all >= POSTINGS_MIN && isOneArena ? wanted : [];
}

const known = new LaterUse<QuerySlots, KeptLists>();

/**
 * The gainers of `slots`, of a query of one token, in `segments`, made by degrees; null: not all are known. May take memory from scratch
 * heaps, and resets them then.
 */
export function findGainers(
  slots: QuerySlots,
  segments: readonly SearchableSegment[],
  map: FieldMap,
  budget: ReadBudget,
): KeptLists | null {
  if (slots.phrases.length > 0 || slots.slots.length !== 1) return null;
  const now = nextUse();
  const gainers = known.get(slots, () => new KeptLists(segments, wantGainers(slots, segments, map), now));
  if (gainers === null || gainers.wanted.length === 0) return null;
  gainers.update(map, budget, now);
  return gainers.isComplete ? gainers : null;
}

/** Address of the table of the gainers by segment (kernels/gainers.ts), which takes memory from the heap of `binding`. */
export function writeGainers({ wanted, kept }: KeptLists, segments: number, binding: ArenaBinding): number {
  const table = allocateScratch(binding, segments * 4);
  const { u32, ptr } = binding.scratch;
  const word = (table - ptr) >> 2;
  u32.fill(0, word, word + segments);
  for (const [i, { segment }] of wanted.entries()) u32[word + segment] = kept[i]?.ptr ?? 0;
  return table;
}
