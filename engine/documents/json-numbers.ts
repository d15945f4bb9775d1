/**
 * Numbers of valid JSON, exact: 64-bit integers as two halves, floats as the nearest double.
 *
 * Used by the document reader and the MessagePack encoder, which call it per value: no BigInt, no strings but for the
 * rare float that needs them. Never validates the spelling.
 */

export const INT64_OK = 0;
/** The value is no integer. */
export const INT64_FRACTION = 1;
/** The value is an integer outside of [-2^63, 2^64). */
export const INT64_RANGE = 2;
/** The value lies in [2^63, 2^64); the halves hold its unsigned bits. */
export const INT64_UNSIGNED = 3;

const TWO_32 = 0x100000000;
const MINUS = 0x2d;
/** Any integer of this many digits, and any sum on the way to it, is exact in a double. */
const EXACT_DIGITS_MAX = 15;
const INT64_DIGITS_MAX = 20;
/** Exponents saturate here: far beyond any digit count, far below where adding digits would round. */
const EXPONENT_MAX = 1e12;

/** The powers of ten that are exact doubles. */
const POWERS_OF_TEN: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

const floatBits = new Float64Array(1);
const floatHalves = new Int32Array(floatBits.buffer);

export class NumberParser {
  /** High half of the last integer, as a signed 32-bit number. */
  hi = 0;
  /** Low half of the last integer, as a signed 32-bit number. */
  lo = 0;

  /**
   * Reads the number bytes[start..end) as a 64-bit integer into `hi` and `lo`, and returns INT64_OK or why it is none.
   * A fraction of zeros and an exponent are fine when the value is an integer: `5.0`, `5e2`, `1.5e1`.
   */
  int64(bytes: Uint8Array, start: number, end: number): number {
    const negative = bytes[start] === MINUS;
    let pos = negative ? start + 1 : start;
    if (end - pos > EXACT_DIGITS_MAX) return this.#decimal(bytes, pos, end, negative);
    let value = 0;
    for (; pos < end; pos++) {
      const digit = bytes[pos] - 0x30;
      if (digit < 0 || digit > 9) return this.#decimal(bytes, negative ? start + 1 : start, end, negative);
      value = value * 10 + digit;
    }
    if (negative) value = -value;
    this.hi = Math.floor(value / TWO_32) | 0;
    this.lo = value | 0;
    return INT64_OK;
  }

  /**
   * Reads the number bytes[start..end) as a float, and leaves in `hi` and `lo` the 64-bit integer whose order is that of the floats;
   * false when no double is near it.
   */
  floatKey(bytes: Uint8Array, start: number, end: number): boolean {
    const value = this.float64(bytes, start, end);
    if (!Number.isFinite(value)) return false;
    // Adding 0 turns -0 into 0: they are one value. Flipping the rest of a negative float's bits makes signed integer
    // order the order of the values.
    floatBits[0] = value + 0;
    const sign = floatHalves[1] >> 31;
    this.hi = floatHalves[1] ^ (sign & 0x7fffffff);
    this.lo = floatHalves[0] ^ sign;
    return true;
  }

  /** The general case of int64: bytes[start..end) without its sign. */
  #decimal(bytes: Uint8Array, start: number, end: number, negative: boolean): number {
    let mantissaEnd = start;
    let point = -1;
    for (; mantissaEnd < end && (bytes[mantissaEnd] | 0x20) !== 0x65; mantissaEnd++) {
      if (bytes[mantissaEnd] === 0x2e) point = mantissaEnd;
    }
    if (point < 0) point = mantissaEnd;
    let first = start;
    while (first < mantissaEnd && !isNonZeroDigit(bytes[first])) first++;
    if (first === mantissaEnd) return this.#set(0, 0, false);
    let last = mantissaEnd - 1;
    while (!isNonZeroDigit(bytes[last])) last--;
    const scale = last < point ? point - 1 - last : point - last;
    const power = parseExponent(bytes, mantissaEnd, end) + scale;
    if (power < 0) return INT64_FRACTION;
    const digits = last - first + (first < point && last > point ? 0 : 1);
    if (digits + power > INT64_DIGITS_MAX) return INT64_RANGE;
    return this.#accumulate(bytes, first, last, power, negative);
  }

  /** The digits bytes[first..last], a point among them skipped, times 10^power; at most INT64_DIGITS_MAX in all. */
  #accumulate(bytes: Uint8Array, first: number, last: number, power: number, negative: boolean): number {
    let hi = 0;
    let lo = 0;
    for (let pos = first; pos <= last + power; pos++) {
      if (pos <= last && bytes[pos] === 0x2e) continue;
      lo = lo * 10 + (pos <= last ? bytes[pos] - 0x30 : 0);
      const carry = Math.floor(lo / TWO_32);
      lo -= carry * TWO_32;
      hi = hi * 10 + carry;
    }
    return hi < TWO_32 ? this.#set(hi, lo, negative) : INT64_RANGE;
  }

  /** Stores the magnitude hi * 2^32 + lo with its sign. */
  #set(hi: number, lo: number, negative: boolean): number {
    const past = hi >= 0x80000000;
    if (negative && past && (hi > 0x80000000 || lo > 0)) return INT64_RANGE;
    this.hi = negative ? (lo === 0 ? -hi : ~hi) | 0 : hi | 0;
    this.lo = negative ? -lo | 0 : lo | 0;
    return past && !negative ? INT64_UNSIGNED : INT64_OK;
  }

  /**
   * The number bytes[start..end) as the nearest double; Infinity when it is out of range.
   *
   * A mantissa of up to 15 digits and a power of ten up to 10^22 are both exact, so that one operation rounds once
   * (Clinger, "How to read floating point numbers accurately", PLDI 1990); everything else goes through Number().
   */
  float64(bytes: Uint8Array, start: number, end: number): number {
    const negative = bytes[start] === MINUS;
    let pos = negative ? start + 1 : start;
    const mantissaStart = pos;
    let mantissa = 0;
    let fractionDigits = 0;
    let point = -1;
    for (; pos < end; pos++) {
      const digit = bytes[pos] - 0x30;
      if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
      else if (bytes[pos] === 0x2e) point = pos;
      else break;
    }
    if (pos - mantissaStart > EXACT_DIGITS_MAX) return Number(asciiText(bytes, start, end));
    if (point >= 0) fractionDigits = pos - 1 - point;
    const power = parseExponent(bytes, pos, end) - fractionDigits;
    if (power > 22 || power < -22) return Number(asciiText(bytes, start, end));
    const value = power < 0 ? mantissa / POWERS_OF_TEN[-power] : mantissa * POWERS_OF_TEN[power];
    return negative ? -value : value;
  }
}

const isNonZeroDigit = (byte: number): boolean => byte >= 0x31 && byte <= 0x39;

/** The exponent whose letter is at `start`; 0 when there is none. Saturates at EXPONENT_MAX. */
function parseExponent(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end) return 0;
  let pos = start + 1;
  const negative = bytes[pos] === MINUS;
  if (negative || bytes[pos] === 0x2b) pos++;
  let value = 0;
  for (; pos < end; pos++) value = Math.min(value * 10 + (bytes[pos] - 0x30), EXPONENT_MAX);
  return negative ? -value : value;
}

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
