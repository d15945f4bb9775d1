/**
 * Encodes and checks the frames of write-ahead log files, of every format version; layout/wal.ts draws them.
 *
 * Used by file-wal.ts to write and by wal-reader.ts to read. Only the newest version is ever written.
 */
import {
  WAL_FRAME_1_HEADER_BYTES,
  WAL_FRAME_CHECKSUM,
  WAL_FRAME_COLLECTION,
  WAL_FRAME_HEADER_BYTES,
  WAL_FRAME_HEADER_CHECKSUM,
  WAL_FRAME_PAYLOAD_BYTES,
  WAL_FRAME_SEQUENCE,
  WAL_FRAME_TYPE,
  WAL_FRAME_UNSYNCED,
  WAL_PAYLOAD_BYTES_MAX,
  WAL_VERSION_1,
} from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';

const TWO_32 = 0x100000000;

/** What the header of a frame says. */
export interface WalFrameHeader {
  readonly payloadBytes: number;
  /** Of the payload; in version 1 of the whole frame. */
  readonly checksum: number;
  readonly sequence: number;
  readonly unsynced: number;
  readonly type: number;
  /** 0 in version 1, which does not tell. */
  readonly collectionId: number;
}

/** How the frames of one format version are read. */
export interface WalFrameFormat {
  readonly headerBytes: number;
  /** Whether headers have a checksum of their own: then one that decode() returned is sound, whatever its payload is. */
  readonly hasSoundHeaders: boolean;
  /**
   * The frame header at `offset` of `bytes`; null when no frame can begin so. `bytesLeft`: bytes of the file from there
   * on. Sequences and payloads are not compared.
   */
  decode(bytes: Uint8Array, offset: number, bytesLeft: number, salt: number, crc32c: Crc32c): WalFrameHeader | null;
  /** What the header at `offset` of `bytes`, its payload behind it, should have as its checksum. */
  checksum(bytes: Uint8Array, offset: number, payloadBytes: number, salt: number, crc32c: Crc32c): number;
}

/** What all versions have in common. */
function decodeFields(
  bytes: Uint8Array,
  offset: number,
  bytesLeft: number,
  headerBytes: number,
): WalFrameHeader | null {
  const type = bytes[offset + WAL_FRAME_TYPE];
  if (type === 0 || bytes[offset + 21] !== 0 || bytes[offset + 22] !== 0 || bytes[offset + 23] !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, headerBytes);
  const payloadBytes = view.getUint32(WAL_FRAME_PAYLOAD_BYTES, true);
  if (payloadBytes > WAL_PAYLOAD_BYTES_MAX || headerBytes + payloadBytes > bytesLeft) return null;
  const high = view.getUint32(WAL_FRAME_SEQUENCE + 4, true);
  const sequence = view.getUint32(WAL_FRAME_SEQUENCE, true) + high * TWO_32;
  const unsynced = view.getUint32(WAL_FRAME_UNSYNCED, true);
  if (sequence === 0 || sequence > Number.MAX_SAFE_INTEGER || unsynced === 0 || unsynced > sequence) return null;
  const checksum = view.getUint32(WAL_FRAME_CHECKSUM, true);
  const collectionId = headerBytes > WAL_FRAME_COLLECTION ? view.getUint32(WAL_FRAME_COLLECTION, true) : 0;
  return { payloadBytes, checksum, sequence, unsynced, type, collectionId };
}

const FORMAT_1: WalFrameFormat = {
  headerBytes: WAL_FRAME_1_HEADER_BYTES,
  hasSoundHeaders: false,
  decode(bytes, offset, bytesLeft) {
    return decodeFields(bytes, offset, bytesLeft, WAL_FRAME_1_HEADER_BYTES);
  },
  checksum(bytes, offset, payloadBytes, salt, crc32c) {
    const end = offset + WAL_FRAME_1_HEADER_BYTES + payloadBytes;
    const crc = crc32c(salt, bytes, offset + WAL_FRAME_SEQUENCE, end);
    return crc32c(crc, bytes, offset + WAL_FRAME_PAYLOAD_BYTES, offset + WAL_FRAME_PAYLOAD_BYTES + 4);
  },
};

const FORMAT_2: WalFrameFormat = {
  headerBytes: WAL_FRAME_HEADER_BYTES,
  hasSoundHeaders: true,
  decode(bytes, offset, bytesLeft, salt, crc32c) {
    const header = decodeFields(bytes, offset, bytesLeft, WAL_FRAME_HEADER_BYTES);
    if (header === null) return null;
    const checksumAt = offset + WAL_FRAME_HEADER_CHECKSUM;
    const computed = crc32c(salt, bytes, offset, checksumAt);
    return computed === readU32(bytes, checksumAt) ? header : null;
  },
  checksum(bytes, offset, payloadBytes, salt, crc32c) {
    const start = offset + WAL_FRAME_HEADER_BYTES;
    return crc32c(salt, bytes, start, start + payloadBytes);
  },
};

/** How frames are read in a file whose header has `version`, one that decodeWalHeader() takes. */
export const frameFormatOf = (version: number): WalFrameFormat => (version === WAL_VERSION_1 ? FORMAT_1 : FORMAT_2);

const readU32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;

/** The header under way, once for all: a frame then costs one allocation (bench/storage/wal.bench.ts). */
const headerWords = new Uint32Array(WAL_FRAME_HEADER_BYTES >> 2);
const headerBytes = new Uint8Array(headerWords.buffer);

/** The header of a frame with the payload `parts`, checksums included. Stores words, so the host must be little-endian. */
export function encodeFrameHeader(
  frame: Omit<WalFrameHeader, 'checksum'>,
  parts: readonly Uint8Array[],
  salt: number,
  crc32c: Crc32c,
): Uint8Array {
  let payloadChecksum = salt;
  for (const part of parts) payloadChecksum = crc32c(payloadChecksum, part, 0, part.length);
  const { sequence } = frame;
  headerWords[WAL_FRAME_PAYLOAD_BYTES >> 2] = frame.payloadBytes;
  headerWords[WAL_FRAME_CHECKSUM >> 2] = payloadChecksum;
  headerWords[WAL_FRAME_SEQUENCE >> 2] = sequence % TWO_32;
  headerWords[(WAL_FRAME_SEQUENCE + 4) >> 2] = Math.floor(sequence / TWO_32);
  headerWords[WAL_FRAME_UNSYNCED >> 2] = frame.unsynced;
  headerWords[WAL_FRAME_TYPE >> 2] = frame.type;
  headerWords[WAL_FRAME_COLLECTION >> 2] = frame.collectionId;
  headerWords[WAL_FRAME_HEADER_CHECKSUM >> 2] = crc32c(salt, headerBytes, 0, WAL_FRAME_HEADER_CHECKSUM);
  return headerBytes.slice();
}
