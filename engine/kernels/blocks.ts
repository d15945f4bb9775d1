/**
 * Block-max kernel: the best documents of one postings list, passing over blocks whose bound cannot enter the top. Called
 * by query/match/single-list.ts through memory/kernel-instance.ts. Layout: layout/postings.ts.
 */
import { BITSET_DOCS, BITSET_MAXIMA, BLOCK_POSTINGS, CHUNK_BLOCKS, RANKED_IMPACTS, RANKED_MAXIMA } from '../layout/postings';
import { PLAN_ITEM_BITSET, PLAN_ITEM_COUNT_MASK, PLAN_ITEM_DENSE, PLAN_ITEM_RANKED } from '../layout/token-plan';
import { commonImpacts, exceptionDoc, exceptionImpacts, exceptionsAround, exceptionsEnd } from './bitset-chunks';
import { postingsOfBlock, rankOfBlock } from './ranked-chunks';

/** Offers postings of one block whose impact reaches `classMin`: impacts u8[128] at `impacts`, of which `n` are there. */
@inline
function scoreBlock(
  impacts: usize, docs: usize, firstDoc: u32, n: u32, w: f32, lut: usize, classMin: u32, threshold: f32,
  acc: usize, out: usize, outCount: u32,
): u32 {
  const floor = i8x16.splat(<i8>classMin);
  let count = outCount;
  for (let base: u32 = 0; base < n; base += 16) {
    const lanes = v128.load(impacts + base);
    let mask = i8x16.bitmask(i8x16.ge_u(lanes, floor));
    if (n - base < 16) mask &= (1 << (n - base)) - 1;
    while (mask) {
      const i = base + ctz(mask);
      mask &= mask - 1;
      const v = w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2));
      if (v <= threshold) continue;
      const d = docs ? <u32>load<u16>(docs + (i << 1)) : firstDoc + i;
      store<f32>(acc + (<usize>d << 2), v);
      store<u16>(out + (count++ << 1), d);
    }
  }
  return count;
}

/** scoreBlock for the documents from firstDoc on of a chunk of CHUNK_KIND_BITSET. */
@inline
function scoreBitsetBlock(
  data: usize, common: usize, others: usize, firstDoc: u32, w: f32, lut: usize, classMin: u32, threshold: f32,
  acc: usize, out: usize, outCount: u32,
): u32 {
  const floor = i8x16.splat(<i8>classMin);
  let count = outCount;
  const around = exceptionsAround(data, firstDoc);
  const end = exceptionsEnd(around);
  let x = around & 0xffff;
  let exception = exceptionDoc(data, x, end, firstDoc);
  for (let base = firstDoc; base < firstDoc + BLOCK_POSTINGS; base += 16) {
    let mask: u32 = i8x16.bitmask(i8x16.ge_u(v128.load(common + base), floor));
    // Exceptions have their own impact, so they are all looked at.
    for (let y = x, doc = exception; doc < base + 16; doc = exceptionDoc(data, ++y, end, firstDoc)) {
      mask |= 1 << (doc - base);
    }
    mask &= <u32>load<u16>(data + (base >> 3), BITSET_DOCS);
    while (mask) {
      const d = base + ctz(mask);
      mask &= mask - 1;
      let impact = <u32>load<u8>(common + d);
      if (d == exception) {
        impact = load<u8>(others + x);
        exception = exceptionDoc(data, ++x, end, firstDoc);
        if (impact < classMin) continue;
      }
      const v = w * load<f32>(lut + (<usize>impact << 2));
      if (v <= threshold) continue;
      store<f32>(acc + (<usize>d << 2), v);
      store<u16>(out + (count++ << 1), d);
    }
  }
  return count;
}

/** scoreBlock for block `block` of a chunk of CHUNK_KIND_RANKED with `size` postings. */
@inline
function scoreRankedBlock(
  data: usize, block: u32, size: u32, w: f32, lut: usize, classMin: u32, threshold: f32, acc: usize, out: usize,
  outCount: u32,
): u32 {
  const floor = i8x16.splat(<i8>classMin);
  const first = rankOfBlock(data, block, size);
  const n = postingsOfBlock(data, block, size);
  const impacts = data + RANKED_IMPACTS + first;
  // The bits of the postings not yet passed: of 64 documents, then of the other 64.
  let firstDoc = block << 7;
  let bits = load<u64>(data + (<usize>block << 4));
  let left = <u32>popcnt(bits);
  let isUpper = false;
  let at: u32 = 0;
  let count = outCount;
  for (let base: u32 = 0; base < n; base += 16) {
    let mask: u32 = i8x16.bitmask(i8x16.ge_u(v128.load(impacts + base), floor));
    if (n - base < 16) mask &= (1 << (n - base)) - 1;
    while (mask) {
      const i = base + ctz(mask);
      mask &= mask - 1;
      const v = w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2));
      if (v <= threshold) continue;
      if (!isUpper && i >= left) {
        isUpper = true;
        at = left;
        firstDoc += 64;
        bits = load<u64>(data + (<usize>block << 4), 8);
      }
      for (; at < i; at++) bits &= bits - 1;
      // Of a damaged block there may be no bit left.
      const d = firstDoc + (<u32>ctz(bits) & 63);
      store<f32>(acc + (<usize>d << 2), v);
      store<u16>(out + (count++ << 1), d);
    }
  }
  return count;
}

/** scoreBlocks for a chunk that has bits, of CHUNK_KIND_RANKED or CHUNK_KIND_BITSET. */
function scoreBitBlocks(
  data: usize, packed: u32, w: f32, lut: usize, classMin: u32, blockLow: u32, blockHigh: u32, threshold: f32, acc: usize,
  out: usize,
): u32 {
  const isRanked = (packed & PLAN_ITEM_RANKED) != 0;
  const size = packed & PLAN_ITEM_COUNT_MASK;
  const maxima = isRanked ? data + RANKED_MAXIMA : data + BITSET_MAXIMA;
  const common = isRanked ? 0 : commonImpacts(data);
  const others = isRanked ? 0 : exceptionImpacts(data);
  const blocks = min(blockHigh, <u32>CHUNK_BLOCKS);
  const floor = i8x16.splat(<i8>classMin);
  let count: u32 = 0;
  for (let group = blockLow; group < blocks; group += 16) {
    let mask = i8x16.bitmask(i8x16.ge_u(v128.load(maxima + group), floor));
    if (blocks - group < 16) mask &= (1 << (blocks - group)) - 1;
    while (mask) {
      const block = group + ctz(mask);
      mask &= mask - 1;
      if (isRanked) count = scoreRankedBlock(data, block, size, w, lut, classMin, threshold, acc, out, count);
      else count = scoreBitsetBlock(data, common, others, block << 7, w, lut, classMin, threshold, acc, out, count);
    }
  }
  return count;
}

/**
 * One list alone, block by block: appends to `out` the documents of blocks [blockLow, blockHigh) whose score is above
 * `threshold`, with acc[d] set. No impact below `classMin` (1..255) can pass the threshold, so a block whose maximum is
 * below it is skipped whole. (Ding & Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011.)
 */
export function scoreBlocks(
  data: usize, packed: u32, w: f32, lut: usize, classMin: u32, blockLow: u32, blockHigh: u32, threshold: f32,
  acc: usize, out: usize,
): u32 {
  if (packed & (PLAN_ITEM_BITSET | PLAN_ITEM_RANKED)) {
    return scoreBitBlocks(data, packed, w, lut, classMin, blockLow, blockHigh, threshold, acc, out);
  }
  const size = packed & PLAN_ITEM_COUNT_MASK;
  const dense = (packed & PLAN_ITEM_DENSE) != 0;
  const n = dense ? 65536 : size;
  const impacts = dense ? data : data + (n << 1);
  const maxima = impacts + n;
  const blocks = min(blockHigh, (n + BLOCK_POSTINGS - 1) >> 7);
  const floor = i8x16.splat(<i8>classMin);
  let count: u32 = 0;
  for (let group = blockLow; group < blocks; group += 16) {
    let mask = i8x16.bitmask(i8x16.ge_u(v128.load(maxima + group), floor));
    if (blocks - group < 16) mask &= (1 << (blocks - group)) - 1;
    while (mask) {
      const block = group + ctz(mask);
      mask &= mask - 1;
      const first = block << 7;
      const docs: usize = dense ? 0 : data + <usize>(first << 1);
      const postings = min(n - first, <u32>BLOCK_POSTINGS);
      count = scoreBlock(impacts + first, docs, first, postings, w, lut, classMin, threshold, acc, out, count);
    }
  }
  return count;
}
