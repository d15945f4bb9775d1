/**
 * Gives each document the id that another of its fields holds: `{"sku":"a7",...}` becomes `{"id":"a7","sku":"a7",...}`. No other byte
 * is changed.
 */
import { CommandError } from './api-client.js';
import type { LineSource } from './line-source.js';

const NEWLINE = 0x0a;

export class IdLines implements LineSource {
  readonly #field: string;
  readonly #inner: LineSource | null;
  #rest: Buffer[] = [];
  #line = 0;

  /** `inner`: makes the lines; null: they are lines. */
  constructor(field: string, inner: LineSource | null) {
    this.#field = field;
    this.#inner = inner;
  }

  feed(chunk: Buffer): Buffer {
    const lines = this.#inner === null ? chunk : this.#inner.feed(chunk);
    const last = lines.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#rest.push(lines);
      return Buffer.alloc(0);
    }
    const whole = Buffer.concat([...this.#rest, lines.subarray(0, last)]);
    this.#rest = [lines.subarray(last + 1)];
    return Buffer.from(`${this.#withIds(whole)}\n`);
  }

  end(): Buffer {
    const left = Buffer.concat([...this.#rest, this.#inner?.end() ?? Buffer.alloc(0)]);
    return left.length === 0 ? left : Buffer.from(this.#withIds(left));
  }

  #withIds(lines: Buffer): string {
    const text = lines.toString('utf8').replace(/^\ufeff/, '');
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
    // What is no document the server refuses.
    if (typeof document !== 'object' || document === null || Array.isArray(document)) return line;
    const { id, [this.#field]: value } = document as Record<string, unknown>;
    const where = `document ${this.#line}`;
    if (id !== undefined)
      throw new CommandError(`${where} has an "id" already; --id-field is for documents without one`);
    if (value === undefined || value === null)
      throw new CommandError(`${where} has no "${this.#field}", which is to be its id`);
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) {
      const expected = 'expected a string or an integer of at most 53 bits';
      throw new CommandError(
        `${where}: "${this.#field}" is to be its id: ${expected}, got ${JSON.stringify(value).slice(0, 80)}`,
      );
    }
    return `{"id":${JSON.stringify(value)},${line.slice(brace + 1)}`;
  }
}
