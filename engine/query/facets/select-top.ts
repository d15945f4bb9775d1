/**
 * The few largest of many counts.
 */

/** Whether index `a` stands before index `b`, which is another one. */
type Precedes = (a: number, b: number) => boolean;

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
  const precedes: Precedes = (a, b) => {
    if (counts[a] !== counts[b]) return counts[a] > counts[b];
    return compare === null ? a < b : compare(a, b) < 0;
  };
  const kept = Math.min(size, wanted);
  if (kept === 0) return 0;
  for (let i = 0; i < kept; i++) out[i] = i;
  for (let i = (kept >> 1) - 1; i >= 0; i--) siftDown(out, i, kept, precedes);
  /** Counts below that of the last of those kept cannot enter. */
  let floor = counts[out[0]];
  for (let i = kept; i < size; i++) {
    if (counts[i] < floor || !precedes(i, out[0])) continue;
    out[0] = i;
    siftDown(out, 0, kept, precedes);
    floor = counts[out[0]];
  }
  for (let end = kept - 1; end > 0; end--) {
    const last = out[0];
    out[0] = out[end];
    out[end] = last;
    siftDown(out, 0, end, precedes);
  }
  return kept;
}

/** Restores the heap out[0..end), whose root is the last in order, after its entry `at` changed. */
function siftDown(out: Uint32Array, at: number, end: number, precedes: Precedes): void {
  const moved = out[at];
  let hole = at;
  for (let child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
    if (child + 1 < end && precedes(out[child], out[child + 1])) child++;
    if (!precedes(moved, out[child])) break;
    out[hole] = out[child];
    hole = child;
  }
  out[hole] = moved;
}
