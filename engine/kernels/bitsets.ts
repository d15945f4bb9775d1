/**
 * Bitsets of one chunk of documents: CHUNK_BITSET_BYTES bytes, one bit a document, least significant first. Used by
 * filters and by whoever combines their result. `count` is the chunk's number of documents; bits past it stay 0.
 *
 * Sources other than `out` may be sections of a segment: they are read up to the next multiple of 128 documents only,
 * which lies within the padding of a section.
 */
import { CHUNK_BITSET_BYTES } from '../layout/scratch';

/** Bytes that hold `count` bits, in whole vectors. */
@inline
function vectorBytes(count: u32): usize {
  return ((count + 127) >> 7) << 4;
}

/** Clears the bits of `out` from `count` up to the next multiple of 128. */
function clearTail(out: usize, count: u32): void {
  const word = out + ((count >> 6) << 3);
  const bits = count & 63;
  if ((count & 127) == 0) return;
  store<u64>(word, load<u64>(word) & (((1 as u64) << bits) - 1));
  if ((count & 64) == 0) store<u64>(word, 0, 8);
}

/** Clears `out`. */
export function bitsetClear(out: usize): void {
  memory.fill(out, 0, CHUNK_BITSET_BYTES);
}

/** Sets the first `count` bits of `out` and clears the others. */
export function bitsetFill(out: usize, count: u32): void {
  const bytes = vectorBytes(count);
  memory.fill(out, 0xff, bytes);
  memory.fill(out + bytes, 0, (CHUNK_BITSET_BYTES as usize) - bytes);
  clearTail(out, count);
}

/** Copies the first `count` bits of `from` to `out` and clears the others. */
export function bitsetCopy(out: usize, from: usize, count: u32): void {
  const bytes = vectorBytes(count);
  memory.copy(out, from, bytes);
  memory.fill(out + bytes, 0, (CHUNK_BITSET_BYTES as usize) - bytes);
  clearTail(out, count);
}

/** out &= other. */
export function bitsetAnd(out: usize, other: usize, count: u32): void {
  const end = vectorBytes(count);
  for (let i: usize = 0; i < end; i += 16) {
    v128.store(out + i, v128.and(v128.load(out + i), v128.load(other + i)));
  }
}

/**
 * The address of the bits of both sets, either of which may be 0 for all documents: `filter`, whose bits past `count` are 0, or `out`,
 * which is overwritten.
 */
export function bitsetMeet(out: usize, live: usize, filter: usize, count: u32): usize {
  if (live === 0 && filter !== 0) return filter;
  if (live === 0) bitsetFill(out, count);
  else bitsetCopy(out, live, count);
  if (filter !== 0) bitsetAnd(out, filter, count);
  return out;
}

/** out |= other, whose bits past `count` are 0. */
export function bitsetOr(out: usize, other: usize, count: u32): void {
  const end = vectorBytes(count);
  for (let i: usize = 0; i < end; i += 16) {
    v128.store(out + i, v128.or(v128.load(out + i), v128.load(other + i)));
  }
}

/** out = universe & ~out; a `universe` of 0 stands for every document. */
export function bitsetComplement(out: usize, universe: usize, count: u32): void {
  const end = vectorBytes(count);
  if (universe == 0) {
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, v128.not(v128.load(out + i)));
    clearTail(out, count);
    return;
  }
  for (let i: usize = 0; i < end; i += 16) {
    v128.store(out + i, v128.andnot(v128.load(universe + i), v128.load(out + i)));
  }
}

/** Clears the bits of the documents of list u16[n]. */
export function bitsetRemove(out: usize, list: usize, n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    const at = out + (d >> 3);
    store<u8>(at, <u32>load<u8>(at) & ~(<u32>1 << (d & 7)));
  }
}

/** Number of bits set among the first `count`. */
export function bitsetCount(bits: usize, count: u32): u32 {
  const end = vectorBytes(count);
  let total: u64 = 0;
  for (let i: usize = 0; i < end; i += 8) total += popcnt<u64>(load<u64>(bits + i));
  return total as u32;
}

/** 1 when no bit is set among the first `count`, else 0. */
export function bitsetIsEmpty(bits: usize, count: u32): u32 {
  const end = vectorBytes(count);
  for (let i: usize = 0; i < end; i += 16) {
    if (v128.any_true(v128.load(bits + i))) return 0;
  }
  return 1;
}
