/**
 * Creates one file of the write-ahead log. Used when a log is opened, rotated or continued after a failed sync.
 */
import { randomInt } from 'node:crypto';
import type { Crc32c } from './crc32c.js';
import type { Directory, StorageFile } from './directory.js';
import { encodeWalHeader, type WalFileHeader, walFileName } from './wal-format.js';

/** A file being written. */
export interface WalFile {
  readonly file: StorageFile;
  readonly header: WalFileHeader;
}

/** A file that is only kept. */
export interface OlderWalFile {
  readonly fileNumber: number;
  readonly firstSequence: number;
  readonly bytes: number;
}

/**
 * Creates file `fileNumber`, whose first frame will have sequence `firstSequence`: durable with its name on return.
 * Leaves nothing behind when it fails. Errors: disk_full, io_error.
 */
export function createWalFile(
  directory: Directory,
  crc32c: Crc32c,
  fileNumber: number,
  firstSequence: number,
): WalFile {
  const header = { fileNumber, firstSequence, salt: randomInt(2 ** 32) };
  const name = walFileName(fileNumber);
  const file = directory.open(name, 'create');
  try {
    file.write([encodeWalHeader(header, crc32c)], 0);
    file.syncNow();
    directory.sync();
    return { file, header };
  } catch (error) {
    discardWalFile(directory, file);
    throw error;
  }
}

/** Closes and removes a file that holds nothing; what fails is left to the next start, which removes empty files. */
export function discardWalFile(directory: Directory, file: StorageFile): void {
  try {
    file.truncate(0);
    file.close();
    directory.remove(file.name);
  } catch {
    // The error that led here is the one to report.
  }
}
