/**
 * The lower case of a Greek capital sigma, which depends on its neighbours: final at the end of a word, else medial.
 *
 * Called by the analyzer for the few values that hold one, after folding. Unicode Standard 3.13, table 3-17, condition
 * Final_Sigma; a letter that is both cased and case-ignorable counts as ignorable, as in String.prototype.toLowerCase.
 */
import {
  CAPITAL_SIGMA,
  FOLD_CLASS_SHIFT,
  FOLD_CODE_POINT_MASK,
  FOLD_HAN,
  FOLD_SEPARATOR,
  FOLD_WORD,
} from './code-point-fold.js';

const SIGMA = (FOLD_WORD << FOLD_CLASS_SHIFT) | 0x3c3;
const FINAL_SIGMA = (FOLD_WORD << FOLD_CLASS_SHIFT) | 0x3c2;

const CASED = /\p{Cased}/u;
const CASE_IGNORABLE = /\p{Case_Ignorable}/u;

const charOf = (entry: number): string => String.fromCodePoint(entry & FOLD_CODE_POINT_MASK);

/** Whether a sigma on one side of `entry` may depend on what stands on the other: it is case-ignorable. */
export const hidesContext = (entry: number): boolean => CASE_IGNORABLE.test(charOf(entry));

/** Whether `entry` ends a run, and what stands on one side of it is nothing to a sigma on the other, nor is `entry` itself. */
export function endsContext(entry: number): boolean {
  const entryClass = entry >> FOLD_CLASS_SHIFT;
  if (entryClass !== FOLD_SEPARATOR && entryClass !== FOLD_HAN) return false;
  return !hidesContext(entry) && !CASED.test(charOf(entry));
}

/** Whether the first entry from `from` in direction `step` that is not case-ignorable is a cased letter. */
function meetsCased(entries: Int32Array, count: number, from: number, step: number): boolean {
  for (let i = from; i >= 0 && i < count; i += step)
    if (!hidesContext(entries[i])) return CASED.test(charOf(entries[i]));
  return false;
}

/** Replaces every capital sigma among the first `count` fold entries by its lower case, in place. */
export function lowerSigmas(entries: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    if (entries[i] !== CAPITAL_SIGMA) continue;
    const final = meetsCased(entries, count, i - 1, -1) && !meetsCased(entries, count, i + 1, 1);
    entries[i] = final ? FINAL_SIGMA : SIGMA;
  }
}
