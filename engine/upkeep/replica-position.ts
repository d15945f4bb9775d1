/**
 * Where a data directory stands in the stream that orders its writes. Asked before the engine is opened, so that whoever
 * opens it knows from where on the stream is needed, or that a snapshot has to be fetched first.
 */
import fs from 'node:fs';
import { EngineError } from '../core/errors.js';
import type { ReplicaPosition } from '../replication.js';
import { crc32c } from '../storage/files/crc32c.js';
import { isSnapshotFile, MANIFEST_FILE, MANIFEST_TEMPORARY_FILE } from '../storage/files/data-files.js';
import type { Directory } from '../storage/files/directory.js';
import { readManifest } from '../storage/files/manifest-file.js';
import { openExistingDirectory } from '../storage/files/node-directory.js';
import { isBlank } from '../storage/files/stream-manifest.js';
import { walFileNumber } from '../storage/log/wal-format.js';
import type { Manifest } from '../storage/types/manifest.js';
import { refusal } from './target-directory.js';

/**
 * The position of the folder at `dataDir`; null when there is no such folder, and when it has nothing of any stream yet.
 * Errors: io_error for the directory of a single node, corrupt_data when it has no sound manifest and yet files of snapshots.
 */
export function readReplicaPosition(dataDir: string): ReplicaPosition | null {
  if (!fs.existsSync(dataDir)) return null;
  const manifest = readReplicaManifest(openExistingDirectory(dataDir));
  if (manifest === null || manifest.stream === undefined || isBlank(manifest)) return null;
  const { stream, sequence } = manifest;
  return { streamId: stream.id, sequence, replayFrom: stream.from };
}

/**
 * Whether the folder at `dataDir` may be that of a node of some stream, be it one that has nothing of it yet. Of one that is damaged,
 * or a single node's, nobody can tell.
 */
export function mayHaveFollowed(dataDir: string): boolean {
  if (!fs.existsSync(dataDir)) return false;
  try {
    return readReplicaManifest(openExistingDirectory(dataDir)) !== null;
  } catch (error) {
    if (error instanceof EngineError) return true;
    throw error;
  }
}

/** The manifest of a node of a cluster; null when it is a new directory. Errors: as readReplicaPosition(). */
export function readReplicaManifest(directory: Directory): Manifest | null {
  const names = directory.list();
  const log = names.find((name) => walFileNumber(name) !== null);
  if (log !== undefined) throw singleNode(directory, `a single node's, with the log ${log}`);
  const manifest = readManifest(directory, crc32c);
  if (manifest !== null && manifest.stream === undefined) throw singleNode(directory, "a single node's snapshot");
  const stray = names.find((name) => isSnapshotFile(name) && name !== MANIFEST_TEMPORARY_FILE);
  if (manifest === null && stray !== undefined) {
    const message = `${directory.path}/${MANIFEST_FILE}: expected a manifest beside ${stray}, got none`;
    throw new EngineError('corrupt_data', message);
  }
  return manifest;
}

function singleNode(directory: Directory, got: string): EngineError {
  const how = 'move it into a new cluster with sabre cluster seed, or give this node a new folder';
  return refusal(directory.path, 'a data directory of a cluster, or an empty folder', `${got}: ${how}`);
}
