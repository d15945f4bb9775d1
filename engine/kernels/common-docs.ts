/**
 * Which documents two ascending lists have in common, by vectors and with few branches that depend on a document: lists of like
 * length are met eight by eight, and where one is much longer each document of the other is looked for among the next 32 of it. For the
 * other kernels; exported to JavaScript for tests and benchmarks.
 *
 * (Schlegel, Willhalm & Lehner, "Fast sorted-set intersection using SIMD instructions", ADMS 2011; Lemire, Boytsov & Kurz, "SIMD
 * compression and the intersection of sorted integers", Software: Practice and Experience 2016.)
 */

const LANES: u32 = 8;
const LANES_BYTES: usize = 16;
/** Documents that are looked at together in the longer list. */
const WINDOW: u32 = 32;
const WINDOW_BYTES: usize = 64;
/** From this many times as many documents on they are looked for one by one. */
const UNEVEN_RATIO: u32 = 4;
/** And from this many on near the place where they would be, were all evenly spread. */
const FAR_RATIO: u32 = 64;
/** Such a place is in the middle of a window. */
const NEAR_BYTES: usize = 32;

/** Where the place in the longer list stands in a pair. */
export const PAIR_SHIFT: u32 = 16;

/** Writes number `count` of what is in common: document d, or its places in both lists. */
@inline
function emit(out: usize, count: u32, d: u32, first: u32, second: u32, isPlaces: bool): void {
  if (isPlaces) store<u32>(out + (<usize>count << 2), first | (second << PAIR_SHIFT));
  else store<u16>(out + (<usize>count << 1), d);
}

/** Which of the eight documents of `a` are among the eight of `b`, as bits. */
@inline
function commonLanes(a: v128, b: v128): u32 {
  let common = i16x8.eq(a, b);
  let turned = v128.shuffle<i16>(b, b, 1, 2, 3, 4, 5, 6, 7, 0);
  common = v128.or(common, i16x8.eq(a, turned));
  turned = v128.shuffle<i16>(b, b, 2, 3, 4, 5, 6, 7, 0, 1);
  common = v128.or(common, i16x8.eq(a, turned));
  turned = v128.shuffle<i16>(b, b, 3, 4, 5, 6, 7, 0, 1, 2);
  common = v128.or(common, i16x8.eq(a, turned));
  turned = v128.shuffle<i16>(b, b, 4, 5, 6, 7, 0, 1, 2, 3);
  common = v128.or(common, i16x8.eq(a, turned));
  turned = v128.shuffle<i16>(b, b, 5, 6, 7, 0, 1, 2, 3, 4);
  common = v128.or(common, i16x8.eq(a, turned));
  turned = v128.shuffle<i16>(b, b, 6, 7, 0, 1, 2, 3, 4, 5);
  common = v128.or(common, i16x8.eq(a, turned));
  turned = v128.shuffle<i16>(b, b, 7, 0, 1, 2, 3, 4, 5, 6);
  return i16x8.bitmask(v128.or(common, i16x8.eq(a, turned)));
}

/** Meets lists of fewer than eight documents each. */
@inline
function meetFew(a: usize, n: u32, b: usize, m: u32, out: usize, isPlaces: bool): u32 {
  let count: u32 = 0;
  let j: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(a + (<usize>i << 1));
    while (j < m && <u32>load<u16>(b + (<usize>j << 1)) < d) j++;
    if (j == m) break;
    if (<u32>load<u16>(b + (<usize>j << 1)) == d) emit(out, count++, d, i, j, isPlaces);
  }
  return count;
}

/** Meets lists of like length eight by eight, n <= m, m >= 8. Reads eight documents from `a` on, be they fewer. */
@inline
function meetLanes(a: usize, n: u32, b: usize, m: u32, out: usize, isPlaces: bool): u32 {
  const valid: u32 = n < LANES ? (1 << n) - 1 : 0xff;
  const last = <usize>(min(n, LANES) - 1) << 1;
  const aEnd = a + (<usize>n << 1) - last - 2;
  const bEnd = b + (<usize>(m - LANES) << 1);
  let p = a;
  let q = b;
  let count: u32 = 0;
  // What was met in the lanes before may be met again in the last ones, which begin eight before the end.
  let met: i32 = -1;
  while (true) {
    const theirs = v128.load(q);
    let lanes = commonLanes(v128.load(p), theirs) & valid;
    while (lanes) {
      const lane = ctz(lanes);
      const d = <u32>load<u16>(p + (<usize>lane << 1));
      if (<i32>d > met) {
        const other = isPlaces ? ctz(i16x8.bitmask(i16x8.eq(theirs, i16x8.splat(<i16>d)))) : 0;
        emit(out, count++, d, (<u32>(p - a) >> 1) + lane, (<u32>(q - b) >> 1) + other, isPlaces);
        met = <i32>d;
      }
      lanes &= lanes - 1;
    }
    const most = <u32>load<u16>(p + last);
    const theirMost = <u32>load<u16>(q, 14);
    const isPast = most <= theirMost;
    const areTheyPast = theirMost <= most;
    if ((isPast && p == aEnd) || (areTheyPast && q == bEnd)) return count;
    p = min(p + (<usize>isPast << 4), aEnd);
    q = min(q + (<usize>areTheyPast << 4), bEnd);
  }
}

/** Which of the eight documents at `at` is d. */
@inline
function isDoc(at: usize, wanted: v128): v128 {
  return i16x8.eq(v128.load(at), wanted);
}

/** The place of d among the 32 documents at `at`, one of which it is. */
function placeIn(at: usize, d: u32): u32 {
  const wanted = i16x8.splat(<i16>d);
  const low = i8x16.narrow_i16x8_s(isDoc(at, wanted), isDoc(at + LANES_BYTES, wanted));
  const high = i8x16.narrow_i16x8_s(isDoc(at + 2 * LANES_BYTES, wanted), isDoc(at + 3 * LANES_BYTES, wanted));
  return ctz(<u32>i8x16.bitmask(low) | (<u32>i8x16.bitmask(high) << 16));
}

/** Looks for each document of `a` in the next window of the longer list, m >= 32. `isFar`: it mostly lies many windows further. */
@inline
function meetWindows(a: usize, n: u32, b: usize, m: u32, out: usize, isPlaces: bool, isFar: bool): u32 {
  const bEnd = b + (<usize>(m - WINDOW) << 1);
  let q = b;
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(a + (<usize>i << 1));
    if (isFar) {
      const near = b + ((<usize>(d * m) >> 16) << 1) - NEAR_BYTES;
      // No further than to documents that come before d, or d itself.
      if (near > q && near <= bEnd && <u32>load<u16>(near) <= d) q = near;
    }
    while (<u32>load<u16>(q, WINDOW_BYTES - 2) < d && q < bEnd) q = min(q + WINDOW_BYTES, bEnd);
    const wanted = i16x8.splat(<i16>d);
    const low = v128.or(isDoc(q, wanted), isDoc(q + LANES_BYTES, wanted));
    const high = v128.or(isDoc(q + 2 * LANES_BYTES, wanted), isDoc(q + 3 * LANES_BYTES, wanted));
    const isThere = v128.any_true(v128.or(low, high));
    if (isPlaces) {
      if (isThere) emit(out, count++, d, i, (<u32>(q - b) >> 1) + placeIn(q, d), true);
    } else {
      // Written whether it is there or not, and overtaken by the next that is.
      emit(out, count, d, 0, 0, false);
      count += u32(isThere);
    }
  }
  return count;
}

@inline
function meet(a: usize, n: u32, b: usize, m: u32, out: usize, isPlaces: bool): u32 {
  if (n == 0) return 0;
  if (m < LANES) return meetFew(a, n, b, m, out, isPlaces);
  if (m < WINDOW || m < n * UNEVEN_RATIO) return meetLanes(a, n, b, m, out, isPlaces);
  if (m < n * FAR_RATIO) return meetWindows(a, n, b, m, out, isPlaces, false);
  return meetWindows(a, n, b, m, out, isPlaces, true);
}

/**
 * Writes the documents that a u16[n] and b u16[m], ascending, n <= m, have in common to `out`, which may be a; returns how many. However
 * short a list is, 16 bytes of it are read, and one document more than they are may be written.
 */
export function commonDocs(a: usize, n: u32, b: usize, m: u32, out: usize): u32 {
  return meet(a, n, b, m, out, false);
}

/** As commonDocs(), but writes u32: the place in a, and above PAIR_SHIFT the one in b. `out` is neither list. */
export function commonPlaces(a: usize, n: u32, b: usize, m: u32, out: usize): u32 {
  return meet(a, n, b, m, out, true);
}
