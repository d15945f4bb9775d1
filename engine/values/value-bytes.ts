/**
 * Byte strings of keyword values: their order, their equality and their 64-bit hash.
 *
 * Called wherever a column's dictionary is built, searched or merged. Never makes a string.
 */

/** A 64-bit hash as two unsigned halves. Hash functions fill one their caller owns, so nothing is allocated a value. */
export interface Hash64 {
  lo: number;
  hi: number;
}

const LANE_A = 0x9e3779b1 | 0;
const LANE_B = 0x85ebca77 | 0;

/** Spreads the bits of `h` over all 32 (the finaliser of MurmurHash3, public domain, A. Appleby). */
function avalanche(h: number): number {
  let x = h;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/**
 * Hashes bytes [start, end) into `out`: two lanes in the manner of MurmurHash3, four bytes a step, mixed at the end.
 * Stored in segments (layout/columns.ts), so it never changes. Not keyed: whoever relies on equality compares the bytes.
 */
export function hashValue(bytes: Uint8Array, start: number, end: number, out: Hash64): void {
  let a = 0x2f0b4c47;
  let b = 0x5bd1e995;
  let at = start;
  for (const stop = end - 3; at < stop; at += 4) {
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    a = Math.imul(a ^ word, LANE_A);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(((b << 13) | (b >>> 19)) + word, LANE_B);
  }
  let tail = 0;
  for (; at < end; at++) tail = (tail << 8) | bytes[at];
  a = Math.imul(a ^ tail, LANE_A);
  b = Math.imul(((b << 13) | (b >>> 19)) + tail, LANE_B);
  a = avalanche(a ^ (end - start));
  b = avalanche(b + a);
  out.lo = (a + b) >>> 0;
  out.hi = b >>> 0;
}

/** Orders two byte strings: negative, 0 or positive; a prefix comes before what it begins. */
export function compareValues(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const aBytes = aEnd - aStart;
  const bBytes = bEnd - bStart;
  const common = Math.min(aBytes, bBytes);
  for (let i = 0; i < common; i++) {
    const difference = a[aStart + i] - b[bStart + i];
    if (difference !== 0) return difference;
  }
  return aBytes - bBytes;
}

/** Copies bytes [start, end) of `from` to `at` in `to`. */
export function copyValue(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  // A call into the runtime and a new view cost more than a short loop.
  if (end - start > 64) {
    to.set(from.subarray(start, end), at);
    return;
  }
  for (let i = start, target = at; i < end; i++, target++) to[target] = from[i];
}
