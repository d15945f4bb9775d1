/**
 * Small writes and their answers as few large messages: a message costs a thread more than a small document does.
 *
 * Packed on one side of the writer's port and unpacked on the other. Large bodies travel on their own, without a copy.
 * Order is kept among what is packed together; nothing here looks into a body.
 */
import type { WriteAnswer, WriteRequest } from '../collection/write-requests.js';
import { assert } from '../core/assert.js';
import type { BodyFormat } from '../core/requests.js';

/** A body beyond this is worth a message of its own; below, copying it costs less. */
export const PACKED_BODY_BYTES_MAX = 16 << 10;

export type IndexWrite = Extract<WriteRequest, { readonly kind: 'index' }>;
type Indexed = Extract<WriteAnswer, { readonly error: null }>;

const FORMATS: readonly BodyFormat[] = ['json', 'ndjson', 'msgpack'];

/** Numbers of one write: ticket, collection, place of the format in FORMATS, end of the body. */
const WRITE_NUMBERS = 4;
/** Numbers of one report: ticket, documents indexed, documents failed, end of the body. */
const REPORT_NUMBERS = 4;

/** Entries one after the other; the bytes of each begin where those of the one before end. */
export interface Packed {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Whether `body` goes into a packed message; else its buffer is moved. */
export const isPackable = (body: Uint8Array): boolean => body.length <= PACKED_BODY_BYTES_MAX;

/** What a sender hands over instead of copying it. */
export const buffersOf = ({ numbers, bytes }: Packed): ArrayBuffer[] => [numbers.buffer, bytes.buffer];

/** Copies `writes`, in order, into one message. */
export function packWrites(writes: readonly IndexWrite[]): Packed {
  const packed = reserve(
    writes.length * WRITE_NUMBERS,
    writes.reduce((sum, { body }) => sum + body.length, 0),
  );
  const { numbers, bytes } = packed;
  let at = 0;
  let end = 0;
  for (const { ticket, collectionId, format, body } of writes) {
    bytes.set(body, end);
    end += body.length;
    numbers[at++] = ticket;
    numbers[at++] = collectionId;
    numbers[at++] = FORMATS.indexOf(format);
    numbers[at++] = end;
  }
  return packed;
}

/** The writes of a message; their bodies are views of it. */
export function unpackWrites({ numbers, bytes }: Packed): IndexWrite[] {
  const writes: IndexWrite[] = [];
  let start = 0;
  for (let at = 0; at < numbers.length; at += WRITE_NUMBERS) {
    const format = FORMATS[numbers[at + 2]];
    assert(format !== undefined, 'a packed write has a format');
    const end = numbers[at + 3];
    const body = bytes.subarray(start, end);
    writes.push({ kind: 'index', ticket: numbers[at], collectionId: numbers[at + 1], body, format });
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
  const packed = reserve(small.length * REPORT_NUMBERS, byteCount);
  const { numbers, bytes } = packed;
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
export function unpackReports({ numbers, bytes }: Packed): WriteAnswer[] {
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

const reserve = (numberCount: number, byteCount: number): Packed => ({
  numbers: new Float64Array(numberCount),
  bytes: new Uint8Array(byteCount),
});
