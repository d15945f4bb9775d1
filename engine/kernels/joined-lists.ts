/**
 * Finds what each clause of a sweep reads of a segment where that is one list, and goes through the chunks of these lists side
 * by side. For kernels/joined-sweep.ts alone; exports nothing to JavaScript. Layouts: layout/joined-lists.ts, layout/postings.ts.
 */
import {
  JOINED_BOUND,
  JOINED_BOUNDS,
  JOINED_BYTES,
  JOINED_CHUNK_BOUND,
  JOINED_COUNT,
  JOINED_DATA,
  JOINED_END,
  JOINED_ENTRY,
  JOINED_FLAG,
  JOINED_NEXT,
  JOINED_PLACE,
  JOINED_SHORT,
  JOINED_TABLE,
  JOINED_WEIGHT,
} from '../layout/joined-lists';
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_ENTRY_MAX_IMPACT,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import {
  PLAN_FIELD_COUNT, PLAN_FIELD_MAP, PLAN_LUT, PLAN_NO_FIELD, PLAN_RANGE_BYTES, PLAN_SCALES, PLAN_WEIGHTS,
} from '../layout/token-plan';
import { itemFlag } from './chunk-forms';

/** A longer range of entries is more than one list of a field, but for fields that are not queried. */
const RANGE_ENTRIES_MAX: u32 = 8;

/** Whether all chunks of the list are sparse or ranked. */
export function isJoinable(directory: usize, end: usize): bool {
  for (let at = directory; at < end; at += CHUNK_ENTRY_BYTES) {
    const kind = load<u8>(at, CHUNK_ENTRY_KIND);
    if (kind != CHUNK_KIND_SPARSE && kind != CHUNK_KIND_RANKED) return false;
  }
  return true;
}

/**
 * Notes in the records from `first` on, one a queried field, the list that the clause with `plan` reads of the field in a
 * segment of `chunks` chunks, or that there is none; false when it reads several, or one that cannot be joined. At `ranges`
 * lies where its ranges begin, then where they end. `bounds`: f32[256] for each queried field.
 */
export function findJoined(
  first: usize, plan: usize, segment: usize, entries: usize, ranges: usize, chunks: u32, bounds: usize,
): bool {
  const fieldMap = <usize>load<u32>(plan, PLAN_FIELD_MAP);
  const rangesEnd = <usize>load<u32>(ranges, 4);
  const fieldCount = load<u32>(plan, PLAN_FIELD_COUNT);
  for (let field: u32 = 0; field < fieldCount; field++) store<u32>(first + <usize>field * JOINED_BYTES, 0, JOINED_ENTRY);
  for (let range = <usize>load<u32>(ranges); range < rangesEnd; range += PLAN_RANGE_BYTES) {
    const low = load<u32>(range);
    const high = load<u32>(range, 4);
    if (high - low > RANGE_ENTRIES_MAX) return false;
    for (let i = low; i < high; i++) {
      const entry = entries + <usize>i * ENTRY_BYTES;
      const field = <usize>load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD));
      if (field == PLAN_NO_FIELD) continue;
      const joined = first + field * JOINED_BYTES;
      if (load<u32>(joined, JOINED_ENTRY) != 0) return false;
      if (!noteList(joined, plan, segment, entry, field, load<u32>(range, 8), chunks, bounds)) return false;
    }
  }
  return true;
}

/** Notes the list of `entry` in `joined`; false when it cannot be joined. The rest as for findJoined. */
@inline
function noteList(
  joined: usize, plan: usize, segment: usize, entry: usize, field: usize, weight: u32, chunks: u32, bounds: usize,
): bool {
  store<u32>(joined, <u32>entry, JOINED_ENTRY);
  const scale = load<f32>(<usize>load<u32>(plan, PLAN_SCALES) + (field << 2));
  store<f32>(joined, load<f32>(<usize>load<u32>(plan, PLAN_WEIGHTS) + (<usize>weight << 2)) * scale, JOINED_WEIGHT);
  store<u32>(joined, load<u32>(plan, PLAN_LUT) + <u32>(field << 10), JOINED_TABLE);
  store<u32>(joined, <u32>(bounds + (field << 10)), JOINED_BOUNDS);
  if (load<u8>(entry, ENTRY_KIND) != ENTRY_KIND_CHUNKED) return true;
  const list = segment + load<u32>(entry, ENTRY_LIST);
  const end = list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES;
  store<u32>(joined, <u32>(list + 4), JOINED_NEXT);
  store<u32>(joined, <u32>end, JOINED_END);
  return isJoinable(list + 4, end);
}

/** No posting of the list scores more that has no impact above `impact`. */
@inline
export function boundOfImpact(joined: usize, impact: u32): f32 {
  return load<f32>(joined, JOINED_WEIGHT) * load<f32>(<usize>load<u32>(joined, JOINED_BOUNDS) + (<usize>impact << 2));
}

/** Goes on to chunk number `chunk` in a list without chunks: copies what of it lies there. */
function enterShort(joined: usize, entry: usize, segment: usize, chunk: u32): void {
  const isSingle = load<u8>(entry, ENTRY_KIND) == ENTRY_KIND_SINGLE;
  const df: u32 = isSingle ? 1 : min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX);
  const docs = isSingle ? entry + ENTRY_LIST : segment + load<u32>(entry, ENTRY_LIST);
  const impacts = isSingle ? entry + ENTRY_MAX_IMPACT : docs + (df << 2);
  let n: u32 = 0;
  for (let i: u32 = 0; i < df; i++) n += u32(load<u32>(docs + (i << 2)) >> 16 == chunk);
  if (n == 0) return;
  const data = joined + JOINED_SHORT;
  let best: u32 = 0;
  let count: u32 = 0;
  for (let i: u32 = 0; i < df; i++) {
    const doc = load<u32>(docs + (i << 2));
    if (doc >> 16 != chunk) continue;
    const impact = <u32>load<u8>(impacts + i);
    store<u16>(data + (count << 1), doc);
    store<u8>(data + (n << 1) + count, impact);
    best = max(best, impact);
    count++;
  }
  store<u8>(data + n * 3, best);
  store<u32>(joined, <u32>data, JOINED_DATA);
  store<u32>(joined, n, JOINED_COUNT);
  store<f32>(joined, boundOfImpact(joined, best), JOINED_CHUNK_BOUND);
}

/** Goes on to chunk number `chunk` of the segment; chunks ascend. */
export function enterJoined(joined: usize, segment: usize, chunk: u32): void {
  store<u32>(joined, 0, JOINED_COUNT);
  store<u32>(joined, 0, JOINED_FLAG);
  const entry = <usize>load<u32>(joined, JOINED_ENTRY);
  if (entry == 0) return;
  if (load<u8>(entry, ENTRY_KIND) != ENTRY_KIND_CHUNKED) {
    enterShort(joined, entry, segment, chunk);
    return;
  }
  const end = <usize>load<u32>(joined, JOINED_END);
  let at = <usize>load<u32>(joined, JOINED_NEXT);
  while (at < end && <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) < chunk) at += CHUNK_ENTRY_BYTES;
  store<u32>(joined, <u32>at, JOINED_NEXT);
  if (at >= end || <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) != chunk) return;
  store<u32>(joined, <u32>segment + load<u32>(at, CHUNK_ENTRY_DATA), JOINED_DATA);
  store<u32>(joined, min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS), JOINED_COUNT);
  store<u32>(joined, itemFlag(load<u8>(at, CHUNK_ENTRY_KIND)), JOINED_FLAG);
  store<f32>(joined, boundOfImpact(joined, load<u8>(at, CHUNK_ENTRY_MAX_IMPACT)), JOINED_CHUNK_BOUND);
}

/** Gives the records from `first` to `end` their places by falling bound. */
export function orderJoined(first: usize, end: usize): void {
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const bound = load<f32>(joined, JOINED_BOUND);
    let place: u32 = 0;
    for (let other = first; other < end; other += JOINED_BYTES) {
      const rival = load<f32>(other, JOINED_BOUND);
      place += u32(rival > bound || (rival == bound && other < joined));
    }
    store<u32>(joined, place, JOINED_PLACE);
  }
}

/** The record of place `place`. */
export function joinedAt(first: usize, place: u32): usize {
  let joined = first;
  while (load<u32>(joined, JOINED_PLACE) != place) joined += JOINED_BYTES;
  return joined;
}
