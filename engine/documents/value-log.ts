/**
 * The values of one document while it is being checked: recorded as they are read, handed on only when all are valid.
 *
 * Owned by the document reader. Because nothing reaches the sink before the whole document is accepted, nothing ever has
 * to be rolled back.
 */
import { type GrowthRoom, NO_BOUND } from '../core/growth-room.js';
import { BytePool } from './byte-pool.js';

/** Takes the values of an accepted document, in the order in which they stand in it. */
export interface DocumentSink {
  /** First of all: the id, as UTF-8; the decimal text of an integer id. */
  id(bytes: Uint8Array, start: number, end: number): void;
  /** One value of a text field; `field` is its index in the schema's fields. */
  text(field: number, bytes: Uint8Array, start: number, end: number): void;
  /** One value of a keyword field. */
  keyword(field: number, bytes: Uint8Array, start: number, end: number): void;
  /**
   * One value of an int, float, bool or date field: the halves, both signed 32-bit, of an i64 whose order is the
   * values' order, as layout/columns.ts says.
   */
  number(field: number, hi: number, lo: number): void;
}

export const VALUE_TEXT = 0;
export const VALUE_KEYWORD = 1;
export const VALUE_NUMBER = 2;
/** Added to VALUE_TEXT and VALUE_KEYWORD: the range lies in `decoded`, not in the body. */
export const VALUE_DECODED = 4;

const CAPACITY_MIN = 256;
/** What a document of more values needed is given up after it. */
const CAPACITY_KEPT_MAX = 1 << 16;
const DECODED_KEPT_MAX = 1 << 20;
const VALUE_BYTES = 11;

export class ValueLog {
  /** UTF-8 of the strings that held escapes. */
  decoded: BytePool;
  #count = 0;
  #fields = new Uint16Array(CAPACITY_MIN);
  #kinds = new Uint8Array(CAPACITY_MIN);
  /** Start of the range, or high half. */
  #firsts = new Int32Array(CAPACITY_MIN);
  /** End of the range, or low half. */
  #seconds = new Int32Array(CAPACITY_MIN);
  readonly #room: GrowthRoom;

  constructor(room = NO_BOUND) {
    this.#room = room;
    this.decoded = this.#emptyPool();
  }

  reset(): void {
    this.#count = 0;
    if (this.decoded.bytes.length > DECODED_KEPT_MAX) this.decoded = this.#emptyPool();
    else this.decoded.reset();
    if (this.#fields.length > CAPACITY_KEPT_MAX) this.#resize(CAPACITY_MIN);
  }

  add(field: number, kind: number, first: number, second: number): void {
    const at = this.#count;
    if (at === this.#fields.length) this.#grow();
    this.#fields[at] = field;
    this.#kinds[at] = kind;
    this.#firsts[at] = first;
    this.#seconds[at] = second;
    this.#count = at + 1;
  }

  /** Hands every value on; ranges that are not decoded lie in `body`. */
  emit(body: Uint8Array, sink: DocumentSink): void {
    const decoded = this.decoded.bytes;
    for (let i = 0; i < this.#count; i++) {
      const field = this.#fields[i];
      const kind = this.#kinds[i];
      const first = this.#firsts[i];
      const second = this.#seconds[i];
      if (kind === VALUE_NUMBER) sink.number(field, first, second);
      else if (kind === VALUE_TEXT) sink.text(field, body, first, second);
      else if (kind === VALUE_KEYWORD) sink.keyword(field, body, first, second);
      else if (kind === VALUE_TEXT + VALUE_DECODED) sink.text(field, decoded, first, second);
      else sink.keyword(field, decoded, first, second);
    }
  }

  #grow(): void {
    this.#room.add(VALUE_BYTES * this.#fields.length);
    this.#resize(this.#fields.length * 2);
  }

  /** Makes room for `capacity` values, of which the first #count are kept. */
  #resize(capacity: number): void {
    const count = this.#count;
    const fields = new Uint16Array(capacity);
    const kinds = new Uint8Array(capacity);
    const firsts = new Int32Array(capacity);
    const seconds = new Int32Array(capacity);
    fields.set(this.#fields.subarray(0, count));
    kinds.set(this.#kinds.subarray(0, count));
    firsts.set(this.#firsts.subarray(0, count));
    seconds.set(this.#seconds.subarray(0, count));
    this.#fields = fields;
    this.#kinds = kinds;
    this.#firsts = firsts;
    this.#seconds = seconds;
  }

  /** At most twice the bytes that are wanted. */
  #emptyPool(): BytePool {
    return new BytePool(undefined, (wanted) => this.#room.add(wanted));
  }
}
