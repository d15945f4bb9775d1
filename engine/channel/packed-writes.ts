/**
 * Small writes and their answers as few large messages: a message costs a thread more than a small document does.
 *
 * Packed on one side of the writer's port and unpacked on the other. Large bodies travel on their own, without a copy.
 * Order is kept among what is packed together; nothing here looks into a body.
 */

import { assert } from '../core/assert.js';
import type { BodyFormat } from '../core/requests.js';
import type { WriteAnswer, WriteRequest } from '../writer/state/write-requests.js';

/** A body beyond this is worth a message of its own; below, copying it costs less. */
export const PACKED_BODY_BYTES_MAX = 16 << 10;

export type IndexWrite = Extract<WriteRequest, { readonly kind: 'index' }>;
type Indexed = Extract<WriteAnswer, { readonly error: null }>;

const FORMATS: readonly BodyFormat[] = ['json', 'ndjson', 'msgpack'];
const ACTIONS: readonly NonNullable<IndexWrite['action']>[] = ['upsert', 'create', 'update', 'patch'];

/** Numbers of one write: ticket, collection, places in FORMATS and ACTIONS, bytes of the id, which stands before the body, end of the body. */
const WRITE_NUMBERS = 6;
/** Numbers of one report: ticket, documents indexed, documents failed, end of the body. */
const REPORT_NUMBERS = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The whole of a buffer, which is copied as it is posted: of this size that costs less than handing it over.
 *
 *   f64  how many entries there are
 *   f64  their numbers, entry by entry
 *   u8   their bytes: those of each end where its last number says, and the next entry's begin there
 */
export type Packed = Uint8Array<ArrayBuffer>;

/** A packed message being written or read. */
interface Parts {
  readonly numbers: Float64Array;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Whether `body` goes into a packed message; else its buffer is handed over. */
export const isPackable = (body: Uint8Array): boolean => body.length <= PACKED_BODY_BYTES_MAX;

/** Copies `writes`, in order, into one message. */
export function packWrites(writes: readonly IndexWrite[]): Packed {
  let byteCount = 0;
  for (const { body, documentId } of writes) byteCount += body.length + Buffer.byteLength(documentId ?? '');
  const packed = reserve(writes.length, WRITE_NUMBERS, byteCount);
  const { numbers, bytes } = partsOf(packed, WRITE_NUMBERS);
  let at = 0;
  let end = 0;
  for (const { ticket, collectionId, format, action, documentId, body } of writes) {
    const idBytes = documentId === undefined ? 0 : encoder.encodeInto(documentId, bytes.subarray(end)).written;
    end += idBytes;
    bytes.set(body, end);
    end += body.length;
    numbers[at++] = ticket;
    numbers[at++] = collectionId;
    numbers[at++] = FORMATS.indexOf(format);
    numbers[at++] = ACTIONS.indexOf(action ?? 'upsert');
    numbers[at++] = idBytes;
    numbers[at++] = end;
  }
  return packed;
}

/** The writes of a message; their bodies are views of it. */
export function unpackWrites(packed: Packed): IndexWrite[] {
  const { numbers, bytes } = partsOf(packed, WRITE_NUMBERS);
  const writes: IndexWrite[] = [];
  let start = 0;
  for (let at = 0; at < numbers.length; at += WRITE_NUMBERS) {
    const format = FORMATS[numbers[at + 2]];
    const action = ACTIONS[numbers[at + 3]];
    assert(format !== undefined && action !== undefined, 'a packed write has a format and an action');
    const idEnd = start + numbers[at + 4];
    const documentId = decoder.decode(bytes.subarray(start, idEnd));
    const end = numbers[at + 5];
    const body = bytes.subarray(idEnd, end);
    const ticket = numbers[at];
    const collectionId = numbers[at + 1];
    if (action === 'upsert') writes.push({ kind: 'index', ticket, collectionId, body, format });
    else writes.push({ kind: 'index', ticket, collectionId, body, format, action, documentId });
    start = end;
  }
  return writes;
}

/** Copies the small reports among `answers` into one message, null when there is none; `others` are the other answers. */
export function packAnswers(answers: readonly WriteAnswer[]): { reports: Packed | null; others: WriteAnswer[] } {
  const others: WriteAnswer[] = [];
  const small: Indexed[] = [];
  let byteCount = 0;
  for (const answer of answers) {
    if (answer.error !== null || answer.report === null || !isPackable(answer.report.body)) {
      others.push(answer);
      continue;
    }
    small.push(answer);
    byteCount += answer.report.body.length;
  }
  if (small.length === 0) return { reports: null, others };
  const packed = reserve(small.length, REPORT_NUMBERS, byteCount);
  const { numbers, bytes } = partsOf(packed, REPORT_NUMBERS);
  let at = 0;
  let end = 0;
  for (const { ticket, report } of small) {
    assert(report !== null, 'a packed answer has a report');
    bytes.set(report.body, end);
    end += report.body.length;
    numbers[at++] = ticket;
    numbers[at++] = report.numIndexed;
    numbers[at++] = report.numFailed;
    numbers[at++] = end;
  }
  return { reports: packed, others };
}

/** The answers of a message; the bodies of their reports are views of it. */
export function unpackReports(packed: Packed): WriteAnswer[] {
  const { numbers, bytes } = partsOf(packed, REPORT_NUMBERS);
  const answers: WriteAnswer[] = [];
  let start = 0;
  for (let at = 0; at < numbers.length; at += REPORT_NUMBERS) {
    const end = numbers[at + 3];
    const report = { numIndexed: numbers[at + 1], numFailed: numbers[at + 2], body: bytes.subarray(start, end) };
    answers.push({ ticket: numbers[at], error: null, collectionId: null, report });
    start = end;
  }
  return answers;
}

function reserve(count: number, numbersEach: number, byteCount: number): Packed {
  const numberCount = 1 + count * numbersEach;
  const packed = new Uint8Array(numberCount * Float64Array.BYTES_PER_ELEMENT + byteCount);
  new Float64Array(packed.buffer, 0, 1)[0] = count;
  return packed;
}

function partsOf({ buffer }: Packed, numbersEach: number): Parts {
  const [count] = new Float64Array(buffer, 0, 1);
  const numbers = new Float64Array(buffer, Float64Array.BYTES_PER_ELEMENT, count * numbersEach);
  return { numbers, bytes: new Uint8Array(buffer, numbers.byteOffset + numbers.byteLength) };
}
