/**
 * From keys of a numeric column to its codes: how a query's bounds meet the narrowed codes of one segment.
 *
 * Called when a filter or a threshold is bound to a segment.
 */
import type { ColumnReader } from './column-reader.js';
import { compareKeys } from './number-keys.js';

/** Words of a range in an array of code ranges: first code (low, high), last code (low, high), unsigned, inclusive. */
export const CODE_RANGE_WORDS = 4;

/**
 * Writes to out[at..at+3] the range of codes that keys from (loHi, loLo) to (hiHi, hiLo), inclusive, can have in
 * `column`, clamped to 0..maxCode. Returns false, and writes nothing, when no code lies there.
 */
export function codeRangeOfKeys(
  column: ColumnReader,
  loHi: number,
  loLo: number,
  hiHi: number,
  hiLo: number,
  out: Uint32Array,
  at: number,
): boolean {
  const { baseHi, baseLo, maxCodeHi, maxCodeLo } = column;
  const topHi = column.keyHi(maxCodeLo, maxCodeHi);
  const topLo = column.keyLo(maxCodeLo);
  if (compareKeys(loHi, loLo, hiHi, hiLo) > 0) return false;
  if (compareKeys(hiHi, hiLo, baseHi, baseLo) < 0) return false;
  if (compareKeys(loHi, loLo, topHi, topLo) > 0) return false;
  const below = compareKeys(loHi, loLo, baseHi, baseLo) < 0;
  const above = compareKeys(hiHi, hiLo, topHi, topLo) > 0;
  out[at] = below ? 0 : loLo - baseLo;
  out[at + 1] = below ? 0 : loHi - baseHi - (loLo < baseLo ? 1 : 0);
  out[at + 2] = above ? maxCodeLo : hiLo - baseLo;
  out[at + 3] = above ? maxCodeHi : hiHi - baseHi - (hiLo < baseLo ? 1 : 0);
  return true;
}
