/**
 * Strings of valid JSON: where one ends, where any value ends, and what a string with escapes says in UTF-8.
 *
 * Used by the document reader and the MessagePack encoder on JSON that the scanner has let through. Never validates.
 */
import type { BytePool } from './byte-pool.js';
import { hexDigit, plainTextEnd } from './json-syntax.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Index of the quote that closes the string whose first byte past the opening quote is at `pos`; negated when the
 * string holds an escape. At most `end`.
 */
export function stringEnd(bytes: Uint8Array, pos: number, end: number): number {
  const at = plainTextEnd(bytes, pos, end);
  return at < end && bytes[at] === BACKSLASH ? -escapedStringEnd(bytes, at, end) : at;
}

function escapedStringEnd(bytes: Uint8Array, start: number, end: number): number {
  let pos = start;
  while (pos < end && bytes[pos] !== QUOTE) pos += bytes[pos] === BACKSLASH ? 2 : 1;
  return Math.min(pos, end);
}

/** End of the value that begins at `pos`, whatever it is. */
export function valueEnd(bytes: Uint8Array, pos: number, end: number): number {
  const first = bytes[pos];
  if (first === QUOTE) return Math.abs(stringEnd(bytes, pos + 1, end)) + 1;
  if (first !== 0x7b && first !== 0x5b) return scalarEnd(bytes, pos, end);
  let depth = 0;
  while (pos < end) {
    const byte = bytes[pos];
    if (byte === QUOTE) pos = Math.abs(stringEnd(bytes, pos + 1, end));
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return pos + 1;
    pos++;
  }
  return end;
}

/** End of the number or literal that begins at `pos`. */
export function scalarEnd(bytes: Uint8Array, pos: number, end: number): number {
  while (pos < end) {
    const byte = bytes[pos];
    if (byte === 0x2c || byte === 0x5d || byte === 0x7d || byte <= 0x20) return pos;
    pos++;
  }
  return end;
}

/**
 * Appends the UTF-8 of the string whose text between the quotes is bytes[start..end) to `pool`.
 *
 * A `\u` surrogate without its partner becomes U+FFFD. Returns whether there was one.
 */
export const decodeString = (bytes: Uint8Array, start: number, end: number, pool: BytePool): boolean =>
  decode(bytes, start, end, pool, false);

/** As decodeString(), but that surrogates without a partner keep their code points, of three bytes: keys that differ stay apart. */
export function decodeKey(bytes: Uint8Array, start: number, end: number, pool: BytePool): void {
  decode(bytes, start, end, pool, true);
}

function decode(bytes: Uint8Array, start: number, end: number, pool: BytePool, keepsLone: boolean): boolean {
  // No escape is longer in UTF-8 than in JSON.
  pool.ensure(end - start);
  const out = pool.bytes;
  let at = pool.length;
  let lone = false;
  for (let pos = start; pos < end; ) {
    const byte = bytes[pos++];
    if (byte !== BACKSLASH) {
      out[at++] = byte;
      continue;
    }
    const letter = bytes[pos++];
    if (letter !== 0x75) {
      out[at++] = simpleEscape(letter);
      continue;
    }
    let point = codeUnit(bytes, pos);
    pos += 4;
    if (point >= 0xd800 && point <= 0xdfff) {
      const low = point <= 0xdbff && pos + 6 <= end && isUnicodeEscape(bytes, pos) ? codeUnit(bytes, pos + 2) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        pos += 6;
      } else {
        if (!keepsLone) point = 0xfffd;
        lone = true;
      }
    }
    at = encodePoint(out, at, point);
  }
  pool.length = at;
  return lone;
}

const isUnicodeEscape = (bytes: Uint8Array, pos: number): boolean =>
  bytes[pos] === BACKSLASH && bytes[pos + 1] === 0x75;

function codeUnit(bytes: Uint8Array, pos: number): number {
  return (
    (hexDigit(bytes[pos]) << 12) |
    (hexDigit(bytes[pos + 1]) << 8) |
    (hexDigit(bytes[pos + 2]) << 4) |
    hexDigit(bytes[pos + 3])
  );
}

function simpleEscape(letter: number): number {
  if (letter === 0x6e) return 0x0a;
  if (letter === 0x74) return 0x09;
  if (letter === 0x72) return 0x0d;
  if (letter === 0x62) return 0x08;
  return letter === 0x66 ? 0x0c : letter;
}

function encodePoint(out: Uint8Array, start: number, point: number): number {
  let at = start;
  if (point < 0x80) {
    out[at++] = point;
  } else if (point < 0x800) {
    out[at++] = 0xc0 | (point >> 6);
    out[at++] = 0x80 | (point & 0x3f);
  } else if (point < 0x10000) {
    out[at++] = 0xe0 | (point >> 12);
    out[at++] = 0x80 | ((point >> 6) & 0x3f);
    out[at++] = 0x80 | (point & 0x3f);
  } else {
    out[at++] = 0xf0 | (point >> 18);
    out[at++] = 0x80 | ((point >> 12) & 0x3f);
    out[at++] = 0x80 | ((point >> 6) & 0x3f);
    out[at++] = 0x80 | (point & 0x3f);
  }
  return at;
}
