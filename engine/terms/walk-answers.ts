/**
 * Joins what the kernel of a walk has written when its outputs got full: each batch is in order, but not all of them
 * together. Called by edit-walk.ts; hardly any walk has more than one batch.
 */
import { CORRECTION_WORDS, PREFIX_RANGE_WORDS } from '../layout/terms.js';

/** A number beyond the edits of an answer. */
const EDITS = 4;

/** Pairs {ordinal, edits} of distinct ordinals, ascending. */
export function joinWords(batches: readonly Uint32Array[]): Uint32Array {
  if (batches.length === 1) return batches[0];
  const keys = sortKeys(batches, CORRECTION_WORDS);
  const words = new Uint32Array(keys.length * CORRECTION_WORDS);
  for (let i = 0; i < keys.length; i++) {
    words[i * CORRECTION_WORDS] = keys[i] / EDITS;
    words[i * CORRECTION_WORDS + 1] = keys[i] % EDITS;
  }
  return words;
}

/** Triples {low, high, edits} of disjoint ranges, ascending; neighbours of equal edits are one. */
export function joinRanges(batches: readonly Uint32Array[]): Uint32Array {
  if (batches.length === 1) return batches[0];
  const keys = sortKeys(batches, PREFIX_RANGE_WORDS);
  // Disjoint ranges end in the order in which they begin.
  const highs = new Uint32Array(keys.length);
  let count = 0;
  for (const batch of batches) for (let i = 1; i < batch.length; i += PREFIX_RANGE_WORDS) highs[count++] = batch[i];
  highs.sort();
  const ranges = new Uint32Array(keys.length * PREFIX_RANGE_WORDS);
  let length = 0;
  for (let i = 0; i < keys.length; i++) {
    const low = Math.floor(keys[i] / EDITS);
    const edits = keys[i] % EDITS;
    if (length === 0 || ranges[length - 2] !== low || ranges[length - 1] !== edits) {
      ranges[length] = low;
      ranges[length + 2] = edits;
      length += PREFIX_RANGE_WORDS;
    }
    ranges[length - 2] = highs[i];
  }
  return ranges.slice(0, length);
}

/** What each answer of `step` words begins with, and the edits with which it ends, in one number each, ascending. */
function sortKeys(batches: readonly Uint32Array[], step: number): Float64Array {
  let length = 0;
  for (const batch of batches) length += batch.length / step;
  const keys = new Float64Array(length);
  let count = 0;
  for (const batch of batches)
    for (let i = 0; i < batch.length; i += step) keys[count++] = batch[i] * EDITS + batch[i + step - 1];
  return keys.sort();
}
