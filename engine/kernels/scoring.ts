/**
 * Scoring kernels: the postings of a token go into the accumulator, a chunk of documents at a time (scoreChunk,
 * scatterScored). Where a token has alternatives, they go into an accumulator of its own, of which the best counts
 * (raiseScored), and that into the query's (clearScores, addScores, scatterBest). Called by query/ through
 * memory/kernel-instance.ts. Layouts: layout/postings.ts, layout/token-plan.ts.
 */
import { CHUNK_DOCS } from '../layout/scratch';
import {
  PLAN_CHUNK_LOW,
  PLAN_FIELD_COUNT,
  PLAN_ITEM_BYTES,
  PLAN_ITEM_STARTS,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_LUT,
  PLAN_SCALES,
  PLAN_SPARE,
  PLAN_WEIGHTS,
} from '../layout/token-plan';
import { foldGroup, foldLast, hasBits, matchGroup, raise, raiseItem } from './list-groups';
import { greater, match } from './matching';
import { scoreFirst, scoreItem } from './single-lists';

/**
 * Scores one token in one chunk: within a field the best of its lists counts, over fields they add. Documents with
 * matched == t match (matched becomes t + 1, and they are appended to `out`); with t > 0 only those of listIn
 * u16[inCount], which are the documents with matched == t. Returns the new length of `out`, which starts at outCount.
 */
export function scoreChunk(
  plan: usize, chunk: u32, t: u32, acc: usize, tmp: usize, matched: usize,
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
  const spare = <usize>load<u32>(plan, PLAN_SPARE);
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
      count =
        t == 0 && count == 0
          ? scoreFirst(item, weights, scale, lut, acc, matched, spare, out)
          : scoreItem(item, weights, scale, lut, t, acc, matched, listIn, inCount, spare, out, count);
      continue;
    }
    if (t == 0 && count == 0) {
      count = matchGroup(items, i0, i1, loose, l0, l1, weights, scale, lut, acc, matched, spare, out);
      continue;
    }
    for (let i = l0; i < l1; i++) {
      const packed = load<u32>(loose + (<usize>i << 2));
      const d = packed & 0xffff;
      if (t > 0 && <u32>load<u8>(matched + d) < t) continue;
      const w = load<f32>(weights + (<usize>(packed >> 24) << 2)) * scale;
      raise(tmp, d, w * load<f32>(lut + (<usize>((packed >> 16) & 0xff) << 2)));
    }
    const last = items + <usize>(i1 - 1) * PLAN_ITEM_BYTES;
    const fused = t == 0 && i0 < i1 && hasBits(last);
    const end = fused ? i1 - 1 : i1;
    for (let i = i0; i < end; i++) {
      raiseItem(items + <usize>i * PLAN_ITEM_BYTES, weights, scale, lut, t, tmp, matched, listIn, inCount, spare);
    }
    if (fused) count = foldLast(last, weights, scale, lut, tmp, acc, matched, spare, out, count);
    count = foldGroup(items, i0, end, loose, l0, l1, t, tmp, acc, matched, listIn, inCount, spare, out, count);
  }
  // Only a damaged list has documents twice. What follows `out` is the next list, read while this one is.
  if (count > <u32>CHUNK_DOCS) unreachable();
  return count;
}

/** scoreChunk for a list that is already scored: docs u16[n] with scores f32[n]. Each document at most once. */
export function scatterScored(
  docs: usize, scores: usize, n: u32, t: u32, acc: usize, matched: usize, out: usize, outCount: u32,
): u32 {
  let count = outCount;
  for (let i: u32 = 0; i < n; i++) {
    count = match(<u32>load<u16>(docs + (i << 1)), load<f32>(scores + (i << 2)), t, acc, matched, out, count);
  }
  return count;
}

/**
 * One alternative of a token into the token's accumulator: docs u16[n] with scores f32[n] times `weight`, the best of a
 * document counts. Documents with matched == t match as in scoreChunk; those with matched < t are passed over.
 */
export function raiseScored(
  docs: usize, scores: usize, n: u32, weight: f32, t: u32, acc: usize, matched: usize, out: usize, outCount: u32,
): u32 {
  let count = outCount;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    const s = <u32>load<u8>(matched + d);
    if (s < t) continue;
    const v = weight * load<f32>(scores + (i << 2));
    const a = acc + (<usize>d << 2);
    if (s > t) {
      store<f32>(a, greater(load<f32>(a), v));
      continue;
    }
    store<u8>(matched + d, t + 1);
    store<f32>(a, v);
    store<u16>(out + (<usize>count << 1), d);
    count++;
  }
  return count;
}

/** acc[d] = 0 for the documents of list u16[n]. */
export function clearScores(list: usize, n: u32, acc: usize): void {
  for (let i: u32 = 0; i < n; i++) store<f32>(acc + (<usize>load<u16>(list + (i << 1)) << 2), 0);
}

/** acc[d] += own[d] for the documents of list u16[n]. */
export function addScores(list: usize, n: u32, own: usize, acc: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const at = <usize>load<u16>(list + (i << 1)) << 2;
    store<f32>(acc + at, load<f32>(acc + at) + load<f32>(own + at));
  }
}

/**
 * Matches the documents of list u16[n], scored in own[d], as the first token or as any, and appends them to `out`, of which
 * the new length is returned; ownMatched[d] becomes 0.
 */
export function scatterBest(
  list: usize, n: u32, own: usize, ownMatched: usize, acc: usize, matched: usize, out: usize, outCount: u32,
): u32 {
  let count = outCount;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    store<u8>(ownMatched + d, 0);
    count = match(d, load<f32>(own + (<usize>d << 2)), 0, acc, matched, out, count);
  }
  return count;
}
