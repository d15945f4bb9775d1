/**
 * Takes refused frames at the end of a log file back, by the ways that need least of a disk which has just failed.
 *
 * Used by file-wal.ts when no fresh file can be created, whose header would void them too. What is voided by either way
 * must not be written behind: the file holds no proof of where the void ends.
 */
import { EngineError } from '../../core/errors.js';
import { WAL_FRAME_HEADER_BYTES } from '../../layout/wal.js';
import type { StorageFile } from '../files/directory.js';

/** No frame begins with these: its type is not 0. */
const NO_FRAME = new Uint8Array(WAL_FRAME_HEADER_BYTES);

/** After a sync that failed, the next says nothing of what that covered, but all of what is changed in between. */
const WAYS: readonly ((file: StorageFile, position: number) => void)[] = [
  (file, position) => file.truncate(position),
  // Takes no space where bytes are, and is a change of its own when the truncation may be lost.
  (file, position) => file.write([NO_FRAME], position),
];

/**
 * Makes sure that no frame at or behind `position` is ever read again, durably: without the first, those behind it are no
 * more than a torn tail. False: the disk lets neither way be done. Never throws for what a disk does.
 */
export function voidTail(file: StorageFile, position: number): boolean {
  return WAYS.some((change) => {
    try {
      change(file, position);
      file.syncNow();
      return true;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return false;
    }
  });
}
