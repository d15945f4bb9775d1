/**
 * MessagePack at the edges: request bodies to JSON, which is what the store keeps, and finished JSON responses to
 * MessagePack. Called by the write path and by whoever answers in that format.
 *
 * Goes from bytes to bytes, not through @msgpack/msgpack's objects: those would cost a body of 100 MiB many times its
 * size in heap, lose keys given twice, and refuse the key `__proto__`. Spec: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
import { isUtf8 } from 'node:buffer';
import { doubleText } from '../core/double-text.js';
import { EngineError } from '../core/errors.js';
import { BATCH_DOCUMENTS_MAX, JSON_DEPTH_MAX } from '../core/limits.js';
import { BytePool, U32List } from './byte-pool.js';
import { INT64_FRACTION, INT64_OK, INT64_UNSIGNED, NumberParser } from './json-numbers.js';
import { tooManyDocuments } from './json-scanner.js';
import { decodeString, scalarEnd, stringEnd } from './json-strings.js';
import { skipSpace } from './json-syntax.js';

const TWO_32 = 0x100000000;
const HEX = '0123456789abcdef';
const TEXT_BYTES_MIN = 512;

/**
 * The JSON text of a MessagePack body: one map or one array of maps, in the order and with the keys it has.
 *
 * Integers keep all 64 bits, floats become their shortest decimal. EngineError `invalid_json`, with the byte offset, for
 * what JSON cannot say (binary, extensions and timestamps, NaN and infinities, keys that are no strings), invalid UTF-8,
 * a body that ends early or goes on after its value, and maps nested deeper than JSON_DEPTH_MAX. `payload_too_large`, before
 * anything is transcoded, for more than BATCH_DOCUMENTS_MAX documents. `onGrow` is called with the bytes that are wanted whenever
 * the text outgrows its place, which first has half as much again as the body, and may throw.
 */
export function msgpackToJson(body: Uint8Array, onGrow: (wanted: number) => void = () => {}): Uint8Array<ArrayBuffer> {
  const count = body[0] === 0xdd && body.length >= 5 ? Buffer.from(body.buffer, body.byteOffset).readUInt32BE(1) : 0;
  // Each takes a byte at least; a body of fewer ends early, which is told where it does.
  if (Math.min(count, body.length - 5) > BATCH_DOCUMENTS_MAX) throw tooManyDocuments(BATCH_DOCUMENTS_MAX, count);
  const reader = new MsgpackReader(body, onGrow);
  const isArray = body.length > 0 && (body[0] >> 4 === 0x9 || body[0] === 0xdc || body[0] === 0xdd);
  // The array of a batch is no level of its documents.
  reader.value(isArray ? 0 : 1);
  reader.finish();
  return reader.json();
}

class MsgpackReader {
  readonly #body: Uint8Array;
  readonly #view: DataView;
  readonly #out: BytePool;
  #pos = 0;

  constructor(body: Uint8Array, onGrow: (wanted: number) => void) {
    this.#body = body;
    this.#view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.#out = new BytePool(Math.max(TEXT_BYTES_MIN, body.length + (body.length >> 1)), onGrow);
  }

  finish(): void {
    if (this.#pos < this.#body.length) throw this.#error(this.#pos, 'expected the end of the body, found more');
    const { bytes, length } = this.#out;
    if (!isUtf8(bytes.subarray(0, length))) throw this.#error(0, 'a string in it is not UTF-8');
  }

  json(): Uint8Array<ArrayBuffer> {
    return this.#out.bytes.subarray(0, this.#out.length);
  }

  /** Transcodes the value at the position; `depth` is its nesting if it is a map or array. */
  value(depth: number): void {
    const at = this.#pos;
    const format = this.#body[this.#take(1)];
    if (format < 0x80) this.#text(String(format));
    else if (format < 0x90) this.#map(format & 0xf, depth, at);
    else if (format < 0xa0) this.#array(format & 0xf, depth, at);
    else if (format < 0xc0) this.#string(format & 0x1f);
    else if (format >= 0xe0) this.#text(String(format - 0x100));
    else this.#tagged(format, depth, at);
  }

  /** The formats 0xc0 to 0xdf. */
  #tagged(format: number, depth: number, at: number): void {
    if (format === 0xc0) this.#text('null');
    else if (format === 0xc2) this.#text('false');
    else if (format === 0xc3) this.#text('true');
    else if (format === 0xca) this.#float(this.#view.getFloat32(this.#take(4)), at);
    else if (format === 0xcb) this.#float(this.#view.getFloat64(this.#take(8)), at);
    else if (format <= 0xcf && format >= 0xcc) this.#text(this.#unsigned(1 << (format - 0xcc)));
    else if (format <= 0xd3 && format >= 0xd0) this.#text(this.#signed(1 << (format - 0xd0)));
    else if (format <= 0xdb && format >= 0xd9) this.#string(this.#length(1 << (format - 0xd9)));
    else if (format === 0xdc || format === 0xdd) this.#array(this.#length(2 << (format - 0xdc)), depth, at);
    else if (format === 0xde || format === 0xdf) this.#map(this.#length(2 << (format - 0xde)), depth, at);
    else throw this.#error(at, `expected a value that JSON has, found ${nameOfFormat(format)}`);
  }

  #map(count: number, depth: number, at: number): void {
    this.#checkDepth(depth, at);
    this.#out.push(0x7b);
    for (let i = 0; i < count; i++) {
      if (i > 0) this.#out.push(0x2c);
      const format = this.#pos < this.#body.length ? this.#body[this.#pos] : 0xa0;
      const isString = (format >= 0xa0 && format < 0xc0) || (format >= 0xd9 && format <= 0xdb);
      if (!isString) throw this.#error(this.#pos, 'expected a string as the key of a map, found another type');
      this.value(depth);
      this.#out.push(0x3a);
      this.value(depth + 1);
    }
    this.#out.push(0x7d);
  }

  #array(count: number, depth: number, at: number): void {
    this.#checkDepth(depth, at);
    this.#out.push(0x5b);
    for (let i = 0; i < count; i++) {
      if (i > 0) this.#out.push(0x2c);
      this.value(depth + 1);
    }
    this.#out.push(0x5d);
  }

  #string(count: number): void {
    const start = this.#take(count);
    const out = this.#out;
    out.ensure(count + 2);
    out.push(0x22);
    for (let i = start; i < start + count; i++) {
      const byte = this.#body[i];
      if (byte === 0x22 || byte === 0x5c) out.push(0x5c);
      if (byte < 0x20) this.#text(`\\u00${HEX[byte >> 4]}${HEX[byte & 0xf]}`);
      else out.push(byte);
    }
    out.push(0x22);
  }

  #float(value: number, at: number): void {
    if (!Number.isFinite(value)) throw this.#error(at, `expected a finite number, found ${value}`);
    this.#text(Object.is(value, -0) ? '-0.0' : doubleText(value));
  }

  /** Length of `bytes` bytes: 1, 2 or 4. */
  #length(bytes: number): number {
    const at = this.#take(bytes);
    if (bytes === 1) return this.#view.getUint8(at);
    return bytes === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #unsigned(bytes: number): string {
    if (bytes < 8) return String(this.#length(bytes));
    const at = this.#take(8);
    const high = this.#view.getUint32(at);
    return high < 0x200000 ? String(high * TWO_32 + this.#view.getUint32(at + 4)) : String(this.#view.getBigUint64(at));
  }

  #signed(bytes: number): string {
    const at = this.#take(bytes);
    if (bytes === 1) return String(this.#view.getInt8(at));
    if (bytes === 2) return String(this.#view.getInt16(at));
    return bytes === 4 ? String(this.#view.getInt32(at)) : String(this.#view.getBigInt64(at));
  }

  #text(ascii: string): void {
    for (let i = 0; i < ascii.length; i++) this.#out.push(ascii.charCodeAt(i));
  }

  /** Moves past the next `count` bytes and returns their offset. */
  #take(count: number): number {
    const start = this.#pos;
    if (count > this.#body.length - start) {
      throw this.#error(start, `expected ${count} more bytes, found ${this.#body.length - start}`);
    }
    this.#pos = start + count;
    return start;
  }

  #checkDepth(depth: number, at: number): void {
    if (depth > JSON_DEPTH_MAX) throw this.#error(at, `expected at most ${JSON_DEPTH_MAX} levels of nesting`);
  }

  #error(at: number, problem: string): EngineError {
    return new EngineError('invalid_json', `invalid MessagePack body at byte ${at}: ${problem}`);
  }
}

function nameOfFormat(format: number): string {
  if (format >= 0xc4 && format <= 0xc6) return 'binary data';
  return format === 0xc1 ? 'the unused format 0xc1' : 'an extension type, as timestamps are';
}

/**
 * The MessagePack of `json`, which is known to be valid and may lie in shared memory.
 *
 * Integers spelled as such are exact if they fit 64 bits, signed or unsigned, in the shortest format; other numbers are
 * float64. A surrogate without its partner becomes U+FFFD.
 */
export function jsonToMsgpack(json: Uint8Array): Uint8Array<ArrayBuffer> {
  const writer = new MsgpackWriter(json);
  writer.value(skipSpace(json, 0, json.length));
  return writer.out.bytes.subarray(0, writer.out.length);
}

class MsgpackWriter {
  readonly out = new BytePool();
  readonly #json: Uint8Array;
  /** Members or elements of each object and array, in the order in which they open. */
  readonly #counts: Uint32Array;
  #nextCount = 0;
  readonly #decoded = new BytePool();
  readonly #numbers = new NumberParser();

  constructor(json: Uint8Array) {
    this.#json = json;
    this.#counts = countMembers(json);
    this.out.ensure(json.length);
  }

  /** Transcodes the value at `pos` and returns its end. */
  value(pos: number): number {
    const json = this.#json;
    const first = json[pos];
    if (first === 0x22) return this.#string(pos);
    if (first === 0x7b || first === 0x5b) return this.#container(pos, first === 0x7b);
    const end = scalarEnd(json, pos, json.length);
    if (first === 0x6e) this.out.push(0xc0);
    else if (first === 0x66) this.out.push(0xc2);
    else if (first === 0x74) this.out.push(0xc3);
    else this.#number(pos, end);
    return end;
  }

  #container(start: number, isMap: boolean): number {
    const json = this.#json;
    const count = this.#counts[this.#nextCount++];
    if (count < 16) this.out.push((isMap ? 0x80 : 0x90) | count);
    else if (count < 0x10000) this.#header(isMap ? 0xde : 0xdc, 2, 0, count);
    else this.#header(isMap ? 0xdf : 0xdd, 4, 0, count);
    let pos = skipSpace(json, start + 1, json.length);
    for (let i = 0; i < count; i++) {
      if (isMap) {
        pos = skipSpace(json, this.#string(pos), json.length);
        pos = skipSpace(json, pos + 1, json.length);
      }
      pos = skipSpace(json, this.value(pos), json.length);
      if (i + 1 < count) pos = skipSpace(json, pos + 1, json.length);
    }
    return pos + 1;
  }

  #string(pos: number): number {
    const close = stringEnd(this.#json, pos + 1, this.#json.length);
    if (close >= 0) {
      this.#stringHeader(close - pos - 1);
      this.out.append(this.#json, pos + 1, close);
    } else {
      this.#decoded.reset();
      decodeString(this.#json, pos + 1, -close, this.#decoded);
      this.#stringHeader(this.#decoded.length);
      this.out.append(this.#decoded.bytes, 0, this.#decoded.length);
    }
    return Math.abs(close) + 1;
  }

  #stringHeader(bytes: number): void {
    if (bytes < 32) this.out.push(0xa0 | bytes);
    else if (bytes < 0x100) this.#header(0xd9, 1, 0, bytes);
    else if (bytes < 0x10000) this.#header(0xda, 2, 0, bytes);
    else this.#header(0xdb, 4, 0, bytes);
  }

  #number(start: number, end: number): void {
    const isInteger = isIntegerSpelling(this.#json, start, end);
    const outcome = isInteger ? this.#numbers.int64(this.#json, start, end) : INT64_FRACTION;
    const { hi, lo } = this.#numbers;
    if (outcome === INT64_OK && hi >= 0) {
      this.#positive(hi, lo);
    } else if (outcome === INT64_OK) {
      this.#negative(hi, lo);
    } else if (outcome === INT64_UNSIGNED) {
      this.#header(0xcf, 8, hi, lo);
    } else {
      floatView.setFloat64(0, this.#numbers.float64(this.#json, start, end));
      this.#header(0xcb, 8, floatView.getInt32(0), floatView.getInt32(4));
    }
  }

  #positive(hi: number, lo: number): void {
    const low = lo >>> 0;
    if (hi > 0) this.#header(0xcf, 8, hi, lo);
    else if (low < 0x80) this.out.push(low);
    else if (low < 0x100) this.#header(0xcc, 1, 0, lo);
    else if (low < 0x10000) this.#header(0xcd, 2, 0, lo);
    else this.#header(0xce, 4, 0, lo);
  }

  #negative(hi: number, lo: number): void {
    if (hi !== -1 || lo >= 0) this.#header(0xd3, 8, hi, lo);
    else if (lo >= -0x20) this.out.push(lo & 0xff);
    else if (lo >= -0x80) this.#header(0xd0, 1, 0, lo);
    else if (lo >= -0x8000) this.#header(0xd1, 2, 0, lo);
    else this.#header(0xd2, 4, 0, lo);
  }

  /** Writes a format byte and the low `bytes` bytes of hi:lo, big-endian. */
  #header(format: number, bytes: number, hi: number, lo: number): void {
    this.out.push(format);
    for (let shift = bytes * 8 - 8; shift >= 0; shift -= 8) {
      this.out.push((shift >= 32 ? hi >>> (shift - 32) : lo >>> shift) & 0xff);
    }
  }
}

const floatView = new DataView(new ArrayBuffer(8));

/** Whether the number is spelled without fraction and exponent. `-0` is not: only a float can keep its sign. */
function isIntegerSpelling(json: Uint8Array, start: number, end: number): boolean {
  if (json[start] === 0x2d && json[start + 1] === 0x30) return false;
  for (let i = start; i < end; i++) if (json[i] === 0x2e || (json[i] | 0x20) === 0x65) return false;
  return true;
}

/** Members or elements of each object and array of valid `json`, in the order in which they open. */
function countMembers(json: Uint8Array): Uint32Array {
  const counts = new U32List();
  const open = new U32List();
  let empty = true;
  for (let pos = 0; pos < json.length; pos++) {
    const byte = json[pos];
    if (byte <= 0x20) continue;
    if (byte === 0x7d || byte === 0x5d) {
      const index = open.values[--open.length];
      if (!empty) counts.values[index]++;
      empty = false;
      continue;
    }
    empty = byte === 0x7b || byte === 0x5b;
    if (empty) {
      open.push(counts.length);
      counts.push(0);
    } else if (byte === 0x22) {
      pos = Math.abs(stringEnd(json, pos + 1, json.length));
    } else if (byte === 0x2c) {
      counts.values[open.values[open.length - 1]]++;
    }
  }
  return counts.view();
}
