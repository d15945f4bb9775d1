/**
 * Decides which searches of a set this thread answers itself and which the readers get, from what each took when it was last
 * asked, so that neither waits for the other. Pure. Called by multi-search.ts.
 */
import type { ReadPlace } from '../../engine/index.js';

/**
 * What handing a search over takes on a machine that is busy with other things, too: two threads are woken, which wait for a
 * processor. Where nothing else runs it is a quarter of that.
 */
const HAND_OVER_US = 400;
/** This thread plans no more for a set: others wait for it. */
const HERE_US_MAX = 500;

export interface PlacedSearch {
  readonly index: number;
  readonly place: ReadPlace;
}

/**
 * Where the searches that took `lastUs` microseconds are best answered, in the order in which to begin them: the readers' first,
 * the longest of them before others. Null: of some it is not known what they take.
 */
export function placeSearches(lastUs: Float64Array): PlacedSearch[] | null {
  let sumUs = 0;
  for (const us of lastUs) sumUs += us;
  if (Number.isNaN(sumUs)) return null;
  const indexes = Array.from(lastUs.keys());
  if (sumUs <= HERE_US_MAX) return indexes.map((index) => ({ index, place: 'here' }));
  const long = indexes.filter((index) => lastUs[index] > HAND_OVER_US).sort((a, b) => lastUs[b] - lastUs[a]);
  const placed = long.map((index): PlacedSearch => ({ index, place: 'readers' }));
  let hereUs = 0;
  for (const index of indexes) {
    if (lastUs[index] > HAND_OVER_US) continue;
    hereUs += lastUs[index];
    placed.push({ index, place: hereUs <= HERE_US_MAX ? 'here' : 'unknown' });
  }
  return placed;
}
