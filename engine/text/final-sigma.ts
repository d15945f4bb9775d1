/**
 * The lower case of a Greek capital sigma, which depends on its neighbours: final at the end of a word, else medial.
 *
 * Called by the analyzer for the few values that hold one, after folding. Unicode Standard 3.13, table 3-17, condition
 * Final_Sigma; a letter that is both cased and case-ignorable counts as ignorable, as in String.prototype.toLowerCase.
 */
import { CAPITAL_SIGMA, FOLD_CLASS_SHIFT, FOLD_CODE_POINT_MASK, FOLD_WORD } from './code-point-fold.js';

const SIGMA = (FOLD_WORD << FOLD_CLASS_SHIFT) | 0x3c3;
const FINAL_SIGMA = (FOLD_WORD << FOLD_CLASS_SHIFT) | 0x3c2;

const CASED = /\p{Cased}/u;
const CASE_IGNORABLE = /\p{Case_Ignorable}/u;

/** Whether the first entry from `from` in direction `step` that is not case-ignorable is a cased letter. */
function meetsCased(entries: Int32Array, count: number, from: number, step: number): boolean {
  for (let i = from; i >= 0 && i < count; i += step) {
    const char = String.fromCodePoint(entries[i] & FOLD_CODE_POINT_MASK);
    if (!CASE_IGNORABLE.test(char)) return CASED.test(char);
  }
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
