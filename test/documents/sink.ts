/** A document sink that writes down what it is told, and a document reader driven by text. */
import assert from 'node:assert/strict';
import type { DocumentReader, DocumentSink } from '../../engine/documents/document-reader.js';
import { splitBatch } from '../../engine/documents/json-scanner.js';

/** `[what, field, value]`; numbers are the i64 key. */
export type SinkEvent = readonly [string, number, string | bigint];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

class RecordingSink implements DocumentSink {
  readonly events: SinkEvent[] = [];

  id(bytes: Uint8Array, start: number, end: number): void {
    this.events.push(['id', -1, decoder.decode(bytes.subarray(start, end))]);
  }

  text(field: number, bytes: Uint8Array, start: number, end: number): void {
    this.events.push(['text', field, decoder.decode(bytes.subarray(start, end))]);
  }

  keyword(field: number, bytes: Uint8Array, start: number, end: number): void {
    this.events.push(['keyword', field, decoder.decode(bytes.subarray(start, end))]);
  }

  number(field: number, hi: number, lo: number): void {
    this.events.push(['number', field, (BigInt(hi) << 32n) | BigInt(lo >>> 0)]);
  }
}

export interface ReadOutcome {
  readonly error: string | null;
  readonly id: string;
  readonly events: readonly SinkEvent[];
}

/** Reads the document body[start, end). */
export function readDocument(reader: DocumentReader, body: Uint8Array, start: number, end: number): ReadOutcome {
  const sink = new RecordingSink();
  const error = reader.read(body, start, end, sink);
  const id = decoder.decode(reader.idBytes.subarray(reader.idStart, reader.idEnd));
  return { error, id, events: sink.events };
}

/** Reads the one document of `text`, a JSON object, byte by byte and by its members, which comes to the same. */
export function readText(reader: DocumentReader, text: string): ReadOutcome {
  const body = new TextEncoder().encode(text);
  const batch = splitBatch(body, 'json');
  const outcome = readDocument(reader, body, batch.starts[0], batch.ends[0]);
  reader.hold(body);
  assert.deepEqual(readDocument(reader, body, batch.starts[0], batch.ends[0]), outcome);
  reader.release();
  return outcome;
}
