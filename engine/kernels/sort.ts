/**
 * Kernels of sorting: from a list of a chunk's documents, keep those that can still enter the best documents.
 *
 * Called by query/sort/candidate-filter.ts, a block of the list and one sort key at a time. Each splits the block into
 * the documents better than a bound and those equal to it, in list order, and drops the rest. Never writes anything but
 * its two output lists. Both lists are u16 documents within the chunk, with room for `count` each.
 */
import {
  COLUMN_BASE,
  COLUMN_CODES,
  COLUMN_FLAG_MULTI,
  COLUMN_FLAGS,
  COLUMN_MAX_CODE,
  COLUMN_PRESENT,
  COLUMN_STARTS,
  COLUMN_WIDTH,
} from '../layout/columns';

/** Two counts below 65536 in one word: low half better, high half equal. */
function pack(better: u32, ties: u32): u32 {
  return better | (ties << 16);
}

/** 1 when the document's bit is set. */
function bit(bits: usize, doc: u32): u32 {
  return (<u32>load<u8>(bits + (doc >> 3)) >> (doc & 7)) & 1;
}

/**
 * Splits by score. `scores` is f32 by document of the chunk, all finite and >= 0; `descending` 1: larger is better.
 * Returns better | ties << 16; `count` is below 65536.
 */
export function splitByScore(
  list: usize,
  count: u32,
  scores: usize,
  bound: f32,
  descending: u32,
  betterPtr: usize,
  tiesPtr: usize,
): u32 {
  // Floats >= 0 order as their bits do, and flipping the bits reverses the order.
  const flip: u32 = descending ? 0xffffffff : 0;
  const limit = reinterpret<u32>(bound) ^ flip;
  let better: u32 = 0;
  let ties: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u16>(list + ((<usize>i) << 1));
    const rank = load<u32>(scores + ((<usize>doc) << 2)) ^ flip;
    // Most documents of a long list lose, which a branch predictor learns.
    if (rank > limit) continue;
    store<u16>(betterPtr + ((<usize>better) << 1), doc);
    better += u32(rank < limit);
    store<u16>(tiesPtr + ((<usize>ties) << 1), doc);
    ties += u32(rank === limit);
  }
  return pack(better, ties);
}

/** Single-valued codes of width sizeof<T>; `codes` and `present` (0: all have a value) already point at the chunk. */
function splitSingle<T>(
  list: usize,
  count: u32,
  codes: usize,
  present: usize,
  flip: u64,
  limit: u64,
  betterPtr: usize,
  tiesPtr: usize,
): u32 {
  let better: u32 = 0;
  let ties: u32 = 0;
  if (present === 0) {
    for (let i: u32 = 0; i < count; i++) {
      const doc = load<u16>(list + ((<usize>i) << 1));
      const rank = <u64>load<T>(codes + ((<usize>doc) << alignof<T>())) ^ flip;
      if (rank > limit) continue;
      store<u16>(betterPtr + ((<usize>better) << 1), doc);
      better += u32(rank < limit);
      store<u16>(tiesPtr + ((<usize>ties) << 1), doc);
      ties += u32(rank === limit);
    }
    return pack(better, ties);
  }
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u16>(list + ((<usize>i) << 1));
    const has = bit(present, doc);
    const rank = <u64>load<T>(codes + ((<usize>doc) << alignof<T>())) ^ flip;
      if (rank > limit) continue;
    store<u16>(betterPtr + ((<usize>better) << 1), doc);
    better += u32(rank < limit) & has;
    store<u16>(tiesPtr + ((<usize>ties) << 1), doc);
    ties += u32(rank === limit) & has;
  }
  return pack(better, ties);
}

/** Multi-valued codes: the first code of a document when `last` is 0, its last code when 1. `starts` points at the chunk. */
function splitMulti<T>(
  list: usize,
  count: u32,
  codes: usize,
  starts: usize,
  last: u32,
  flip: u64,
  limit: u64,
  betterPtr: usize,
  tiesPtr: usize,
): u32 {
  let better: u32 = 0;
  let ties: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u16>(list + ((<usize>i) << 1));
    const start = load<u32>(starts + ((<usize>doc) << 2));
    const end = load<u32>(starts + ((<usize>doc) << 2) + 4);
    if (start === end) continue;
    const index = last ? end - 1 : start;
    const rank = <u64>load<T>(codes + ((<usize>index) << alignof<T>())) ^ flip;
      if (rank > limit) continue;
    store<u16>(betterPtr + ((<usize>better) << 1), doc);
    better += u32(rank < limit);
    store<u16>(tiesPtr + ((<usize>ties) << 1), doc);
    ties += u32(rank === limit);
  }
  return pack(better, ties);
}

/**
 * Splits by whether the document has a value in the column at absolute address `column` of the segment at `segment`:
 * better = it has one, ties = it has none. Returns better | ties << 16; `count` is below 65536.
 */
export function splitByPresence(
  list: usize,
  count: u32,
  chunkBase: u32,
  segment: usize,
  column: usize,
  betterPtr: usize,
  tiesPtr: usize,
): u32 {
  const multi = (load<u32>(column + COLUMN_FLAGS) & COLUMN_FLAG_MULTI) !== 0;
  const starts = segment + load<u32>(column + COLUMN_STARTS) + ((<usize>chunkBase) << 2);
  const presentOffset = load<u32>(column + COLUMN_PRESENT);
  const present = segment + presentOffset + (chunkBase >> 3);
  let better: u32 = 0;
  let ties: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u16>(list + ((<usize>i) << 1));
    let has: u32 = 1;
    if (multi) {
      const start = starts + ((<usize>doc) << 2);
      has = u32(load<u32>(start) !== load<u32>(start, 4));
    } else if (presentOffset !== 0) {
      has = bit(present, doc);
    }
    store<u16>(betterPtr + ((<usize>better) << 1), doc);
    better += has;
    store<u16>(tiesPtr + ((<usize>ties) << 1), doc);
    ties += has ^ 1;
  }
  return pack(better, ties);
}

/**
 * Splits by the value of the column at absolute address `column` of the segment at `segment` against the key
 * (keyHi, keyLo) of layout/columns.ts; keywords: the ordinal. Ascending compares a document's smallest value, descending
 * its largest; a document without a value is dropped. Returns better | ties << 16; `count` is below 65536.
 */
export function splitByColumn(
  list: usize,
  count: u32,
  chunkBase: u32,
  segment: usize,
  column: usize,
  descending: u32,
  keyHi: i32,
  keyLo: u32,
  betterPtr: usize,
  tiesPtr: usize,
): u32 {
  const key = ((<i64>keyHi) << 32) | <i64>(<u64>keyLo);
  const base = load<i64>(column + COLUMN_BASE);
  const below = key < base;
  const above = !below && <u64>(key - base) > load<u64>(column + COLUMN_MAX_CODE);
  if (below || above) {
    // Every value of the column is on one side of the key.
    if (below !== (descending !== 0)) return 0;
    return splitByPresence(list, count, chunkBase, segment, column, betterPtr, tiesPtr) & 0xffff;
  }
  const flip: u64 = descending ? u64.MAX_VALUE : 0;
  const limit = <u64>(key - base) ^ flip;
  const width = load<u32>(column + COLUMN_WIDTH);
  const codes = segment + load<u32>(column + COLUMN_CODES);
  if (load<u32>(column + COLUMN_FLAGS) & COLUMN_FLAG_MULTI) {
    const starts = segment + load<u32>(column + COLUMN_STARTS) + ((<usize>chunkBase) << 2);
    if (width === 1) return splitMulti<u8>(list, count, codes, starts, descending, flip, limit, betterPtr, tiesPtr);
    if (width === 2) return splitMulti<u16>(list, count, codes, starts, descending, flip, limit, betterPtr, tiesPtr);
    if (width === 4) return splitMulti<u32>(list, count, codes, starts, descending, flip, limit, betterPtr, tiesPtr);
    return splitMulti<u64>(list, count, codes, starts, descending, flip, limit, betterPtr, tiesPtr);
  }
  const presentOffset = load<u32>(column + COLUMN_PRESENT);
  const present: usize = presentOffset === 0 ? 0 : segment + presentOffset + (chunkBase >> 3);
  const chunkCodes = codes + <usize>chunkBase * width;
  if (width === 1) return splitSingle<u8>(list, count, chunkCodes, present, flip, limit, betterPtr, tiesPtr);
  if (width === 2) return splitSingle<u16>(list, count, chunkCodes, present, flip, limit, betterPtr, tiesPtr);
  if (width === 4) return splitSingle<u32>(list, count, chunkCodes, present, flip, limit, betterPtr, tiesPtr);
  return splitSingle<u64>(list, count, chunkCodes, present, flip, limit, betterPtr, tiesPtr);
}

/** Copies the documents below `docEnd` to `out` and returns how many they are. */
export function selectBelow(list: usize, count: u32, docEnd: u32, out: usize): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u16>(list + ((<usize>i) << 1));
    store<u16>(out + ((<usize>kept) << 1), doc);
    kept += u32(<u32>doc < docEnd);
  }
  return kept;
}

function greatestCommonDivisor(a: u32, b: u32): u32 {
  while (b !== 0) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/** Copies the list to `out` in an order that has nothing to do with its own: by steps of about 0.618 of it. */
export function spreadList(list: usize, count: u32, out: usize): void {
  let step = <u32>(0.618 * <f64>count) | 1;
  while (greatestCommonDivisor(step, count) !== 1) step += 2;
  step %= count;
  let from: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    store<u16>(out + ((<usize>i) << 1), load<u16>(list + ((<usize>from) << 1)));
    from += step;
    if (from >= count) from -= count;
  }
}
