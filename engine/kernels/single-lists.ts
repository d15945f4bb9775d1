/**
 * The only list of a token in one field and chunk goes into the accumulator. For kernels/scoring.ts alone; exports nothing
 * to JavaScript. Layouts: layout/postings.ts, layout/token-plan.ts.
 */
import { BITSET_DOCS, RANKED_IMPACTS } from '../layout/postings';
import {
  PLAN_ITEM_BITSET, PLAN_ITEM_COUNT, PLAN_ITEM_COUNT_MASK, PLAN_ITEM_DATA, PLAN_ITEM_DENSE, PLAN_ITEM_RANKED,
  PLAN_ITEM_WEIGHT,
} from '../layout/token-plan';
import { keepBits, listAll } from './bit-lists';
import { commonImpacts, memberImpact, SPARE_IMPACTS, unpackBitset } from './bitset-chunks';
import { findDoc, match, matchAgain, SEEK_RATIO } from './matching';
import { rankedImpact } from './ranked-chunks';

/** Matches document d of the only list of the first (token, field) that matches anything in a chunk. */
@inline
function matchFirst(d: u32, v: f32, acc: usize, matched: usize, out: usize, count: u32): u32 {
  store<u8>(matched + d, 1);
  store<f32>(acc + (<usize>d << 2), v);
  store<u16>(out + (<usize>count << 1), d);
  return count + 1;
}

/** scoreItem for the first list of a chunk: no document has matched yet. */
export function scoreFirst(
  item: usize, weights: usize, scale: f32, lut: usize, acc: usize, matched: usize, spare: usize, out: usize,
): u32 {
  const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
  const packed = load<u32>(item, PLAN_ITEM_COUNT);
  const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
  let count: u32 = 0;
  if (packed & PLAN_ITEM_DENSE) {
    for (let base: u32 = 0; base < 65536; base += 16) {
      let mask = ~i8x16.bitmask(i8x16.eq(v128.load(data + base), i8x16.splat(0))) & 0xffff;
      while (mask) {
        const d = base + ctz(mask);
        mask &= mask - 1;
        count = matchFirst(d, w * load<f32>(lut + (<usize>load<u8>(data + d) << 2)), acc, matched, out, count);
      }
    }
    return count;
  }
  if (packed & PLAN_ITEM_BITSET) {
    count = unpackBitset(data, out, spare);
    const impacts = spare + SPARE_IMPACTS;
    for (let i: u32 = 0; i < count; i++) {
      const d = <u32>load<u16>(out + (i << 1));
      store<u8>(matched + d, 1);
      store<f32>(acc + (<usize>d << 2), w * load<f32>(lut + (<usize>load<u8>(impacts + d) << 2)));
    }
    return count;
  }
  const isRanked = (packed & PLAN_ITEM_RANKED) != 0;
  const n = isRanked ? listAll(data, spare, spare) : packed & PLAN_ITEM_COUNT_MASK;
  const docs = isRanked ? spare : data;
  const impacts = isRanked ? data + RANKED_IMPACTS : data + (n << 1);
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    count = matchFirst(d, w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)), acc, matched, out, count);
  }
  return count;
}

/**
 * Matches the documents of `item`, the only list of token number t in a field, and appends them to `out`, of which the new
 * length is returned; with t > 0 only those of listIn u16[inCount]. `spare`: PLAN_SPARE.
 */
export function scoreItem(
  item: usize, weights: usize, scale: f32, lut: usize, t: u32, acc: usize, matched: usize,
  listIn: usize, inCount: u32, spare: usize, out: usize, outCount: u32,
): u32 {
  const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
  const packed = load<u32>(item, PLAN_ITEM_COUNT);
  const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
  let count = outCount;
  if (packed & PLAN_ITEM_DENSE) {
    if (t > 0) {
      for (let i: u32 = 0; i < inCount; i++) {
        const d = <u32>load<u16>(listIn + (i << 1));
        const impact = <usize>load<u8>(data + d);
        if (impact) count = match(d, w * load<f32>(lut + (impact << 2)), t, acc, matched, out, count);
      }
      return count;
    }
    for (let base: u32 = 0; base < 65536; base += 16) {
      let mask = ~i8x16.bitmask(i8x16.eq(v128.load(data + base), i8x16.splat(0))) & 0xffff;
      while (mask) {
        const d = base + ctz(mask);
        mask &= mask - 1;
        count = match(d, w * load<f32>(lut + (<usize>load<u8>(data + d) << 2)), t, acc, matched, out, count);
      }
    }
    return count;
  }
  if (packed & PLAN_ITEM_BITSET) {
    if (t > 0) {
      const common = commonImpacts(data);
      const members = keepBits(data + BITSET_DOCS, listIn, inCount, spare);
      for (let i: u32 = 0; i < members; i++) {
        const d = <u32>load<u16>(spare + (i << 1));
        count = match(d, w * load<f32>(lut + (memberImpact(data, common, d) << 2)), t, acc, matched, out, count);
      }
      return count;
    }
    const members = unpackBitset(data, spare, spare);
    const impacts = spare + SPARE_IMPACTS;
    for (let i: u32 = 0; i < members; i++) {
      const d = <u32>load<u16>(spare + (i << 1));
      const v = w * load<f32>(lut + (<usize>load<u8>(impacts + d) << 2));
      count = matchAgain(d, v, acc, matched, out, count);
    }
    return count;
  }
  const isRanked = (packed & PLAN_ITEM_RANKED) != 0;
  if (isRanked && t > 0) {
    const members = keepBits(data, listIn, inCount, spare);
    for (let i: u32 = 0; i < members; i++) {
      const d = <u32>load<u16>(spare + (i << 1));
      count = match(d, w * load<f32>(lut + (rankedImpact(data, d) << 2)), t, acc, matched, out, count);
    }
    return count;
  }
  const n = isRanked ? listAll(data, spare, spare) : packed & PLAN_ITEM_COUNT_MASK;
  const docs = isRanked ? spare : data;
  const impacts = isRanked ? data + RANKED_IMPACTS : data + (n << 1);
  if (t > 0 && inCount * SEEK_RATIO < n) {
    for (let i: u32 = 0; i < inCount; i++) {
      const d = <u32>load<u16>(listIn + (i << 1));
      const at = findDoc(data, n, d);
      if (at >= 0) count = match(d, w * load<f32>(lut + (<usize>load<u8>(impacts + at) << 2)), t, acc, matched, out, count);
    }
    return count;
  }
  if (t == 0) {
    for (let i: u32 = 0; i < n; i++) {
      const d = <u32>load<u16>(docs + (i << 1));
      const v = w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2));
      count = matchAgain(d, v, acc, matched, out, count);
    }
    return count;
  }
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(data + (i << 1));
    count = match(d, w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)), t, acc, matched, out, count);
  }
  return count;
}
