/**
 * Filters over columns: which documents of a chunk have a code in a range, in a set of ranges, or in a table. Called by
 * query/filter; the bytes of a column are drawn in layout/columns.ts.
 *
 * Each ORs raw bits into `out`, a chunk's bitset: bit i stands for document `first` + i, `first` being a multiple of
 * CHUNK_DOCS. A single-valued document without the field may get a bit, because its code is 0: the caller clears it with
 * the present bits. Codes are unsigned; 64-bit bounds come as two 32-bit halves.
 */
import { ZONE_BYTES, ZONE_DOCS, ZONE_MAX, ZONE_MIN } from '../layout/columns';

@inline
function join(lo: u32, hi: u32): u64 {
  return ((hi as u64) << 32) | (lo as u64);
}

@inline
function smaller(a: u32, b: u32): u32 {
  return a < b ? a : b;
}

/** Bits 0..15: which of the 16 codes at `ptr` lie in [lo, lo + span]. One unsigned compare tells: code - lo <= span. */
@inline
function match16<T>(ptr: usize, lo: v128, span: v128): u32 {
  if (sizeof<T>() == 1) {
    return i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(ptr), lo), span));
  } else if (sizeof<T>() == 2) {
    const a = i16x8.le_u(i16x8.sub(v128.load(ptr), lo), span);
    const b = i16x8.le_u(i16x8.sub(v128.load(ptr, 16), lo), span);
    return i8x16.bitmask(i8x16.narrow_i16x8_s(a, b));
  } else if (sizeof<T>() == 4) {
    const a = i32x4.le_u(i32x4.sub(v128.load(ptr), lo), span);
    const b = i32x4.le_u(i32x4.sub(v128.load(ptr, 16), lo), span);
    const c = i32x4.le_u(i32x4.sub(v128.load(ptr, 32), lo), span);
    const d = i32x4.le_u(i32x4.sub(v128.load(ptr, 48), lo), span);
    return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
  } else {
    const ab = match4of8(ptr, lo, span);
    const cd = match4of8(ptr + 32, lo, span);
    const ef = match4of8(ptr + 64, lo, span);
    const gh = match4of8(ptr + 96, lo, span);
    return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(ab, cd), i16x8.narrow_i32x4_s(ef, gh)));
  }
}

/**
 * Four 64-bit codes as four 32-bit masks. Wasm compares 64-bit lanes as signed only, so `lo` comes with the sign bit
 * flipped, and so does `span`.
 */
@inline
function match4of8(ptr: usize, lo: v128, span: v128): v128 {
  const a = i64x2.le_s(i64x2.sub(v128.load(ptr), lo), span);
  const b = i64x2.le_s(i64x2.sub(v128.load(ptr, 16), lo), span);
  return v128.shuffle<i32>(a, b, 0, 2, 4, 6);
}

@inline
function splatLo<T>(lo: u64): v128 {
  if (sizeof<T>() == 8) return i64x2.splat((lo ^ 0x8000000000000000) as i64);
  if (sizeof<T>() == 4) return i32x4.splat(lo as i32);
  if (sizeof<T>() == 2) return i16x8.splat(lo as i16);
  return i8x16.splat(lo as i8);
}

@inline
function splatSpan<T>(span: u64): v128 {
  if (sizeof<T>() == 8) return i64x2.splat((span ^ 0x8000000000000000) as i64);
  if (sizeof<T>() == 4) return i32x4.splat(span as i32);
  if (sizeof<T>() == 2) return i16x8.splat(span as i16);
  return i8x16.splat(span as i8);
}

/** Sets bits [from, to) of `out`, `from` a multiple of 64. */
function fillBits(out: usize, from: u32, to: u32): void {
  const whole = to & ~63;
  memory.fill(out + (from >> 3), 0xff, (whole - from) >> 3);
  if (whole == to) return;
  const word = out + (whole >> 3);
  store<u64>(word, load<u64>(word) | (((1 as u64) << (to & 63)) - 1));
}

/** ORs the matches of documents [from, to) of the chunk, `from` a multiple of 64; `codes` is that of the chunk's first. */
@inline
function rangeBits<T>(out: usize, codes: usize, from: u32, to: u32, lo: u64, span: u64): void {
  const loVector = splatLo<T>(lo);
  const spanVector = splatSpan<T>(span);
  const whole = to & ~15;
  let at = codes + (from as usize) * sizeof<T>();
  for (let doc = from; doc < whole; doc += 16) {
    const word = out + (doc >> 3);
    store<u16>(word, load<u16>(word) | (match16<T>(at, loVector, spanVector) as u16));
    at += 16 * sizeof<T>();
  }
  for (let doc = whole; doc < to; doc++) {
    if ((load<T>(at) as u64) - lo <= span) {
      const byte = out + (doc >> 3);
      store<u8>(byte, load<u8>(byte) | ((1 as u8) << ((doc & 7) as u8)));
    }
    at += sizeof<T>();
  }
}

@inline
function matchRange<T>(out: usize, codes: usize, zones: usize, first: u32, count: u32, lo: u64, hi: u64): void {
  const chunkCodes = codes + (first as usize) * sizeof<T>();
  let zone = zones + ((first / ZONE_DOCS) as usize) * ZONE_BYTES;
  for (let from: u32 = 0; from < count; from += ZONE_DOCS) {
    const to = smaller(count, from + ZONE_DOCS);
    const min = load<u64>(zone, ZONE_MIN);
    const max = load<u64>(zone, ZONE_MAX);
    zone += ZONE_BYTES;
    // An empty zone has min > max: it is either skipped here or filled, and then cleared by the present bits.
    if (max < lo || min > hi) continue;
    if (min >= lo && max <= hi) fillBits(out, from, to);
    else rangeBits<T>(out, chunkCodes, from, to, lo, hi - lo);
  }
}

/** As columnMatchRange(), for kernels; `first` may be any multiple of ZONE_DOCS. */
export function matchCodes(
  out: usize,
  codes: usize,
  width: u32,
  zones: usize,
  first: u32,
  count: u32,
  lo: u64,
  hi: u64,
): void {
  if (width == 1) matchRange<u8>(out, codes, zones, first, count, lo, hi);
  else if (width == 2) matchRange<u16>(out, codes, zones, first, count, lo, hi);
  else if (width == 4) matchRange<u32>(out, codes, zones, first, count, lo, hi);
  else matchRange<u64>(out, codes, zones, first, count, lo, hi);
}

/** Single-valued column: documents [first, first + count) whose code lies in [lo, hi]. `width` is the code's bytes. */
export function columnMatchRange(
  out: usize,
  codes: usize,
  width: u32,
  zones: usize,
  first: u32,
  count: u32,
  loLo: u32,
  loHi: u32,
  hiLo: u32,
  hiHi: u32,
): void {
  matchCodes(out, codes, width, zones, first, count, join(loLo, loHi), join(hiLo, hiHi));
}

/**
 * The document, from `doc` on and before `past`, that owns the code at `index`: the last one whose start is at or before
 * it. Steps of 64 documents first, since matches may be far apart.
 */
@inline
function ownerOf(starts: usize, doc: u32, past: u32, index: u32): u32 {
  let owner = doc;
  while (owner + 64 < past && load<u32>(starts + ((owner + 64) << 2)) <= index) owner += 64;
  while (owner + 1 < past && load<u32>(starts + ((owner + 1) << 2)) <= index) owner++;
  return owner;
}

@inline
function setBit(out: usize, doc: u32): void {
  const byte = out + (doc >> 3);
  store<u8>(byte, load<u8>(byte) | ((1 as u8) << ((doc & 7) as u8)));
}

/** Documents [from, to) of a multi-valued column by the matches among their values; `from` and `to` count from 0. */
@inline
function rangeOwners<T>(
  out: usize,
  codes: usize,
  starts: usize,
  first: u32,
  from: u32,
  to: u32,
  lo: u64,
  span: u64,
  valueCount: u32,
): void {
  const loVector = splatLo<T>(lo);
  const spanVector = splatSpan<T>(span);
  let index = load<u32>(starts + (from << 2));
  const end = smaller(load<u32>(starts + (to << 2)), valueCount);
  let doc = from;
  for (; index + 16 <= end; index += 16) {
    let matches = match16<T>(codes + (index as usize) * sizeof<T>(), loVector, spanVector);
    while (matches != 0) {
      doc = ownerOf(starts, doc, to, index + ctz<u32>(matches));
      setBit(out, doc - first);
      matches &= matches - 1;
    }
  }
  for (; index < end; index++) {
    if ((load<T>(codes + (index as usize) * sizeof<T>()) as u64) - lo > span) continue;
    doc = ownerOf(starts, doc, to, index);
    setBit(out, doc - first);
  }
}

@inline
function matchRangeMulti<T>(
  out: usize,
  codes: usize,
  starts: usize,
  zones: usize,
  first: u32,
  count: u32,
  lo: u64,
  hi: u64,
  valueCount: u32,
): void {
  let zone = zones + ((first / ZONE_DOCS) as usize) * ZONE_BYTES;
  const past = first + count;
  for (let from = first; from < past; from += ZONE_DOCS) {
    const to = smaller(past, from + ZONE_DOCS);
    const min = load<u64>(zone, ZONE_MIN);
    const max = load<u64>(zone, ZONE_MAX);
    zone += ZONE_BYTES;
    if (max < lo || min > hi) continue;
    if (min >= lo && max <= hi) fillBits(out, from - first, to - first);
    else rangeOwners<T>(out, codes, starts, first, from, to, lo, hi - lo, valueCount);
  }
}

/** Multi-valued column of `valueCount` codes: documents [first, first + count) with any code in [lo, hi]. */
export function columnMatchRangeMulti(
  out: usize,
  codes: usize,
  width: u32,
  starts: usize,
  valueCount: u32,
  zones: usize,
  first: u32,
  count: u32,
  loLo: u32,
  loHi: u32,
  hiLo: u32,
  hiHi: u32,
): void {
  const lo = join(loLo, loHi);
  const hi = join(hiLo, hiHi);
  if (width == 1) matchRangeMulti<u8>(out, codes, starts, zones, first, count, lo, hi, valueCount);
  else if (width == 2) matchRangeMulti<u16>(out, codes, starts, zones, first, count, lo, hi, valueCount);
  else if (width == 4) matchRangeMulti<u32>(out, codes, starts, zones, first, count, lo, hi, valueCount);
  else matchRangeMulti<u64>(out, codes, starts, zones, first, count, lo, hi, valueCount);
}

/**
 * 1 when `code` lies in one of the ascending, disjoint ranges {first u64, last u64}; else 0. Finds the last range that
 * begins at or before the code without a branch to mispredict.
 */
@inline
function inRanges(code: u64, ranges: usize, rangeCount: u32): u32 {
  let base = ranges;
  let left = rangeCount;
  while (left > 1) {
    const half = left >> 1;
    const middle = base + ((half as usize) << 4);
    base = select<usize>(middle, base, load<u64>(middle) <= code);
    left -= half;
  }
  return ((load<u64>(base) <= code) as u32) & ((code <= load<u64>(base, 8)) as u32);
}

/** 1 when `code` is in the set: a byte table when there is one, else ranges. */
@inline
function inSet<T>(at: usize, table: usize, ranges: usize, rangeCount: u32): u32 {
  if (sizeof<T>() < 8) {
    if (table != 0) return load<u8>(table + (load<T>(at) as usize));
  }
  return inRanges(load<T>(at) as u64, ranges, rangeCount);
}

@inline
function matchSet<T>(
  out: usize,
  codes: usize,
  starts: usize,
  valueCount: u32,
  zones: usize,
  first: u32,
  count: u32,
  table: usize,
  ranges: usize,
  rangeCount: u32,
): void {
  const lo = load<u64>(ranges);
  const hi = load<u64>(ranges + ((rangeCount as usize) << 4) - 8);
  let zone = zones + ((first / ZONE_DOCS) as usize) * ZONE_BYTES;
  const past = first + count;
  for (let from = first; from < past; from += ZONE_DOCS) {
    const to = smaller(past, from + ZONE_DOCS);
    const min = load<u64>(zone, ZONE_MIN);
    const max = load<u64>(zone, ZONE_MAX);
    zone += ZONE_BYTES;
    if (max < lo || min > hi) continue;
    for (let doc = from; doc < to; doc += 8) {
      const stop = smaller(to, doc + 8);
      let bits: u32 = 0;
      for (let one = doc; one < stop; one++) {
        let match: u32 = 0;
        if (starts == 0) {
          match = inSet<T>(codes + (one as usize) * sizeof<T>(), table, ranges, rangeCount);
        } else {
          const end = smaller(load<u32>(starts + ((one + 1) << 2)), valueCount);
          for (let index = load<u32>(starts + (one << 2)); index < end; index++) {
            match |= inSet<T>(codes + (index as usize) * sizeof<T>(), table, ranges, rangeCount);
          }
        }
        bits |= match << (one - doc);
      }
      const byte = out + ((doc - first) >> 3);
      store<u8>(byte, load<u8>(byte) | (bits as u8));
    }
  }
}

/**
 * Documents [first, first + count) with any code in a set. `ranges` holds `rangeCount` >= 1 ascending, disjoint ranges
 * {first u64, last u64}; `table`, when not 0, holds 1 for each code of the set and 0 for every other up to the largest
 * code of the column, whose width is then below 8. `starts` is 0 for a single-valued column.
 */
export function columnMatchSet(
  out: usize,
  codes: usize,
  width: u32,
  starts: usize,
  valueCount: u32,
  zones: usize,
  first: u32,
  count: u32,
  table: usize,
  ranges: usize,
  rangeCount: u32,
): void {
  if (width == 1) matchSet<u8>(out, codes, starts, valueCount, zones, first, count, table, ranges, rangeCount);
  else if (width == 2) matchSet<u16>(out, codes, starts, valueCount, zones, first, count, table, ranges, rangeCount);
  else if (width == 4) matchSet<u32>(out, codes, starts, valueCount, zones, first, count, table, ranges, rangeCount);
  else matchSet<u64>(out, codes, starts, valueCount, zones, first, count, table, ranges, rangeCount);
}
