/**
 * What the analysis makes of one code point: its NFKD form without combining marks, in lower case, with script classes.
 *
 * Called by the analyzer for every code point that is not plain ASCII, so each answer is computed once per thread and
 * kept in a table. Never looks at a neighbour: the one rule that needs them (a capital sigma) is left to final-sigma.ts.
 *
 * An entry is `class << FOLD_CLASS_SHIFT | code point`. From FOLD_UNUSUAL on it is something else: CAPITAL_SIGMA, or, for
 * a code point that becomes none or several, an index into FOLD_EXPANSIONS, where a count and that many entries lie.
 */

export const FOLD_CLASS_SHIFT = 24;
export const FOLD_CODE_POINT_MASK = 0xffffff;

/** Neither letter nor digit: ends a run. The entry keeps the code point, which a sigma's context may need. */
export const FOLD_SEPARATOR = 1;
/** A letter or digit of any other script. */
export const FOLD_WORD = 2;
export const FOLD_HAN = 3;
export const FOLD_KANA = 4;
const SIGMA_CLASS = 5;
const EXPANDS_CLASS = 6;

export const FOLD_UNUSUAL = SIGMA_CLASS << FOLD_CLASS_SHIFT;

const SIGMA_CODE_POINT = 0x3a3;
/** The entry of a capital sigma, whose lower case depends on its neighbours. */
export const CAPITAL_SIGMA = FOLD_UNUSUAL | SIGMA_CODE_POINT;

const TOKEN_CHAR = /[\p{L}\p{N}]/u;
const MARKS = /\p{M}/gu;
const HAN = /\p{Script=Han}/u;
/** Beside the two scripts: the prolonged sound mark and the vertical repeat marks, which Unicode assigns to no script. */
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3031-\u3035]/u;

/** Entry of each code point, 0 where it has not been asked for yet. Untouched pages cost no memory. */
export const FOLDS = new Int32Array(0x110000);

/** A count and that many entries for each expansion; index 0 is the empty one, of a combining mark. */
export const FOLD_EXPANSIONS: number[] = [0];

function classify(codePoint: number, char: string): number {
  if (codePoint === SIGMA_CODE_POINT) return SIGMA_CLASS;
  if (!TOKEN_CHAR.test(char)) return FOLD_SEPARATOR;
  if (HAN.test(char)) return FOLD_HAN;
  return KANA.test(char) ? FOLD_KANA : FOLD_WORD;
}

/**
 * Fills in and returns the entry of `codePoint` (0 to 0x10ffff, not a surrogate).
 * Unicode Standard Annex 15 (NFKD) and section 3.13 (lower case).
 */
export function computeFold(codePoint: number): number {
  const entries: number[] = [];
  for (const char of String.fromCodePoint(codePoint).normalize('NFKD').replace(MARKS, '')) {
    const lower = char.codePointAt(0) === SIGMA_CODE_POINT ? char : char.toLowerCase().replace(MARKS, '');
    for (const part of lower) {
      const folded = part.codePointAt(0) ?? 0;
      entries.push((classify(folded, part) << FOLD_CLASS_SHIFT) | folded);
    }
  }
  const entry = entries.length === 1 ? entries[0] : addExpansion(entries);
  FOLDS[codePoint] = entry;
  return entry;
}

function addExpansion(entries: readonly number[]): number {
  const index = entries.length === 0 ? 0 : FOLD_EXPANSIONS.length;
  if (entries.length > 0) FOLD_EXPANSIONS.push(entries.length, ...entries);
  return (EXPANDS_CLASS << FOLD_CLASS_SHIFT) | index;
}
