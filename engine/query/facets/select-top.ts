/**
 * The few largest of many counts.
 *
 * First which count the last of them has, by numbers alone; then those that are not below it are put in order, which may compare
 * values where counts are equal.
 */

/** Whether index `a` stands before index `b`, which is another one. */
type Precedes = (a: number, b: number) => boolean;

/** A heap of counts, the smallest first; grown to what was ever wanted. */
let smallest = new Uint32Array(0);

/**
 * Writes the indexes of the `wanted` largest of counts[0..size) to `out`, the largest first, and returns how many they
 * are. Equal counts are ordered by `compare`, or by index when it is null. Made for `wanted` far below `size`: a count
 * that is not among the largest costs two comparisons.
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
  const floor = leastOfLargest(counts, size, kept);
  let next = 0;
  for (let filled = 0; filled < kept; next++) if (counts[next] >= floor) out[filled++] = next;
  for (let at = (kept >> 1) - 1; at >= 0; at--) siftDown(out, at, kept, precedes);
  for (; next < size; next++) {
    if (counts[next] < floor || !precedes(next, out[0])) continue;
    out[0] = next;
    siftDown(out, 0, kept, precedes);
  }
  for (let end = kept - 1; end > 0; end--) {
    const last = out[0];
    out[0] = out[end];
    out[end] = last;
    siftDown(out, 0, end, precedes);
  }
  return kept;
}

/** The smallest of the `kept` largest of counts[0..size), `kept` being 1 to `size`. */
function leastOfLargest(counts: Uint32Array, size: number, kept: number): number {
  if (smallest.length < kept) smallest = new Uint32Array(kept);
  const heap = smallest;
  // Those that come first, in order, are a heap.
  heap.set(counts.subarray(0, kept));
  heap.subarray(0, kept).sort();
  for (let i = kept; i < size; i++) {
    const count = counts[i];
    if (count <= heap[0]) continue;
    let hole = 0;
    for (let child = 1; child < kept; child = 2 * hole + 1) {
      if (child + 1 < kept && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= count) break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = count;
  }
  return heap[0];
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
