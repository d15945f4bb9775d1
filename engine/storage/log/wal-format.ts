/**
 * Encodes and checks the names and headers of write-ahead log files; layout/wal.ts draws them. Frames: wal-frame.ts.
 */
import {
  WAL_HEADER_BYTES,
  WAL_HEADER_CHECKSUM,
  WAL_HEADER_FILE_NUMBER,
  WAL_HEADER_FIRST_SEQUENCE,
  WAL_HEADER_SALT,
  WAL_HEADER_VERSION,
  WAL_MAGIC_HI,
  WAL_MAGIC_LO,
  WAL_VERSION,
  WAL_VERSION_1,
} from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';
import { damaged, hex, unknownVersion } from '../files/damage.js';

const FILE_NAME = /^wal-(\d{6,})\.log$/;
const TWO_32 = 0x100000000;

/** What the header of a file says. */
export interface WalFileHeader {
  /** Of its format: WAL_VERSION_1 to WAL_VERSION. */
  readonly version: number;
  readonly fileNumber: number;
  readonly firstSequence: number;
  readonly salt: number;
}

/** wal-000001.log */
export const walFileName = (fileNumber: number): string => `wal-${String(fileNumber).padStart(6, '0')}.log`;

/** The number in a file's name, or null when it is no log file. */
export function walFileNumber(name: string): number | null {
  const match = FILE_NAME.exec(name);
  const fileNumber = match === null ? Number.NaN : Number(match[1]);
  return walFileName(fileNumber) === name ? fileNumber : null;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function setU64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % TWO_32, true);
  view.setUint32(offset + 4, Math.floor(value / TWO_32), true);
}

const getU64 = (view: DataView, offset: number): number =>
  view.getUint32(offset, true) + view.getUint32(offset + 4, true) * TWO_32;

/** The WAL_HEADER_BYTES bytes that open a file. */
export function encodeWalHeader(header: WalFileHeader, crc32c: Crc32c): Uint8Array {
  const bytes = new Uint8Array(WAL_HEADER_BYTES);
  const view = viewOf(bytes);
  view.setUint32(0, WAL_MAGIC_LO, true);
  view.setUint32(4, WAL_MAGIC_HI, true);
  view.setUint32(WAL_HEADER_VERSION, header.version, true);
  view.setUint32(WAL_HEADER_FILE_NUMBER, header.fileNumber, true);
  setU64(view, WAL_HEADER_FIRST_SEQUENCE, header.firstSequence);
  view.setUint32(WAL_HEADER_SALT, header.salt, true);
  view.setUint32(WAL_HEADER_CHECKSUM, crc32c(0, bytes, 0, WAL_HEADER_CHECKSUM), true);
  return bytes;
}

/** Reads a file's header. Errors: corrupt_data for a foreign, newer, misplaced or damaged one. */
export function decodeWalHeader(bytes: Uint8Array, fileNumber: number, path: string, crc32c: Crc32c): WalFileHeader {
  const view = viewOf(bytes);
  if (view.getUint32(0, true) !== WAL_MAGIC_LO || view.getUint32(4, true) !== WAL_MAGIC_HI) {
    const got = Buffer.from(bytes.subarray(0, 8)).toString('hex');
    throw damaged(path, 'no write-ahead log', 0, '"SABREWAL"', `bytes ${got}`);
  }
  const version = view.getUint32(WAL_HEADER_VERSION, true);
  if (version < WAL_VERSION_1 || version > WAL_VERSION)
    throw unknownVersion(path, WAL_HEADER_VERSION, WAL_VERSION, version);
  const stored = view.getUint32(WAL_HEADER_CHECKSUM, true);
  const computed = crc32c(0, bytes, 0, WAL_HEADER_CHECKSUM);
  if (stored !== computed) {
    throw damaged(path, 'damaged header, checksum', WAL_HEADER_CHECKSUM, hex(stored), hex(computed));
  }
  const storedNumber = view.getUint32(WAL_HEADER_FILE_NUMBER, true);
  if (storedNumber !== fileNumber) {
    throw damaged(path, 'misplaced file, number', WAL_HEADER_FILE_NUMBER, `${fileNumber}`, `${storedNumber}`);
  }
  const firstSequence = getU64(view, WAL_HEADER_FIRST_SEQUENCE);
  return { version, fileNumber, firstSequence, salt: view.getUint32(WAL_HEADER_SALT, true) };
}
