/**
 * Selecting and sorting keys of 128 bits, the larger ones first. Called by kernels/score-top.ts, end-top.ts and top-columns.ts. Layout:
 * layout/score-top.ts. No two keys are alike; `random` is the address of a generator's state, so that no order of
 * documents makes a selection slow.
 */
import {
  TOP_KEY_BYTES,
  TOP_KEY_HIGH,
  TOP_KEY_LOW,
  TOP_KEYS,
  TOP_KEY_SCORE_SHIFT,
  TOP_RANDOM,
  TOP_VERDICT_BITS,
} from '../layout/score-top';

/** Below this many keys moving them one by one is quicker than splitting. */
const INSERTION_MAX: usize = 12 * TOP_KEY_BYTES;

/** Of more keys than this the one to split by is chosen among SAMPLED. */
const SAMPLE_MIN: usize = 96 * TOP_KEY_BYTES;
const SAMPLED: usize = 13;

/** The address of the key of rank `rank` of those at `top`. */
@inline
export function keyAt(top: usize, rank: u32): usize {
  return top + TOP_KEYS + <usize>rank * TOP_KEY_BYTES;
}

/** The rank of the key at address `key`. */
@inline
export function rankOf(top: usize, key: usize): u32 {
  return <u32>((key - top - TOP_KEYS) / TOP_KEY_BYTES);
}

/** The lowest bits of the key, with the score in front or in the middle, of the document of order `order`, nothing of which is known. */
@inline
export function placeBits(order: u32): u32 {
  return ~(order << TOP_VERDICT_BITS);
}

/** The order of a document, of those bits. */
@inline
export function orderOf(bits: u32): u32 {
  return ~bits >> TOP_VERDICT_BITS;
}

/** TOP_VERDICT_* of a document, of those bits. */
@inline
export function verdictOf(bits: u32): u32 {
  return ~bits & ((1 << TOP_VERDICT_BITS) - 1);
}

/** 1 when the key (high, low) comes before (otherHigh, otherLow). */
@inline
export function precedes(high: u64, low: u64, otherHigh: u64, otherLow: u64): u32 {
  return u32(high > otherHigh) | (u32(high === otherHigh) & u32(low > otherLow));
}

/** The address of one of the keys from `first` to `last`, any. */
@inline
function anyKey(first: usize, last: usize, random: usize): usize {
  const state = load<u32>(random) * 1664525 + 1013904223;
  store<u32>(random, state);
  const count = <u64>((last - first) / TOP_KEY_BYTES + 1);
  return first + <usize>((<u64>state * count) >> 32) * TOP_KEY_BYTES;
}

/** Splits the keys from `first` to `last`, addresses, around the one at `chosen` and returns where that came to lie. */
function partition(first: usize, last: usize, chosen: usize): usize {
  const pivotLow = load<u64>(chosen, TOP_KEY_LOW);
  const pivotHigh = load<u64>(chosen, TOP_KEY_HIGH);
  v128.store(chosen, v128.load(last));
  let boundary = first;
  // Each key is swapped with the one at the boundary, and the boundary moves or not: nothing for a predictor to miss.
  for (let at = first; at < last; at += TOP_KEY_BYTES) {
    const low = load<u64>(at, TOP_KEY_LOW);
    const high = load<u64>(at, TOP_KEY_HIGH);
    v128.store(at, v128.load(boundary));
    store<u64>(boundary, low, TOP_KEY_LOW);
    store<u64>(boundary, high, TOP_KEY_HIGH);
    boundary += <usize>precedes(high, low, pivotHigh, pivotLow) * TOP_KEY_BYTES;
  }
  v128.store(last, v128.load(boundary));
  store<u64>(boundary, pivotLow, TOP_KEY_LOW);
  store<u64>(boundary, pivotHigh, TOP_KEY_HIGH);
  return boundary;
}

/** Exchanges the keys at `a` and `b`. */
@inline
function swapKeys(a: usize, b: usize): void {
  const key = v128.load(a);
  v128.store(a, v128.load(b));
  v128.store(b, key);
}

/**
 * Address of a key that comes to lie at `place` or not far behind it, or before it where few keys do: of SAMPLED ones it has the place
 * that `place` has among all. (Floyd & Rivest, "Expected time bounds for selection", CACM 1975.)
 */
function keyNear(first: usize, last: usize, place: usize, random: usize): usize {
  for (let at = first; at < first + SAMPLED * TOP_KEY_BYTES; at += TOP_KEY_BYTES) swapKeys(at, anyKey(at, last, random));
  sortFew(first, first + (SAMPLED - 1) * TOP_KEY_BYTES);
  const share = (place - first) * SAMPLED / (last - first + TOP_KEY_BYTES);
  return first + share * TOP_KEY_BYTES;
}

/** Puts the key that belongs at address `place` there, better ones before it and worse ones after it. (Hoare, 1961.) */
export function selectKey(first: usize, last: usize, place: usize, random: usize): void {
  while (first < last) {
    if (last - first < INSERTION_MAX) {
      sortFew(first, last);
      return;
    }
    const isLong = last - first > SAMPLE_MIN;
    const pivot = partition(first, last, isLong ? keyNear(first, last, place, random) : anyKey(first, last, random));
    if (pivot === place) return;
    if (pivot < place) first = pivot + TOP_KEY_BYTES;
    else last = pivot - TOP_KEY_BYTES;
  }
}

/** Puts few keys in order, from address `first` to `last`. */
function sortFew(first: usize, last: usize): void {
  for (let next = first + TOP_KEY_BYTES; next <= last; next += TOP_KEY_BYTES) {
    const low = load<u64>(next, TOP_KEY_LOW);
    const high = load<u64>(next, TOP_KEY_HIGH);
    let at = next;
    while (at > first) {
      const before = at - TOP_KEY_BYTES;
      if (!precedes(high, low, load<u64>(before, TOP_KEY_HIGH), load<u64>(before, TOP_KEY_LOW))) break;
      v128.store(at, v128.load(before));
      at = before;
    }
    store<u64>(at, low, TOP_KEY_LOW);
    store<u64>(at, high, TOP_KEY_HIGH);
  }
}

/** Puts the keys from address `first` to `last` in order. `last` may be one key before `first`: nothing to do. */
export function sortKeys(first: usize, last: usize, random: usize): void {
  while (last > first + INSERTION_MAX) {
    const pivot = partition(first, last, anyKey(first, last, random));
    // The shorter side first, by recursion: the stack stays logarithmic.
    if (pivot - first < last - pivot) {
      sortKeys(first, pivot - TOP_KEY_BYTES, random);
      first = pivot + TOP_KEY_BYTES;
    } else {
      sortKeys(pivot + TOP_KEY_BYTES, last, random);
      last = pivot - TOP_KEY_BYTES;
    }
  }
  sortFew(first, last);
}

/** Gives a key with the score in front another score. */
@inline
export function rescoreKey(key: usize, score: f32): void {
  const kept: u64 = ((<u64>1) << TOP_KEY_SCORE_SHIFT) - 1;
  const bits = <u64>reinterpret<u32>(score);
  store<u64>(key, (load<u64>(key, TOP_KEY_HIGH) & kept) | (bits << TOP_KEY_SCORE_SHIFT), TOP_KEY_HIGH);
}

/** Puts the best `sorted` of the first `count` keys in order, at the front. */
export function sortFirst(top: usize, count: u32, sorted: u32): void {
  const random = top + TOP_RANDOM;
  if (sorted < count) selectKey(keyAt(top, 0), keyAt(top, count - 1), keyAt(top, sorted - 1), random);
  sortKeys(keyAt(top, 0), keyAt(top, min(sorted, count) - 1), random);
}

/** The score in a key that has it in front. */
export function scoreAt(key: usize): f64 {
  return <f64>reinterpret<f32>(<u32>(load<u64>(key, TOP_KEY_HIGH) >> TOP_KEY_SCORE_SHIFT));
}
