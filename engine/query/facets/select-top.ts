/**
 * The few largest of many counts.
 */

/**
 * Writes the indexes of the `wanted` largest of counts[0..size) to `out`, the largest first, and returns how many they
 * are. Equal counts are ordered by `compare`, or by index when it is null. Made for `wanted` far below `size`: a count
 * that is not among the largest costs one comparison.
 */
export function selectTop(
  counts: Uint32Array,
  size: number,
  wanted: number,
  out: Uint32Array,
  compare: ((a: number, b: number) => number) | null,
): number {
  let kept = 0;
  /** Counts below this cannot enter. */
  let floor = 0;
  for (let i = 0; i < size; i++) {
    const count = counts[i];
    if (count < floor) continue;
    let at = kept;
    while (at > 0 && precedes(counts, i, out[at - 1], compare)) at--;
    if (at === wanted) continue;
    if (kept < wanted) kept++;
    out.copyWithin(at + 1, at, kept - 1);
    out[at] = i;
    if (kept === wanted) floor = counts[out[wanted - 1]];
  }
  return kept;
}

/** Whether index `a`, which comes later than `b`, is to stand before it. */
function precedes(
  counts: Uint32Array,
  a: number,
  b: number,
  compare: ((a: number, b: number) => number) | null,
): boolean {
  if (counts[a] !== counts[b]) return counts[a] > counts[b];
  return compare !== null && compare(a, b) < 0;
}
