/**
 * Steps over the positions of postings, for the kernels that read them. Layout: layout/postings.ts.
 */

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

/**
 * Past `count` encoded postings at p; anywhere behind `end`, that of the segment, where only damage leads to. Sixteen postings
 * of a byte each, as short values have, are one step.
 */
export function skipPostings(p: usize, count: u32, end: usize): usize {
  let left = count;
  while (left >= 16 && p < end) {
    const lone = i8x16.eq(v128.and(v128.load(p), i8x16.splat(<i8>0x81)), i8x16.splat(1));
    // Bytes before the first that is no posting of its own are one each.
    const others = ~i8x16.bitmask(lone) & 0xffff;
    const alone: u32 = others == 0 ? 16 : ctz(others);
    p += alone;
    left -= alone;
    if (alone == 16) continue;
    p = skipPosting(p, end);
    left--;
  }
  for (; left > 0 && p < end; left--) p = skipPosting(p, end);
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
