/**
 * The BatchReport of the interface, written as JSON while a batch is indexed: one entry per submitted document.
 */
import type { IndexResult } from '../core/requests.js';
import { JsonWriter } from '../query/json-writer.js';

/** Taken from Node's pool: most batches are one document, and memory of its own costs more than writing its report. */
const INITIAL_BYTES = 512;
/** A report this long answers a batch of millions of failures; beyond, the batch is refused whole. */
const REPORT_BYTES_MAX = 1 << 30;

/** Hears what became of each document of a batch, in order. */
export interface DocumentOutcomes {
  /** The document with the id idBytes[start..end) was taken. */
  accept(idBytes: Uint8Array, start: number, end: number): void;
  /** The document was refused; an empty id range: its id could not be read. */
  reject(idBytes: Uint8Array, start: number, end: number, message: string): void;
}

/** For batches that nobody waits for: those of the log. */
export const IGNORED_OUTCOMES: DocumentOutcomes = { accept() {}, reject() {} };

export class BatchReport implements DocumentOutcomes {
  readonly #entries = new JsonWriter(Buffer.allocUnsafe(INITIAL_BYTES), REPORT_BYTES_MAX);
  #indexed = 0;
  #failed = 0;

  get numIndexed(): number {
    return this.#indexed;
  }

  accept(idBytes: Uint8Array, start: number, end: number): void {
    this.#begin('{"success":true,"id":', idBytes, start, end);
    this.#entries.raw(',"error":null,"code":null}');
    this.#indexed++;
  }

  reject(idBytes: Uint8Array, start: number, end: number, message: string): void {
    this.#begin('{"success":false,"id":', idBytes, start, end);
    this.#entries.raw(',"error":');
    this.#entries.string(message);
    this.#entries.raw(',"code":"invalid_document"}');
    this.#failed++;
  }

  finish(): IndexResult {
    const entries = this.#entries.bytes();
    const head = Buffer.from(`{"num_indexed":${this.#indexed},"num_failed":${this.#failed},"results":[`, 'latin1');
    const bytes = head.length + entries.length + 2;
    const body = bytes <= INITIAL_BYTES ? Buffer.allocUnsafe(bytes) : new Uint8Array(bytes);
    body.set(head);
    body.set(entries, head.length);
    body.set([0x5d, 0x7d], body.length - 2);
    return { numIndexed: this.#indexed, numFailed: this.#failed, body };
  }

  #begin(opening: string, idBytes: Uint8Array, start: number, end: number): void {
    if (this.#indexed + this.#failed > 0) this.#entries.raw(',');
    this.#entries.raw(opening);
    this.#entries.stringBytes(idBytes, start, end);
  }
}
