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
/**
 * Of the room that topCounts() takes: how many codes are kept, and what a count has to exceed to be kept, u32; the keys of those, u64, a
 * heap once they are as many as are wanted; the largest count of each group, u32.
 */
const SIZE: usize = 0;
const LEAST: usize = 4;
const KEYS: usize = 8;
const GROUPS: usize = KEYS + 32768;

/** A count that is reached by one code in so many more than are wanted is low enough: each costs less than to look at all once more. */
const MORE_SHIFT: u32 = 3;

/** How many of u32[n] at `counts` are `least` or more. */
function countReaching(counts: usize, n: u32, least: u32): u32 {
  const end = counts + (<usize>n << 2);
  const bound = i32x4.splat(least);
  let sums = i32x4.splat(0);
  let at = counts;
  for (; at + 32 <= end; at += 32) {
    sums = i32x4.sub(sums, i32x4.ge_u(v128.load(at), bound));
    sums = i32x4.sub(sums, i32x4.ge_u(v128.load(at, 16), bound));
  }
  let sum = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
  sum += i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  for (; at < end; at += 4) sum += u32(load<u32>(at) >= least);
  return <u32>sum;
}

/** A count, 1 at least, that `wanted` of u32[n] at `counts` reach, and few more or only because they are equal; 1 where fewer do. */
function reachedBy(counts: usize, n: u32, wanted: u32): u32 {
  let low: u64 = 1;
  /** Fewer reach it. */
  let high = <u64>largestOf(counts, 0, n) + 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const reaching = countReaching(counts, n, <u32>middle);
    if (reaching < wanted) high = middle;
    else low = middle;
    if (reaching >= wanted && reaching <= wanted + (wanted >> MORE_SHIFT)) break;
  }
  return <u32>low;
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

/** Puts `key` where `hole` is in the heap of `size` keys at `heap`, least first, or below, if what is there must come before. */
@inline
function sink(heap: usize, size: u32, hole: u32, key: u64): void {
  for (let child: u32 = 2 * hole + 1; child < size; child = 2 * hole + 1) {
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

/** Makes the `size` keys at `heap` one, whose least is its first. (Floyd, "Algorithm 245: treesort 3", CACM 1964.) */
function makeHeap(heap: usize, size: u32): void {
  for (let hole = size >> 1; hole > 0; hole--) sink(heap, size, hole - 1, load<u64>(heap + (<usize>(hole - 1) << 3)));
}

/** Keeps `code`, which has been counted more than LEAST times, among the best `wanted`. */
function keep(room: usize, wanted: u32, count: u32, code: u32): void {
  const heap = room + KEYS;
  const size = load<u32>(room, SIZE);
  if (size == wanted) sink(heap, size, 0, keyOf(count, code));
  else {
    store<u64>(heap + (<usize>size << 3), keyOf(count, code));
    store<u32>(room, size + 1, SIZE);
    if (size + 1 < wanted) return;
    makeHeap(heap, wanted);
  }
  // Codes rise: one that is counted as often as the last of the best comes behind it.
  store<u32>(room, <u32>(load<u64>(heap) >> 32), LEAST);
}

/** Keeps the best of u32[count] at `counts`, the counts of codes from `first` on. */
function keepLargest(room: usize, wanted: u32, counts: usize, count: u32, first: u32): void {
  let least = load<u32>(room, LEAST);
  let i: u32 = 0;
  for (; i + 8 <= count; i += 8) {
    const at = counts + (<usize>i << 2);
    const bound = i32x4.splat(least);
    let mask: u32 =
      i32x4.bitmask(i32x4.gt_u(v128.load(at), bound)) | (i32x4.bitmask(i32x4.gt_u(v128.load(at, 16), bound)) << 4);
    for (; mask; mask &= mask - 1) {
      const own = load<u32>(at + (<usize>ctz(mask) << 2));
      if (own <= least) continue;
      keep(room, wanted, own, first + i + ctz(mask));
      least = load<u32>(room, LEAST);
    }
  }
  for (; i < count; i++) {
    const own = load<u32>(counts + (<usize>i << 2));
    if (own <= least) continue;
    keep(room, wanted, own, first + i);
    least = load<u32>(room, LEAST);
  }
}

/** Writes the codes that are kept, the best one first, and how often each was counted; returns how many there are. */
function takeSorted(room: usize, wanted: u32, codes: usize, out: usize): u32 {
  const heap = room + KEYS;
  const size = load<u32>(room, SIZE);
  if (size < wanted) makeHeap(heap, size);
  // The least ones leave the heap first, and the last one takes the place of each.
  for (let left = size; left > 0; left--) {
    const key = load<u64>(heap);
    store<u32>(codes + (<usize>(left - 1) << 2), ~(<u32>key));
    store<u32>(out + (<usize>(left - 1) << 2), <u32>(key >> 32));
    if (left > 1) sink(heap, left - 1, 0, load<u64>(heap + (<usize>(left - 1) << 3)));
  }
  return size;
}

/**
 * Writes the `wanted` most frequent of `codeCount` codes, of which `counts`, u32 by code, has counted each, to codes u32[] and, how
 * often, to out u32[]: by falling count, then rising code. Returns how many there are; codes that were not counted are none. `wanted`
 * is 1 to 4096, `codeCount` below 2^31; `room`: 160 KiB and 8 bytes at a multiple of 8.
 */
export function topCounts(counts: usize, codeCount: u32, wanted: u32, room: usize, codes: usize, out: usize): u32 {
  store<u32>(room, 0, SIZE);
  if (codeCount <= CODES_MIN) {
    store<u32>(room, reachedBy(counts, codeCount, wanted) - 1, LEAST);
    keepLargest(room, wanted, counts, codeCount, 0);
    return takeSorted(room, wanted, codes, out);
  }
  let shift: u32 = 3;
  while ((codeCount + (1 << shift) - 1) >> shift > max(GROUPS_PER_WANTED * wanted, GROUPS_MIN)) shift++;
  const count = (codeCount + (1 << shift) - 1) >> shift;
  const groups = room + GROUPS;
  for (let group: u32 = 0; group < count; group++) {
    const from = group << shift;
    store<u32>(groups + (<usize>group << 2), largestOf(counts, from, min(from + (1 << shift), codeCount)));
  }
  store<u32>(room, reachedBy(groups, count, wanted) - 1, LEAST);
  for (let group: u32 = 0; group < count; group++) {
    if (load<u32>(groups + (<usize>group << 2)) <= load<u32>(room, LEAST)) continue;
    const from = group << shift;
    keepLargest(room, wanted, counts + (<usize>from << 2), min(<u32>1 << shift, codeCount - from), from);
  }
  return takeSorted(room, wanted, codes, out);
}
