/**
 * The files of a data directory's last snapshot, held open to be sent to somebody else while the server goes on: those of a
 * cluster's node for the others, or those of a single node as the first snapshot of a new cluster.
 *
 * Nothing is written here, nothing is sent here, and the bytes of no more than one read are held.
 */
import type { EngineError } from '../core/errors.js';
import { crc32c } from '../storage/files/crc32c.js';
import type { Directory } from '../storage/files/directory.js';
import { lockDirectory } from '../storage/files/directory-lock.js';
import { encodeManifest } from '../storage/files/manifest-file.js';
import { asFirstOf, isBlank } from '../storage/files/stream-manifest.js';
import { findWalFiles, readWalFile } from '../storage/log/wal-files.js';
import type { Manifest } from '../storage/types/manifest.js';
import { contentOf, listSnapshotFiles, type SnapshotFile, verifySnapshotFile } from './copy-snapshot.js';
import { type HeldSnapshot, holdSnapshot } from './held-directory.js';
import { soundManifest } from './sound-snapshot.js';
import { refusal } from './target-directory.js';

/** One file, open. */
export interface HeldSnapshotFile {
  /** In the data directory. Not used for other bytes in the life of that directory. */
  readonly name: string;
  readonly bytes: number;
  /** Its checksums, in words: a folder that was copied or put back may hold other bytes under the same name. */
  readonly content: string;
  /** Fills `target` from `position` on; returns fewer bytes than it holds only at the end. Errors: io_error. */
  read(target: Uint8Array, position: number): number;
  /** Compares all of it with its checksums, in steps between which others run. Errors: corrupt_data, io_error. */
  verify(): Promise<void>;
}

export interface HeldSnapshotFiles {
  readonly directoryId: string;
  /** Counts the snapshots of the directory; 0: it has none yet. */
  readonly snapshot: number;
  readonly streamId: string;
  readonly sequence: number;
  /** See Delivery.replayFrom. */
  readonly replayFrom: number;
  /** Unix time in milliseconds. */
  readonly writtenAt: number;
  /** All but the manifest. */
  readonly files: readonly HeldSnapshotFile[];
  readonly manifestBytes: Uint8Array<ArrayBuffer>;
  /** Closes the files. */
  close(): void;
}

/**
 * Holds the last snapshot of the node's directory at `dataDir`, on which a server may be running. Errors: io_error when it is
 * that of a single node, corrupt_data when the manifest is damaged or a collection refused.
 */
export function holdSnapshotFiles(dataDir: string): HeldSnapshotFiles {
  const held = holdSnapshot(dataDir);
  return closingOnError(held, () => describe(held, soundManifest(held)));
}

/**
 * Holds the last snapshot of the single node's directory at `dataDir` as the first one of the stream `streamId`, and the
 * directory's lock until it is closed. Errors: io_error when a server runs on it, its log has writes that the snapshot has
 * not, a change of a schema is under way, or it is a cluster's already; corrupt_data.
 */
export function holdSeedFiles(dataDir: string, streamId: string): HeldSnapshotFiles {
  const lock = lockDirectory(dataDir);
  try {
    const held = holdSnapshot(dataDir);
    const files = closingOnError(held, () => {
      const manifest = soundManifest(held);
      refuseUnfinished(held.directory, manifest);
      return describe(held, asFirstOf(manifest, streamId));
    });
    const close = (): void => {
      files.close();
      lock.release();
    };
    return { ...files, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function closingOnError<Result>(held: HeldSnapshot, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    held.directory.close();
    throw error;
  }
}

function describe({ directory }: HeldSnapshot, manifest: Manifest): HeldSnapshotFiles {
  const { directoryId, snapshot, stream, sequence, writtenAt } = manifest;
  if (stream === undefined) throw refusal(directory.path, "the data directory of a cluster's node", "a single node's");
  return {
    ...{ directoryId, snapshot, sequence, writtenAt },
    streamId: stream.id,
    replayFrom: stream.from,
    files: listSnapshotFiles(manifest).map((file) => heldFile(directory, file)),
    manifestBytes: new Uint8Array(encodeManifest(manifest, crc32c)),
    close: () => directory.close(),
  };
}

function heldFile(directory: Directory, file: SnapshotFile): HeldSnapshotFile {
  const open = directory.open(file.name, 'read');
  return {
    name: file.name,
    bytes: open.size(),
    content: contentOf(file),
    read: (target, position) => open.read(target, position),
    verify: () => verifySnapshotFile(directory, file),
  };
}

/** What a first snapshot would lose, or each node would go on with by itself. */
function refuseUnfinished(directory: Directory, manifest: Manifest): void {
  if (manifest.stream !== undefined) {
    throw refusal(
      directory.path,
      "a single node's data directory",
      `one of the cluster with the stream ${manifest.stream.id}`,
    );
  }
  if (isBlank(manifest))
    throw refusal(directory.path, 'a snapshot to begin with', 'none: nothing was ever written here');
  const changing = manifest.collections.find(({ change }) => change !== undefined);
  if (changing !== undefined) {
    const got = `a change of the schema of ${changing.schema.name} that is under way: start the server and wait for its end`;
    throw refusal(directory.path, 'collections at rest', got);
  }
  const last = lastLogged(directory, manifest);
  if (last <= manifest.sequence) return;
  const expected = `no writes in the log after the snapshot's last, ${manifest.sequence}`;
  throw refusal(directory.path, expected, `some up to ${last}: start the server, run sabre snapshot, and stop it`);
}

/** Sequence of the last record in the log, damaged ones included; 0: there is none. Errors: corrupt_data when nobody can tell. */
function lastLogged(directory: Directory, manifest: Manifest): number {
  const report = (error: EngineError): never => {
    throw error;
  };
  const ignore = (): void => {};
  const { files } = findWalFiles(directory, crc32c, manifest.walFile, report);
  const found = files.at(-1);
  if (found === undefined) return 0;
  return readWalFile(directory, found, null, crc32c, { apply: ignore, damaged: ignore, report }).sequence;
}
