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
  JOINED_IS_REQUIRED,
  JOINED_PLACE,
  JOINED_TABLE,
  JOINED_WEIGHT,
} from '../layout/joined-lists';
import { BLOCK_POSTINGS, CHUNK_KIND_SPARSE } from '../layout/postings';
import { TOP_SIZE } from '../layout/score-top';
import {
  CHUNK_DOCS,
  SCRATCH_ACC,
  SCRATCH_FILTER_BITS,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
  SCRATCH_LIST_C,
  SCRATCH_OUT_SCORES,
} from '../layout/scratch';
import {
  ROW_MAX_DOC,
  ROW_ORDER_BASE,
  ROW_SEGMENT,
  SWEEP_BLOCKS,
  SWEEP_HAS_PLACES,
  SWEEP_JOINED,
  SWEEP_JOINED_END,
  SWEEP_SCRATCH,
  SWEEP_TOP,
} from '../layout/sweep';
import { makePlaces, SPARE_PLACES } from './bit-lists';
import { scoreBlocks } from './blocks';
import { blocksOf } from './chunk-forms';
import { filterList } from './doc-lists';
import { clauseBytes, isEveryAsked } from './joined-begin';
import { boundBlocks, keepOpen, readOpenBlocks } from './joined-blocks';
import { intersectClauses, isAnyRanked, keepClause, listClause, shortestClause } from './joined-clauses';
import { FEW_DOCS, listCommon, offerFew } from './joined-few';
import { enterJoined, joinedAt } from './joined-lists';
import { countUnion, dropJoined, intersectPassing, isRanked, keepJoined, uniteJoined } from './joined-matches';
import { boundFrom, keepReaching, leastImpact, requireLists, requireOfAll, scoreJoined } from './joined-scores';
import { offerTwo } from './joined-two';
import { BLOCK_GROWTH, FIRST_BLOCKS } from './list-sweep';
import { passingOf } from './passing';
import { thresholdOf } from './score-floor';
import { offerScores, tighten } from './score-top';
import { countBits, countListed, hasFacets } from './sweep-facets';

/** So many documents are looked up before the threshold is looked at again; of more, the bounds of blocks are worth making. */
const FIRST_DOCS: u32 = 128;

/** Postings that a list which all clauses need counts for at most: for more than them it is read as bits. */
const EVERY_LIST_STEPS: u32 = 4096;

/** The order of the first document of chunk number `chunk`. */
@inline
function orderOf(row: usize, chunk: u32): u32 {
  return load<u32>(row, ROW_ORDER_BASE) + chunk * CHUNK_DOCS;
}

/** What listBits() needs, which is made once a sweep, if at all. */
function placesOf(sweep: usize): usize {
  const places = <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_OUT_SCORES + SPARE_PLACES;
  if (load<u32>(sweep, SWEEP_HAS_PLACES) == 0) makePlaces(places);
  store<u32>(sweep, 1, SWEEP_HAS_PLACES);
  return places;
}

/** The passing documents that all clauses match, of which `shortest` has sparse lists alone: their number, once they are offered. */
function joinLists(sweep: usize, row: usize, chunk: u32, passing: usize, shortest: usize): u32 {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const bytes = clauseBytes(sweep);
  const list = scratch + SCRATCH_LIST_A;
  let n = listClause(shortest, shortest + bytes, list, scratch + SCRATCH_LIST_B);
  for (let clause = first; clause < end && n > 0; clause += bytes) {
    if (clause != shortest) n = keepClause(clause, clause + bytes, list, n, scratch + SCRATCH_LIST_B);
  }
  n = filterList(list, n, passing, 0);
  if (n != 0) countListed(sweep, row, chunk, list, n);
  if (n == 0 || load<u32>(top, TOP_SIZE) == 0) return n;
  offerList(sweep, orderOf(row, chunk), list, n);
  return n;
}

/** Offers the documents of list u16[n], ascending, that may enter; all clauses match them. */
function offerList(sweep: usize, orderBase: u32, list: usize, n: u32): void {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const bytes = clauseBytes(sweep);
  const acc = scratch + SCRATCH_ACC;
  const blocks = load<u32>(sweep, SWEEP_BLOCKS);
  const bounds: usize = n > max(FIRST_DOCS, blocks) ? scratch + SCRATCH_LIST_C : 0;
  let size = FIRST_DOCS;
  for (let from: u32 = 0; from < n; from += size, size *= BLOCK_GROWTH) {
    const threshold = thresholdOf(top, false);
    if (boundFrom(first, end, 0) <= threshold) return;
    requireOfAll(first, end, bytes, threshold);
    const docs = list + (<usize>from << 1);
    let left = min(size, n - from);
    if (bounds != 0) {
      if (from == 0) boundBlocks(first, end, 0, bounds, blocks);
      left = keepOpen(bounds, docs, left, threshold);
    }
    left = keepReaching(first, end, 0, threshold, docs, left);
    scoreJoined(first, end, docs, left, acc);
    offerScores(top, orderBase, docs, left, acc);
  }
}

/**
 * Offers the passing documents of `bits`, of a chunk, that may enter, but for those that lists of a place before `place` have.
 * `bytes`: those of the records of a clause, of which they match every one; 0: the list of this place has them.
 */
function offerBits(sweep: usize, orderBase: u32, bits: usize, passing: usize, place: u32, bytes: usize): void {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const list = scratch + SCRATCH_LIST_A;
  const acc = scratch + SCRATCH_ACC;
  const own = scratch + SCRATCH_FILTER_BITS;
  const scored = scratch + SCRATCH_LIST_B;
  const bounds = scratch + SCRATCH_LIST_C;
  const bound = boundFrom(first, end, place);
  let threshold = thresholdOf(top, place > 0);
  if (bound <= threshold) return;
  const places = placesOf(sweep);
  const blocks = load<u32>(sweep, SWEEP_BLOCKS);
  boundBlocks(first, end, place, bounds, blocks);
  let size = FIRST_BLOCKS;
  for (let low: u32 = 0; low < blocks; low += size, size *= BLOCK_GROWTH) {
    tighten(top);
    threshold = thresholdOf(top, place > 0);
    if (bound <= threshold) break;
    if (bytes != 0) requireOfAll(first, end, bytes, threshold);
    else requireLists(first, end, place, threshold);
    const high = min(low + size, blocks);
    const both = readOpenBlocks(
      first, end, place, threshold, bounds, bits, passing, low, high, places, own, list, scored, acc,
    );
    offerScores(top, orderBase, scored, <u32>(both >> 32), acc);
    const n = keepReaching(first, end, place, threshold, list, <u32>both);
    if (n == 0) continue;
    scoreJoined(first, end, list, n, acc);
    offerScores(top, orderBase, list, n, acc);
  }
}

/** The passing documents that all clauses match: their number, once those are offered that may enter. */
function joinBits(sweep: usize, row: usize, chunk: u32, passing: usize): u32 {
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const bits = <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_FILTER_BITS;
  const bytes = clauseBytes(sweep);
  const found = intersectClauses(
    first, <usize>load<u32>(sweep, SWEEP_JOINED_END), bytes, passing, load<u32>(sweep, SWEEP_BLOCKS), bits,
  );
  if (found == 0) return 0;
  if (hasFacets(sweep)) countBits(sweep, row, chunk, bits, found);
  if (load<u32>(<usize>load<u32>(sweep, SWEEP_TOP), TOP_SIZE) != 0) offerBits(sweep, orderOf(row, chunk), bits, 0, 0, bytes);
  return found;
}

/** Keeps of list u16[n] the documents that all required lists have, and none of a place before `place`; returns how many. */
function sortOut(first: usize, end: usize, place: u32, list: usize, n: u32): u32 {
  let left = n;
  for (let joined = first; joined < end && left > 0; joined += JOINED_BYTES) {
    const own = load<u32>(joined, JOINED_PLACE);
    if (load<u32>(joined, JOINED_COUNT) == 0) continue;
    if (own < place) left = dropJoined(joined, list, left);
    else if (load<u32>(joined, JOINED_IS_REQUIRED)) left = keepJoined(joined, list, left, list);
  }
  return left;
}

/**
 * Offers the documents of the chunk that may enter and that the list of place `place` has, but for those that one of an
 * earlier place has, which were offered with it.
 */
function offerPlace(sweep: usize, orderBase: u32, passing: usize, place: u32): void {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const list = scratch + SCRATCH_LIST_A;
  const acc = scratch + SCRATCH_ACC;
  const own = joinedAt(first, place);
  const data = <usize>load<u32>(own, JOINED_DATA);
  const count = load<u32>(own, JOINED_COUNT);
  const w = load<f32>(own, JOINED_WEIGHT);
  const lut = <usize>load<u32>(own, JOINED_TABLE);
  const blocks = blocksOf(CHUNK_KIND_SPARSE, count);
  let size = FIRST_BLOCKS;
  for (let low: u32 = 0; low < blocks; low += size, size *= BLOCK_GROWTH) {
    const threshold = thresholdOf(top, place > 0);
    if (boundFrom(first, end, place) <= threshold) return;
    const least = leastImpact(first, end, own, place, threshold);
    if (least > 255) return;
    requireLists(first, end, place, threshold);
    let n = scoreBlocks(data, count, w, lut, least, low, low + size, -1, acc, list);
    n = filterList(list, n, passing, 0);
    // Its own impacts reach it.
    store<u32>(own, 0, JOINED_IS_REQUIRED);
    n = sortOut(first, end, place, list, n);
    n = keepReaching(first, end, place, threshold, list, n);
    if (n == 0) continue;
    scoreJoined(first, end, list, n, acc);
    offerScores(top, orderBase, list, n, acc);
  }
}

/** The passing documents that any list has: their number, once those are offered that may enter. */
function joinAny(sweep: usize, row: usize, chunk: u32, passing: usize): u32 {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const found = countUnion(
    first, end, passing, load<u32>(sweep, SWEEP_BLOCKS), scratch + SCRATCH_FILTER_BITS, scratch + SCRATCH_LIST_B,
  );
  if (hasFacets(sweep) && found != 0) {
    const room = scratch + SCRATCH_FILTER_BITS;
    const blocks = load<u32>(sweep, SWEEP_BLOCKS);
    let bits = uniteJoined(first, end, blocks, room);
    if (passing != 0) {
      intersectPassing(bits, passing, blocks, room);
      bits = room;
    }
    countBits(sweep, row, chunk, bits, found);
  }
  if (load<u32>(<usize>load<u32>(sweep, SWEEP_TOP), TOP_SIZE) == 0) return found;
  const orderBase = orderOf(row, chunk);
  const lists = <u32>((end - first) / JOINED_BYTES);
  for (let place: u32 = 0; place < lists; place++) {
    const own = joinedAt(first, place);
    if (load<u32>(own, JOINED_COUNT) == 0) continue;
    if (isRanked(own)) offerBits(sweep, orderBase, <usize>load<u32>(own, JOINED_DATA), passing, place, 0);
    else offerPlace(sweep, orderBase, passing, place);
  }
  return found;
}

/** As joinLists() where each clause reads one list, and no facets are counted. */
function joinSparse(sweep: usize, row: usize, chunk: u32, passing: usize, shortest: usize): u32 {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const list = scratch + SCRATCH_LIST_A;
  const isWanted = load<u32>(top, TOP_SIZE) != 0;
  if (isWanted && end - first == 2 * JOINED_BYTES && boundFrom(first, end, 0) > thresholdOf(top, false)) {
    const longer = shortest == first ? first + JOINED_BYTES : first;
    return offerTwo(shortest, longer, top, orderOf(row, chunk), passing, list);
  }
  const n = filterList(list, listCommon(first, end, shortest, list), passing, 0);
  if (n == 0 || !isWanted) return n;
  if (n > FEW_DOCS) offerList(sweep, orderOf(row, chunk), list, n);
  else if (boundFrom(first, end, 0) > thresholdOf(top, false)) {
    offerFew(first, end, top, orderOf(row, chunk), list, n, scratch + SCRATCH_ACC);
  }
  return n;
}

/** Offers the best documents of a chunk of the segment; returns how many match. The row was joined, chunks ascend. */
export function joinChunk(sweep: usize, row: usize, chunk: u32): u32 {
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const bytes = clauseBytes(sweep);
  const isEvery = isEveryAsked(sweep);
  const isEveryList = isEvery && bytes == JOINED_BYTES;
  let postings: u32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    enterJoined(joined, load<u32>(row, ROW_SEGMENT), chunk);
    const count = load<u32>(joined, JOINED_COUNT);
    // Lists behind it are not entered: none is read in this chunk.
    if (count == 0 && isEveryList) return 0;
    postings += count;
  }
  if (postings == 0) return 0;
  const docs = min(load<u32>(row, ROW_MAX_DOC) - chunk * CHUNK_DOCS, <u32>CHUNK_DOCS);
  store<u32>(sweep, (docs + BLOCK_POSTINGS - 1) / BLOCK_POSTINGS, SWEEP_BLOCKS);
  const passing = passingOf(sweep, row, chunk);
  if (!isEvery) return joinAny(sweep, row, chunk, passing);
  const shortest = shortestClause(first, end, bytes);
  if (shortest == 0) return 0;
  if (isAnyRanked(shortest, shortest + bytes)) return joinBits(sweep, row, chunk, passing);
  if (isEveryList && !hasFacets(sweep)) return joinSparse(sweep, row, chunk, passing, shortest);
  return joinLists(sweep, row, chunk, passing, shortest);
}

/** What it took to join the chunk that was entered last, in steps. */
export function joinSteps(sweep: usize): u32 {
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const isEveryList = isEveryAsked(sweep) && clauseBytes(sweep) == JOINED_BYTES;
  let steps: u32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const count = load<u32>(joined, JOINED_COUNT);
    if (count == 0 && isEveryList) return 0;
    // What is looked up in a list that all need to have takes no longer than the bits of the list.
    steps += (isEveryList ? min(count, EVERY_LIST_STEPS) : count) >> 1;
  }
  return steps;
}
