/**
 * Scoring kernels: the postings of a token go into the accumulator, a chunk of documents at a time (scoreChunk,
 * scatterScored). Called by query/ through memory/kernel-instance.ts. Layouts: layout/postings.ts, layout/token-plan.ts.
 */
import {
  PLAN_CHUNK_LOW,
  PLAN_FIELD_COUNT,
  PLAN_ITEM_BYTES,
  PLAN_ITEM_COUNT,
  PLAN_ITEM_DATA,
  PLAN_ITEM_DENSE,
  PLAN_ITEM_STARTS,
  PLAN_ITEM_WEIGHT,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_LUT,
  PLAN_SCALES,
  PLAN_WEIGHTS,
} from '../layout/token-plan';

/** Matches document d with score v as token number t: 0 = first of `all`, or any token of `any`. Returns the new count. */
@inline
function match(d: u32, v: f32, t: u32, acc: usize, stage: usize, out: usize, count: u32): u32 {
  const s = <u32>load<u8>(stage + d);
  const a = acc + (<usize>d << 2);
  if (s == t) {
    store<u8>(stage + d, t + 1);
    store<f32>(a, t == 0 ? v : load<f32>(a) + v);
    store<u16>(out + (<usize>count << 1), d);
    return count + 1;
  }
  if (s > t) store<f32>(a, load<f32>(a) + v);
  return count;
}

/** Index of document d in docs u16[n], or -1. */
@inline
function findDoc(docs: usize, n: u32, d: u32): i32 {
  let low: u32 = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<u32>load<u16>(docs + (middle << 1)) < d) low = middle + 1;
    else high = middle;
  }
  return low < n && <u32>load<u16>(docs + (low << 1)) == d ? <i32>low : -1;
}

/** Below this share of candidates to postings a search per candidate beats a pass over the postings. */
const SEEK_RATIO: u32 = 24;

function scoreItem(
  item: usize, weights: usize, scale: f32, lut: usize, t: u32, acc: usize, stage: usize,
  listIn: usize, inCount: u32, out: usize, outCount: u32,
): u32 {
  const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
  const packed = load<u32>(item, PLAN_ITEM_COUNT);
  const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
  const n = packed & ~(<u32>PLAN_ITEM_DENSE);
  let count = outCount;
  if (packed & PLAN_ITEM_DENSE) {
    if (t > 0) {
      for (let i: u32 = 0; i < inCount; i++) {
        const d = <u32>load<u16>(listIn + (i << 1));
        const impact = <usize>load<u8>(data + d);
        if (impact) count = match(d, w * load<f32>(lut + (impact << 2)), t, acc, stage, out, count);
      }
      return count;
    }
    for (let base: u32 = 0; base < 65536; base += 16) {
      let mask = ~i8x16.bitmask(i8x16.eq(v128.load(data + base), i8x16.splat(0))) & 0xffff;
      while (mask) {
        const d = base + ctz(mask);
        mask &= mask - 1;
        count = match(d, w * load<f32>(lut + (<usize>load<u8>(data + d) << 2)), t, acc, stage, out, count);
      }
    }
    return count;
  }
  const impacts = data + (n << 1);
  if (t > 0 && inCount * SEEK_RATIO < n) {
    for (let i: u32 = 0; i < inCount; i++) {
      const d = <u32>load<u16>(listIn + (i << 1));
      const at = findDoc(data, n, d);
      if (at >= 0) count = match(d, w * load<f32>(lut + (<usize>load<u8>(impacts + at) << 2)), t, acc, stage, out, count);
    }
    return count;
  }
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(data + (i << 1));
    count = match(d, w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)), t, acc, stage, out, count);
  }
  return count;
}

/** Matches document d, of which only lists of one (token, field) have been seen in the chunk: the best score counts. */
@inline
function matchBest(d: u32, v: f32, acc: usize, stage: usize, out: usize, count: u32): u32 {
  const a = acc + (<usize>d << 2);
  if (load<u8>(stage + d)) {
    store<f32>(a, max(load<f32>(a), v));
    return count;
  }
  store<u8>(stage + d, 1);
  store<f32>(a, v);
  store<u16>(out + (<usize>count << 1), d);
  return count + 1;
}

/**
 * Scores the lists of the first (token, field) that matches anything in a chunk: nothing has to be added up, so
 * accumulator and stage take the best of the lists in one pass over each.
 */
function matchGroup(
  items: usize, i0: u32, i1: u32, loose: usize, l0: u32, l1: u32, weights: usize, scale: f32, lut: usize,
  acc: usize, stage: usize, out: usize,
): u32 {
  let count: u32 = 0;
  for (let i = i0; i < i1; i++) {
    const item = items + <usize>i * PLAN_ITEM_BYTES;
    const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
    const packed = load<u32>(item, PLAN_ITEM_COUNT);
    const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
    if (packed & PLAN_ITEM_DENSE) {
      for (let d: u32 = 0; d < 65536; d++) {
        const impact = <usize>load<u8>(data + d);
        if (impact) count = matchBest(d, w * load<f32>(lut + (impact << 2)), acc, stage, out, count);
      }
      continue;
    }
    const impacts = data + (packed << 1);
    for (let k: u32 = 0; k < packed; k++) {
      const d = <u32>load<u16>(data + (k << 1));
      count = matchBest(d, w * load<f32>(lut + (<usize>load<u8>(impacts + k) << 2)), acc, stage, out, count);
    }
  }
  for (let i = l0; i < l1; i++) {
    const packed = load<u32>(loose + (<usize>i << 2));
    const w = load<f32>(weights + (<usize>(packed >> 24) << 2)) * scale;
    const v = w * load<f32>(lut + (<usize>((packed >> 16) & 0xff) << 2));
    count = matchBest(packed & 0xffff, v, acc, stage, out, count);
  }
  return count;
}

/** Stands for a score of 0 in tmp, where 0 means "no posting". Below every other score (the smallest normal f32). */
const TMP_ZERO: f32 = 1.1754943508222875e-38;

@inline
function raise(tmp: usize, d: u32, v: f32): void {
  const p = tmp + (<usize>d << 2);
  store<f32>(p, max(load<f32>(p), max(v, TMP_ZERO)));
}

/** tmp[d] = max(tmp[d], score) for the postings of one item; with t > 0 only where stage[d] >= t. */
function raiseItem(
  item: usize, weights: usize, scale: f32, lut: usize, t: u32, tmp: usize, stage: usize, listIn: usize, inCount: u32,
): void {
  const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
  const packed = load<u32>(item, PLAN_ITEM_COUNT);
  const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
  const n = packed & ~(<u32>PLAN_ITEM_DENSE);
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
  const impacts = data + (n << 1);
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
      if (<u32>load<u8>(stage + d) >= t) raise(tmp, d, w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)));
    }
    return;
  }
  for (let i: u32 = 0; i < n; i++) {
    raise(tmp, <u32>load<u16>(data + (i << 1)), w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)));
  }
}

@inline
function fold(d: u32, t: u32, tmp: usize, acc: usize, stage: usize, out: usize, count: u32): u32 {
  const p = tmp + (<usize>d << 2);
  const v = load<f32>(p);
  // Ends the document's turn: a second posting of it in this (token, field) finds nothing left to add.
  if (v == 0) return count;
  store<f32>(p, 0);
  return match(d, v == TMP_ZERO ? 0 : v, t, acc, stage, out, count);
}

/** acc[d] += tmp[d] and tmp[d] = 0 for every document of the group, each once. */
function foldGroup(
  items: usize, i0: u32, i1: u32, loose: usize, l0: u32, l1: u32, t: u32, tmp: usize, acc: usize, stage: usize,
  listIn: usize, inCount: u32, out: usize, outCount: u32,
): u32 {
  let count = outCount;
  if (t > 0) {
    for (let i: u32 = 0; i < inCount; i++) {
      count = fold(<u32>load<u16>(listIn + (i << 1)), t, tmp, acc, stage, out, count);
    }
    return count;
  }
  for (let i = l0; i < l1; i++) {
    count = fold(load<u32>(loose + (<usize>i << 2)) & 0xffff, t, tmp, acc, stage, out, count);
  }
  for (let i = i0; i < i1; i++) {
    const item = items + <usize>i * PLAN_ITEM_BYTES;
    const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
    const packed = load<u32>(item, PLAN_ITEM_COUNT);
    if (packed & PLAN_ITEM_DENSE) {
      for (let d: u32 = 0; d < 65536; d++) if (load<u8>(data + d)) count = fold(d, t, tmp, acc, stage, out, count);
    } else {
      for (let k: u32 = 0; k < packed; k++) {
        count = fold(<u32>load<u16>(data + (k << 1)), t, tmp, acc, stage, out, count);
      }
    }
  }
  return count;
}

/**
 * Scores one token in one chunk: within a field the best of its lists counts, over fields they add. Documents with
 * stage == t match (stage becomes t + 1, and they are appended to `out`); with t > 0 only those of listIn u16[inCount],
 * which are the documents with stage == t. Returns the new length of `out`, which starts at outCount.
 */
export function scoreChunk(
  plan: usize, chunk: u32, t: u32, acc: usize, tmp: usize, stage: usize,
  listIn: usize, inCount: u32, out: usize, outCount: u32,
): u32 {
  const fieldCount = load<u32>(plan, PLAN_FIELD_COUNT);
  const itemStarts = <usize>load<u32>(plan, PLAN_ITEM_STARTS);
  const looseStarts = <usize>load<u32>(plan, PLAN_LOOSE_STARTS);
  const items = <usize>load<u32>(plan, PLAN_ITEMS);
  const loose = <usize>load<u32>(plan, PLAN_LOOSE);
  const weights = <usize>load<u32>(plan, PLAN_WEIGHTS);
  const scales = <usize>load<u32>(plan, PLAN_SCALES);
  const luts = <usize>load<u32>(plan, PLAN_LUT);
  const first = (chunk - load<u32>(plan, PLAN_CHUNK_LOW)) * fieldCount;
  let count = outCount;
  for (let f: u32 = 0; f < fieldCount; f++) {
    const bucket = <usize>(first + f) << 2;
    const i0: u32 = bucket == 0 ? 0 : load<u32>(itemStarts + bucket - 4);
    const i1 = load<u32>(itemStarts + bucket);
    const l0: u32 = bucket == 0 ? 0 : load<u32>(looseStarts + bucket - 4);
    const l1 = load<u32>(looseStarts + bucket);
    if (i0 == i1 && l0 == l1) continue;
    const scale = load<f32>(scales + (f << 2));
    const lut = luts + (<usize>f << 10);
    if (i1 - i0 == 1 && l0 == l1) {
      const item = items + <usize>i0 * PLAN_ITEM_BYTES;
      count = scoreItem(item, weights, scale, lut, t, acc, stage, listIn, inCount, out, count);
      continue;
    }
    if (t == 0 && count == 0) {
      count = matchGroup(items, i0, i1, loose, l0, l1, weights, scale, lut, acc, stage, out);
      continue;
    }
    for (let i = l0; i < l1; i++) {
      const packed = load<u32>(loose + (<usize>i << 2));
      const d = packed & 0xffff;
      if (t > 0 && <u32>load<u8>(stage + d) < t) continue;
      const w = load<f32>(weights + (<usize>(packed >> 24) << 2)) * scale;
      raise(tmp, d, w * load<f32>(lut + (<usize>((packed >> 16) & 0xff) << 2)));
    }
    for (let i = i0; i < i1; i++) {
      raiseItem(items + <usize>i * PLAN_ITEM_BYTES, weights, scale, lut, t, tmp, stage, listIn, inCount);
    }
    count = foldGroup(items, i0, i1, loose, l0, l1, t, tmp, acc, stage, listIn, inCount, out, count);
  }
  return count;
}

/** scoreChunk for a list that is already scored: docs u16[n] with scores f32[n]. Each document at most once. */
export function scatterScored(
  docs: usize, scores: usize, n: u32, t: u32, acc: usize, stage: usize, out: usize, outCount: u32,
): u32 {
  let count = outCount;
  for (let i: u32 = 0; i < n; i++) {
    count = match(<u32>load<u16>(docs + (i << 1)), load<f32>(scores + (i << 2)), t, acc, stage, out, count);
  }
  return count;
}
