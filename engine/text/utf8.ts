/**
 * UTF-8 one code point at a time, without strings. Called by the analyzer; never throws on malformed input.
 * RFC 3629; the well-formed ranges are those of the Unicode Standard, table 3-7.
 */

const REPLACEMENT = 0xfffd;
/** decodeUtf8's answer for a byte that begins nothing well-formed: a replacement character of one byte. */
const MALFORMED = (REPLACEMENT << 3) | 1;

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Decodes the code point at `at` < `end`. Returns `codePoint << 3 | bytes`; malformed input is U+FFFD of one byte. */
export function decodeUtf8(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at];
  if (lead < 0x80) return (lead << 3) | 1;
  if (lead < 0xc2 || lead > 0xf4 || at + 1 >= end) return MALFORMED;
  const second = bytes[at + 1];
  if (!isContinuation(second)) return MALFORMED;
  if (lead < 0xe0) return ((lead & 0x1f) << 9) | ((second & 0x3f) << 3) | 2;
  if (at + 2 >= end || !isContinuation(bytes[at + 2])) return MALFORMED;
  const three = ((second & 0x3f) << 6) | (bytes[at + 2] & 0x3f);
  if (lead < 0xf0) {
    const codePoint = ((lead & 0x0f) << 12) | three;
    const surrogate = codePoint >= 0xd800 && codePoint < 0xe000;
    return codePoint < 0x800 || surrogate ? MALFORMED : (codePoint << 3) | 3;
  }
  if (at + 3 >= end || !isContinuation(bytes[at + 3])) return MALFORMED;
  const codePoint = ((lead & 0x07) << 18) | (three << 6) | (bytes[at + 3] & 0x3f);
  return codePoint < 0x10000 || codePoint > 0x10ffff ? MALFORMED : (codePoint << 3) | 4;
}

/** Writes `codePoint` at `at` and returns the offset behind it. `into` has at least 4 bytes left. */
export function encodeUtf8(codePoint: number, into: Uint8Array, at: number): number {
  if (codePoint < 0x80) {
    into[at] = codePoint;
    return at + 1;
  }
  if (codePoint < 0x800) {
    into[at] = 0xc0 | (codePoint >> 6);
    into[at + 1] = 0x80 | (codePoint & 0x3f);
    return at + 2;
  }
  if (codePoint < 0x10000) {
    into[at] = 0xe0 | (codePoint >> 12);
    into[at + 1] = 0x80 | ((codePoint >> 6) & 0x3f);
    into[at + 2] = 0x80 | (codePoint & 0x3f);
    return at + 3;
  }
  into[at] = 0xf0 | (codePoint >> 18);
  into[at + 1] = 0x80 | ((codePoint >> 12) & 0x3f);
  into[at + 2] = 0x80 | ((codePoint >> 6) & 0x3f);
  into[at + 3] = 0x80 | (codePoint & 0x3f);
  return at + 4;
}
