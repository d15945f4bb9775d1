/**
 * Scores of documents in several lists, and bounds of them. Scores of lists are added in the order of the clauses, bounds too:
 * so none is rounded below the score that it is the bound of. For kernels/joined-sweep.ts alone; exports nothing to
 * JavaScript. Layout: layout/joined-lists.ts.
 */
import {
  JOINED_BOUND,
  JOINED_BOUNDS,
  JOINED_BYTES,
  JOINED_CHUNK_BOUND,
  JOINED_COUNT,
  JOINED_DATA,
  JOINED_LEAST,
  JOINED_IS_REQUIRED,
  JOINED_LEAST_ABOVE,
  JOINED_LEAST_PLACE,
  JOINED_LEAST_TABLE,
  JOINED_LEAST_WEIGHT,
  JOINED_PLACE,
  JOINED_TABLE,
  JOINED_WEIGHT,
} from '../layout/joined-lists';
import { RANKED_IMPACTS } from '../layout/postings';
import { hasBit } from './bit-lists';
import { onlyList } from './joined-clauses';
import { isRanked, LANES, laneOf, lastLanes, placeOfFew, seekLanes } from './joined-matches';
import { rankedImpact, rankOfDoc } from './ranked-chunks';

/** acc[d] = kept part of acc[d] + the list's score of d, 0 where it does not have it, for the documents of list u16[n], ascending. */
function addScores(joined: usize, list: usize, n: u32, acc: usize, kept: u32): void {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  const w = load<f32>(joined, JOINED_WEIGHT);
  const lut = <usize>load<u32>(joined, JOINED_TABLE);
  const m = load<u32>(joined, JOINED_COUNT);
  if (isRanked(joined)) {
    for (let i: u32 = 0; i < n; i++) {
      const d = <u32>load<u16>(list + (i << 1));
      const a = acc + (<usize>d << 2);
      // Of a document that the list does not have, the score of some impact is masked out: no branch could foretell it.
      const v = w * load<f32>(lut + (<usize>load<u8>(data + rankOfDoc(data, d), RANKED_IMPACTS) << 2));
      const own = reinterpret<f32>(reinterpret<u32>(v) & (0 - hasBit(data, d)));
      store<f32>(a, reinterpret<f32>(load<u32>(a) & kept) + own);
    }
    return;
  }
  const impacts = data + (m << 1);
  const last: usize = m < LANES ? 0 : lastLanes(data, m);
  let at = data;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    const a = acc + (<usize>d << 2);
    let place = m;
    if (last == 0) place = placeOfFew(data, m, d);
    else {
      at = seekLanes(at, last, d);
      const lane = laneOf(at, d);
      if (lane) place = <u32>((at - data) >> 1) + ctz(lane);
    }
    const own: f32 = place < m ? w * load<f32>(lut + (<usize>load<u8>(impacts + place) << 2)) : 0;
    store<f32>(a, reinterpret<f32>(load<u32>(a) & kept) + own);
  }
}

/**
 * Keeps of list u16[n], ascending, in place, the documents whose impact in the list, which has them all, is at least `least`;
 * returns how many.
 */
function keepImpacts(joined: usize, list: usize, n: u32, least: u32): u32 {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  const m = load<u32>(joined, JOINED_COUNT);
  let count: u32 = 0;
  if (isRanked(joined)) {
    for (let i: u32 = 0; i < n; i++) {
      const d = <u32>load<u16>(list + (i << 1));
      store<u16>(list + (count << 1), d);
      count += u32(rankedImpact(data, d) >= <usize>least);
    }
    return count;
  }
  const impacts = data + (m << 1);
  const last: usize = m < LANES ? 0 : lastLanes(data, m);
  let at = data;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    let place: u32 = 0;
    if (last == 0) place = placeOfFew(data, m, d);
    else {
      at = seekLanes(at, last, d);
      place = <u32>((at - data) >> 1) + ctz(laneOf(at, d));
    }
    store<u16>(list + (count << 1), d);
    count += u32(<u32>load<u8>(impacts + place) >= least);
  }
  return count;
}

/**
 * Keeps of list u16[n], ascending, in place, the documents that may score above `threshold`, by what each of the required lists
 * tells, which have them all, while only lists of places from `place` on have them; returns how many.
 */
export function keepReaching(first: usize, end: usize, place: u32, threshold: f32, list: usize, n: u32): u32 {
  let left = n;
  for (let joined = first; joined < end && left > 0; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_IS_REQUIRED) == 0) continue;
    const least = leastImpact(first, end, joined, place, threshold);
    if (least > 255) return 0;
    if (least > 1) left = keepImpacts(joined, list, left, least);
  }
  return left;
}

/** acc[d] = the score of d in the lists of the records, for the documents of list u16[n], ascending. */
export function scoreJoined(first: usize, end: usize, list: usize, n: u32, acc: usize): void {
  let kept: u32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_COUNT) == 0) continue;
    addScores(joined, list, n, acc, kept);
    kept = 0xffffffff;
  }
}

/** No document of the chunk scores more that only lists of places from `place` on have. */
export function boundFrom(first: usize, end: usize, place: u32): f32 {
  let bound: f32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_COUNT) == 0 || load<u32>(joined, JOINED_PLACE) < place) continue;
    bound += load<f32>(joined, JOINED_CHUNK_BOUND);
  }
  return bound;
}

/** What the chunk's bounds of lists of places from `place` on come to without `own`. */
function boundWithout(first: usize, end: usize, own: usize, place: u32): f32 {
  let bound: f32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (joined == own || load<u32>(joined, JOINED_COUNT) == 0 || load<u32>(joined, JOINED_PLACE) < place) continue;
    bound += load<f32>(joined, JOINED_CHUNK_BOUND);
  }
  return bound;
}

/**
 * Notes which lists of places from `place` on a document that only such have, the one of this place among them, needs to score
 * above `threshold`.
 */
export function requireLists(first: usize, end: usize, place: u32, threshold: f32): void {
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const own = load<u32>(joined, JOINED_PLACE);
    const isRequired = own == place || (own > place && boundWithout(first, end, joined, place) <= threshold);
    store<u32>(joined, u32(isRequired), JOINED_IS_REQUIRED);
  }
}

/** Notes which lists a document needs to score above `threshold` and match every clause, of `bytes` of records each. */
export function requireOfAll(first: usize, end: usize, bytes: usize, threshold: f32): void {
  for (let clause = first; clause < end; clause += bytes) {
    const only = onlyList(clause, clause + bytes);
    for (let joined = clause; joined < clause + bytes; joined += JOINED_BYTES) {
      const isHeld = load<u32>(joined, JOINED_COUNT) != 0;
      const isRequired = isHeld && (joined == only || boundWithout(first, end, joined, 0) <= threshold);
      store<u32>(joined, u32(isRequired), JOINED_IS_REQUIRED);
    }
  }
}

/**
 * The smallest impact in the list `own` of a document that scores above `threshold`, when only lists of places from `place`
 * on have it; 256 when there is none. The threshold only rises, so none below what was found before is looked at.
 */
export function leastImpact(first: usize, end: usize, own: usize, place: u32, threshold: f32): u32 {
  const table = load<u32>(own, JOINED_TABLE);
  const weight = load<f32>(own, JOINED_WEIGHT);
  const isSame =
    table == load<u32>(own, JOINED_LEAST_TABLE) &&
    weight == load<f32>(own, JOINED_LEAST_WEIGHT) &&
    place == load<u32>(own, JOINED_LEAST_PLACE);
  const least: u32 = isSame ? load<u32>(own, JOINED_LEAST) : 1;
  if (isSame && threshold == load<f32>(own, JOINED_LEAST_ABOVE)) return least;
  // Bounds rise with the impact, and the first that passes the threshold is of an impact that itself does.
  const bounds = <usize>load<u32>(own, JOINED_BOUNDS);
  let low = least;
  let found: u32 = 256;
  while (low < found) {
    const middle = (low + found) >> 1;
    let score: f32 = 0;
    for (let joined = first; joined < end; joined += JOINED_BYTES) {
      if (joined == own) score += weight * load<f32>(bounds + (<usize>middle << 2));
      else if (load<u32>(joined, JOINED_PLACE) >= place) score += load<f32>(joined, JOINED_BOUND);
    }
    if (score > threshold) found = middle;
    else low = middle + 1;
  }
  store<u32>(own, found, JOINED_LEAST);
  store<f32>(own, threshold, JOINED_LEAST_ABOVE);
  store<u32>(own, table, JOINED_LEAST_TABLE);
  store<f32>(own, weight, JOINED_LEAST_WEIGHT);
  store<u32>(own, place, JOINED_LEAST_PLACE);
  return found;
}
