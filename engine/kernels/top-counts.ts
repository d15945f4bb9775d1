/**
 * The most frequent of many codes. Called by query/facets/histogram.ts.
 *
 * One pass at the speed of memory finds the largest count of each group of neighbours. What as many groups reach as codes are wanted, as
 * many codes do, so that only groups that reach it are looked at.
 */

/** Of fewer codes each is looked at by itself. */
const CODES_MIN: u32 = 4096;
/** Groups are as many, at most, as that for each code that is wanted, or GROUPS_MIN. */
const GROUPS_PER_WANTED: u32 = 8;
const GROUPS_MIN: u32 = 1024;
/** Of the room that topCounts() takes: counts by bucket, u32, or the best codes so far, a heap of keys, u64; then the largest count of each group. */
const GROUPS: usize = 32768;

/** Buckets of counts: eight for each power of 2. */
const BUCKETS: u32 = 256;

@inline
function bucketOf(count: u32): u32 {
  if (count < 8) return count;
  const log = 31 - clz(count);
  return (log << 3) | ((count >> (log - 3)) & 7);
}

/** The least count of a bucket. */
@inline
function leastOf(bucket: u32): u32 {
  return bucket < 8 ? bucket : (8 | (bucket & 7)) << ((bucket >> 3) - 3);
}

/** A count, 1 at least, that `wanted` of u32[n] at `counts` reach, and not many more; 1 where fewer do. `room`: u32[BUCKETS]. */
function reachedBy(counts: usize, n: u32, wanted: u32, room: usize): u32 {
  memory.fill(room, 0, <usize>BUCKETS << 2);
  for (let i: u32 = 0; i < n; i++) {
    const bucket = room + (<usize>bucketOf(load<u32>(counts + (<usize>i << 2))) << 2);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
  let reaching: u32 = 0;
  for (let bucket = BUCKETS - 1; bucket > 1; bucket--) {
    reaching += load<u32>(room + (<usize>bucket << 2));
    if (reaching >= wanted) return leastOf(bucket);
  }
  return 1;
}

/** The larger key is the better code: of equal counts the smaller code. */
@inline
function keyOf(count: u32, code: u32): u64 {
  return (<u64>count << 32) | <u64>~code;
}

/** The largest of the counts of the codes from `from` to `to`. */
function largestOf(counts: usize, from: u32, to: u32): u32 {
  let at = counts + (<usize>from << 2);
  const end = counts + (<usize>to << 2);
  let largest = i32x4.splat(0);
  for (; at + 64 <= end; at += 64) {
    const a = i32x4.max_u(v128.load(at), v128.load(at, 16));
    const b = i32x4.max_u(v128.load(at, 32), v128.load(at, 48));
    largest = i32x4.max_u(largest, i32x4.max_u(a, b));
  }
  let rest: u32 = 0;
  for (; at < end; at += 4) rest = max(rest, load<u32>(at));
  largest = i32x4.max_u(largest, v128.shuffle<u32>(largest, largest, 2, 3, 0, 1));
  largest = i32x4.max_u(largest, v128.shuffle<u32>(largest, largest, 1, 0, 3, 2));
  return max(rest, <u32>i32x4.extract_lane(largest, 0));
}

/** Puts `key` in place of the least of the heap of `size` keys at `heap`, whose least is its first. */
function replaceLeast(heap: usize, size: u32, key: u64): void {
  let hole: u32 = 0;
  for (let child: u32 = 1; child < size; child = 2 * hole + 1) {
    let least = load<u64>(heap + (<usize>child << 3));
    if (child + 1 < size) {
      const other = load<u64>(heap + (<usize>child << 3), 8);
      child += u32(other < least);
      least = min(least, other);
    }
    if (least >= key) break;
    store<u64>(heap + (<usize>hole << 3), least);
    hole = child;
  }
  store<u64>(heap + (<usize>hole << 3), key);
}

/** Fills the heap of `wanted` keys at `heap` with the largest of u32[count] at `counts`, taken as counts of codes from `first` on. */
function keepLargest(counts: usize, count: u32, first: u32, heap: usize, wanted: u32): void {
  let least = <u32>(load<u64>(heap) >> 32);
  let i: u32 = 0;
  for (; i + 8 <= count; i += 8) {
    const at = counts + (<usize>i << 2);
    // Codes rise: one that is counted as often as the last of the best comes behind it.
    const bound = i32x4.splat(least);
    let mask: u32 =
      i32x4.bitmask(i32x4.gt_u(v128.load(at), bound)) | (i32x4.bitmask(i32x4.gt_u(v128.load(at, 16), bound)) << 4);
    for (; mask; mask &= mask - 1) {
      const own = load<u32>(at + (<usize>ctz(mask) << 2));
      if (own <= least) continue;
      replaceLeast(heap, wanted, keyOf(own, first + i + ctz(mask)));
      least = <u32>(load<u64>(heap) >> 32);
    }
  }
  for (; i < count; i++) {
    const own = load<u32>(counts + (<usize>i << 2));
    if (own <= least) continue;
    replaceLeast(heap, wanted, keyOf(own, first + i));
    least = <u32>(load<u64>(heap) >> 32);
  }
}

/**
 * Writes the `wanted` most frequent of `codeCount` codes, of which `counts`, u32 by code, has counted each, to codes u32[] and, how
 * often, to out u32[]: by falling count, then rising code. Returns how many there are; codes that were not counted are none. `wanted`
 * is 1 to 4096, `codeCount` below 2^31; `room`: 160 KiB at a multiple of 8.
 */
export function topCounts(counts: usize, codeCount: u32, wanted: u32, room: usize, codes: usize, out: usize): u32 {
  if (codeCount <= CODES_MIN) {
    const reached = reachedBy(counts, codeCount, wanted, room);
    beginHeap(room, wanted, reached);
    keepLargest(counts, codeCount, 0, room, wanted);
    return takeSorted(room, wanted, reached, codes, out);
  }
  let shift: u32 = 3;
  while ((codeCount + (1 << shift) - 1) >> shift > max(GROUPS_PER_WANTED * wanted, GROUPS_MIN)) shift++;
  const count = (codeCount + (1 << shift) - 1) >> shift;
  const groups = room + GROUPS;
  for (let group: u32 = 0; group < count; group++) {
    const from = group << shift;
    store<u32>(groups + (<usize>group << 2), largestOf(counts, from, min(from + (1 << shift), codeCount)));
  }
  const bound = reachedBy(groups, count, wanted, room);
  beginHeap(room, wanted, bound);
  for (let group: u32 = 0; group < count; group++) {
    if (load<u32>(groups + (<usize>group << 2)) <= <u32>(load<u64>(room) >> 32)) continue;
    const from = group << shift;
    keepLargest(counts + (<usize>from << 2), min(<u32>1 << shift, codeCount - from), from, room, wanted);
  }
  return takeSorted(room, wanted, bound, codes, out);
}

/** Makes a heap of `wanted` keys that any code with a count of `bound` exceeds: what is counted as often is wanted, too, if it comes early. */
function beginHeap(heap: usize, wanted: u32, bound: u32): void {
  for (let i: u32 = 0; i < wanted; i++) store<u64>(heap + (<usize>i << 3), <u64>(bound - 1) << 32);
}

/** Writes the keys of the heap that count `bound` or more, the largest first; returns how many there are. */
function takeSorted(heap: usize, size: u32, bound: u32, codes: usize, out: usize): u32 {
  let taken: u32 = 0;
  for (let i: u32 = 0; i < size; i++) taken += u32(<u32>(load<u64>(heap + (<usize>i << 3)) >> 32) >= bound);
  // The least ones leave the heap first; a key that is larger than any takes the place of each.
  for (let left = size; left > 0; left--) {
    const key = load<u64>(heap);
    replaceLeast(heap, size, u64.MAX_VALUE);
    if (left > taken) continue;
    store<u32>(codes + (<usize>(left - 1) << 2), ~(<u32>key));
    store<u32>(out + (<usize>(left - 1) << 2), <u32>(key >> 32));
  }
  return taken;
}
