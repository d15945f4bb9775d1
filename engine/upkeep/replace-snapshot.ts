/**
 * Puts a snapshot that came from elsewhere in the place of what a data directory holds. Called by install-snapshot.ts, which
 * has checked every byte; nothing is read here.
 *
 * Files of both may have the same names, so the old ones have to go before the new ones come. In between, a blank manifest
 * of the stream says that the directory has nothing, and that whatever files there are may be removed:
 *
 *   1. the blank manifest replaces the old one, atomically   before: the old state, whole; after: a blank directory
 *   2. the old files go, the new ones come, all are synced   a blank directory with files that the next start removes
 *   3. the new manifest replaces the blank one, atomically   before: blank; after: the new state, whole
 *
 * A node whose directory is blank starts from the store again.
 */
import { crc32c } from '../storage/files/crc32c.js';
import { isSnapshotFile } from '../storage/files/data-files.js';
import type { Directory } from '../storage/files/directory.js';
import { switchManifest, writeManifestTemporary } from '../storage/files/manifest-file.js';
import { blankStreamManifest } from '../storage/files/stream-manifest.js';
import type { Manifest } from '../storage/types/manifest.js';

/** The new files: durable, each under a name of the new manifest. */
export interface IncomingFiles {
  readonly names: readonly string[];
  /** Moves one into the directory, under its name. */
  move(name: string): void;
}

/**
 * Makes `manifest`, of the stream `streamId`, and the files `incoming` the state of `directory`, of which the caller holds the
 * lock. After an error either state is there, or a blank one. Errors: disk_full, io_error.
 */
export function replaceSnapshot(
  directory: Directory,
  incoming: IncomingFiles,
  manifest: Manifest,
  streamId: string,
): void {
  writeManifestTemporary(directory, blankStreamManifest(streamId), crc32c);
  switchManifest(directory);
  for (const name of directory.list()) if (isSnapshotFile(name)) directory.remove(name);
  for (const name of incoming.names) incoming.move(name);
  directory.sync();
  writeManifestTemporary(directory, manifest, crc32c);
  switchManifest(directory);
}
