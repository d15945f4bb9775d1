/**
 * Reads one document against a schema: checks every declared field, then hands the values to a sink.
 *
 * Called by the write path and by WAL replay for each object that splitBatch found, so its input is known to be valid
 * JSON and UTF-8; on anything else the outcome is undefined, though never an endless loop. Allocates only for messages.
 */

import { NO_BOUND } from '../core/growth-room.js';
import {
  MEMBER_ESCAPED,
  MEMBER_FLAGS,
  MEMBER_HIGH,
  MEMBER_INTEGER,
  MEMBER_KEY,
  MEMBER_KEY_END,
  MEMBER_KEY_ESCAPED,
  MEMBER_LOW,
  MEMBER_SAME_KEY,
  MEMBER_STRING,
  MEMBER_VALUE,
  MEMBER_VALUE_END,
  MEMBER_WORDS,
  MEMBERS_MAX,
} from '../layout/body-copy.js';
import type { CollectionSchema, FieldSchema } from '../schema/collection-schema.js';
import { parseDateBytes } from '../schema/dates.js';
import { IdReader, MISSING_ID } from './document-id.js';
import { FieldTable, KEY_ID } from './field-table.js';
import {
  expectedOf,
  TYPE_BOOL,
  TYPE_CODES,
  TYPE_DATE,
  TYPE_FLOAT,
  TYPE_INT,
  TYPE_KEYWORD,
  TYPE_TEXT,
} from './field-types.js';
import { describeValue } from './json-excerpt.js';
import { INT64_FRACTION, INT64_OK, NumberParser } from './json-numbers.js';
import { decodeString, scalarEnd, stringEnd, valueEnd } from './json-strings.js';
import { skipSpace } from './json-syntax.js';
import { type MemberScanner, memberScanner } from './member-scanner.js';
import { type DocumentSink, VALUE_DECODED, VALUE_KEYWORD, VALUE_NUMBER, VALUE_TEXT, ValueLog } from './value-log.js';

export type { DocumentSink } from './value-log.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/** The value of a scalar that is no array element. */
const NOT_IN_ARRAY = -1;

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
  readonly #log: ValueLog;
  readonly #numbers = new NumberParser();
  /** Scans the documents of #held; null: they are read byte by byte. */
  #scanner: MemberScanner | null = null;
  #held: Uint8Array = NO_BYTES;
  /** What the key at each place of the last document that was scanned means: see FieldTable.found. */
  readonly #placeKeys = new Int16Array(MEMBERS_MAX);
  #bytes: Uint8Array = NO_BYTES;
  #end = 0;
  #error: string | null = null;
  readonly #id = new IdReader();

  /** `room`: for the values of a document. */
  constructor(schema: CollectionSchema, room = NO_BOUND) {
    const { fields } = schema;
    this.#log = new ValueLog(room);
    this.#fields = fields;
    this.#types = Uint8Array.from(fields, (field) => TYPE_CODES[field.type]);
    this.#required = fields.flatMap((field, index) => (field.optional ? [] : [index]));
    this.#keys = new FieldTable(fields.map((field) => field.name));
    this.#seen = new Uint32Array(fields.length);
    this.#given = new Uint32Array(fields.length);
  }

  /** Start of the last document's id in `idBytes`; equal to `idEnd` when none could be read. */
  get idStart(): number {
    return this.#id.start;
  }

  get idEnd(): number {
    return this.#id.end;
  }

  /** Where the last document's id lies, also when the document failed. Valid until the next read. */
  get idBytes(): Uint8Array {
    return this.#id.isDecoded ? this.#log.decoded.bytes : this.#bytes;
  }

  /**
   * Reads the object bytes[start..end), which begins with its brace, and hands its values to `sink` if all are valid.
   *
   * Returns null, or the message of the first thing that is wrong; then the sink was not called. Values of undeclared
   * keys are skipped. `null` is an absent value, in an array too, and an empty array has no value.
   */
  read(bytes: Uint8Array, start: number, end: number, sink: DocumentSink): string | null {
    this.#begin(bytes, end);
    const scanner = bytes === this.#held ? this.#scanner : null;
    const count = scanner === null ? -1 : scanner.scan(this, bytes, start, end);
    if (scanner === null || count < 0) this.#readAll(start);
    else this.#readMembers(scanner.members, count);
    this.#checkPresence();
    if (this.#error !== null) return this.#error;
    sink.id(this.idBytes, this.#id.start, this.#id.end);
    this.#log.emit(bytes, sink);
    return null;
  }

  /** Tells that documents of `body` come next, which stays as it is until release(). Worth it for a body of many documents. */
  hold(body: Uint8Array): void {
    this.#scanner = memberScanner();
    this.#held = body;
  }

  /** Lets go of the last document's bytes, which keep the body alive that they lie in. */
  release(): void {
    this.#bytes = NO_BYTES;
    this.#held = NO_BYTES;
    this.#scanner?.release();
    this.#scanner = null;
  }

  #begin(bytes: Uint8Array, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#error = null;
    this.#id.begin();
    this.#log.reset();
    this.#keys.begin();
    if (this.#stamp === 0xffffffff) {
      this.#seen.fill(0);
      this.#given.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  /** Reads the members of the object at `start`. */
  #readAll(start: number): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let pos = skipSpace(bytes, start + 1, end);
    while (pos < end && bytes[pos] !== CLOSE_BRACE) {
      pos = this.#readMember(pos);
      pos = skipSpace(bytes, pos, end);
      if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, end);
    }
  }

  /** Reads the first `count` of `members`, which the scanner has found. */
  #readMembers(members: Int32Array, count: number): void {
    const keys = this.#placeKeys;
    for (let place = 0, at = 0; place < count; place++, at += MEMBER_WORDS) {
      if ((members[at + MEMBER_FLAGS] & MEMBER_SAME_KEY) === 0) keys[place] = this.#findKey(members, at);
      const key = keys[place];
      if (key >= 0) this.#readFieldOf(members, at, key);
      else if (key === KEY_ID && !this.#id.take(members, at)) this.#readId(members[at + MEMBER_VALUE]);
    }
  }

  /** What the key of the member at members[at] means: see FieldTable.found. */
  #findKey(members: Int32Array, at: number): number {
    const start = members[at + MEMBER_KEY];
    const end = members[at + MEMBER_KEY_END];
    if ((members[at + MEMBER_FLAGS] & MEMBER_KEY_ESCAPED) === 0) this.#keys.find(this.#bytes, start, end);
    else this.#keys.findEscaped(this.#bytes, start, end, this.#log.decoded);
    return this.#keys.found;
  }

  /** Reads the member at members[at], whose key is that of `field`. */
  #readFieldOf(members: Int32Array, at: number, field: number): void {
    const start = members[at + MEMBER_VALUE];
    const flags = members[at + MEMBER_FLAGS];
    const type = this.#types[field];
    const isString = (flags & MEMBER_STRING) !== 0 && type <= TYPE_KEYWORD;
    const isInteger = (flags & MEMBER_INTEGER) !== 0 && (type === TYPE_INT || type === TYPE_DATE);
    if (this.#seen[field] === this.#stamp || !(isString || isInteger)) {
      this.#readField(field, start);
      return;
    }
    this.#seen[field] = this.#stamp;
    this.#given[field] = this.#stamp;
    if (isInteger) this.#log.add(field, VALUE_NUMBER, members[at + MEMBER_HIGH], members[at + MEMBER_LOW]);
    else
      this.#addString(
        field,
        type === TYPE_TEXT ? VALUE_TEXT : VALUE_KEYWORD,
        start + 1,
        members[at + MEMBER_VALUE_END],
        (flags & MEMBER_ESCAPED) !== 0,
      );
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
    this.#keys.findEscaped(this.#bytes, start, close, this.#log.decoded);
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
    this.#addString(field, kind, pos + 1, Math.abs(close), close < 0);
    return Math.abs(close) + 1;
  }

  /** Records the string whose text between the quotes is bytes[start..end). */
  #addString(field: number, kind: number, start: number, end: number, isEscaped: boolean): void {
    if (!isEscaped) {
      this.#log.add(field, kind, start, end);
      return;
    }
    const { decoded } = this.#log;
    const from = decoded.length;
    decodeString(this.#bytes, start, end, decoded);
    this.#log.add(field, kind + VALUE_DECODED, from, decoded.length);
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
    if (!this.#numbers.floatKey(this.#bytes, pos, end))
      return this.#mismatch(field, pos, index, 'a number that a 64-bit float can hold');
    this.#log.add(field, VALUE_NUMBER, this.#numbers.hi, this.#numbers.lo);
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
    const end = valueEnd(this.#bytes, pos, this.#end);
    const problem = this.#id.read(this.#bytes, pos, end, this.#log.decoded);
    if (this.#error === null) this.#error = problem;
    return end;
  }

  /** Records that the document lacks its id or a required field, unless it failed before. */
  #checkPresence(): void {
    if (this.#error !== null) return;
    if (!this.#id.isGiven) {
      this.#error = MISSING_ID;
      return;
    }
    for (let i = 0; i < this.#required.length; i++) {
      const field = this.#required[i];
      if (this.#given[field] === this.#stamp) continue;
      this.#error = `${this.#name(field)}: expected a value, since the field is declared with optional: false; got none`;
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
