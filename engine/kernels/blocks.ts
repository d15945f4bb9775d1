/**
 * Block-max kernel: the best documents of one postings list, passing over blocks whose bound cannot enter the top. Called
 * by query/single-list.ts through memory/kernel-instance.ts. Layout: layout/postings.ts.
 */
import { BLOCK_POSTINGS } from '../layout/postings';
import { PLAN_ITEM_DENSE } from '../layout/token-plan';

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

/**
 * One list alone, block by block: appends to `out` the documents of blocks [blockLow, blockHigh) whose score is above
 * `threshold`, with acc[d] set. No impact below `classMin` (1..255) can pass the threshold, so a block whose maximum is
 * below it is skipped whole. (Ding & Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011.)
 */
export function scoreBlocks(
  data: usize, packed: u32, w: f32, lut: usize, classMin: u32, blockLow: u32, blockHigh: u32, threshold: f32,
  acc: usize, out: usize,
): u32 {
  const dense = (packed & PLAN_ITEM_DENSE) != 0;
  const n = dense ? 65536 : packed;
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
      const size = min(n - first, <u32>BLOCK_POSTINGS);
      count = scoreBlock(impacts + first, docs, first, size, w, lut, classMin, threshold, acc, out, count);
    }
  }
  return count;
}
