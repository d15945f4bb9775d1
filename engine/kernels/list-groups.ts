/**
 * Several lists of one token in one field and chunk, of which the best score of a document counts. For kernels/scoring.ts
 * alone; exports nothing to JavaScript. Layouts: layout/postings.ts, layout/token-plan.ts.
 */
import { BITSET_DOCS, RANKED_IMPACTS } from '../layout/postings';
import {
  PLAN_ITEM_BITSET, PLAN_ITEM_BYTES, PLAN_ITEM_COUNT, PLAN_ITEM_COUNT_MASK, PLAN_ITEM_DATA, PLAN_ITEM_DENSE,
  PLAN_ITEM_RANKED, PLAN_ITEM_WEIGHT,
} from '../layout/token-plan';
import { keepBits, listAll } from './bit-lists';
import { commonImpacts, memberImpact, SPARE_IMPACTS, unpackBitset } from './bitset-chunks';
import { findDoc, greater, match, matchAgain, SEEK_RATIO } from './matching';
import { rankedImpact } from './ranked-chunks';
import { scoreFirst } from './single-lists';

/** Matches document d, of which only lists of one (token, field) have been seen in the chunk: the best score counts. */
@inline
function matchBest(d: u32, v: f32, acc: usize, matched: usize, out: usize, count: u32): u32 {
  const a = acc + (<usize>d << 2);
  if (load<u8>(matched + d)) {
    store<f32>(a, greater(load<f32>(a), v));
    return count;
  }
  store<u8>(matched + d, 1);
  store<f32>(a, v);
  store<u16>(out + (<usize>count << 1), d);
  return count + 1;
}

/** Whether the list has bits by document in the chunk. */
@inline
export function hasBits(item: usize): bool {
  return (load<u32>(item, PLAN_ITEM_COUNT) & (PLAN_ITEM_BITSET | PLAN_ITEM_RANKED)) != 0;
}

/**
 * Scores the lists of the first (token, field) that matches anything in a chunk: nothing has to be added up, so
 * `acc` and `matched` take the best of the lists in one pass over each.
 */
export function matchGroup(
  items: usize, i0: u32, i1: u32, loose: usize, l0: u32, l1: u32, weights: usize, scale: f32, lut: usize,
  acc: usize, matched: usize, spare: usize, out: usize,
): u32 {
  let count: u32 = 0;
  let end = i1;
  // The list of prefix postings comes last and is long, so it goes first: whoever is first need not look who was there.
  if (i0 < i1) {
    const last = items + <usize>(i1 - 1) * PLAN_ITEM_BYTES;
    if (hasBits(last)) {
      count = scoreFirst(last, weights, scale, lut, acc, matched, spare, out);
      end--;
    }
  }
  for (let i = i0; i < end; i++) {
    const item = items + <usize>i * PLAN_ITEM_BYTES;
    const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
    const packed = load<u32>(item, PLAN_ITEM_COUNT);
    const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
    if (packed & PLAN_ITEM_DENSE) {
      for (let d: u32 = 0; d < 65536; d++) {
        const impact = <usize>load<u8>(data + d);
        if (impact) count = matchBest(d, w * load<f32>(lut + (impact << 2)), acc, matched, out, count);
      }
      continue;
    }
    if (packed & PLAN_ITEM_BITSET) {
      const n = unpackBitset(data, spare, spare);
      const impacts = spare + SPARE_IMPACTS;
      for (let k: u32 = 0; k < n; k++) {
        const d = <u32>load<u16>(spare + (k << 1));
        count = matchBest(d, w * load<f32>(lut + (<usize>load<u8>(impacts + d) << 2)), acc, matched, out, count);
      }
      continue;
    }
    const isRanked = (packed & PLAN_ITEM_RANKED) != 0;
    const n = isRanked ? listAll(data, spare, spare) : packed & PLAN_ITEM_COUNT_MASK;
    const docs = isRanked ? spare : data;
    const impacts = isRanked ? data + RANKED_IMPACTS : data + (n << 1);
    for (let k: u32 = 0; k < n; k++) {
      const d = <u32>load<u16>(docs + (k << 1));
      count = matchBest(d, w * load<f32>(lut + (<usize>load<u8>(impacts + k) << 2)), acc, matched, out, count);
    }
  }
  for (let i = l0; i < l1; i++) {
    const packed = load<u32>(loose + (<usize>i << 2));
    const w = load<f32>(weights + (<usize>(packed >> 24) << 2)) * scale;
    const v = w * load<f32>(lut + (<usize>((packed >> 16) & 0xff) << 2));
    count = matchBest(packed & 0xffff, v, acc, matched, out, count);
  }
  return count;
}

/** Stands for a score of 0 in tmp, where 0 means "no posting". Below every other score (the smallest normal f32). */
const TMP_ZERO: f32 = 1.1754943508222875e-38;

/** tmp[d] = max(tmp[d], v), a score of 0 included. */
@inline
export function raise(tmp: usize, d: u32, v: f32): void {
  const p = tmp + (<usize>d << 2);
  store<f32>(p, greater(load<f32>(p), greater(v, TMP_ZERO)));
}

/** tmp[d] = max(tmp[d], score) for the postings of one item; with t > 0 only where matched[d] >= t. */
export function raiseItem(
  item: usize, weights: usize, scale: f32, lut: usize, t: u32, tmp: usize, matched: usize, listIn: usize, inCount: u32,
  spare: usize,
): void {
  const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
  const packed = load<u32>(item, PLAN_ITEM_COUNT);
  const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
  if (packed & PLAN_ITEM_DENSE) {
    if (t > 0) {
      for (let i: u32 = 0; i < inCount; i++) {
        const d = <u32>load<u16>(listIn + (i << 1));
        const impact = <usize>load<u8>(data + d);
        if (impact) raise(tmp, d, w * load<f32>(lut + (impact << 2)));
      }
      return;
    }
    for (let d: u32 = 0; d < 65536; d++) {
      const impact = <usize>load<u8>(data + d);
      if (impact) raise(tmp, d, w * load<f32>(lut + (impact << 2)));
    }
    return;
  }
  if (packed & PLAN_ITEM_BITSET) {
    if (t > 0) {
      const common = commonImpacts(data);
      const members = keepBits(data + BITSET_DOCS, listIn, inCount, spare);
      for (let i: u32 = 0; i < members; i++) {
        const d = <u32>load<u16>(spare + (i << 1));
        raise(tmp, d, w * load<f32>(lut + (memberImpact(data, common, d) << 2)));
      }
      return;
    }
    const members = unpackBitset(data, spare, spare);
    const impacts = spare + SPARE_IMPACTS;
    for (let i: u32 = 0; i < members; i++) {
      const d = <u32>load<u16>(spare + (i << 1));
      raise(tmp, d, w * load<f32>(lut + (<usize>load<u8>(impacts + d) << 2)));
    }
    return;
  }
  const isRanked = (packed & PLAN_ITEM_RANKED) != 0;
  if (isRanked && t > 0) {
    const members = keepBits(data, listIn, inCount, spare);
    for (let i: u32 = 0; i < members; i++) {
      const d = <u32>load<u16>(spare + (i << 1));
      raise(tmp, d, w * load<f32>(lut + (rankedImpact(data, d) << 2)));
    }
    return;
  }
  const n = isRanked ? listAll(data, spare, spare) : packed & PLAN_ITEM_COUNT_MASK;
  const docs = isRanked ? spare : data;
  const impacts = isRanked ? data + RANKED_IMPACTS : data + (n << 1);
  if (t > 0) {
    if (inCount * SEEK_RATIO < n) {
      for (let i: u32 = 0; i < inCount; i++) {
        const d = <u32>load<u16>(listIn + (i << 1));
        const at = findDoc(data, n, d);
        if (at >= 0) raise(tmp, d, w * load<f32>(lut + (<usize>load<u8>(impacts + at) << 2)));
      }
      return;
    }
    for (let i: u32 = 0; i < n; i++) {
      const d = <u32>load<u16>(data + (i << 1));
      if (<u32>load<u8>(matched + d) >= t) raise(tmp, d, w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)));
    }
    return;
  }
  for (let i: u32 = 0; i < n; i++) {
    raise(tmp, <u32>load<u16>(docs + (i << 1)), w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)));
  }
}

/** The score that tmp holds of document d, whose turn ends: a second posting of it in this (token, field) finds 0. */
@inline
function take(d: u32, tmp: usize): f32 {
  const p = tmp + (<usize>d << 2);
  const v = load<f32>(p);
  store<f32>(p, 0);
  return v;
}

@inline
function fold(d: u32, t: u32, tmp: usize, acc: usize, matched: usize, out: usize, count: u32): u32 {
  const v = take(d, tmp);
  return v == 0 ? count : match(d, v == TMP_ZERO ? 0 : v, t, acc, matched, out, count);
}

/** acc[d] += tmp[d] and tmp[d] = 0 for every document of the group, each once. */
export function foldGroup(
  items: usize, i0: u32, i1: u32, loose: usize, l0: u32, l1: u32, t: u32, tmp: usize, acc: usize, matched: usize,
  listIn: usize, inCount: u32, spare: usize, out: usize, outCount: u32,
): u32 {
  let count = outCount;
  if (t > 0) {
    for (let i: u32 = 0; i < inCount; i++) {
      count = fold(<u32>load<u16>(listIn + (i << 1)), t, tmp, acc, matched, out, count);
    }
    return count;
  }
  for (let i = l0; i < l1; i++) {
    count = fold(load<u32>(loose + (<usize>i << 2)) & 0xffff, t, tmp, acc, matched, out, count);
  }
  for (let i = i0; i < i1; i++) {
    const item = items + <usize>i * PLAN_ITEM_BYTES;
    const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
    const packed = load<u32>(item, PLAN_ITEM_COUNT);
    if (packed & PLAN_ITEM_DENSE) {
      for (let d: u32 = 0; d < 65536; d++) if (load<u8>(data + d)) count = fold(d, t, tmp, acc, matched, out, count);
      continue;
    }
    const bits: usize = packed & PLAN_ITEM_BITSET ? data + BITSET_DOCS : packed & PLAN_ITEM_RANKED ? data : 0;
    const docs = bits ? spare : data;
    const n = bits ? listAll(bits, spare, spare) : packed & PLAN_ITEM_COUNT_MASK;
    for (let k: u32 = 0; k < n; k++) {
      count = fold(<u32>load<u16>(docs + (k << 1)), t, tmp, acc, matched, out, count);
    }
  }
  return count;
}

/** raiseItem and foldGroup in one pass over the last list of a group at t = 0, which has bits: every document of it is folded. */
export function foldLast(
  item: usize, weights: usize, scale: f32, lut: usize, tmp: usize, acc: usize, matched: usize, spare: usize,
  out: usize, outCount: u32,
): u32 {
  const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
  const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
  const isRanked = (load<u32>(item, PLAN_ITEM_COUNT) & PLAN_ITEM_RANKED) != 0;
  const n = isRanked ? listAll(data, spare, spare) : unpackBitset(data, spare, spare);
  const impacts = spare + SPARE_IMPACTS;
  let count = outCount;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(spare + (i << 1));
    const impact = isRanked ? load<u8>(data + i, RANKED_IMPACTS) : load<u8>(impacts + d);
    const v = greater(take(d, tmp), w * load<f32>(lut + (<usize>impact << 2)));
    count = matchAgain(d, v == TMP_ZERO ? 0 : v, acc, matched, out, count);
  }
  return count;
}
