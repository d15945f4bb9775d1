/**
 * Signatures of postings, and steps over their positions, for the kernels that read them. Layout: layout/postings.ts.
 */
import {
  ENTRY_DF,
  ENTRY_POSITIONS,
  ENTRY_SIGNED,
  POSITION_BLOCK,
  SIGNATURE_BEYOND,
} from '../layout/postings';

/** Stands for the signature of a posting that has none: it says nothing. */
export const SIGNATURE_UNKNOWN: u32 = 0xffff;

/** Address of the signatures of the entry at `entry`, u16 by posting; 0: it has none. */
@inline
export function signaturesOf(segment: usize, entry: usize): usize {
  return load<u8>(entry, ENTRY_SIGNED) ? segment + load<u32>(entry, ENTRY_POSITIONS) : 0;
}

/** Signature of posting `index`, below the entry's document frequency; SIGNATURE_UNKNOWN where there are none. */
@inline
export function signatureAt(segment: usize, entry: usize, index: u32): u32 {
  const signatures = signaturesOf(segment, entry);
  return signatures ? <u32>load<u16>(signatures + (<usize>index << 1)) : SIGNATURE_UNKNOWN;
}

/**
 * Whether `signature` says exactly where its token stands in the field: at the positions of its bits, 0 to SIGNATURE_BITS - 1,
 * and nowhere else.
 */
@inline
export function isExact(signature: u32): bool {
  return (signature & SIGNATURE_BEYOND) == 0;
}

/** Address of the position offset table of the entry, or of its stream when it has no table. */
@inline
export function positionsOf(segment: usize, entry: usize): usize {
  const positions = segment + load<u32>(entry, ENTRY_POSITIONS);
  return load<u8>(entry, ENTRY_SIGNED) ? positions + (<usize>((load<u32>(entry, ENTRY_DF) + 1) & ~1) << 1) : positions;
}

/** Address of block `block` of the entry's position stream. */
@inline
export function positionBlock(segment: usize, entry: usize, block: u32): usize {
  const df = load<u32>(entry, ENTRY_DF);
  const positions = positionsOf(segment, entry);
  if (df <= <u32>POSITION_BLOCK) return positions;
  const blocks = (df + POSITION_BLOCK - 1) / POSITION_BLOCK;
  return positions + ((<usize>blocks + 1) << 2) + load<u32>(positions + (<usize>block << 2));
}

/** Past the varint at p. */
@inline
function skipVarint(p: usize): usize {
  while (load<u8>(p) > 127) p++;
  return p + 1;
}

/** Past the encoded posting at p, or anywhere behind `end` when that comes first. */
@inline
function skipPosting(p: usize, end: usize): usize {
  if (load<u8>(p) & 1) return skipVarint(p);
  let byte = <u32>load<u8>(p++);
  let value = byte & 127;
  for (let shift: u32 = 7; byte > 127; shift += 7) {
    byte = <u32>load<u8>(p++);
    value |= (byte & 127) << shift;
  }
  for (let left = value >> 1; left > 0 && p < end; left--) p = skipVarint(p);
  return p;
}

/** Whether the first position of the encoded posting at p is 0. */
@inline
export function postingBegins(p: usize): bool {
  const head = <u32>load<u8>(p);
  return head & 1 ? head == 1 : head != 0 && load<u8>(skipVarint(p)) == 0;
}

/** Bits of the 64 bytes at p that are no posting by themselves: no varint of one byte that says it is the only position. */
@inline
function othersAt(p: usize): u64 {
  let others: u64 = 0;
  for (let i: u32 = 0; i < 64; i += 16) {
    const lone = i8x16.eq(v128.and(v128.load(p + i), i8x16.splat(<i8>0x81)), i8x16.splat(1));
    others |= <u64>(~i8x16.bitmask(lone) & 0xffff) << i;
  }
  return others;
}

/** Bits of the 64 bytes at p that another byte of the same varint follows. */
@inline
function continuedAt(p: usize): u64 {
  let continued: u64 = 0;
  for (let i: u32 = 0; i < 64; i += 16) continued |= <u64>(i8x16.bitmask(v128.load(p + i)) & 0xffff) << i;
  return continued;
}

/**
 * Past `count` encoded postings at p; anywhere behind `end`, that of the segment, where only damage leads to. Of 64 bytes,
 * postings of a byte each, as short values have, are one step, and so is one of few positions of a byte each.
 */
export function skipPostings(p: usize, count: u32, end: usize): usize {
  let left = count;
  while (left > 0 && p < end) {
    const others = othersAt(p);
    const continued = others ? continuedAt(p) : 0;
    let at: u32 = 0;
    for (;;) {
      const next = others >> at;
      const alone: u32 = next ? <u32>ctz(next) : 64 - at;
      if (alone >= left) return p + at + left;
      left -= alone;
      at += alone;
      if (at == 64) break;
      const head = <u32>load<u8>(p + at);
      const positions = head >> 1;
      const isSimple = !(head & 0x81) && at + positions < 63 && !((continued >> (at + 1)) & ((<u64>1 << positions) - 1));
      if (!isSimple) break;
      at += 1 + positions;
      if (--left == 0) return p + at;
    }
    p += at;
    if (at < 64) {
      p = skipPosting(p, end);
      left--;
    }
  }
  return p;
}

/** Documents of dense data u8[] before document `d` within its block of 128, which begins at `data`. */
@inline
export function rankInBlock(data: usize, d: u32): u32 {
  let rank: u32 = 0;
  let i: u32 = 0;
  const inBlock = d & 127;
  const zero = i8x16.splat(0);
  for (; i + 16 <= inBlock; i += 16) rank += 16 - popcnt(i8x16.bitmask(i8x16.eq(v128.load(data + i), zero)));
  if (i < inBlock) {
    const absent = i8x16.bitmask(i8x16.eq(v128.load(data + i), zero));
    rank += popcnt(~absent & ((1 << (inBlock - i)) - 1));
  }
  return rank;
}

/** Index in docs u16[n] of document d, searched from `place` on by doubling steps; the place of the next one otherwise. */
@inline
export function gallop(docs: usize, n: u32, place: u32, d: u32): u32 {
  let step: u32 = 1;
  let low = place;
  let high = place;
  while (high < n && <u32>load<u16>(docs + (high << 1)) < d) {
    low = high + 1;
    high += step;
    step <<= 1;
  }
  if (high > n) high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<u32>load<u16>(docs + (middle << 1)) < d) low = middle + 1;
    else high = middle;
  }
  return low;
}
