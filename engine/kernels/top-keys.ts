/**
 * Selecting and sorting keys of 128 bits, the larger ones first. Called by kernels/score-top.ts and top-columns.ts. Layout:
 * layout/score-top.ts. No two keys are alike; `random` is the address of a generator's state, so that no order of
 * documents makes a selection slow.
 */
import { TOP_KEY_BYTES, TOP_KEY_HIGH, TOP_KEY_LOW, TOP_KEYS, TOP_VERDICT_BITS } from '../layout/score-top';

/** Below this many keys moving them one by one is quicker than splitting. */
const INSERTION_MAX: usize = 12 * TOP_KEY_BYTES;

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

/** Splits the keys from `first` to `last`, addresses, around one of them and returns where that came to lie. */
function partition(first: usize, last: usize, random: usize): usize {
  const state = load<u32>(random) * 1664525 + 1013904223;
  store<u32>(random, state);
  const count = <u64>((last - first) / TOP_KEY_BYTES + 1);
  const chosen = first + <usize>((<u64>state * count) >> 32) * TOP_KEY_BYTES;
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

/** Puts the key that belongs at address `place` there, better ones before it and worse ones after it. (Hoare, 1961.) */
export function selectKey(first: usize, last: usize, place: usize, random: usize): void {
  while (first < last) {
    const pivot = partition(first, last, random);
    if (pivot === place) return;
    if (pivot < place) first = pivot + TOP_KEY_BYTES;
    else last = pivot - TOP_KEY_BYTES;
  }
}

/** Puts the keys from address `first` to `last` in order. `last` may be one key before `first`: nothing to do. */
export function sortKeys(first: usize, last: usize, random: usize): void {
  while (last > first + INSERTION_MAX) {
    const pivot = partition(first, last, random);
    // The shorter side first, by recursion: the stack stays logarithmic.
    if (pivot - first < last - pivot) {
      sortKeys(first, pivot - TOP_KEY_BYTES, random);
      first = pivot + TOP_KEY_BYTES;
    } else {
      sortKeys(pivot + TOP_KEY_BYTES, last, random);
      last = pivot - TOP_KEY_BYTES;
    }
  }
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
