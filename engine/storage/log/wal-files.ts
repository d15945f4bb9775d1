/**
 * Finds the files of a write-ahead log and reads them in order, changing nothing.
 *
 * Called by open-wal.ts, which stops at the first damage, and by verification, which goes on after each. Never decides
 * what becomes of a torn tail: it says where the sound frames end.
 */
import { WAL_HEADER_BYTES } from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';
import { DamageError, damaged, hex } from '../files/damage.js';
import type { Directory, StorageFile } from '../files/directory.js';
import type { DamagedRecord } from './wal.js';
import { decodeWalHeader, type WalFileHeader, walFileName, walFileNumber } from './wal-format.js';
import { type BadPayload, type WalFrame, WalReader } from './wal-reader.js';

const BLANK_CHECK_BYTES = 65536;

/** Hears of each damage. What it throws ends the reading. */
export type ReportDamage = (damage: DamageError) => void;

export interface FoundWalFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly header: WalFileHeader;
}

export interface FoundWal {
  /** In order, those whose header is sound. */
  readonly files: readonly FoundWalFile[];
  /** A last file that was being created when the process ended: it cannot hold a record. */
  readonly unborn: { readonly name: string; readonly path: string; readonly size: number } | null;
}

/** Where the sound frames of a file end. */
export interface WalFileEnd {
  /** Of the last sound frame; one less than the file's first when it has none. */
  readonly sequence: number;
  readonly position: number;
}

/** Names the log files in `directory` and reads their headers. `expectedFile`: one that must exist; 0: none. */
export function findWalFiles(
  directory: Directory,
  crc32c: Crc32c,
  expectedFile: number,
  report: ReportDamage,
): FoundWal {
  const numbers: number[] = [];
  for (const name of directory.list()) {
    const fileNumber = walFileNumber(name);
    if (fileNumber !== null) numbers.push(fileNumber);
  }
  numbers.sort((a, b) => a - b);
  if (expectedFile !== 0 && !numbers.includes(expectedFile)) {
    report(damaged(`${directory.path}/${walFileName(expectedFile)}`, 'damaged', 0, 'a log file', 'none'));
  }
  const files: FoundWalFile[] = [];
  let unborn: FoundWal['unborn'] = null;
  for (const fileNumber of numbers) {
    const name = walFileName(fileNumber);
    const path = `${directory.path}/${name}`;
    const file = directory.open(name, 'read');
    try {
      const size = file.size();
      const isUnborn = fileNumber === numbers.at(-1) && (size < WAL_HEADER_BYTES || isBlank(file, size));
      if (!isUnborn) files.push({ name, path, size, header: readHeader(file, fileNumber, path, size, crc32c) });
      else if (fileNumber !== expectedFile) unborn = { name, path, size };
      else report(damaged(path, 'damaged', 0, 'a header', `${size} blank or too few bytes`));
    } catch (error) {
      if (!(error instanceof DamageError)) throw error;
      report(error);
    } finally {
      file.close();
    }
  }
  return { files, unborn };
}

function readHeader(file: StorageFile, fileNumber: number, path: string, size: number, crc32c: Crc32c): WalFileHeader {
  const bytes = new Uint8Array(WAL_HEADER_BYTES);
  if (file.read(bytes, 0) < WAL_HEADER_BYTES) {
    throw damaged(path, 'damaged', 0, `${WAL_HEADER_BYTES} bytes of header`, `${size}`);
  }
  return decodeWalHeader(bytes, fileNumber, path, crc32c);
}

/**
 * Checks that nothing from record `wanted` on is missing: the files follow each other from the one that holds the first
 * such record.
 */
export function checkWalOrder(files: readonly FoundWalFile[], wanted: number, report: ReportDamage): void {
  const start = files.findLastIndex(({ header }) => header.firstSequence <= wanted);
  if (start < 0 && files.length > 0) {
    const { path, header } = files[0];
    report(damaged(path, 'damaged', 0, `a log from sequence ${wanted} on`, `one from ${header.firstSequence} on`));
  }
  for (let index = Math.max(start, 0) + 1; index < files.length; index++) {
    const before = files[index - 1].header;
    const { header, path } = files[index];
    if (header.fileNumber !== before.fileNumber + 1) {
      report(damaged(path, 'damaged', 0, `file ${walFileName(before.fileNumber + 1)} before it`, 'none'));
    }
    if (header.firstSequence < before.firstSequence) {
      const expected = `a first sequence of at least ${before.firstSequence}`;
      report(damaged(path, 'damaged', 0, expected, `${header.firstSequence}`));
    }
  }
}

/** Who hears what a file holds. What any of them throws ends the reading. */
export interface WalListener {
  /** Hears of each sound frame, and where it begins. */
  readonly apply: (frame: WalFrame, offset: number) => void;
  /** Hears, in its place, of each record that was synced and of which no more than the frame's header is sound. */
  readonly damaged: (record: DamagedRecord) => void;
  /** Hears of damage that no record can be told for, behind which nothing can be read. */
  readonly report: ReportDamage;
}

/**
 * Reads the frames of one file, up to sequence `end` (exclusive; what follows was rolled back), or to its last sound frame
 * when it is the last file (null). Bytes after that which no crash can have left are damage. Errors: io_error.
 */
export function readWalFile(
  directory: Directory,
  found: FoundWalFile,
  end: number | null,
  crc32c: Crc32c,
  { apply, damaged: hearDamaged, report }: WalListener,
): WalFileEnd {
  const file = directory.open(found.name, 'read');
  try {
    const reader = new WalReader(file, found.header, crc32c, found.size);
    let expected = found.header.firstSequence;
    while (end === null || expected < end) {
      const { position } = reader;
      const frame = reader.next();
      const bad = frame === null ? reader.badPayload() : null;
      if (frame === null && bad === null) break;
      // What a crash tore. In other files than the last, everything was synced before the next one was begun.
      if (bad !== null && end === null && !reader.provesSynced(expected, bad))
        return { sequence: expected - 1, position };
      const sequence = frame?.sequence ?? bad?.sequence;
      if (sequence !== expected) {
        report(damaged(found.path, 'damaged', position, `sequence ${expected}`, `sequence ${sequence}`));
        return { sequence: expected - 1, position };
      }
      if (frame !== null) apply(frame, position);
      if (bad !== null) {
        hearDamaged(damagedRecord(bad, found.path, position));
        reader.passOver(bad);
      }
      expected++;
    }
    checkEnd(reader, found.path, expected, end, report);
    return { sequence: expected - 1, position: reader.position };
  } finally {
    file.close();
  }
}

function damagedRecord(
  { sequence, type, collectionId, ...bad }: BadPayload,
  path: string,
  offset: number,
): DamagedRecord {
  const what = `damaged payload of record ${sequence}, of collection ${collectionId}, checksum`;
  const error = damaged(path, what, offset, hex(bad.checksum), hex(bad.computed));
  return { sequence, type, collectionId, error };
}

function checkEnd(reader: WalReader, path: string, expected: number, end: number | null, report: ReportDamage): void {
  const { position, size } = reader;
  const got = position === size ? 'the end of the file' : 'damaged bytes';
  if (end !== null && expected < end) {
    const missing = `a frame with sequence ${expected} of ${end - 1} in this file`;
    report(damaged(path, 'damaged', position, missing, got));
  }
  if (end === null && position < size && reader.provesSynced(expected, null)) {
    const later = `${got}, with later frames behind them`;
    report(damaged(path, 'damaged', position, `a frame with sequence ${expected}`, later));
  }
}

/** Whether a file holds nothing but zeros, as some file systems leave one whose bytes never reached the disk. */
function isBlank(file: StorageFile, size: number): boolean {
  const bytes = new Uint8Array(BLANK_CHECK_BYTES);
  for (let position = 0; position < size; position += bytes.length) {
    const got = file.read(bytes, position);
    if (bytes.subarray(0, got).some((byte) => byte !== 0)) return false;
  }
  return true;
}
