/**
 * Writes log files of format version 1, which the engine reads and no longer writes: for tests of what becomes of them.
 */
import {
  WAL_FRAME_1_HEADER_BYTES,
  WAL_FRAME_CHECKSUM,
  WAL_FRAME_PAYLOAD_BYTES,
  WAL_FRAME_SEQUENCE,
  WAL_FRAME_TYPE,
  WAL_FRAME_UNSYNCED,
  WAL_VERSION_1,
} from '../../engine/layout/wal.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { encodeWalHeader } from '../../engine/storage/log/wal-format.js';

/** Any: it is drawn at random. */
const SALT = 0x5a17;

export interface Record1 {
  readonly type: number;
  readonly payload: Uint8Array;
  /** Whether it begins a group: all before it were synced when it was written. */
  readonly isFirst: boolean;
}

function frame(record: Record1, sequence: number, unsynced: number): Buffer {
  const { type, payload } = record;
  const head = Buffer.alloc(WAL_FRAME_1_HEADER_BYTES);
  head.writeUInt32LE(payload.length, WAL_FRAME_PAYLOAD_BYTES);
  head.writeBigUInt64LE(BigInt(sequence), WAL_FRAME_SEQUENCE);
  head.writeUInt32LE(unsynced, WAL_FRAME_UNSYNCED);
  head.writeUInt8(type, WAL_FRAME_TYPE);
  const covered = Buffer.concat([head.subarray(WAL_FRAME_SEQUENCE), payload, head.subarray(0, WAL_FRAME_CHECKSUM)]);
  head.writeUInt32LE(crc32c(SALT, covered, 0, covered.length), WAL_FRAME_CHECKSUM);
  return Buffer.concat([head, payload]);
}

/** The bytes of log file `fileNumber`, which begins with record `firstSequence`. */
export function walFile1(fileNumber: number, firstSequence: number, records: readonly Record1[]): Uint8Array {
  const header = { version: WAL_VERSION_1, fileNumber, firstSequence, salt: SALT };
  const frames: Uint8Array[] = [encodeWalHeader(header, crc32c)];
  let synced = firstSequence - 1;
  for (const [index, record] of records.entries()) {
    const sequence = firstSequence + index;
    if (record.isFirst) synced = sequence - 1;
    frames.push(frame(record, sequence, sequence - synced));
  }
  return new Uint8Array(Buffer.concat(frames));
}
