/**
 * Finds the strings of some fields in a stored document: what a highlighter reads.
 *
 * The document was accepted with a schema that has these fields, so its JSON is taken on trust; on damaged bytes the
 * outcome is undefined, though never an endless loop.
 */
import { BytePool, U32List } from './byte-pool.js';
import { FieldTable } from './field-table.js';
import { decodeString, stringEnd, valueEnd } from './json-strings.js';
import { skipSpace } from './json-syntax.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/** A larger buffer is given up once the next document is read. */
const KEPT_BYTES_MAX = 1 << 20;

/** The strings of one field. */
export interface FieldStrings {
  /** The document holds an array of them. */
  isArray: boolean;
  /** Where each begins and ends in the bytes, two numbers a string; null and what is no string are left out. */
  readonly ranges: U32List;
}

export class TextValues {
  /** By field, as they were named. */
  readonly fields: readonly FieldStrings[];
  readonly #keys: FieldTable;
  #decoded = new BytePool();

  /** `names` are those of declared fields. */
  constructor(names: readonly string[]) {
    this.fields = names.map(() => ({ isArray: false, ranges: new U32List(4) }));
    this.#keys = new FieldTable(names);
  }

  /** UTF-8 of the strings that were read last, with their escapes decoded. */
  get bytes(): Uint8Array {
    return this.#decoded.bytes;
  }

  /** Reads the object bytes[start, end). */
  read(bytes: Uint8Array, start: number, end: number): void {
    if (this.#decoded.bytes.length > KEPT_BYTES_MAX) this.#decoded = new BytePool();
    this.#decoded.reset();
    for (const field of this.fields) {
      field.isArray = false;
      field.ranges.reset();
    }
    this.#keys.begin();
    let pos = skipSpace(bytes, start + 1, end);
    while (pos < end && bytes[pos] !== CLOSE_BRACE) {
      pos = this.#readMember(bytes, pos, end);
      pos = skipSpace(bytes, pos, end);
      if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, end);
    }
  }

  /** Reads the key whose quote is at `start` and its value, and returns the end of that. */
  #readMember(bytes: Uint8Array, start: number, end: number): number {
    let pos = this.#keys.read(bytes, start + 1, end);
    if (pos < 0) pos = this.#readEscapedKey(bytes, start + 1, end);
    pos = skipSpace(bytes, pos, end);
    pos = skipSpace(bytes, pos + 1, end);
    const { found } = this.#keys;
    if (found < 0) return valueEnd(bytes, pos, end);
    const field = this.fields[found];
    if (bytes[pos] !== OPEN_BRACKET) return this.#readString(field, bytes, pos, end);
    field.isArray = true;
    pos = skipSpace(bytes, pos + 1, end);
    while (pos < end && bytes[pos] !== CLOSE_BRACKET) {
      pos = skipSpace(bytes, this.#readString(field, bytes, pos, end), end);
      if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, end);
    }
    return pos + 1;
  }

  #readEscapedKey(bytes: Uint8Array, start: number, end: number): number {
    const close = Math.abs(stringEnd(bytes, start, end));
    const mark = this.#decoded.length;
    decodeString(bytes, start, close, this.#decoded);
    this.#keys.find(this.#decoded.bytes, mark, this.#decoded.length);
    this.#decoded.length = mark;
    return close + 1;
  }

  /** Takes the value at `pos` if it is a string, and returns its end. */
  #readString(field: FieldStrings, bytes: Uint8Array, pos: number, end: number): number {
    if (bytes[pos] !== QUOTE) return Math.max(pos + 1, valueEnd(bytes, pos, end));
    const close = Math.abs(stringEnd(bytes, pos + 1, end));
    field.ranges.push(this.#decoded.length);
    decodeString(bytes, pos + 1, close, this.#decoded);
    field.ranges.push(this.#decoded.length);
    return close + 1;
  }
}
