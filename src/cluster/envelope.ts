/**
 * What every message of the log begins with, and the payload of each kind. Written by publisher.ts, read by follower.ts.
 *
 * A node that meets a newer version must not go on: it would have other documents than those that understand it.
 *
 * | offset | bytes | field   | type | meaning                                                                  |
 * |--------|-------|---------|------|--------------------------------------------------------------------------|
 * | 0      | 4     | magic   |      | "SBLG"                                                                   |
 * | 4      | 1     | version | u8   |                                                                          |
 * | 5      | 1     | kind    | u8   | 1 writes, 2 part, 3 join                                                 |
 * | 6      | 2     | node    | u16  | bytes of the node's name                                                 |
 * | 8      | 8     | origin  | u8s  | of one process of a node, random                                         |
 * | 16     | 8     | counter | f64  | of the message among those of the origin, from 1                         |
 * | 24     | node  | name    | UTF-8|                                                                          |
 * | ...    |       | payload |      | writes: u32 count, u32 bytes of each record, the records                 |
 * |        |       |         |      | part: f64 counter of the set's first part, u32 index, u32 count, bytes of a payload of writes |
 * |        |       |         |      | join: JSON, a JoinPayload                                                |
 *
 * Numbers are little-endian.
 */
import { EngineError } from '../../engine/index.js';

const MAGIC = 'SBLG';
const VERSION = 1;
const HEADER_BYTES = 24;
const PART_BYTES = 16;
const COUNT_BYTES = 4;

const KIND_WRITES = 1;
const KIND_PART = 2;
const KIND_JOIN = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Who has sent a message. */
export interface Sender {
  readonly node: string;
  /** 16 hexadecimal digits. */
  readonly origin: string;
  readonly counter: number;
}

/** What a node tells all others when it begins to answer reads. */
export interface JoinPayload {
  /** Of its lease, random: one period in which the node answers reads. */
  readonly life: string;
  /** Of the bucket that the lease lies in. */
  readonly bucket: string;
  /** Of the key with the lease when it was taken. */
  readonly revision: number;
  readonly leaseMs: number;
}

export type LogMessage =
  | { readonly kind: 'writes'; readonly sender: Sender; readonly payload: Uint8Array }
  | { readonly kind: 'part'; readonly sender: Sender; readonly part: Part }
  | { readonly kind: 'join'; readonly sender: Sender; readonly join: JoinPayload };

export interface Part {
  /** The counter of the first part. */
  readonly set: number;
  readonly index: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Bytes that a message of `node` has beside the bytes of a part. */
export const partOverhead = (node: string): number => HEADER_BYTES + encoder.encode(node).length + PART_BYTES;

/** Bytes of a message of `node` with writes, of the records' `lengths`. */
export const writesBytes = (node: string, lengths: readonly number[]): number =>
  HEADER_BYTES + encoder.encode(node).length + payloadBytes(lengths);

const payloadBytes = (lengths: readonly number[]): number =>
  lengths.reduce((sum, bytes) => sum + bytes, COUNT_BYTES * (1 + lengths.length));

function beginMessage(kind: number, { node, origin, counter }: Sender, payloadLength: number): [Uint8Array, number] {
  const name = encoder.encode(node);
  const bytes = new Uint8Array(HEADER_BYTES + name.length + payloadLength);
  const view = new DataView(bytes.buffer);
  bytes.set(encoder.encode(MAGIC));
  view.setUint8(4, VERSION);
  view.setUint8(5, kind);
  view.setUint16(6, name.length, true);
  for (let i = 0; i < 8; i++) view.setUint8(8 + i, Number.parseInt(origin.slice(2 * i, 2 * i + 2), 16));
  view.setFloat64(16, counter, true);
  bytes.set(name, HEADER_BYTES);
  return [bytes, HEADER_BYTES + name.length];
}

function putRecords(bytes: Uint8Array, start: number, records: readonly Uint8Array[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let offset = start;
  view.setUint32(offset, records.length, true);
  for (const { length } of records) {
    offset += COUNT_BYTES;
    view.setUint32(offset, length, true);
  }
  offset += COUNT_BYTES;
  for (const record of records) {
    bytes.set(record, offset);
    offset += record.length;
  }
}

/** A message with `records`. */
export function encodeWrites(sender: Sender, records: readonly Uint8Array[]): Uint8Array {
  const [bytes, start] = beginMessage(KIND_WRITES, sender, payloadBytes(records.map(({ length }) => length)));
  putRecords(bytes, start, records);
  return bytes;
}

/** The payload of writes alone, to be cut into parts. */
export function encodeRecords(records: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(payloadBytes(records.map(({ length }) => length)));
  putRecords(bytes, 0, records);
  return bytes;
}

/** A message with one part of a payload of writes. */
export function encodePart(sender: Sender, { set, index, count, bytes: content }: Part): Uint8Array {
  const [bytes, start] = beginMessage(KIND_PART, sender, PART_BYTES + content.length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(start, set, true);
  view.setUint32(start + 8, index, true);
  view.setUint32(start + 12, count, true);
  bytes.set(content, start + PART_BYTES);
  return bytes;
}

/** A message that says that a node joins. */
export function encodeJoin(sender: Sender, join: JoinPayload): Uint8Array {
  const payload = encoder.encode(JSON.stringify(join));
  const [bytes, start] = beginMessage(KIND_JOIN, sender, payload.length);
  bytes.set(payload, start);
  return bytes;
}

const damaged = (what: string): EngineError =>
  new EngineError('corrupt_data', `a message of the cluster's log is no message of Sabre: ${what}`);

/** Reads a message; what it returns are views into `bytes`. Throws corrupt_data, also for a newer version. */
export function decodeMessage(bytes: Uint8Array): LogMessage {
  if (bytes.length < HEADER_BYTES) throw damaged(`it has ${bytes.length} bytes, ${HEADER_BYTES} at least are needed`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (decoder.decode(bytes.subarray(0, 4)) !== MAGIC) throw damaged(`it does not begin with ${MAGIC}`);
  const version = view.getUint8(4);
  if (version !== VERSION)
    throw new EngineError(
      'corrupt_data',
      `a message of the cluster's log has version ${version}, and this node knows ${VERSION}: a newer Sabre wrote it; upgrade the node, which reads on then`,
    );
  const start = HEADER_BYTES + view.getUint16(6, true);
  if (bytes.length < start) throw damaged('it ends within the name of its node');
  const sender = {
    node: decoder.decode(bytes.subarray(HEADER_BYTES, start)),
    origin: Buffer.from(bytes.buffer, bytes.byteOffset + 8, 8).toString('hex'),
    counter: view.getFloat64(16, true),
  };
  const payload = bytes.subarray(start);
  const kind = view.getUint8(5);
  if (kind === KIND_WRITES) return { kind: 'writes', sender, payload };
  if (kind === KIND_JOIN) return { kind: 'join', sender, join: JSON.parse(decoder.decode(payload)) as JoinPayload };
  if (kind !== KIND_PART) throw damaged(`it is of the unknown kind ${kind}`);
  if (payload.length < PART_BYTES) throw damaged('it ends within a part');
  const part = {
    set: view.getFloat64(start, true),
    index: view.getUint32(start + 8, true),
    count: view.getUint32(start + 12, true),
    bytes: payload.subarray(PART_BYTES),
  };
  return { kind: 'part', sender, part };
}

/** The records in a payload of writes, as views into it. Throws corrupt_data. */
export function decodeRecords<Buffer_ extends ArrayBufferLike>(payload: Uint8Array<Buffer_>): Uint8Array<Buffer_>[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  if (payload.length < COUNT_BYTES) throw damaged('it has no number of records');
  const count = view.getUint32(0, true);
  let end = COUNT_BYTES * (1 + count);
  if (payload.length < end) throw damaged(`it ends within the lengths of ${count} records`);
  const records: Uint8Array<Buffer_>[] = [];
  for (let i = 0; i < count; i++) {
    const length = view.getUint32(COUNT_BYTES * (1 + i), true);
    records.push(payload.subarray(end, end + length));
    end += length;
  }
  if (payload.length !== end) throw damaged(`its records have ${end} bytes, and it has ${payload.length}`);
  return records;
}
