/**
 * Makes the data directory of a cluster's node from the files of another node's snapshot, which lie in a folder of their own
 * inside of it. Called before the engine is opened, by whoever fetched them.
 *
 * Nothing of the directory is touched before every byte of the new files was compared with its checksums; what a crash leaves
 * is said in replace-snapshot.ts.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../core/errors.js';
import type { ReplicaPosition } from '../replication.js';
import { snapshotFilesOf } from '../storage/files/data-files.js';
import type { Directory } from '../storage/files/directory.js';
import { openDirectory } from '../storage/files/node-directory.js';
import { storageError } from '../storage/files/storage-error.js';
import type { Manifest } from '../storage/types/manifest.js';
import { holdSnapshot } from './held-directory.js';
import { replaceSnapshot } from './replace-snapshot.js';
import { readReplicaManifest } from './replica-position.js';
import { soundManifest } from './sound-snapshot.js';
import { refusal, withTarget } from './target-directory.js';
import { verifyDirectory } from './verify-directory.js';
import type { VerifyProblem } from './verify-problem.js';

/** Name of the folder inside of a data directory in which files are gathered before they are installed. */
const INCOMING_FOLDER = 'incoming';

/** The folder for the files to be installed into `dataDir`: on the same disk, so that they can be moved. Created when missing. */
export function incomingFolder(dataDir: string): string {
  const path = join(dataDir, INCOMING_FOLDER);
  attempt('create', path, () => fs.mkdirSync(path, { recursive: true, mode: 0o750 }));
  return path;
}

/** Removes that folder with whatever is in it. Errors: io_error. */
export function removeIncoming(dataDir: string): void {
  const path = join(dataDir, INCOMING_FOLDER);
  attempt('remove', path, () => fs.rmSync(path, { recursive: true, force: true }));
}

const always = async (): Promise<boolean> => true;

/**
 * Makes the snapshot in the incoming folder of `dataDir`, files and manifest, the state of `dataDir`, and removes the folder.
 * Returns where it stands; null, and nothing is changed, if it is found to be sound and then `isWanted` denies that it is. Errors: corrupt_data when it is not whole, naming the first file; io_error, also when a server runs
 * on the directory or it is a single node's; disk_full.
 */
export async function installSnapshot(dataDir: string, isWanted = always): Promise<ReplicaPosition | null> {
  const incoming = incomingFolder(dataDir);
  await refuseDamage(incoming);
  const manifest = await syncIncoming(incoming);
  const { stream, sequence } = manifest;
  if (stream === undefined) throw refusal(incoming, "the snapshot of a cluster's node", "a single node's");
  if (!(await isWanted())) return null;
  await withTarget(dataDir, refuseOthers, async (directory) => {
    const move = (name: string): void => {
      attempt('move', join(incoming, name), () => fs.renameSync(join(incoming, name), join(dataDir, name)));
    };
    // Another life begins: later files of both directories may have the same names.
    const own = { ...manifest, directoryId: randomBytes(16).toString('hex') };
    replaceSnapshot(directory, { names: snapshotFilesOf(manifest), move }, own, stream.id);
    removeIncoming(dataDir);
  });
  return { streamId: stream.id, sequence, replayFrom: stream.from };
}

/** An old snapshot may be damaged in any way: it goes. What is a single node's stays. */
function refuseOthers(directory: Directory): void {
  try {
    readReplicaManifest(directory);
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'corrupt_data')) throw error;
  }
}

async function refuseDamage(incoming: string): Promise<void> {
  const damages: VerifyProblem[] = [];
  const onProblem = (problem: VerifyProblem): void => {
    if (problem.kind === 'damage') damages.push(problem);
  };
  await verifyDirectory(incoming, { onProblem });
  const [first] = damages;
  if (first !== undefined)
    throw new EngineError('corrupt_data', `the snapshot that came in is damaged: ${first.message}`);
}

/** Makes the files durable; returns the manifest. */
async function syncIncoming(incoming: string): Promise<Manifest> {
  const held = holdSnapshot(incoming);
  try {
    const manifest = soundManifest(held);
    const directory = openDirectory(incoming);
    for (const name of snapshotFilesOf(manifest)) {
      const file = directory.open(name, 'write');
      try {
        await file.sync();
      } finally {
        file.close();
      }
    }
    directory.sync();
    return manifest;
  } finally {
    held.directory.close();
  }
}

function attempt(operation: string, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw storageError(error, operation, path);
  }
}
