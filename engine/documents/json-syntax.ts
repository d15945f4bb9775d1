/**
 * The grammar of JSON over bytes: where a value ends, or where and why it is no JSON. RFC 8259, without extensions.
 *
 * Used by json-scanner.ts on untrusted bodies. Never decodes, never checks UTF-8 (its caller does, for a whole body at
 * once), and never throws: failure is -1, with the details kept for whoever words the message.
 */
import { JSON_DEPTH_MAX } from '../core/limits.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Index of the first byte at or after `pos` that is no JSON white space, at most `end`. */
export function skipSpace(bytes: Uint8Array, pos: number, end: number): number {
  while (pos < end) {
    const byte = bytes[pos];
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) return pos;
    pos++;
  }
  return pos;
}

/** 1 for the bytes that end a run of plain text in a string: the quote, the backslash and control characters. */
const ENDS_PLAIN_TEXT = new Uint8Array(256).fill(1, 0, 0x20);
ENDS_PLAIN_TEXT[QUOTE] = 1;
ENDS_PLAIN_TEXT[BACKSLASH] = 1;

/**
 * Index of the first quote, backslash or control character at or after `pos`, at most `end`. Goes four bytes a
 * step, since most bytes of a document are plain text.
 */
export function plainTextEnd(bytes: Uint8Array, pos: number, end: number): number {
  const ends = ENDS_PLAIN_TEXT;
  for (const last = end - 4; pos <= last; pos += 4) {
    if ((ends[bytes[pos]] | ends[bytes[pos + 1]] | ends[bytes[pos + 2]] | ends[bytes[pos + 3]]) !== 0) break;
  }
  while (pos < end && ends[bytes[pos]] === 0) pos++;
  return pos;
}

/** 1 for the bytes that may follow a backslash, `u` excepted. */
const SIMPLE_ESCAPES = new Uint8Array(256);
for (const char of '"\\/bfnrt') SIMPLE_ESCAPES[char.charCodeAt(0)] = 1;

export class JsonSyntax {
  /** After a failure: the offset at which something else was expected. */
  failedAt = 0;
  /** After a failure: what was expected there. */
  expected = '';

  /**
   * End of the value that begins exactly at `pos`, or -1. `depth` is the nesting the value itself would have if it is
   * an object or array; deeper than JSON_DEPTH_MAX fails.
   */
  value(bytes: Uint8Array, pos: number, end: number, depth: number): number {
    const byte = pos < end ? bytes[pos] : 0;
    if (byte === QUOTE) return this.#string(bytes, pos + 1, end);
    if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) return this.#number(bytes, pos, end);
    if (byte === 0x7b) return this.#object(bytes, pos, end, depth);
    if (byte === 0x5b) return this.#array(bytes, pos, end, depth);
    if (byte === 0x74) return this.#literal(bytes, pos, end, 'true');
    if (byte === 0x66) return this.#literal(bytes, pos, end, 'false');
    if (byte === 0x6e) return this.#literal(bytes, pos, end, 'null');
    return this.fail(pos, 'a value');
  }

  /** Records a failure and returns -1. */
  fail(pos: number, expected: string): number {
    this.failedAt = pos;
    this.expected = expected;
    return -1;
  }

  #object(bytes: Uint8Array, start: number, end: number, depth: number): number {
    if (depth > JSON_DEPTH_MAX) return this.fail(start, `at most ${JSON_DEPTH_MAX} levels of nesting`);
    let pos = skipSpace(bytes, start + 1, end);
    if (pos < end && bytes[pos] === 0x7d) return pos + 1;
    let expected = 'a key in double quotes or "}"';
    for (;;) {
      if (pos >= end || bytes[pos] !== QUOTE) return this.fail(pos, expected);
      pos = this.#string(bytes, pos + 1, end);
      if (pos < 0) return -1;
      pos = skipSpace(bytes, pos, end);
      if (pos >= end || bytes[pos] !== COLON) return this.fail(pos, '":"');
      pos = this.value(bytes, skipSpace(bytes, pos + 1, end), end, depth + 1);
      if (pos < 0) return -1;
      pos = skipSpace(bytes, pos, end);
      const byte = pos < end ? bytes[pos] : 0;
      if (byte === 0x7d) return pos + 1;
      if (byte !== COMMA) return this.fail(pos, '"," or "}"');
      pos = skipSpace(bytes, pos + 1, end);
      expected = 'a key in double quotes';
    }
  }

  #array(bytes: Uint8Array, start: number, end: number, depth: number): number {
    if (depth > JSON_DEPTH_MAX) return this.fail(start, `at most ${JSON_DEPTH_MAX} levels of nesting`);
    let pos = skipSpace(bytes, start + 1, end);
    if (pos < end && bytes[pos] === 0x5d) return pos + 1;
    for (;;) {
      pos = this.value(bytes, pos, end, depth + 1);
      if (pos < 0) return -1;
      pos = skipSpace(bytes, pos, end);
      const byte = pos < end ? bytes[pos] : 0;
      if (byte === 0x5d) return pos + 1;
      if (byte !== COMMA) return this.fail(pos, '"," or "]"');
      pos = skipSpace(bytes, pos + 1, end);
    }
  }

  /** End of the string whose first byte past the opening quote is at `pos`, the closing quote included, or -1. */
  #string(bytes: Uint8Array, pos: number, end: number): number {
    for (;;) {
      pos = plainTextEnd(bytes, pos, end);
      if (pos === end) return this.fail(end, 'a closing double quote');
      if (bytes[pos] === QUOTE) return pos + 1;
      if (bytes[pos] !== BACKSLASH) return this.fail(pos, 'an escape in place of a control character');
      pos = this.#escape(bytes, pos + 1, end);
      if (pos < 0) return -1;
    }
  }

  /** End of the escape sequence whose first byte past the backslash is at `pos`, or -1. */
  #escape(bytes: Uint8Array, pos: number, end: number): number {
    const byte = pos < end ? bytes[pos] : 0;
    if (SIMPLE_ESCAPES[byte] === 1) return pos + 1;
    if (byte !== 0x75) return this.fail(pos, 'one of " \\ / b f n r t u after a backslash');
    for (let i = pos + 1; i < pos + 5; i++) {
      if (i >= end || hexDigit(bytes[i]) < 0) return this.fail(i, 'a hexadecimal digit');
    }
    return pos + 5;
  }

  #number(bytes: Uint8Array, start: number, end: number): number {
    let pos = start;
    if (bytes[pos] === MINUS) pos++;
    pos = pos < end && bytes[pos] === 0x30 ? pos + 1 : this.#digits(bytes, pos, end);
    if (pos >= 0 && pos < end && bytes[pos] === 0x2e) pos = this.#digits(bytes, pos + 1, end);
    if (pos >= 0 && pos < end && (bytes[pos] | 0x20) === 0x65) {
      pos++;
      if (pos < end && (bytes[pos] === 0x2b || bytes[pos] === MINUS)) pos++;
      pos = this.#digits(bytes, pos, end);
    }
    return pos;
  }

  /** End of a run of at least one digit, or -1. */
  #digits(bytes: Uint8Array, start: number, end: number): number {
    let pos = start;
    while (pos < end && bytes[pos] >= 0x30 && bytes[pos] <= 0x39) pos++;
    return pos === start ? this.fail(pos, 'a digit') : pos;
  }

  #literal(bytes: Uint8Array, start: number, end: number, word: string): number {
    for (let i = 0; i < word.length; i++) {
      if (start + i >= end || bytes[start + i] !== word.charCodeAt(i))
        return this.fail(start, `a value such as ${word}`);
    }
    return start + word.length;
  }
}

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
