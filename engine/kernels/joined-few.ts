/**
 * Chunks of which each of several clauses reads one list, the shortest of them sparse, where few documents match: these are scored at
 * once, since bounds take longer than a few scores. For kernels/joined-sweep.ts alone; exports nothing to JavaScript. Layout:
 * layout/joined-lists.ts.
 */
import { JOINED_BYTES, JOINED_COUNT, JOINED_DATA, JOINED_TABLE, JOINED_WEIGHT } from '../layout/joined-lists';
import { TOP_CAPACITY, TOP_COUNT } from '../layout/score-top';
import { commonPlaces, PAIR_SHIFT } from './common-docs';
import { isRanked, keepJoined } from './joined-matches';
import { rankedImpact } from './ranked-chunks';
import { offerJudged, offerScores, scoreToEnter, tighten } from './score-top';

/** Of more documents the bounds are worth looking at. */
export const FEW_DOCS: u32 = 64;
/** From the scores of so many on, where they lie in a list is noted. */
const PLACES: usize = 256;

/** Lists the documents that all lists have at list u16[], of which `shortest` is sparse and has the fewest; returns how many. */
export function listCommon(first: usize, end: usize, shortest: usize, list: usize): u32 {
  let from = <usize>load<u32>(shortest, JOINED_DATA);
  let n = load<u32>(shortest, JOINED_COUNT);
  for (let joined = first; joined < end && n > 0; joined += JOINED_BYTES) {
    if (joined == shortest) continue;
    n = keepJoined(joined, from, n, list);
    from = list;
  }
  return n;
}

/** scores f32[n] += what the documents of list u16[n], ascending, n <= FEW_DOCS, score in the list, which has them all. */
function addFew(joined: usize, list: usize, n: u32, scores: usize): void {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  const m = load<u32>(joined, JOINED_COUNT);
  const w = load<f32>(joined, JOINED_WEIGHT);
  const lut = <usize>load<u32>(joined, JOINED_TABLE);
  const places = scores + PLACES;
  const isSparse = !isRanked(joined);
  if (isSparse) commonPlaces(list, n, data, m, places);
  const impacts = data + (m << 1);
  for (let i: u32 = 0; i < n; i++) {
    const at = <usize>i << 2;
    let impact: usize = 0;
    if (isSparse) impact = load<u8>(impacts + (load<u32>(places + at) >> PAIR_SHIFT));
    else impact = rankedImpact(data, load<u16>(list + (<usize>i << 1)));
    store<f32>(scores + at, load<f32>(scores + at) + w * load<f32>(lut + (impact << 2)));
  }
}

/** Offers the few documents of list u16[n], ascending, that all lists have. `scores`: room for twice as many, and one more. */
export function offerFew(first: usize, end: usize, top: usize, orderBase: u32, list: usize, n: u32, scores: usize): void {
  // Sums begin with 0, as those of the others do.
  for (let i: u32 = 0; i < n; i++) store<f32>(scores + (<usize>i << 2), 0);
  for (let joined = first; joined < end; joined += JOINED_BYTES) addFew(joined, list, n, scores);
  for (let i: u32 = 0; i < n; i++) {
    const score = load<f32>(scores + (<usize>i << 2));
    if (score < scoreToEnter(top)) continue;
    if (load<u32>(top, TOP_COUNT) == load<u32>(top, TOP_CAPACITY)) tighten(top);
    offerJudged(top, orderBase + <u32>load<u16>(list + (i << 1)), score, 0);
  }
  // As of a list that has been offered.
  offerScores(top, orderBase, list, 0, scores);
}
