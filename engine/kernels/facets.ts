/**
 * Kernels of faceting: how often each value occurs among a list of a chunk's documents, or among those whose bits are set; and which
 * values occur at all.
 *
 * Called by query/facets/segment-counts.ts, a chunk at a time. The codes of a multi-valued document are distinct, so a
 * document counts once a value by itself. Documents without a value count nowhere.
 */
import {
  COLUMN_CODES,
  COLUMN_FLAG_MULTI,
  COLUMN_FLAGS,
  COLUMN_PRESENT,
  COLUMN_STARTS,
  COLUMN_VALUE_COUNT,
  COLUMN_WIDTH,
} from '../layout/columns';

/** Up to this many codes of a column are counted one after the other, 64 documents at a time. */
const FEW_CODES: u32 = 8;

/** A code of a damaged column may be any: it is counted where nobody looks, not outside of the counters. */
@inline
function bounded<T>(code: u32, codeCount: u32): u32 {
  return sizeof<T>() == 4 ? min(code, codeCount) : code;
}

function increment(counts: usize, code: u32, by: u32): void {
  const at = counts + ((<usize>code) << 2);
  store<u32>(at, load<u32>(at) + by);
}

/** Codes of width sizeof<T>; `codes` and `present` (0: all have a value) already point at the chunk. */
function countSingle<T>(list: usize, count: u32, codes: usize, present: usize, counts: usize, codeCount: u32): void {
  if (present === 0) {
    for (let i: u32 = 0; i < count; i++) {
      const doc = load<u16>(list + ((<usize>i) << 1));
      increment(counts, bounded<T>(<u32>load<T>(codes + ((<usize>doc) << alignof<T>())), codeCount), 1);
    }
    return;
  }
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u16>(list + ((<usize>i) << 1));
    const has = (<u32>load<u8>(present + (doc >> 3)) >> (doc & 7)) & 1;
    // A document without the field has code 0, which is a counter too: adding 0 to it costs less than a branch.
    increment(counts, bounded<T>(<u32>load<T>(codes + ((<usize>doc) << alignof<T>())), codeCount), has);
  }
}

/** Multi-valued codes of width sizeof<T>; `starts` already points at the chunk. */
function countMulti<T>(
  list: usize,
  count: u32,
  codes: usize,
  starts: usize,
  valueCount: u32,
  counts: usize,
  codeCount: u32,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u16>(list + ((<usize>i) << 1));
    const at = starts + ((<usize>doc) << 2);
    const end = min(load<u32>(at, 4), valueCount);
    for (let index = load<u32>(at); index < end; index++) {
      increment(counts, bounded<T>(<u32>load<T>(codes + ((<usize>index) << alignof<T>())), codeCount), 1);
    }
  }
}

/** Codes of width sizeof<T> of the documents whose bits are set; as countSingle() otherwise. */
function countSingleBits<T>(bits: usize, docs: u32, codes: usize, present: usize, counts: usize, codeCount: u32): void {
  for (let i: u32 = 0; i < docs; i += 64) {
    let word = load<u64>(bits + (i >> 3));
    if (present !== 0) word &= load<u64>(present + (i >> 3));
    const block = codes + ((<usize>i) << alignof<T>());
    while (word !== 0) {
      const at = block + ((<usize>ctz(word)) << alignof<T>());
      increment(counts, bounded<T>(<u32>load<T>(at), codeCount), 1);
      word &= word - 1;
    }
  }
}

/** Codes of width sizeof<T> of the documents whose bits are set; as countMulti() otherwise. */
function countMultiBits<T>(
  bits: usize,
  docs: u32,
  codes: usize,
  starts: usize,
  valueCount: u32,
  counts: usize,
  codeCount: u32,
): void {
  for (let i: u32 = 0; i < docs; i += 64) {
    let word = load<u64>(bits + (i >> 3));
    while (word !== 0) {
      const at = starts + ((<usize>i + <usize>ctz(word)) << 2);
      word &= word - 1;
      const end = min(load<u32>(at, 4), valueCount);
      for (let index = load<u32>(at); index < end; index++) {
        increment(counts, bounded<T>(<u32>load<T>(codes + ((<usize>index) << alignof<T>())), codeCount), 1);
      }
    }
  }
}

/** Which of the 64 codes at `codes` are `code`, 16 times. */
@inline
function equal64(codes: usize, code: v128): u64 {
  const a = <u64>i8x16.bitmask(i8x16.eq(v128.load(codes), code));
  const b = <u64>i8x16.bitmask(i8x16.eq(v128.load(codes, 16), code));
  const c = <u64>i8x16.bitmask(i8x16.eq(v128.load(codes, 32), code));
  const d = <u64>i8x16.bitmask(i8x16.eq(v128.load(codes, 48), code));
  return a | (b << 16) | (c << 32) | (d << 48);
}

/**
 * As countSingleBits<u8>() for few codes: those of 64 documents are compared at once, and bits counted. What is no other code is
 * code 0. The codes lie at a multiple of 64 bytes and are padded to one.
 */
function countFewBits(bits: usize, docs: u32, codes: usize, present: usize, counts: usize, codeCount: u32): void {
  let rest: u32 = 0;
  for (let i: u32 = 0; i < docs; i += 64) {
    let word = load<u64>(bits + (i >> 3));
    if (present !== 0) word &= load<u64>(present + (i >> 3));
    rest += <u32>popcnt(word);
  }
  for (let code: u32 = 1; code < codeCount; code++) {
    const wanted = i8x16.splat(<i8>code);
    let count: u32 = 0;
    for (let i: u32 = 0; i < docs; i += 64) {
      let word = load<u64>(bits + (i >> 3)) & equal64(codes + i, wanted);
      if (present !== 0) word &= load<u64>(present + (i >> 3));
      count += <u32>popcnt(word);
    }
    increment(counts, code, count);
    rest -= count;
  }
  increment(counts, 0, rest);
}

/** Codes of width sizeof<T> of the n documents of a list at `docs`, or of those of n documents whose bits are set there. */
function countWidth<T>(
  docs: usize, n: u32, areBits: bool, chunkBase: u32, segment: usize, column: usize, counts: usize, codeCount: u32,
): void {
  const codes = segment + load<u32>(column + COLUMN_CODES);
  if (load<u32>(column + COLUMN_FLAGS) & COLUMN_FLAG_MULTI) {
    const values = load<u32>(column + COLUMN_VALUE_COUNT);
    const starts = segment + load<u32>(column + COLUMN_STARTS) + ((<usize>chunkBase) << 2);
    if (areBits) countMultiBits<T>(docs, n, codes, starts, values, counts, codeCount);
    else countMulti<T>(docs, n, codes, starts, values, counts, codeCount);
    return;
  }
  const presentOffset = load<u32>(column + COLUMN_PRESENT);
  const present: usize = presentOffset === 0 ? 0 : segment + presentOffset + (chunkBase >> 3);
  const chunkCodes = codes + ((<usize>chunkBase) << alignof<T>());
  if (!areBits) countSingle<T>(docs, n, chunkCodes, present, counts, codeCount);
  else if (sizeof<T>() == 1 && codeCount <= FEW_CODES) countFewBits(docs, n, chunkCodes, present, counts, codeCount);
  else countSingleBits<T>(docs, n, chunkCodes, present, counts, codeCount);
}

/** As countWidth(), of the column's width. */
function countColumn(
  docs: usize, n: u32, areBits: bool, chunkBase: u32, segment: usize, column: usize, counts: usize, codeCount: u32,
): void {
  const width = load<u32>(column + COLUMN_WIDTH);
  if (width === 1) countWidth<u8>(docs, n, areBits, chunkBase, segment, column, counts, codeCount);
  else if (width === 2) countWidth<u16>(docs, n, areBits, chunkBase, segment, column, counts, codeCount);
  else countWidth<u32>(docs, n, areBits, chunkBase, segment, column, counts, codeCount);
}

/**
 * Adds the values of the listed documents to `counts`, u32 by code. `list` holds `count` u16 documents of the chunk that
 * begins at document `chunkBase`; the column lies at absolute address `column` of the segment at `segment`, and its
 * width is 1, 2 or 4. `counts` has room for `codeCount` codes and one more; at widths 1 and 2 for every code there is.
 */
export function countCodes(
  list: usize, count: u32, chunkBase: u32, segment: usize, column: usize, counts: usize, codeCount: u32,
): void {
  countColumn(list, count, false, chunkBase, segment, column, counts, codeCount);
}

/**
 * As countCodes(), for the documents whose bits are set among the `docs` of the chunk; bits past them, up to a multiple of 64, are 0.
 */
export function countCodesOfBits(
  bits: usize, docs: u32, chunkBase: u32, segment: usize, column: usize, counts: usize, codeCount: u32,
): void {
  countColumn(bits, docs, true, chunkBase, segment, column, counts, codeCount);
}

/**
 * Of the codes from `from` to `to`, those that `counts`, u32 by code, has counted: to codes u32[] and, how often, to out u32[]; returns
 * how many there are.
 */
export function takeCounts(counts: usize, from: u32, to: u32, codes: usize, out: usize): u32 {
  const zero = i32x4.splat(0);
  let n: usize = 0;
  let code = from;
  for (; code + 16 <= to; code += 16) {
    const at = counts + (<usize>code << 2);
    let mask: u32 =
      i32x4.bitmask(i32x4.ne(v128.load(at), zero)) |
      (i32x4.bitmask(i32x4.ne(v128.load(at, 16), zero)) << 4) |
      (i32x4.bitmask(i32x4.ne(v128.load(at, 32), zero)) << 8) |
      (i32x4.bitmask(i32x4.ne(v128.load(at, 48), zero)) << 12);
    for (; mask; mask &= mask - 1) {
      const i = ctz(mask);
      store<u32>(codes + (n << 2), code + i);
      store<u32>(out + (n++ << 2), load<u32>(at + (<usize>i << 2)));
    }
  }
  for (; code < to; code++) {
    const count = load<u32>(counts + (<usize>code << 2));
    store<u32>(codes + (n << 2), code);
    store<u32>(out + (n << 2), count);
    n += usize(count != 0);
  }
  return <u32>n;
}

/** Adds the `codeCount` counts at `from`, u32 by code, to those at `to`. */
export function addCounts(to: usize, from: usize, codeCount: u32): void {
  let code: u32 = 0;
  for (; code + 4 <= codeCount; code += 4) {
    const at = <usize>code << 2;
    v128.store(to + at, i32x4.add(v128.load(to + at), v128.load(from + at)));
  }
  for (; code < codeCount; code++) {
    const at = <usize>code << 2;
    store<u32>(to + at, load<u32>(to + at) + load<u32>(from + at));
  }
}

/** Sets `bytes` bytes from `ptr` on to zero. */
export function clearCounts(ptr: usize, bytes: u32): void {
  memory.fill(ptr, 0, bytes);
}
