/**
 * Copies the last snapshot of a data directory to another folder. A repeated backup copies only what changed.
 *
 * Called by `sabre backup`; a server may be running on the source. The old backup stays whole until the new manifest
 * replaces its own: files are added under names that it does not use, and removed afterwards.
 */
import { existsSync } from 'node:fs';
import { EngineError } from '../core/errors.js';
import { WAL_HEADER_BYTES } from '../layout/wal.js';
import { crc32c } from '../storage/files/crc32c.js';
import {
  isSnapshotFile,
  MANIFEST_FILE,
  MANIFEST_TEMPORARY_FILE,
  snapshotFilesOf,
} from '../storage/files/data-files.js';
import type { Directory } from '../storage/files/directory.js';
import {
  decodeManifest,
  readManifest,
  switchManifest,
  writeManifestTemporary,
} from '../storage/files/manifest-file.js';
import { openExistingDirectory } from '../storage/files/node-directory.js';
import { withoutStream } from '../storage/files/stream-manifest.js';
import { walFileNumber } from '../storage/log/wal-format.js';
import type { Manifest } from '../storage/types/manifest.js';
import { COPY_SUFFIX, copySnapshotFile, holdsFile, isSameFile, listSnapshotFiles, tryRemove } from './copy-snapshot.js';
import { type HeldSnapshot, holdSnapshot } from './held-directory.js';
import { soundManifest } from './sound-snapshot.js';
import { namesIn, refusal, refuseOverlap, withTarget } from './target-directory.js';

/** What is to become the temporary manifest. */
const MANIFEST_COPY = `${MANIFEST_TEMPORARY_FILE}${COPY_SUFFIX}`;

export interface BackupReport {
  readonly snapshot: number;
  readonly directoryId: string;
  /** When the snapshot was written, Unix time in milliseconds. */
  readonly writtenAt: number;
  readonly collections: number;
  readonly filesCopied: number;
  readonly bytesCopied: number;
  /** Files that the backup held already. */
  readonly filesReused: number;
  readonly bytesReused: number;
  readonly filesRemoved: number;
  /** Bytes in the log of the source from the snapshot on: writes that are not in the backup. */
  readonly logBytesLeftOut: number;
}

/** The number of the last snapshot of the folder `source`; 0: there is none, or no such folder. Errors: io_error, corrupt_data. */
export function lastSnapshotOf(source: string): number {
  if (!existsSync(source)) return 0;
  return readManifest(openExistingDirectory(source), crc32c)?.snapshot ?? 0;
}

/**
 * Backs the last snapshot of the folder `source` up to the folder `destination`, which must be new, empty, or hold a
 * backup of the same data directory. `snapshotMin`: number of the earliest snapshot that will do. Errors: corrupt_data when the source is damaged, or a collection of it refused;
 * disk_full; io_error, also when the snapshot is older or the destination is something else. The old backup is whole after any of them.
 */
export async function backupDirectory(source: string, destination: string, snapshotMin = 0): Promise<BackupReport> {
  const held = holdSnapshot(source);
  try {
    // Without its log, and without the stream of a cluster: what is restored from it stands alone.
    const manifest = withoutStream(soundManifest(held));
    if (manifest.snapshot < snapshotMin) {
      throw refusal(source, `snapshot ${snapshotMin} or a later one`, `snapshot ${manifest.snapshot}`);
    }
    refuseOverlap(source, destination);
    const { directoryId } = manifest;
    const write = (target: Directory, old: Manifest | null) => new Backup(held, manifest, target, old).run();
    return await withTarget(destination, (target) => oldBackup(target, directoryId), write);
  } finally {
    held.directory.close();
  }
}

class Backup {
  readonly #held: HeldSnapshot;
  readonly #manifest: Manifest;
  readonly #target: Directory;
  /** The backup that is there. */
  readonly #old: Manifest | null;
  readonly #created: string[] = [];
  /** The switch was tried: whatever became of it, the new manifest may be in force. */
  #maySwitched = false;

  /** Errors: io_error when `old`, the backup in `target`, is of another history. */
  constructor(held: HeldSnapshot, manifest: Manifest, target: Directory, old: Manifest | null) {
    this.#held = held;
    this.#manifest = manifest;
    this.#target = target;
    this.#old = old;
    this.#refuseOtherHistory();
  }

  async run(): Promise<BackupReport> {
    try {
      // In a new backup it says whose files these are, should the copying be interrupted.
      if (this.#old === null) this.#writeTemporary();
      return await this.#copy();
    } catch (error) {
      const kept = new Set(this.#old === null ? [] : snapshotFilesOf(this.#old));
      if (!this.#maySwitched) for (const name of this.#created) if (!kept.has(name)) tryRemove(this.#target, name);
      throw error;
    }
  }

  async #copy(): Promise<BackupReport> {
    const old = new Map((this.#old === null ? [] : listSnapshotFiles(this.#old)).map((file) => [file.name, file]));
    const counts = { filesCopied: 0, bytesCopied: 0, filesReused: 0, bytesReused: 0 };
    for (const file of listSnapshotFiles(this.#manifest)) {
      if (old.has(file.name) && holdsFile(this.#target, file)) {
        counts.filesReused++;
        counts.bytesReused += this.#sizeOf(file.name);
        continue;
      }
      this.#created.push(file.name);
      counts.bytesCopied += await copySnapshotFile(this.#held.directory, this.#target, file);
      counts.filesCopied++;
    }
    this.#target.sync();
    this.#writeTemporary();
    this.#maySwitched = true;
    switchManifest(this.#target);
    const { snapshot, directoryId, writtenAt, collections } = this.#manifest;
    const filesRemoved = this.#removeUnnamed();
    const logBytesLeftOut = this.#logBytes();
    return {
      snapshot,
      directoryId,
      writtenAt,
      collections: collections.length,
      ...counts,
      filesRemoved,
      logBytesLeftOut,
    };
  }

  /** Renamed into place: one that is torn would not say any more whose the files are. */
  #writeTemporary(): void {
    writeManifestTemporary(this.#target, this.#manifest, crc32c, MANIFEST_COPY);
    this.#target.rename(MANIFEST_COPY, MANIFEST_TEMPORARY_FILE);
    this.#target.sync();
  }

  /** Numbers are given once in the life of a data directory: one that stands for two things has two lives. */
  #refuseOtherHistory(): void {
    if (this.#old === null) return;
    const files = new Map(listSnapshotFiles(this.#old).map((file) => [file.name, file]));
    for (const file of listSnapshotFiles(this.#manifest)) {
      const other = files.get(file.name);
      if (other === undefined || isSameFile(other, file)) continue;
      const expected = `a backup of this data directory's past, with its ${file.name}`;
      throw refusal(this.#target.path, expected, 'another file of that name: choose a new folder');
    }
  }

  #sizeOf(name: string): number {
    const file = this.#held.directory.open(name, 'read');
    return file.size();
  }

  #removeUnnamed(): number {
    const named = new Set(snapshotFilesOf(this.#manifest));
    let removed = 0;
    for (const name of this.#target.list()) {
      const isCopy = name.endsWith(COPY_SUFFIX) && isSnapshotFile(name.slice(0, -COPY_SUFFIX.length));
      if ((!isSnapshotFile(name) && !isCopy) || named.has(name)) continue;
      this.#target.remove(name);
      removed++;
    }
    return removed;
  }

  #logBytes(): number {
    const { directory, manifest } = this.#held;
    let bytes = 0;
    for (const name of directory.list()) {
      const fileNumber = walFileNumber(name);
      if (fileNumber === null || fileNumber < (manifest?.walFile ?? 0)) continue;
      bytes += Math.max(this.#sizeOf(name) - WAL_HEADER_BYTES, 0);
    }
    return bytes;
  }
}

/** The manifest of the backup in `target`, null when it is new. Errors: io_error when it is not for `directoryId`. */
function oldBackup(target: Directory, directoryId: string): Manifest | null {
  const names = namesIn(target);
  const log = names.find((name) => walFileNumber(name) !== null);
  const expected = 'an empty folder or a backup of this data directory';
  if (log !== undefined) throw refusal(target.path, expected, `a data directory in use, with ${log}`);
  const manifest = readManifest(target, crc32c) ?? interruptedBackup(target, names);
  if (manifest !== null && manifest.directoryId !== directoryId) {
    throw refusal(target.path, `${expected}, ${directoryId}`, `a backup of another, ${manifest.directoryId}`);
  }
  if (names.includes(MANIFEST_FILE)) return manifest;
  const foreign = names.find((name) => name !== MANIFEST_TEMPORARY_FILE && name !== MANIFEST_COPY);
  if (manifest === null && foreign !== undefined) throw refusal(target.path, expected, `a file ${foreign}`);
  return null;
}

/** The manifest that a first backup was to get; null when there is none, or it is not whole. */
function interruptedBackup(target: Directory, names: readonly string[]): Manifest | null {
  if (!names.includes(MANIFEST_TEMPORARY_FILE)) return null;
  const file = target.open(MANIFEST_TEMPORARY_FILE, 'read');
  try {
    const bytes = new Uint8Array(file.size());
    file.read(bytes, 0);
    return decodeManifest(bytes, `${target.path}/${MANIFEST_TEMPORARY_FILE}`, crc32c);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'corrupt_data') return null;
    throw error;
  } finally {
    file.close();
  }
}
