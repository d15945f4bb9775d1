/**
 * The BatchReport of the interface, written as JSON while a batch is indexed: one entry per submitted document.
 */
import { assert } from '../core/assert.js';
import { BATCH_DOCUMENTS_MAX, LOGGED_DOCUMENTS_MAX } from '../core/limits.js';
import type { IndexResult } from '../core/requests.js';
import type { DocumentRefusal } from './document-admission.js';
import { JsonWriter } from './json-writer.js';

/** Most batches are one document, and memory of its own would cost more than writing its report. */
const SCRATCH_BYTES_MIN = 512;
/** What a report outgrew is kept for the next one, up to here: a flood of batches need not make garbage of it. */
const SCRATCH_BYTES_MAX = 1 << 20;
let scratch: Uint8Array = new Uint8Array(SCRATCH_BYTES_MIN);
/** Up to here a report's bytes come from Node's pool. */
const POOLED_BYTES_MAX = 512;
/** More than an entry takes: an id and a message, both bounded, with every byte escaped. */
export const REPORT_ENTRY_BYTES_MAX = 4096;
/** No report reaches this. */
const REPORT_BYTES_MAX = BATCH_DOCUMENTS_MAX * REPORT_ENTRY_BYTES_MAX;

/** Why a document is refused: it is none of the collection's, or it is there already, or not yet. */
export type RejectionCode = 'invalid_document' | DocumentRefusal['code'];

/** Hears what became of each document of a batch, in order. */
export interface DocumentOutcomes {
  /** A batch of more documents is refused whole, before any of them is taken. */
  readonly documentsMax: number;
  /** The document with the id idBytes[start..end) was taken. */
  accept(idBytes: Uint8Array, start: number, end: number): void;
  /** The document was refused, as `code` and `message` say; an empty id range: its id could not be read. */
  reject(idBytes: Uint8Array, start: number, end: number, message: string, code: RejectionCode): void;
}

/** For batches that nobody waits for: those of the log. */
export const IGNORED_OUTCOMES: DocumentOutcomes = {
  documentsMax: LOGGED_DOCUMENTS_MAX,
  accept() {},
  reject() {},
};

/** The head of the last report: under load most say the same. */
let head = Buffer.of();
let headIndexed = -1;
let headFailed = -1;

function headOf(indexed: number, failed: number): Uint8Array {
  if (indexed !== headIndexed || failed !== headFailed) {
    head = Buffer.from(`{"num_indexed":${indexed},"num_failed":${failed},"results":[`, 'latin1');
    headIndexed = indexed;
    headFailed = failed;
  }
  return head;
}

/** Made for one batch; a thread finishes it before it makes the next. */
export class BatchReport implements DocumentOutcomes {
  readonly documentsMax = BATCH_DOCUMENTS_MAX;
  readonly #entries = new JsonWriter(scratch, REPORT_BYTES_MAX);
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

  reject(idBytes: Uint8Array, start: number, end: number, message: string, code: RejectionCode): void {
    this.#begin('{"success":false,"id":', idBytes, start, end);
    this.#entries.raw(',"error":');
    this.#entries.string(message);
    this.#entries.raw(`,"code":"${code}"}`);
    this.#failed++;
  }

  finish(): IndexResult {
    this.#entries.raw(']}');
    const head = headOf(this.#indexed, this.#failed);
    const bytes = head.length + this.#entries.length;
    const body = bytes <= POOLED_BYTES_MAX ? Buffer.allocUnsafe(bytes) : new Uint8Array(bytes);
    body.set(head);
    const entries = this.#entries.bytes();
    body.set(entries, head.length);
    if (this.#entries.overflowed && entries.buffer.byteLength <= SCRATCH_BYTES_MAX)
      scratch = new Uint8Array(entries.buffer);
    return { numIndexed: this.#indexed, numFailed: this.#failed, body };
  }

  #begin(opening: string, idBytes: Uint8Array, start: number, end: number): void {
    assert(this.#indexed + this.#failed < BATCH_DOCUMENTS_MAX, 'a batch has a bound');
    if (this.#indexed + this.#failed > 0) this.#entries.raw(',');
    this.#entries.raw(opening);
    this.#entries.stringBytes(idBytes, start, end);
  }
}
