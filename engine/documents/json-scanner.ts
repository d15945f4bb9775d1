/**
 * Splits the body of an indexing request into its documents, and checks that every byte of it is JSON.
 *
 * The write path calls splitBatch once per body, before anything is indexed; what it lets through, the document reader
 * takes on trust. Works on bytes and gives byte ranges: documents are stored exactly as sent, so nothing is decoded.
 */
import { isUtf8 } from 'node:buffer';
import { EngineError } from '../core/errors.js';
import { DOCUMENT_BYTES_MAX, LOGGED_DOCUMENTS_MAX } from '../core/limits.js';
import { bodyCopy, COPIED_BYTES_MIN } from '../memory/body-copy.js';
import { BytePool, U32List } from './byte-pool.js';
import { describeValue, excerpt } from './json-excerpt.js';
import { JsonSyntax, skipSpace } from './json-syntax.js';
import { LineCursor } from './line-cursor.js';
import { ValueScanner } from './value-scanner.js';

/** The element is an object: a document to read. */
export const ELEMENT_OBJECT = 0;
/** The element is JSON, but no object. */
export const ELEMENT_NOT_OBJECT = 1;
/** A line that is no JSON value, or more than one. */
export const ELEMENT_MALFORMED = 2;

/**
 * The elements of one body: element i < count is body[starts[i]..ends[i]), without white space around it. The arrays are
 * longer than that and belong to this module: valid until the next splitBatch() of the thread.
 */
export interface Batch {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** ELEMENT_OBJECT, ELEMENT_NOT_OBJECT or ELEMENT_MALFORMED of each. */
  readonly kinds: Uint8Array;
  /** For describeElement(), of each in turn. */
  readonly lines: LineCursor;
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;

/**
 * Finds the documents of `body`; a UTF-8 byte order mark before them is skipped.
 *
 * `json`: an object is a batch of one, an array is its elements. Anything else, a syntax error anywhere, invalid UTF-8
 * or a document nested deeper than JSON_DEPTH_MAX is EngineError `invalid_json`, with byte offset (0-based), line and
 * column (1-based, in characters). `ndjson`: one document a line, blank lines skipped, CRLF tolerated; a bad line is one
 * ELEMENT_MALFORMED. More than `documentsMax` elements are EngineError `payload_too_large`. Spec: RFC 8259.
 */
export function splitBatch(body: Uint8Array, format: 'json' | 'ndjson', documentsMax = LOGGED_DOCUMENTS_MAX): Batch {
  const start = hasByteOrderMark(body) ? 3 : 0;
  found.reset(documentsMax);
  if (format === 'ndjson') withScanner(body, (scanner) => splitLines(body, start, found, scanner));
  else splitJson(body, start, found);
  return found.batch(new LineCursor(body, start));
}

/** Says what is wrong with element `index` of a batch of `body`, asked in their order; null for an object that may be a document. */
export function describeElement(body: Uint8Array, batch: Batch, index: number): string | null {
  const start = batch.starts[index];
  const end = batch.ends[index];
  if (batch.kinds[index] === ELEMENT_OBJECT) {
    if (end - start <= DOCUMENT_BYTES_MAX) return null;
    return `expected a document of at most ${DOCUMENT_BYTES_MAX} bytes of JSON, got ${end - start}`;
  }
  if (batch.kinds[index] === ELEMENT_NOT_OBJECT) {
    return `expected an object, got ${describeValue(body, start, end)}`;
  }
  // Rescans the line rather than keeping a message for each of what may be millions of them.
  const syntax = new JsonSyntax();
  if (!isUtf8(body.subarray(start, end))) syntax.fail(invalidUtf8At(body, start, end), 'UTF-8');
  else if (scanWhole(syntax, body, start, end) >= 0) return null;
  return describeFailure(body, syntax, end, 'line', batch.lines);
}

/** What is answered to a batch of `got` documents. */
export function tooManyDocuments(documentsMax: number, got: number | 'more'): EngineError {
  const message = `request body: expected at most ${documentsMax} documents in a batch, got ${got}: send it in parts`;
  return new EngineError('payload_too_large', message);
}

/** Lists that a larger batch has filled are not kept. */
const KEPT_ELEMENTS_MAX = 1 << 16;

class ElementList {
  #starts = new U32List();
  #ends = new U32List();
  #kinds = new BytePool();
  #countMax = 0;

  reset(countMax: number): void {
    this.#countMax = countMax;
    if (this.#starts.length > KEPT_ELEMENTS_MAX) {
      this.#starts = new U32List();
      this.#ends = new U32List();
      this.#kinds = new BytePool();
    }
    this.#starts.reset();
    this.#ends.reset();
    this.#kinds.reset();
  }

  add(start: number, end: number, kind: number): void {
    if (this.#starts.length === this.#countMax) throw tooManyDocuments(this.#countMax, 'more');
    this.#starts.push(start);
    this.#ends.push(end);
    this.#kinds.push(kind);
  }

  batch(lines: LineCursor): Batch {
    return {
      lines,
      count: this.#starts.length,
      starts: this.#starts.values,
      ends: this.#ends.values,
      kinds: this.#kinds.bytes,
    };
  }
}

/** Most bodies are one document, and lists of their own would cost more than finding it. */
const found = new ElementList();

function splitJson(body: Uint8Array, start: number, elements: ElementList): void {
  const syntax = new JsonSyntax();
  const end = body.length;
  const whole = isUtf8(body) ? scanElements(syntax, body, start, elements) : failUtf8(syntax, body);
  const rest = whole < 0 ? -1 : skipSpace(body, whole, end);
  if (rest >= 0 && rest < end) syntax.fail(rest, 'nothing more');
  if (rest !== end)
    throw new EngineError('invalid_json', describeFailure(body, syntax, end, 'body', new LineCursor(body, start)));
}

/** End of the object or array of the body, or -1. */
function scanElements(syntax: JsonSyntax, body: Uint8Array, start: number, elements: ElementList): number {
  const end = body.length;
  let pos = skipSpace(body, start, end);
  const first = pos < end ? body[pos] : 0;
  if (first === OPEN_BRACE) {
    const close = syntax.value(body, pos, end, 1);
    elements.add(pos, close < 0 ? pos : close, ELEMENT_OBJECT);
    return close;
  }
  if (first !== OPEN_BRACKET) return syntax.fail(pos, 'an object or an array of objects');
  pos = skipSpace(body, pos + 1, end);
  if (pos < end && body[pos] === CLOSE_BRACKET) return pos + 1;
  return withScanner(body, (scanner) => scanArray(syntax, body, pos, elements, scanner));
}

/** End of the array whose first element is at `pos`, or -1. */
function scanArray(
  syntax: JsonSyntax,
  body: Uint8Array,
  first: number,
  elements: ElementList,
  scanner: ValueScanner | null,
): number {
  const end = body.length;
  for (let pos = first; ; ) {
    let close = scanner === null ? -1 : scanner.valueEnd(pos);
    if (close < 0) close = syntax.value(body, pos, end, 1);
    if (close < 0) return -1;
    elements.add(pos, close, body[pos] === OPEN_BRACE ? ELEMENT_OBJECT : ELEMENT_NOT_OBJECT);
    pos = skipSpace(body, close, end);
    const byte = pos < end ? body[pos] : 0;
    if (byte === CLOSE_BRACKET) return pos + 1;
    if (byte !== COMMA) return syntax.fail(pos, '"," or "]"');
    pos = skipSpace(body, pos + 1, end);
  }
}

let scannerOfThread: ValueScanner | undefined;

/** What `scan` returns with the scanner of the thread, begun with `body`; with null when `body` is small. */
function withScanner<Found>(body: Uint8Array, scan: (scanner: ValueScanner | null) => Found): Found {
  const copy = body.length < COPIED_BYTES_MIN ? null : bodyCopy();
  if (copy === null) return scan(null);
  scannerOfThread ??= new ValueScanner(copy);
  scannerOfThread.begin(body);
  try {
    return scan(scannerOfThread);
  } finally {
    scannerOfThread.end();
  }
}

function splitLines(body: Uint8Array, start: number, elements: ElementList, scanner: ValueScanner | null): void {
  const syntax = new JsonSyntax();
  const allUtf8 = isUtf8(body);
  // A buffer's indexOf() is several times as fast as a typed array's.
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.length);
  for (let next = start; next < body.length; ) {
    const lineFeed = buffer.indexOf(LINE_FEED, next);
    const lineEnd = lineFeed < 0 ? body.length : lineFeed;
    const first = skipSpace(body, next, lineEnd);
    next = lineEnd + 1;
    if (first === lineEnd) continue;
    const end = trimEnd(body, first, lineEnd);
    const valid =
      (allUtf8 || isUtf8(body.subarray(first, end))) &&
      (scanner?.isValue(first, end) === true || scanWhole(syntax, body, first, end) >= 0);
    if (!valid) elements.add(first, end, ELEMENT_MALFORMED);
    else elements.add(first, end, body[first] === OPEN_BRACE ? ELEMENT_OBJECT : ELEMENT_NOT_OBJECT);
  }
}

/** `end` if body[start..end) is exactly one value, or -1. */
function scanWhole(syntax: JsonSyntax, body: Uint8Array, start: number, end: number): number {
  const close = syntax.value(body, start, end, 1);
  if (close < 0) return -1;
  const rest = skipSpace(body, close, end);
  return rest === end ? end : syntax.fail(rest, 'nothing more on the line');
}

function trimEnd(body: Uint8Array, start: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > start && skipSpace(body, end - 1, end) === end) end--;
  return end;
}

const hasByteOrderMark = (body: Uint8Array): boolean =>
  body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

/** `body` without the byte order mark that it may begin with. */
export const withoutByteOrderMark = (body: Uint8Array): Uint8Array =>
  hasByteOrderMark(body) ? body.subarray(3) : body;

function failUtf8(syntax: JsonSyntax, body: Uint8Array): number {
  return syntax.fail(invalidUtf8At(body, 0, body.length), 'UTF-8');
}

/** Offset of the character at which body[start..end), which is not UTF-8, stops being it. */
function invalidUtf8At(body: Uint8Array, start: number, end: number): number {
  // The longest prefix that decodes cleanly, by bisection: cutting a character in two is not an error in a stream.
  let low = start;
  let high = end;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isUtf8Prefix(body.subarray(start, middle))) low = middle;
    else high = middle;
  }
  while (!isUtf8(body.subarray(start, low))) low--;
  return low;
}

/** Whether `bytes` begins some valid UTF-8 text: valid but for a character that its end may cut. */
function isUtf8Prefix(bytes: Uint8Array): boolean {
  for (let cut = 0; cut <= Math.min(3, bytes.length); cut++) {
    if (isUtf8(bytes.subarray(0, bytes.length - cut))) return cut === 0 || isCutCharacter(bytes, bytes.length - cut);
  }
  return false;
}

/** Whether bytes[start..) are the first bytes of a longer character. */
function isCutCharacter(bytes: Uint8Array, start: number): boolean {
  const lead = bytes[start];
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (lead > 0xf4 || bytes.length - start >= length) return false;
  for (let i = start + 1; i < bytes.length; i++) if ((bytes[i] & 0xc0) !== 0x80) return false;
  return true;
}

/** Words the failure that `syntax` recorded, in text that ends at `end`. */
function describeFailure(
  body: Uint8Array,
  syntax: JsonSyntax,
  end: number,
  whole: 'body' | 'line',
  lines: LineCursor,
): string {
  const at = syntax.failedAt;
  const found = at >= end ? `the end of the ${whole}` : describeByte(body, at, syntax.expected === 'UTF-8');
  return `invalid JSON at byte ${at} (${lines.describe(at)}): expected ${syntax.expected}, found ${found}`;
}

function describeByte(body: Uint8Array, at: number, asByte: boolean): string {
  const byte = body[at];
  if (asByte || byte < 0x20 || byte === 0x7f) return `byte 0x${byte.toString(16).padStart(2, '0')}`;
  return byte === 0x22 ? 'a double quote' : `"${excerpt(body, at, at + 1)}"`;
}
