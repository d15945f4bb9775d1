/**
 * A data directory without a manifest: what its first start makes, and what it refuses.
 */
import { randomBytes } from 'node:crypto';
import { EngineError } from '../../core/errors.js';
import { crc32c } from '../../storage/files/crc32c.js';
import { isSnapshotFile, MANIFEST_FILE } from '../../storage/files/data-files.js';
import type { Directory } from '../../storage/files/directory.js';
import { switchManifest, writeManifestTemporary } from '../../storage/files/manifest-file.js';
import { walFileNumber } from '../../storage/log/wal-format.js';
import type { Manifest } from '../../storage/types/manifest.js';

/**
 * Refuses files of snapshots without a manifest, but for the one named `harmless`: which of them count is unknown, and an empty start
 * would remove them.
 */
export function refuseStrayFiles(directory: Directory, harmless = ''): void {
  const names = directory.list();
  const stray = names.find((name) => isSnapshotFile(name) && name !== harmless);
  // A log that begins with the first record has everything: they are left over from a first snapshot that did not end.
  if (stray === undefined || names.some((name) => walFileNumber(name) === 1)) return;
  const message = `${directory.path}/${MANIFEST_FILE}: expected a manifest beside ${stray}, got none`;
  throw new EngineError('corrupt_data', message);
}

/** The manifest of a directory that has no snapshot yet. From now on a missing one, or a missing log, is damage. */
export function createManifest(directory: Directory, walFile: number): Manifest {
  const manifest: Manifest = {
    snapshot: 0,
    directoryId: randomBytes(16).toString('hex'),
    sequence: 0,
    nextSegmentId: 1,
    nextCollectionId: 1,
    walFile,
    writtenAt: Date.now(),
    collections: [],
  };
  writeManifestTemporary(directory, manifest, crc32c);
  switchManifest(directory);
  return manifest;
}
