/**
 * The literals of numeric fields, by type: from text to the key a column stores, exact over 64 bits.
 *
 * Used by the filter parser; a literal that does not fit its field gives the words of the complaint.
 */
import type { FieldType } from '../../schema/collection-schema.js';
import { parseDateMs } from '../../schema/dates.js';
import { floatKeyHi, floatKeyLo, intKeyHi, intKeyLo } from '../../values/number-keys.js';

export interface Key {
  readonly hi: number;
  readonly lo: number;
}

/** Types whose columns hold numbers. */
export type NumericType = Exclude<FieldType, 'text' | 'keyword'>;

/** What a literal of each type has to be, for messages. */
export const LITERAL_FORMS: Readonly<Record<NumericType, string>> = {
  int: 'a whole number of 64 bits',
  float: 'a finite number',
  date: 'an RFC 3339 date or whole epoch milliseconds',
  bool: 'true or false',
};

export const KEY_MIN: Key = { hi: -0x80000000, lo: 0 };
export const KEY_MAX: Key = { hi: 0x7fffffff, lo: 0xffffffff };

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INTEGER = /^[+-]?\d+$/;
const DIGIT_0 = 0x30;
const INT64_DIGITS_MAX = 19;
/** So many digits are a safe integer for certain. */
const SAFE_DIGITS_MAX = 15;

/** The key of `text` as a literal of `type`, or null when it is none. */
export function parseKey(text: string, type: NumericType): Key | null {
  if (type === 'int') return parseInt64(text);
  if (type === 'float') return parseFloatKey(text);
  if (type === 'bool') return text === 'true' ? { hi: 0, lo: 1 } : text === 'false' ? { hi: 0, lo: 0 } : null;
  if (INTEGER.test(text)) return parseInt64(text);
  const ms = parseDateMs(text);
  return ms === null ? null : { hi: intKeyHi(ms), lo: intKeyLo(ms) };
}

/** The key just above `key`, which is below KEY_MAX. */
export function keyAfter(key: Key): Key {
  return key.lo === 0xffffffff ? { hi: key.hi + 1, lo: 0 } : { hi: key.hi, lo: key.lo + 1 };
}

/** The key just below `key`, which is above KEY_MIN. */
export function keyBefore(key: Key): Key {
  return key.lo === 0 ? { hi: key.hi - 1, lo: 0xffffffff } : { hi: key.hi, lo: key.lo - 1 };
}

/** Any decimal spelling of an integer within 64 bits, as documents may spell one: `5`, `5.0`, `5e2`. */
function parseInt64(text: string): Key | null {
  const safe = smallNatural(text);
  if (safe >= 0) return { hi: intKeyHi(safe), lo: intKeyLo(safe) };
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutEndZeros(digits);
  if (significant === '') return { hi: 0, lo: 0 };
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  if (power < 0 || significant.length + power > INT64_DIGITS_MAX) return null;
  const value = BigInt(`${sign === '-' ? '-' : ''}${significant}${'0'.repeat(power)}`);
  if (BigInt.asIntN(64, value) !== value) return null;
  return { hi: Number(value >> 32n), lo: Number(value & 0xffffffffn) };
}

/** A pattern that may begin at each of many zeros takes the square of their number. */
function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === DIGIT_0) end--;
  return digits.slice(0, end);
}

/** The number that `text` stands for, if it is up to SAFE_DIGITS_MAX digits and nothing else; else -1. */
function smallNatural(text: string): number {
  if (text === '' || text.length > SAFE_DIGITS_MAX) return -1;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - DIGIT_0;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function parseFloatKey(text: string): Key | null {
  const match = DECIMAL.exec(text);
  if (match === null || (match[2] === '' && (match[3] ?? '') === '')) return null;
  const value = Number(text);
  return Number.isFinite(value) ? { hi: floatKeyHi(value), lo: floatKeyLo(value) } : null;
}
