/**
 * Brings the collections back at the start of an engine that follows a replicated log: opens its last snapshot, and says where
 * the log goes on. There is no log of its own to replay.
 *
 * Called once, on the writer thread, in the place of recover().
 */
import { assertPresent } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import { crc32c } from '../../storage/files/crc32c.js';
import { MANIFEST_FILE, MANIFEST_TEMPORARY_FILE } from '../../storage/files/data-files.js';
import type { Directory } from '../../storage/files/directory.js';
import { readManifest, switchManifest, writeManifestTemporary } from '../../storage/files/manifest-file.js';
import { blankStreamManifest } from '../../storage/files/stream-manifest.js';
import { StreamWal } from '../../storage/log/stream-wal.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import { refuseStrayFiles } from './blank-directory.js';
import { type OpenOptions, openSnapshot } from './open-snapshot.js';
import { type Recovered, removeUnnamed } from './recovery.js';

/** What is recovered of an engine that follows a replicated log. */
export interface OpenedReplica extends Recovered {
  readonly wal: StreamWal;
}

/**
 * Recovers the snapshot of `directory` into `collections`; an empty directory becomes one of the log `streamId`. Errors:
 * corrupt_data; io_error, also for a directory that is not of this log.
 */
export function openReplica(
  directory: Directory,
  collections: CollectionSet,
  memory: SegmentMemory,
  options: OpenOptions,
  streamId: string,
): OpenedReplica {
  const found = readManifest(directory, crc32c);
  if (found === null) {
    // A manifest that was never put in force is of a first start that ended with it: nothing was written yet.
    refuseStrayFiles(directory, MANIFEST_TEMPORARY_FILE);
    const manifest = blankStreamManifest(streamId);
    writeManifestTemporary(directory, manifest, crc32c);
    switchManifest(directory);
    return { wal: new StreamWal(0, assertPresent(manifest.stream ?? null, 'a stream')), manifest, verifiedBytes: 0 };
  }
  const { stream, sequence } = found;
  if (stream?.id !== streamId) {
    const got = stream === undefined ? 'one that has a log of its own' : `one of the log ${stream.id}`;
    throw new EngineError(
      'io_error',
      `${directory.path}/${MANIFEST_FILE}: expected a data directory of the replicated log ${streamId}, got ${got}`,
    );
  }
  const openedBytes = openSnapshot(found, directory, collections, memory, options);
  collections.stage();
  collections.publish(0);
  removeUnnamed(directory, found, options.logger);
  return {
    wal: new StreamWal(sequence, stream),
    manifest: found,
    verifiedBytes: options.verify ? openedBytes : 0,
  };
}
