/**
 * Lets documents of a batch in, or not, by whether their ids exist: between the document reader and its sink.
 *
 * Used by segment/pending-documents.ts for batches that only create, or only replace. Remembers which documents came in, for the
 * log holds no others of such a batch.
 */
import { U32List } from './byte-pool.js';
import type { DocumentSink } from './value-log.js';

/** Why a document is not let in. */
export interface DocumentRefusal {
  readonly code: 'document_exists' | 'document_not_found';
  readonly message: string;
}

/** What is wrong with a document of the id bytes[start..end), or null. */
export type AdmitDocument = (bytes: Uint8Array, start: number, end: number) => DocumentRefusal | null;

export class DocumentAdmission {
  readonly #admit: AdmitDocument;
  readonly #starts = new U32List();
  readonly #ends = new U32List();

  constructor(admit: AdmitDocument) {
    this.#admit = admit;
  }

  /** A sink that hands on to `sink` what is let in. */
  sinkFor(sink: DocumentSink): AdmittingSink {
    return new AdmittingSink(this.#admit, sink);
  }

  /** Notes that the document body[start..end) came in. */
  note(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** The documents that came in from `body`, as a JSON array. */
  admittedOf(body: Uint8Array): Uint8Array<ArrayBuffer> {
    const { length: count } = this.#starts;
    const starts = this.#starts.values;
    const ends = this.#ends.values;
    let bytes = 1 + Math.max(count, 1);
    for (let i = 0; i < count; i++) bytes += ends[i] - starts[i];
    const array = new Uint8Array(bytes);
    let at = 0;
    for (let i = 0; i < count; i++) {
      array[at++] = i === 0 ? 0x5b : 0x2c;
      array.set(body.subarray(starts[i], ends[i]), at);
      at += ends[i] - starts[i];
    }
    if (count === 0) array[at++] = 0x5b;
    array[at] = 0x5d;
    return array;
  }
}

export class AdmittingSink implements DocumentSink {
  readonly #admit: AdmitDocument;
  readonly #sink: DocumentSink;
  /** What was wrong with the last document that was read. */
  refusal: DocumentRefusal | null = null;

  constructor(admit: AdmitDocument, sink: DocumentSink) {
    this.#admit = admit;
    this.#sink = sink;
  }

  id(bytes: Uint8Array, start: number, end: number): void {
    this.refusal = this.#admit(bytes, start, end);
    if (this.refusal === null) this.#sink.id(bytes, start, end);
  }

  text(field: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.refusal === null) this.#sink.text(field, bytes, start, end);
  }

  keyword(field: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.refusal === null) this.#sink.keyword(field, bytes, start, end);
  }

  number(field: number, hi: number, lo: number): void {
    if (this.refusal === null) this.#sink.number(field, hi, lo);
  }
}
