/**
 * Chunks of which each of two clauses reads one list, the shorter sparse: where a document lies in both lists is found as they are met, so
 * that nothing is looked up to score it. For kernels/joined-sweep.ts alone; exports nothing to JavaScript. Layout:
 * layout/joined-lists.ts.
 */
import { JOINED_COUNT, JOINED_DATA, JOINED_TABLE, JOINED_WEIGHT } from '../layout/joined-lists';
import { TOP_CAPACITY, TOP_COUNT } from '../layout/score-top';
import { hasBit } from './bit-lists';
import { commonPlaces, PAIR_SHIFT } from './common-docs';
import { isRanked } from './joined-matches';
import { rankedImpact } from './ranked-chunks';
import { offerJudged, offerScores, scoreToEnter, tighten } from './score-top';

/** Writes the places, u32, in docs u16[n] of those whose bit is set; returns how many. One more than they are may be written. */
function placesInBits(docs: usize, n: u32, bits: usize, places: usize): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    store<u32>(places + (<usize>count << 2), i);
    count += hasBit(bits, load<u16>(docs + (<usize>i << 1)));
  }
  return count;
}

/**
 * Offers the documents that both lists have and whose bit is set in `passing`, unless that is 0; returns how many there are. `shorter` is sparse.
 * `places`: room for u32 by document of it, and one more.
 */
export function offerTwo(shorter: usize, longer: usize, top: usize, orderBase: u32, passing: usize, places: usize): u32 {
  const docs = <usize>load<u32>(shorter, JOINED_DATA);
  const n = load<u32>(shorter, JOINED_COUNT);
  const w = load<f32>(shorter, JOINED_WEIGHT);
  const lut = <usize>load<u32>(shorter, JOINED_TABLE);
  const impacts = docs + (<usize>n << 1);
  const data = <usize>load<u32>(longer, JOINED_DATA);
  const m = load<u32>(longer, JOINED_COUNT);
  const v = load<f32>(longer, JOINED_WEIGHT);
  const otherLut = <usize>load<u32>(longer, JOINED_TABLE);
  const isOtherRanked = isRanked(longer);
  const count = isOtherRanked ? placesInBits(docs, n, data, places) : commonPlaces(docs, n, data, m, places);
  let found: u32 = 0;
  let least = scoreToEnter(top);
  for (let k: u32 = 0; k < count; k++) {
    const pair = load<u32>(places + (<usize>k << 2));
    const place = <usize>(pair & ((1 << PAIR_SHIFT) - 1));
    const doc = <u32>load<u16>(docs + (place << 1));
    if (passing != 0 && !hasBit(passing, doc)) continue;
    found++;
    const other: usize = isOtherRanked ? rankedImpact(data, doc) : load<u8>(data + (<usize>m << 1) + <usize>(pair >> PAIR_SHIFT));
    const score = w * load<f32>(lut + (<usize>load<u8>(impacts + place) << 2)) + v * load<f32>(otherLut + (other << 2));
    if (score < least) continue;
    if (load<u32>(top, TOP_COUNT) == load<u32>(top, TOP_CAPACITY)) {
      tighten(top);
      least = scoreToEnter(top);
    }
    offerJudged(top, orderBase + doc, score, 0);
  }
  // As of a list that has been offered.
  offerScores(top, orderBase, docs, 0, places);
  return found;
}
