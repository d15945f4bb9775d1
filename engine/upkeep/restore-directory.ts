/**
 * Makes a data directory from a backup. Called by `sabre restore`. The manifest is written first, and gets its name last: a server refuses to
 * start on a restore that was interrupted.
 */
import { randomBytes } from 'node:crypto';
import { EngineError } from '../core/errors.js';
import { crc32c } from '../storage/files/crc32c.js';
import { MANIFEST_TEMPORARY_FILE } from '../storage/files/data-files.js';
import type { Directory } from '../storage/files/directory.js';
import { switchManifest, writeManifestTemporary } from '../storage/files/manifest-file.js';
import { withoutStream } from '../storage/files/stream-manifest.js';
import { walFileNumber } from '../storage/log/wal-format.js';
import type { Manifest } from '../storage/types/manifest.js';
import { copySnapshotFile, listSnapshotFiles, tryRemove } from './copy-snapshot.js';
import { type HeldSnapshot, holdSnapshot } from './held-directory.js';
import { namesIn, refusal, refuseOverlap, withTarget } from './target-directory.js';
import { verifyDirectory } from './verify-directory.js';
import type { VerifyProblem } from './verify-problem.js';

export interface RestoreReport {
  readonly snapshot: number;
  /** When the snapshot was written, Unix time in milliseconds. */
  readonly writtenAt: number;
  /** That of the new data directory. */
  readonly directoryId: string;
  readonly collections: number;
  /** Copied, the manifest excluded. */
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies the backup in the folder `source` into the folder `destination`, which must be new or empty, after every byte of
 * it was checked. Errors: corrupt_data when the backup is damaged; disk_full; io_error, also for a source that is no
 * backup and a destination that is not empty. What was copied is removed after an error.
 */
export async function restoreDirectory(source: string, destination: string): Promise<RestoreReport> {
  await refuseDamage(source);
  const held = holdSnapshot(source);
  try {
    const manifest = manifestToRestore(held);
    refuseOverlap(source, destination);
    return await withTarget(destination, refuseFiles, (target) => restore(held.directory, target, manifest));
  } finally {
    held.directory.close();
  }
}

async function refuseDamage(source: string): Promise<void> {
  const damages: VerifyProblem[] = [];
  const onProblem = (problem: VerifyProblem): void => {
    if (problem.kind === 'damage') damages.push(problem);
  };
  await verifyDirectory(source, { onProblem });
  const [first] = damages;
  if (first === undefined) return;
  const more = damages.length === 1 ? '' : `, and ${damages.length - 1} more`;
  throw new EngineError('corrupt_data', `the backup is damaged: ${first.message}${more}`);
}

function manifestToRestore({ directory, manifest }: HeldSnapshot): Manifest {
  const log = directory.list().find((name) => walFileNumber(name) !== null);
  if (log !== undefined || manifest === null || manifest.walFile !== 0) {
    throw refusal(directory.path, 'a backup', `a data directory with ${log ?? 'a log'}, which would be left out`);
  }
  // Another life begins: its later files and those of the source's server may have the same names.
  return { ...withoutStream(manifest), directoryId: randomBytes(16).toString('hex') };
}

function refuseFiles(target: Directory): void {
  const [found] = namesIn(target);
  if (found !== undefined) throw refusal(target.path, 'a new or empty folder', `one with ${found}`);
}

async function restore(source: Directory, target: Directory, manifest: Manifest): Promise<RestoreReport> {
  const files = listSnapshotFiles(manifest);
  const created: string[] = [MANIFEST_TEMPORARY_FILE];
  let bytes = 0;
  try {
    writeManifestTemporary(target, manifest, crc32c);
    target.sync();
    for (const file of files) {
      created.push(file.name);
      bytes += await copySnapshotFile(source, target, file);
    }
    target.sync();
  } catch (error) {
    for (const name of created) tryRemove(target, name);
    throw error;
  }
  switchManifest(target);
  const { snapshot, writtenAt, directoryId, collections } = manifest;
  return { snapshot, writtenAt, directoryId, collections: collections.length, files: files.length, bytes };
}
