/**
 * The segments of a sweep in which no clause reads more than one list of a field: what matches is counted by bits and lists of
 * documents, and only documents are scored whose bound can still enter the best ones. For kernels/sweep.ts alone; exports
 * nothing to JavaScript. Layouts: layout/sweep.ts, layout/joined-lists.ts.
 *
 * (Turtle & Flood, "Query evaluation: strategies and optimizations", Information Processing & Management 1995; Ding & Suel,
 * "Faster top-k document retrieval using block-max indexes", SIGIR 2011.)
 */
import {
  JOINED_BYTES,
  JOINED_COUNT,
  JOINED_DATA,
  JOINED_ENTRY,
  JOINED_FLAG,
  JOINED_IS_REQUIRED,
  JOINED_PLACE,
  JOINED_TABLE,
  JOINED_WEIGHT,
} from '../layout/joined-lists';
import { CHUNK_BLOCKS, CHUNK_KIND_RANKED, CHUNK_KIND_SPARSE } from '../layout/postings';
import { TOP_KEY_KIND, TOP_KEY_SCORE, TOP_SIZE } from '../layout/score-top';
import {
  CHUNK_BITSET_BYTES,
  CHUNK_DOCS,
  SCRATCH_ACC,
  SCRATCH_FILTER_BITS,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
  SCRATCH_OUT_SCORES,
} from '../layout/scratch';
import {
  ROW_LIVE,
  ROW_ORDER_BASE,
  ROW_SEGMENT,
  SWEEP_JOINED,
  SWEEP_JOINED_END,
  SWEEP_SCRATCH,
  SWEEP_TOP,
} from '../layout/sweep';
import { SPARE_PLACES } from './bit-lists';
import { scoreBlocks } from './blocks';
import { blocksOf } from './chunk-forms';
import { filterList } from './doc-lists';
import { listOpenBlocks } from './joined-blocks';
import { enterJoined, joinedAt } from './joined-lists';
import { countUnion, dropJoined, intersectRanked, isRanked, keepJoined } from './joined-matches';
import { boundFrom, keepReaching, leastImpact, requireLists, scoreJoined } from './joined-scores';
import { BLOCK_GROWTH, FIRST_BLOCKS } from './list-sweep';
import { floatBelow, offerScores, scoreToEnter } from './score-top';
import { isEveryAsked } from './joined-begin';

/** What a document must score more than to enter. `again`: documents behind it may have been offered before it. */
@inline
function thresholdOf(top: usize, again: bool): f32 {
  const worst = scoreToEnter(top);
  return again || load<u32>(top, TOP_KEY_KIND) != TOP_KEY_SCORE ? floatBelow(worst) : worst;
}

/** Notes that a document that may enter is in all lists. */
function requireAll(first: usize, end: usize): void {
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    store<u32>(joined, u32(load<u32>(joined, JOINED_COUNT) != 0), JOINED_IS_REQUIRED);
  }
}

/** The live documents that all lists have, of which none is ranked or one is not: their number, once they are offered. */
function joinLists(sweep: usize, orderBase: u32, live: usize, shortest: usize): u32 {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const list = scratch + SCRATCH_LIST_A;
  let from = <usize>load<u32>(shortest, JOINED_DATA);
  let n = load<u32>(shortest, JOINED_COUNT);
  for (let joined = first; joined < end && n > 0; joined += JOINED_BYTES) {
    if (joined == shortest || load<u32>(joined, JOINED_COUNT) == 0) continue;
    n = keepJoined(joined, from, n, list);
    from = list;
  }
  n = filterList(list, n, live, 0);
  if (n == 0 || load<u32>(top, TOP_SIZE) == 0) return n;
  const threshold = thresholdOf(top, false);
  if (boundFrom(first, end, 0) <= threshold) return n;
  requireAll(first, end);
  const kept = keepReaching(first, end, 0, threshold, list, n);
  scoreJoined(first, end, list, kept, scratch + SCRATCH_ACC);
  offerScores(top, orderBase, list, kept, scratch + SCRATCH_ACC);
  return n;
}

/** The live documents that all lists have, which are ranked: their number, once those are offered that may enter. */
function joinBits(sweep: usize, orderBase: u32, live: usize): u32 {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const bits = scratch + SCRATCH_FILTER_BITS;
  const list = scratch + SCRATCH_LIST_A;
  const acc = scratch + SCRATCH_ACC;
  const found = intersectRanked(first, end, live, bits);
  if (found == 0 || load<u32>(top, TOP_SIZE) == 0) return found;
  const bound = boundFrom(first, end, 0);
  requireAll(first, end);
  const places = scratch + SCRATCH_OUT_SCORES + SPARE_PLACES;
  let size = FIRST_BLOCKS;
  for (let low: u32 = 0; low < <u32>CHUNK_BLOCKS; low += size, size *= BLOCK_GROWTH) {
    const threshold = thresholdOf(top, false);
    if (bound <= threshold) break;
    const high = min(low + size, <u32>CHUNK_BLOCKS);
    let n = listOpenBlocks(first, end, 0, threshold, bits, 0, low, high, places, bits, list);
    n = keepReaching(first, end, 0, threshold, list, n);
    if (n == 0) continue;
    scoreJoined(first, end, list, n, acc);
    offerScores(top, orderBase, list, n, acc);
  }
  return found;
}

/** Whether another list is required, beside `own`, and ranked. */
function isRankedRequired(first: usize, end: usize, own: usize): bool {
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (joined != own && isRanked(joined) && load<u32>(joined, JOINED_IS_REQUIRED)) return true;
  }
  return false;
}

/** Keeps of list u16[n] the documents that all required lists have, and none of a place before `place`; returns how many. */
function sortOut(first: usize, end: usize, place: u32, list: usize, n: u32): u32 {
  let left = n;
  for (let joined = first; joined < end && left > 0; joined += JOINED_BYTES) {
    const own = load<u32>(joined, JOINED_PLACE);
    if (own == place || load<u32>(joined, JOINED_COUNT) == 0) continue;
    if (own < place) left = dropJoined(joined, list, left);
    else if (load<u32>(joined, JOINED_IS_REQUIRED)) left = keepJoined(joined, list, left, list);
  }
  return left;
}

/**
 * Offers the documents of the chunk that may enter and that the list of place `place` has, but for those that one of an
 * earlier place has, which were offered with it.
 */
function offerPlace(sweep: usize, orderBase: u32, live: usize, place: u32): void {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const list = scratch + SCRATCH_LIST_A;
  const acc = scratch + SCRATCH_ACC;
  const own = joinedAt(first, place);
  const data = <usize>load<u32>(own, JOINED_DATA);
  const count = load<u32>(own, JOINED_COUNT);
  const packed = count | load<u32>(own, JOINED_FLAG);
  const w = load<f32>(own, JOINED_WEIGHT);
  const lut = <usize>load<u32>(own, JOINED_TABLE);
  const blocks = blocksOf(isRanked(own) ? CHUNK_KIND_RANKED : CHUNK_KIND_SPARSE, count);
  const bits = scratch + SCRATCH_FILTER_BITS;
  const places = scratch + SCRATCH_OUT_SCORES + SPARE_PLACES;
  let size = FIRST_BLOCKS;
  for (let low: u32 = 0; low < blocks; low += size, size *= BLOCK_GROWTH) {
    const threshold = thresholdOf(top, place > 0);
    if (boundFrom(first, end, place) <= threshold) return;
    const least = leastImpact(first, end, own, place, threshold);
    if (least > 255) return;
    requireLists(first, end, place, threshold);
    let n: u32 = 0;
    if (isRanked(own) && isRankedRequired(first, end, own)) {
      const high = min(low + size, blocks);
      n = listOpenBlocks(first, end, place, threshold, data, live, low, high, places, bits, list);
    } else {
      n = scoreBlocks(data, packed, w, lut, least, low, low + size, -1, acc, list);
      n = filterList(list, n, live, 0);
      // Its own impacts reach it.
      store<u32>(own, 0, JOINED_IS_REQUIRED);
    }
    n = sortOut(first, end, place, list, n);
    n = keepReaching(first, end, place, threshold, list, n);
    if (n == 0) continue;
    scoreJoined(first, end, list, n, acc);
    offerScores(top, orderBase, list, n, acc);
  }
}

/** The live documents that any list has: their number, once those are offered that may enter. */
function joinAny(sweep: usize, orderBase: u32, live: usize): u32 {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const found = countUnion(first, end, live, scratch + SCRATCH_FILTER_BITS, scratch + SCRATCH_LIST_B);
  if (load<u32>(top, TOP_SIZE) == 0) return found;
  const lists = <u32>((end - first) / JOINED_BYTES);
  for (let place: u32 = 0; place < lists; place++) {
    if (load<u32>(joinedAt(first, place), JOINED_COUNT) != 0) offerPlace(sweep, orderBase, live, place);
  }
  return found;
}

/** Offers the best documents of a chunk of the segment; returns how many match. The row was joined, chunks ascend. */
export function joinChunk(sweep: usize, row: usize, chunk: u32): u32 {
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const isEvery = isEveryAsked(sweep);
  let shortest: usize = 0;
  let isEmpty = true;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    enterJoined(joined, load<u32>(row, ROW_SEGMENT), chunk);
    const count = load<u32>(joined, JOINED_COUNT);
    if (count == 0) {
      if (isEvery && load<u32>(joined, JOINED_ENTRY) != 0) return 0;
      continue;
    }
    isEmpty = false;
    if (shortest == 0 || count < load<u32>(shortest, JOINED_COUNT)) shortest = joined;
  }
  if (isEmpty) return 0;
  const bits = <usize>load<u32>(row, ROW_LIVE);
  const live: usize = bits == 0 ? 0 : bits + <usize>chunk * CHUNK_BITSET_BYTES;
  const orderBase = load<u32>(row, ROW_ORDER_BASE) + chunk * CHUNK_DOCS;
  if (!isEvery) return joinAny(sweep, orderBase, live);
  if (!isRanked(shortest)) return joinLists(sweep, orderBase, live, shortest);
  return joinBits(sweep, orderBase, live);
}

/** What it takes to join the chunk that was entered last, in steps. */
export function joinSteps(sweep: usize): u32 {
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  let steps: u32 = 0;
  for (let joined = <usize>load<u32>(sweep, SWEEP_JOINED); joined < end; joined += JOINED_BYTES) {
    steps += load<u32>(joined, JOINED_COUNT) >> 1;
  }
  return steps;
}
