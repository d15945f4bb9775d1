/**
 * Gives each document the id that another of its fields holds: `{"sku":"a7",...}` becomes `{"id":"a7","sku":"a7",...}`. No other byte
 * is changed. Or gives it its number: `{"sku":"a7",...}` becomes `{"id":"1","sku":"a7",...}`. A line that is no document, or not
 * UTF-8, stays as it is: the server refuses it.
 */
import { InputError } from './input-error.js';
import { joinBytes, LINE_BYTES_MAX, type LineSource, NO_BYTES, tooLong } from './line-source.js';

const NEWLINE = 0x0a;
const LINE_END = Uint8Array.of(NEWLINE);
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** null for bytes that are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function* linesIn(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
  yield bytes.subarray(start);
}

export class IdLines implements LineSource {
  readonly #field: string | null;
  readonly #inner: LineSource | null;
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #line = 0;

  /** `field`: null for the document's number. `inner`: makes the lines; null: they are lines. */
  constructor(field: string | null, inner: LineSource | null) {
    this.#field = field;
    this.#inner = inner;
  }

  feed(chunk: Uint8Array): Uint8Array {
    const lines = this.#inner === null ? chunk : this.#inner.feed(chunk);
    const last = lines.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#keep(lines);
      return NO_BYTES;
    }
    const whole = this.#withIds(joinBytes([...this.#rest, lines.subarray(0, last)]));
    this.#rest = [];
    this.#restBytes = 0;
    this.#keep(lines.subarray(last + 1));
    return joinBytes([whole, LINE_END]);
  }

  end(): Uint8Array {
    const left = joinBytes([...this.#rest, this.#inner?.end() ?? NO_BYTES]);
    return left.length === 0 ? left : this.#withIds(left);
  }

  /** Keeps a part of the line that has not ended yet. */
  #keep(part: Uint8Array): void {
    this.#rest.push(part);
    this.#restBytes += part.length;
    if (this.#restBytes > LINE_BYTES_MAX) throw tooLong(`document ${this.#line + 1}`);
  }

  #withIds(lines: Uint8Array): Uint8Array {
    const text = textOf(lines);
    if (text !== null) return encoder.encode(this.#withIdsOf(text));
    const parts: Uint8Array[] = [];
    for (const line of linesIn(lines)) {
      if (parts.length > 0) parts.push(LINE_END);
      const lineText = textOf(line);
      if (lineText === null) this.#line++;
      parts.push(lineText === null ? line : encoder.encode(this.#withId(lineText)));
    }
    return joinBytes(parts);
  }

  #withIdsOf(text: string): string {
    return text
      .split('\n')
      .map((line) => this.#withId(line))
      .join('\n');
  }

  #withId(line: string): string {
    this.#line++;
    const brace = line.indexOf('{');
    let document: unknown;
    try {
      document = JSON.parse(line);
    } catch {
      return line;
    }
    if (typeof document !== 'object' || document === null || Array.isArray(document)) return line;
    const where = `document ${this.#line}`;
    if (this.#field === null) {
      if ('id' in document) throw new InputError(`${where} has an "id": documents are numbered where none has one`);
      const isEmpty = Object.keys(document).length === 0;
      return `{"id":"${this.#line}"${isEmpty ? '' : ','}${line.slice(brace + 1)}`;
    }
    const known = document as Record<string, unknown>;
    const value = Object.hasOwn(known, this.#field) ? known[this.#field] : undefined;
    if (Object.hasOwn(known, 'id'))
      throw new InputError(`${where} has an "id" already; --id-field is for documents without one`);
    if (value === undefined || value === null)
      throw new InputError(`${where} has no "${this.#field}", which is to be its id`);
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) {
      const expected = 'expected a string or an integer of at most 53 bits';
      throw new InputError(
        `${where}: "${this.#field}" is to be its id: ${expected}, got ${JSON.stringify(value).slice(0, 80)}`,
      );
    }
    return `{"id":${JSON.stringify(value)},${line.slice(brace + 1)}`;
  }
}
