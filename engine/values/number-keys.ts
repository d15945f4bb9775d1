/**
 * Keys of numeric columns: an i64 whose signed order is the order of the value, as a signed high half and an unsigned
 * low half, because bigints are too slow for one a document.
 *
 * int and date are their own keys, bool is 0 or 1, float is its IEEE 754 bits with the low 63 flipped when negative
 * (layout/columns.ts). Used when documents are indexed, when literals are bound and when values are shown.
 */

const TWO_32 = 0x100000000;

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);

/** High half of the key of `value`, a safe integer; signed. */
export function intKeyHi(value: number): number {
  return Math.floor(value / TWO_32) | 0;
}

/** Low half of the key of `value`, a safe integer; unsigned. */
export function intKeyLo(value: number): number {
  return value >>> 0;
}

/** The int or date of a key; exact within the safe integers, else the nearest double. */
export function intOfKey(hi: number, lo: number): number {
  return hi * TWO_32 + lo;
}

/** High half of the key of `value`, a finite float; signed. */
export function floatKeyHi(value: number): number {
  // Adding 0 turns -0 into 0, so that both are one key.
  float[0] = value + 0;
  const hi = halves[1] | 0;
  return hi < 0 ? hi ^ 0x7fffffff : hi;
}

/** Low half of the key of `value`, a finite float; unsigned. */
export function floatKeyLo(value: number): number {
  float[0] = value + 0;
  return (halves[1] | 0) < 0 ? ~halves[0] >>> 0 : halves[0];
}

/** The float of a key. */
export function floatOfKey(hi: number, lo: number): number {
  halves[0] = hi < 0 ? ~lo : lo;
  halves[1] = hi < 0 ? hi ^ 0x7fffffff : hi;
  return float[0];
}

/** Decimal text of an int or date key, exact over the whole 64 bits. */
export function formatIntKey(hi: number, lo: number): string {
  const value = intOfKey(hi, lo);
  if (Number.isSafeInteger(value)) return String(value);
  return ((BigInt(hi) << 32n) | BigInt(lo)).toString();
}

/** Orders two keys: negative, 0 or positive. */
export function compareKeys(aHi: number, aLo: number, bHi: number, bLo: number): number {
  if (aHi !== bHi) return aHi < bHi ? -1 : 1;
  if (aLo !== bLo) return aLo < bLo ? -1 : 1;
  return 0;
}
