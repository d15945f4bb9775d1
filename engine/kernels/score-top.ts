/**
 * Keeps the best documents of a query by score, by a column, or by both: a buffer of somewhat more than are wanted, cut
 * back by selection when it is full. Called by query/sort/kernel-top.ts, and by kernels that score. Layout:
 * layout/score-top.ts.
 *
 * Compared with a heap, a document that enters costs a store, and the selections cost a constant each. (Hoare, "Algorithm
 * 65: find", CACM 1961.)
 */
import {
  TOP_BOUND,
  TOP_CAPACITY,
  TOP_COUNT,
  TOP_FLIP,
  TOP_KEY_BYTES,
  TOP_KEY_HIGH,
  TOP_KEY_KIND,
  TOP_KEY_LOW,
  TOP_KEY_SCORE,
  TOP_KEY_SCORE_COLUMN,
  TOP_KEY_SCORE_SHIFT,
  TOP_LAST,
  TOP_NEXT_LOOK,
  TOP_PAGE,
  TOP_RANDOM,
  TOP_SCORE,
  TOP_SHARE,
  TOP_SIZE,
  TOP_SLACK_MIN,
  TOP_WHOLE,
  TOP_WHOLE_SHARE,
  TOP_WIDTH,
} from '../layout/score-top';
import { spreadList } from './sort';
import { appendKey, offerWhileRoomByColumn } from './top-columns';
import { keyAt, placeBits, precedes, rankOf, scoreAt, selectKey } from './top-keys';

/** With fewer documents left than this, most of them entering, reordering them does not pay. */
const SPREAD_DOCS_MIN: u32 = 128;

/**
 * Empties the buffer at `top` and makes it one of keys of `keyKind` for the best `size` documents, at most TOP_SIZE_MAX.
 * `descending` 1: of the column, if there is one, larger is better, and a document's largest value counts; 0: the other way
 * round.
 */
export function beginTop(top: usize, size: u32, keyKind: u32, descending: u32): void {
  store<u32>(top, descending, TOP_LAST);
  store<u64>(top, descending ? 0 : u64.MAX_VALUE, TOP_FLIP);
  store<u32>(top, keyKind, TOP_KEY_KIND);
  store<u32>(top, size, TOP_SIZE);
  store<u32>(top, size + max<u32>(size, TOP_SLACK_MIN), TOP_CAPACITY);
  store<u32>(top, 0, TOP_COUNT);
  store<f32>(top, size > 0 ? -1 : <f32>Infinity, TOP_SCORE);
  const bound: u64 = size > 0 ? 0 : u64.MAX_VALUE;
  store<u64>(top, bound, TOP_BOUND + TOP_KEY_LOW);
  store<u64>(top, bound, TOP_BOUND + TOP_KEY_HIGH);
  store<u32>(top, 1, TOP_RANDOM);
  store<u32>(top, 0, TOP_WIDTH);
  store<u32>(top, 0, TOP_PAGE);
  store<u32>(top, u32.MAX_VALUE, TOP_NEXT_LOOK);
}

/**
 * Says which documents can be asked for, after beginTop() for an order that begins with the score: the meaning of the
 * numbers is in layout/score-top.ts.
 */
export function boundPage(top: usize, page: u32, share: f32, wholeShare: f32, whole: f32): void {
  store<u32>(top, page, TOP_PAGE);
  store<f32>(top, share, TOP_SHARE);
  store<f32>(top, wholeShare, TOP_WHOLE_SHARE);
  store<f32>(top, whole, TOP_WHOLE);
  store<u32>(top, 4 * page, TOP_NEXT_LOOK);
}

/** What a document has to reach to enter; -1 while all enter, Infinity when none is wanted. The score is in front. */
@inline
export function scoreToEnter(top: usize): f32 {
  return load<f32>(top, TOP_SCORE);
}

/** Whether every document enters. */
function isOpen(top: usize): bool {
  return (load<u64>(top, TOP_BOUND + TOP_KEY_LOW) | load<u64>(top, TOP_BOUND + TOP_KEY_HIGH)) === 0;
}

/** Whether every document enters, some are wanted, and the score is in front. */
export function isOpenToScores(top: usize): bool {
  const isScoreFirst = load<u32>(top, TOP_KEY_KIND) <= <u32>TOP_KEY_SCORE_COLUMN;
  return isScoreFirst && load<u32>(top, TOP_SIZE) > 0 && isOpen(top);
}

/** The largest 32-bit float below a score; for 0 and less it is -1, which is below every score. */
export function floatBelow(value: f32): f32 {
  return value > 0 ? reinterpret<f32>(reinterpret<u32>(value) - 1) : -1;
}

/** Lets in none but documents that score at least `least`, in an order that begins with the score; never more than before. */
export function raiseScore(top: usize, least: f32): void {
  const score = floatBelow(least);
  if (score < 0 || score <= scoreToEnter(top)) return;
  store<u64>(top, u64.MAX_VALUE, TOP_BOUND + TOP_KEY_LOW);
  store<u64>(top, ((<u64>reinterpret<u32>(score) + 1) << TOP_KEY_SCORE_SHIFT) - 1, TOP_BOUND + TOP_KEY_HIGH);
  store<f32>(top, score, TOP_SCORE);
}

/** What a document scores at least that could be on the page, when as many as are on it score `reached`. */
export function leastOnPage(top: usize, reached: f32): f32 {
  const least = max(load<f32>(top, TOP_WHOLE_SHARE) * reached, load<f32>(top, TOP_WHOLE));
  return min(load<f32>(top, TOP_SHARE) * reached, least);
}

/** The largest score of the first `count` documents, at least one, in an order that begins with the score. */
function bestScore(top: usize, count: u32): f32 {
  const end = keyAt(top, count);
  let best: u64 = 0;
  for (let at = keyAt(top, 0); at < end; at += TOP_KEY_BYTES) best = max(best, load<u64>(at, TOP_KEY_HIGH));
  return reinterpret<f32>(<u32>(best >> TOP_KEY_SCORE_SHIFT));
}

/** Lets in none but documents that could be on the page, going by those that are kept. */
export function lookAtPage(top: usize): void {
  const page = load<u32>(top, TOP_PAGE);
  const count = load<u32>(top, TOP_COUNT);
  if (page === 0 || count < page) return;
  store<u32>(top, 2 * count, TOP_NEXT_LOOK);
  // Where bonuses are large, not even the best score would let in fewer, and to look for the page's last one costs a selection.
  if (leastOnPage(top, bestScore(top, count)) <= scoreToEnter(top)) return;
  const last = keyAt(top, page - 1);
  selectKey(keyAt(top, 0), keyAt(top, count - 1), last, top + TOP_RANDOM);
  raiseScore(top, leastOnPage(top, <f32>scoreAt(last)));
}

/** Leaves out what came in before the bound was raised above it. */
export function dropBelowBound(top: usize): void {
  const boundLow = load<u64>(top, TOP_BOUND + TOP_KEY_LOW);
  const boundHigh = load<u64>(top, TOP_BOUND + TOP_KEY_HIGH);
  const end = keyAt(top, load<u32>(top, TOP_COUNT));
  let out = keyAt(top, 0);
  for (let at = out; at < end; at += TOP_KEY_BYTES) {
    const low = load<u64>(at, TOP_KEY_LOW);
    const high = load<u64>(at, TOP_KEY_HIGH);
    store<u64>(out, low, TOP_KEY_LOW);
    store<u64>(out, high, TOP_KEY_HIGH);
    out += <usize>(1 - precedes(boundHigh, boundLow, high, low)) * TOP_KEY_BYTES;
  }
  store<u32>(top, rankOf(top, out), TOP_COUNT);
}

/** Keeps the best documents and raises the bound to the last of them, if there are as many as are wanted. */
export function cut(top: usize): void {
  const size = load<u32>(top, TOP_SIZE);
  const count = load<u32>(top, TOP_COUNT);
  if (size === 0 || count < size) return;
  const last = keyAt(top, size - 1);
  selectKey(keyAt(top, 0), keyAt(top, count - 1), last, top + TOP_RANDOM);
  store<u32>(top, size, TOP_COUNT);
  const high = load<u64>(last, TOP_KEY_HIGH);
  const low = load<u64>(last, TOP_KEY_LOW);
  // The page may have raised it further.
  if (!precedes(high, low, load<u64>(top, TOP_BOUND + TOP_KEY_HIGH), load<u64>(top, TOP_BOUND + TOP_KEY_LOW))) return;
  v128.store(top + TOP_BOUND, v128.load(last));
  if (load<u32>(top, TOP_KEY_KIND) > <u32>TOP_KEY_SCORE_COLUMN) return;
  store<u32>(top, <u32>(high >> TOP_KEY_SCORE_SHIFT), TOP_SCORE);
}

/** Has what a document must reach to enter say what is known by now, which otherwise comes to light when there is no room left. */
export function tighten(top: usize): void {
  if (load<u32>(top, TOP_COUNT) > load<u32>(top, TOP_SIZE)) cut(top);
}

/** As tighten(), once there are as many as are wanted, unless these are many: others that score like the last one come too late. */
export function settle(top: usize): void {
  const size = load<u32>(top, TOP_SIZE);
  if (size <= <u32>TOP_SLACK_MIN && load<u32>(top, TOP_COUNT) >= size) cut(top);
}

/** As appendKey(), of an order that is the score alone. */
@inline
function appendScore(out: usize, score: u32, order: u32, boundHigh: u64, boundLow: u64): usize {
  const high = <u64>score << TOP_KEY_SCORE_SHIFT;
  const low = <u64>placeBits(order);
  store<u64>(out, low, TOP_KEY_LOW);
  store<u64>(out, high, TOP_KEY_HIGH);
  return out + <usize>precedes(high, low, boundHigh, boundLow) * TOP_KEY_BYTES;
}

/** Offers the documents of the list from `at` to `end` while there is room, and returns where the others begin. */
@inline
function offerWhileRoom(top: usize, orderBase: u32, at: usize, end: usize, acc: usize, hasColumn: bool): usize {
  const boundLow = load<u64>(top, TOP_BOUND + TOP_KEY_LOW);
  const boundHigh = load<u64>(top, TOP_BOUND + TOP_KEY_HIGH);
  // Floats >= 0 order as their bits do, as signed integers.
  const least = load<i32>(top, TOP_SCORE);
  const reach = i32x4.splat(least);
  let out = keyAt(top, load<u32>(top, TOP_COUNT));
  /** Four keys fit there. */
  const lastOut = keyAt(top, load<u32>(top, TOP_CAPACITY) - 4);
  while (at + 8 <= end && out <= lastOut) {
    const docs = load<u64>(at);
    const a = <u32>docs & 0xffff;
    const b = <u32>(docs >> 16) & 0xffff;
    const c = <u32>(docs >> 32) & 0xffff;
    const d = <u32>(docs >> 48);
    let scores = v128.load_zero<u32>(acc + (<usize>a << 2));
    scores = v128.load_lane<u32>(acc + (<usize>b << 2), scores, 1);
    scores = v128.load_lane<u32>(acc + (<usize>c << 2), scores, 2);
    scores = v128.load_lane<u32>(acc + (<usize>d << 2), scores, 3);
    const reached = i32x4.ge_s(scores, reach);
    at += 8;
    // Most documents of a long list lose, which a branch predictor learns.
    if (!v128.any_true(reached)) continue;
    if (hasColumn) {
      const lanes = i32x4.bitmask(reached);
      if (lanes & 1) out = appendKey(top, out, i32x4.extract_lane(scores, 0), orderBase + a);
      if (lanes & 2) out = appendKey(top, out, i32x4.extract_lane(scores, 1), orderBase + b);
      if (lanes & 4) out = appendKey(top, out, i32x4.extract_lane(scores, 2), orderBase + c);
      if (lanes & 8) out = appendKey(top, out, i32x4.extract_lane(scores, 3), orderBase + d);
    } else {
      out = appendScore(out, i32x4.extract_lane(scores, 0), orderBase + a, boundHigh, boundLow);
      out = appendScore(out, i32x4.extract_lane(scores, 1), orderBase + b, boundHigh, boundLow);
      out = appendScore(out, i32x4.extract_lane(scores, 2), orderBase + c, boundHigh, boundLow);
      out = appendScore(out, i32x4.extract_lane(scores, 3), orderBase + d, boundHigh, boundLow);
    }
  }
  for (; at < end && out <= lastOut; at += 2) {
    const doc = <u32>load<u16>(at);
    const score = load<i32>(acc + (<usize>doc << 2));
    if (score < least) continue;
    if (hasColumn) out = appendKey(top, out, score, orderBase + doc);
    else out = appendScore(out, score, orderBase + doc, boundHigh, boundLow);
  }
  store<u32>(top, rankOf(top, out), TOP_COUNT);
  return at;
}

/**
 * Offers `count` distinct documents of a chunk to an order with the score in front: u16 at `list`, of which document d has
 * the order `orderBase` + d and the score f32 `acc`[d], finite and >= 0.
 */
export function offerScores(top: usize, orderBase: u32, list: usize, count: u32, acc: usize): void {
  const hasColumn = load<u32>(top, TOP_KEY_KIND) !== TOP_KEY_SCORE;
  const end = list + (<usize>count << 1);
  let at = list;
  for (;;) {
    if (hasColumn) at = offerWhileRoom(top, orderBase, at, end, acc, true);
    else at = offerWhileRoom(top, orderBase, at, end, acc, false);
    if (at >= end) break;
    cut(top);
    lookAtPage(top);
  }
  if (isOpen(top)) cut(top);
  if (load<u32>(top, TOP_COUNT) >= load<u32>(top, TOP_NEXT_LOOK)) lookAtPage(top);
}

/**
 * Offers `count` distinct documents of the segment, in any order: document u32 `docs`[i] has the order `orderBase` + `docs`[i] and the score
 * f32 `scores`[i], finite and >= 0.
 */
export function offerDocs(top: usize, orderBase: u32, docs: usize, scores: usize, count: u32): void {
  const full = keyAt(top, load<u32>(top, TOP_CAPACITY));
  let out = keyAt(top, load<u32>(top, TOP_COUNT));
  for (let i: usize = 0; i < <usize>count; i++) {
    if (out === full) {
      store<u32>(top, rankOf(top, out), TOP_COUNT);
      cut(top);
      lookAtPage(top);
      out = keyAt(top, load<u32>(top, TOP_COUNT));
    }
    out = appendKey(top, out, load<u32>(scores + (i << 2)), orderBase + load<u32>(docs + (i << 2)));
  }
  store<u32>(top, rankOf(top, out), TOP_COUNT);
  if (isOpen(top)) cut(top);
  if (load<u32>(top, TOP_COUNT) >= load<u32>(top, TOP_NEXT_LOOK)) lookAtPage(top);
}

/**
 * Offers one document of which the bonuses are known: TOP_VERDICT_*. There is room for one more key, and the score is in front.
 * false: it does not enter.
 */
export function offerJudged(top: usize, order: u32, score: f32, verdict: u32): bool {
  const count = load<u32>(top, TOP_COUNT);
  const key = keyAt(top, count);
  if (appendKey(top, key, reinterpret<u32>(score), order) == key) return false;
  // Its bits are 0 below those of the order, turned round.
  store<u64>(key, load<u64>(key, TOP_KEY_LOW) - <u64>verdict, TOP_KEY_LOW);
  store<u32>(top, count + 1, TOP_COUNT);
  return true;
}

/**
 * As offerScores(), to an order with a column in front, or when all scores are 0. `spread`: room for the list. Where
 * nearly every document enters it is taken in an order that has nothing to do with the documents' order: values that grow
 * with the insertion, as dates do, would otherwise make every document the best so far.
 */
export function offerByColumn(top: usize, orderBase: u32, list: usize, count: u32, acc: usize, spread: usize): void {
  const capacity = load<u32>(top, TOP_CAPACITY);
  const enough = (capacity - load<u32>(top, TOP_SIZE)) >> 1;
  let at = list;
  let end = list + (<usize>count << 1);
  let isSpread = false;
  for (;;) {
    const from = at;
    const room = capacity - load<u32>(top, TOP_COUNT);
    const wasOpen = isOpen(top);
    at = offerWhileRoomByColumn(top, orderBase, at, end, acc);
    if (at >= end) break;
    cut(top);
    const offered = <u32>((at - from) >> 1);
    const left = <u32>((end - at) >> 1);
    if (isSpread || wasOpen || room < enough || offered > 2 * room || left < SPREAD_DOCS_MIN) continue;
    spreadList(at, left, spread);
    isSpread = true;
    at = spread;
    end = spread + (<usize>left << 1);
  }
  if (isOpen(top)) cut(top);
}
