/**
 * Creates one file of the write-ahead log. Used when a log is opened, rotated or continued after a failed sync.
 */
import { randomInt } from 'node:crypto';
import { WAL_VERSION } from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';
import type { Directory, StorageFile } from '../files/directory.js';
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
 * Creates file `fileNumber`, whose first frame will have sequence `firstSequence`, after `fill` wrote frames to it: all
 * durable, with its name, on return. The name appears when the rest is done, as a header voids frames of earlier files.
 * Leaves nothing behind when it fails. Errors: disk_full, io_error, what `fill` throws.
 */
export function createWalFile(
  directory: Directory,
  crc32c: Crc32c,
  fileNumber: number,
  firstSequence: number,
  fill: (fresh: WalFile) => void = () => {},
): WalFile {
  const header = { version: WAL_VERSION, fileNumber, firstSequence, salt: randomInt(2 ** 32) };
  const name = walFileName(fileNumber);
  const temporaryName = `${name}.tmp`;
  writeFile(directory, temporaryName, (file) => {
    file.write([encodeWalHeader(header, crc32c)], 0);
    fill({ file, header });
  });
  try {
    directory.rename(temporaryName, name);
    directory.sync();
    return { file: directory.open(name, 'write'), header };
  } catch (error) {
    discard(directory, temporaryName);
    discard(directory, name);
    throw error;
  }
}

/** A file with what `write` puts there, synced and closed; none when that fails. */
function writeFile(directory: Directory, name: string, write: (file: StorageFile) => void): void {
  const file = directory.open(name, 'create');
  try {
    try {
      write(file);
      file.syncNow();
    } finally {
      file.close();
    }
  } catch (error) {
    discard(directory, name);
    throw error;
  }
}

function discard(directory: Directory, name: string): void {
  try {
    directory.remove(name);
  } catch {
    // It is not there, or does no harm: the next file takes its name. The error that led here is the one to report.
  }
}
