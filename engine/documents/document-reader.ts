/**
 * Reads one document against a schema: checks every declared field, then hands the values to a sink.
 *
 * Called by the write path and by WAL replay for each object that splitBatch found, so its input is known to be valid
 * JSON and UTF-8; on anything else the outcome is undefined, though never an endless loop. Allocates only for messages.
 */
import { DOCUMENT_ID_BYTES_MAX } from '../core/limits.js';
import type { CollectionSchema, FieldSchema } from '../schema/collection-schema.js';
import { parseDateBytes } from '../schema/dates.js';
import { FieldTable, KEY_ID } from './field-table.js';
import { describeValue } from './json-excerpt.js';
import { INT64_FRACTION, INT64_OK, NumberParser } from './json-numbers.js';
import { decodeString, scalarEnd, stringEnd, valueEnd } from './json-strings.js';
import { skipSpace } from './json-syntax.js';
import { type DocumentSink, VALUE_DECODED, VALUE_KEYWORD, VALUE_NUMBER, VALUE_TEXT, ValueLog } from './value-log.js';

export type { DocumentSink } from './value-log.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

const TYPE_TEXT = 0;
const TYPE_KEYWORD = 1;
const TYPE_INT = 2;
const TYPE_FLOAT = 3;
const TYPE_BOOL = 4;
const TYPE_DATE = 5;
const TYPE_CODES = {
  text: TYPE_TEXT,
  keyword: TYPE_KEYWORD,
  int: TYPE_INT,
  float: TYPE_FLOAT,
  bool: TYPE_BOOL,
  date: TYPE_DATE,
} as const;

/** The value of a scalar that is no array element. */
const NOT_IN_ARRAY = -1;

const floatBits = new Float64Array(1);
const floatHalves = new Int32Array(floatBits.buffer);

const NO_BYTES = new Uint8Array(0);

export class DocumentReader {
  readonly #fields: readonly FieldSchema[];
  readonly #types: Uint8Array;
  readonly #required: readonly number[];
  readonly #keys: FieldTable;
  /** #seen[f] = #stamp: the document has the key; #given[f] = #stamp: and a value for it. */
  readonly #seen: Uint32Array;
  readonly #given: Uint32Array;
  #stamp = 0;
  readonly #log = new ValueLog();
  readonly #numbers = new NumberParser();
  #bytes: Uint8Array = NO_BYTES;
  #end = 0;
  #error: string | null = null;
  #hasId = false;
  #idStart = 0;
  #idEnd = 0;
  #idDecoded = false;

  constructor(schema: CollectionSchema) {
    const { fields } = schema;
    this.#fields = fields;
    this.#types = Uint8Array.from(fields, (field) => TYPE_CODES[field.type]);
    this.#required = fields.flatMap((field, index) => (field.optional ? [] : [index]));
    this.#keys = new FieldTable(fields.map((field) => field.name));
    this.#seen = new Uint32Array(fields.length);
    this.#given = new Uint32Array(fields.length);
  }

  /** Start of the last document's id in `idBytes`; equal to `idEnd` when it had none that could be read. */
  get idStart(): number {
    return this.#idStart;
  }

  get idEnd(): number {
    return this.#idEnd;
  }

  /** Where the last document's id lies, also when the document failed. Valid until the next read. */
  get idBytes(): Uint8Array {
    return this.#idDecoded ? this.#log.decoded.bytes : this.#bytes;
  }

  /**
   * Reads the object bytes[start..end), which begins with its brace, and hands its values to `sink` if all are valid.
   *
   * Returns null, or the message of the first thing that is wrong; then the sink was not called. Values of undeclared
   * keys are skipped. `null` is an absent value, in an array too, and an empty array has no value.
   */
  read(bytes: Uint8Array, start: number, end: number, sink: DocumentSink): string | null {
    this.#begin(bytes, end);
    let pos = skipSpace(bytes, start + 1, end);
    while (pos < end && bytes[pos] !== CLOSE_BRACE) {
      pos = this.#readMember(pos);
      pos = skipSpace(bytes, pos, end);
      if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, end);
    }
    this.#checkPresence();
    if (this.#error !== null) return this.#error;
    sink.id(this.idBytes, this.#idStart, this.#idEnd);
    this.#log.emit(bytes, sink);
    return null;
  }

  /** Lets go of the last document's bytes, which keep the body alive that they lie in. */
  release(): void {
    this.#bytes = NO_BYTES;
  }

  #begin(bytes: Uint8Array, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#error = null;
    this.#hasId = false;
    this.#idStart = 0;
    this.#idEnd = 0;
    this.#idDecoded = false;
    this.#log.reset();
    this.#keys.begin();
    if (this.#stamp === 0xffffffff) {
      this.#seen.fill(0);
      this.#given.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  /** Reads a key and its value; the key's quote is at `pos`. Returns the end of the value. */
  #readMember(start: number): number {
    let pos = this.#keys.read(this.#bytes, start + 1, this.#end);
    if (pos < 0) pos = this.#readEscapedKey(start + 1);
    pos = skipSpace(this.#bytes, pos, this.#end);
    pos = skipSpace(this.#bytes, pos + 1, this.#end);
    const key = this.#keys.found;
    if (key >= 0) return this.#readField(key, pos);
    return key === KEY_ID ? this.#readId(pos) : valueEnd(this.#bytes, pos, this.#end);
  }

  #readEscapedKey(start: number): number {
    const close = Math.abs(stringEnd(this.#bytes, start, this.#end));
    const { decoded } = this.#log;
    const mark = decoded.length;
    decodeString(this.#bytes, start, close, decoded);
    this.#keys.find(decoded.bytes, mark, decoded.length);
    decoded.length = mark;
    return close + 1;
  }

  #readField(field: number, start: number): number {
    const bytes = this.#bytes;
    if (this.#seen[field] === this.#stamp) {
      if (this.#error === null) this.#error = `${this.#name(field)}: is given twice`;
      return valueEnd(bytes, start, this.#end);
    }
    this.#seen[field] = this.#stamp;
    if (bytes[start] !== OPEN_BRACKET) return this.#readScalar(field, start, NOT_IN_ARRAY);
    let pos = skipSpace(bytes, start + 1, this.#end);
    for (let index = 0; pos < this.#end && bytes[pos] !== CLOSE_BRACKET; index++) {
      const next = skipSpace(bytes, this.#readScalar(field, pos, index), this.#end);
      // Only in what is no JSON does a value end where it begins. A stored document that was damaged is read, too.
      pos = Math.max(next, pos + 1);
      if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, this.#end);
    }
    return pos + 1;
  }

  /** Records the value at `pos`, which is `field`'s or the element `index` of its array; returns its end. */
  #readScalar(field: number, pos: number, index: number): number {
    const first = this.#bytes[pos];
    if (first === 0x6e) return pos + 4;
    this.#given[field] = this.#stamp;
    const type = this.#types[field];
    if (first === QUOTE) {
      if (type === TYPE_TEXT) return this.#readString(field, VALUE_TEXT, pos);
      if (type === TYPE_KEYWORD) return this.#readString(field, VALUE_KEYWORD, pos);
      if (type === TYPE_DATE) return this.#readDate(field, pos, index);
    } else if (first === 0x2d || (first >= 0x30 && first <= 0x39)) {
      if (type === TYPE_INT || type === TYPE_DATE) return this.#readInt(field, pos, index);
      if (type === TYPE_FLOAT) return this.#readFloat(field, pos, index);
    } else if (type === TYPE_BOOL && (first === 0x74 || first === 0x66)) {
      this.#log.add(field, VALUE_NUMBER, 0, first === 0x74 ? 1 : 0);
      return pos + (first === 0x74 ? 4 : 5);
    }
    return this.#mismatch(field, pos, index, expectedOf(type));
  }

  #readString(field: number, kind: number, pos: number): number {
    const close = stringEnd(this.#bytes, pos + 1, this.#end);
    if (close >= 0) {
      this.#log.add(field, kind, pos + 1, close);
      return close + 1;
    }
    const { decoded } = this.#log;
    const start = decoded.length;
    decodeString(this.#bytes, pos + 1, -close, decoded);
    this.#log.add(field, kind + VALUE_DECODED, start, decoded.length);
    return 1 - close;
  }

  #readInt(field: number, pos: number, index: number): number {
    const end = scalarEnd(this.#bytes, pos, this.#end);
    const outcome = this.#numbers.int64(this.#bytes, pos, end);
    if (outcome === INT64_OK) this.#log.add(field, VALUE_NUMBER, this.#numbers.hi, this.#numbers.lo);
    else if (outcome === INT64_FRACTION) this.#mismatch(field, pos, index, expectedOf(this.#types[field]));
    else this.#mismatch(field, pos, index, 'an integer from -9223372036854775808 to 9223372036854775807');
    return end;
  }

  #readFloat(field: number, pos: number, index: number): number {
    const end = scalarEnd(this.#bytes, pos, this.#end);
    const value = this.#numbers.float64(this.#bytes, pos, end);
    if (!Number.isFinite(value)) return this.#mismatch(field, pos, index, 'a number that a 64-bit float can hold');
    // Adding 0 turns -0 into 0: they are one value. Flipping the rest of a negative float's bits makes signed integer
    // order the order of the values.
    floatBits[0] = value + 0;
    const sign = floatHalves[1] >> 31;
    this.#log.add(field, VALUE_NUMBER, floatHalves[1] ^ (sign & 0x7fffffff), floatHalves[0] ^ sign);
    return end;
  }

  #readDate(field: number, pos: number, index: number): number {
    const close = stringEnd(this.#bytes, pos + 1, this.#end);
    const { decoded } = this.#log;
    const mark = decoded.length;
    if (close < 0) decodeString(this.#bytes, pos + 1, -close, decoded);
    const ms =
      close >= 0 ? parseDateBytes(this.#bytes, pos + 1, close) : parseDateBytes(decoded.bytes, mark, decoded.length);
    decoded.length = mark;
    if (Number.isNaN(ms)) this.#mismatch(field, pos, index, expectedOf(TYPE_DATE));
    else this.#log.add(field, VALUE_NUMBER, Math.floor(ms / 0x100000000), ms | 0);
    return Math.abs(close) + 1;
  }

  #readId(pos: number): number {
    const bytes = this.#bytes;
    const end = valueEnd(bytes, pos, this.#end);
    if (this.#hasId) {
      if (this.#error === null) this.#error = 'id: is given twice';
      return end;
    }
    this.#hasId = true;
    let problem: string | null = null;
    if (bytes[pos] === QUOTE) problem = this.#readStringId(pos, end);
    else if (isPlainInteger(bytes, pos, end)) this.#takeId(pos, end, false);
    else problem = ID_EXPECTED;
    if (problem === null && this.#idEnd - this.#idStart > DOCUMENT_ID_BYTES_MAX) {
      problem = `expected at most ${DOCUMENT_ID_BYTES_MAX} bytes`;
      this.#takeId(0, 0, false);
    }
    if (problem !== null && this.#error === null) this.#error = `id: ${problem}, got ${describeValue(bytes, pos, end)}`;
    return end;
  }

  /** Takes the string at `pos`, both quotes included in [pos, end), as the id; returns what is wrong with it, or null. */
  #readStringId(pos: number, end: number): string | null {
    if (end - pos === 2) return ID_EXPECTED;
    if (stringEnd(this.#bytes, pos + 1, end) >= 0) {
      this.#takeId(pos + 1, end - 1, false);
      return null;
    }
    const { decoded } = this.#log;
    const start = decoded.length;
    // Two ids must not become one, which is what U+FFFD would do; and no URL can address such an id.
    if (decodeString(this.#bytes, pos + 1, end - 1, decoded)) return 'expected a string without lone surrogates';
    this.#takeId(start, decoded.length, true);
    return null;
  }

  #takeId(start: number, end: number, decoded: boolean): void {
    this.#idStart = start;
    this.#idEnd = end;
    this.#idDecoded = decoded;
  }

  /** Records that the document lacks its id or a required field, unless it failed before. */
  #checkPresence(): void {
    if (this.#error !== null) return;
    if (!this.#hasId) {
      this.#error = `id: ${ID_EXPECTED}, got a document without id`;
      return;
    }
    for (let i = 0; i < this.#required.length; i++) {
      const field = this.#required[i];
      if (this.#given[field] === this.#stamp) continue;
      const name = this.#name(field);
      this.#error = `${name}: expected a value, since the field is declared with optional: false; got none`;
      return;
    }
  }

  /** Records that the value at `pos` is not what `field` takes, and returns its end. */
  #mismatch(field: number, pos: number, index: number, expected: string): number {
    const end = valueEnd(this.#bytes, pos, this.#end);
    if (this.#error === null) {
      const element = index === NOT_IN_ARRAY ? '' : ` element ${index}`;
      this.#error = `${this.#name(field)}${element}: expected ${expected}, got ${describeValue(this.#bytes, pos, end)}`;
    }
    return end;
  }

  #name(field: number): string {
    return `field "${this.#fields[field].name}"`;
  }
}

const ID_EXPECTED = `expected a string of 1 to ${DOCUMENT_ID_BYTES_MAX} bytes or an integer in plain digits`;

function expectedOf(type: number): string {
  if (type === TYPE_TEXT || type === TYPE_KEYWORD) return 'a string or a flat array of strings';
  if (type === TYPE_INT) return 'an integer or a flat array of integers';
  if (type === TYPE_FLOAT) return 'a number or a flat array of numbers';
  if (type === TYPE_BOOL) return 'true or false or a flat array of them';
  return 'a date (RFC 3339 or integer milliseconds since 1970) or a flat array of dates';
}

/** Whether bytes[start..end) spells an integer the one way in which two spellings never name the same number. */
function isPlainInteger(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === 0x2d ? start + 1 : start;
  if (first > start && bytes[first] === 0x30) return false;
  for (let i = first; i < end; i++) if (bytes[i] < 0x30 || bytes[i] > 0x39) return false;
  return true;
}
