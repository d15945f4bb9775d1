/**
 * Begins a new file of the log, so that a snapshot can take the place of those before it. Used by snapshotter.ts between two commits.
 */
import { EngineError } from '../../core/errors.js';
import type { WriteAheadLog } from '../../storage/log/wal.js';

/** Makes all of `wal` durable and begins its next file, if this one has `leastBytes` bytes. Errors: disk_full, io_error. */
export async function rotateLog(wal: WriteAheadLog, leastBytes = 0): Promise<void> {
  while (!wal.isSettled) await wal.sync();
  if (wal.fileBytes < leastBytes) {
    if (!wal.isSynced) await wal.sync();
    return;
  }
  try {
    wal.rotate();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // A log that had failed before goes on in a fresh file, if the disk lets it.
    do await wal.sync();
    while (!wal.isSettled);
    wal.rotate();
  }
}
