/**
 * The files of the last snapshot and of the log, opened together, so that they can be read to the end although a running
 * server replaces the snapshot and removes them: an open file outlives its name.
 *
 * Used by verification, backups and restores. Never writes: what would change the directory fails an assertion.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { crc32c } from '../storage/files/crc32c.js';
import { MANIFEST_FILE, segmentFileId, snapshotFilesOf } from '../storage/files/data-files.js';
import type { Directory, StorageFile } from '../storage/files/directory.js';
import { readManifest } from '../storage/files/manifest-file.js';
import { openExistingDirectory } from '../storage/files/node-directory.js';
import { walFileName, walFileNumber } from '../storage/log/wal-format.js';
import type { Manifest } from '../storage/types/manifest.js';

/** A server takes minutes between snapshots, and opening the files takes milliseconds. */
const TRIES_MAX = 10;

/** What the directory held at one moment. */
export interface HeldSnapshot {
  readonly directory: HeldDirectory;
  /** null: there is none, or it cannot be read. */
  readonly manifest: Manifest | null;
  /** Why the manifest cannot be read, or null. */
  readonly manifestError: EngineError | null;
  /** Every name in the directory, files that are not opened included. */
  readonly names: readonly string[];
}

/** A file whose close() leaves it open for the next who opens it. */
class HeldFile implements StorageFile {
  readonly #file: StorageFile;

  constructor(file: StorageFile) {
    this.#file = file;
  }

  get name(): string {
    return this.#file.name;
  }

  get descriptor(): number | null {
    return this.#file.descriptor;
  }

  size(): number {
    return this.#file.size();
  }

  read(target: Uint8Array, position: number): number {
    return this.#file.read(target, position);
  }

  write(): void {
    assert(false, 'a held file is not written');
  }

  truncate(): void {
    assert(false, 'a held file is not cut');
  }

  async sync(): Promise<void> {
    assert(false, 'a held file is not synced');
  }

  syncNow(): void {
    assert(false, 'a held file is not synced');
  }

  close(): void {}
}

/** A directory that has the held files and no others. */
export class HeldDirectory implements Directory {
  readonly path: string;
  readonly #files: ReadonlyMap<string, StorageFile>;

  constructor(path: string, files: ReadonlyMap<string, StorageFile>) {
    this.path = path;
    this.#files = files;
  }

  list(): string[] {
    return [...this.#files.keys()];
  }

  open(name: string, mode: 'read' | 'write' | 'create'): StorageFile {
    assert(mode === 'read', 'a held directory is only read');
    const file = this.#files.get(name);
    if (file === undefined) throw new EngineError('io_error', `cannot open ${this.path}/${name}: no such file`);
    return new HeldFile(file);
  }

  rename(): void {
    assert(false, 'a held directory is only read');
  }

  remove(): void {
    assert(false, 'a held directory is only read');
  }

  freeBytes(): number {
    return 0;
  }

  sync(): void {
    assert(false, 'a held directory is only read');
  }

  /** Closes every file. */
  close(): void {
    closeAll(this.#files);
  }
}

function closeAll(files: ReadonlyMap<string, StorageFile>): void {
  for (const file of files.values()) file.close();
}

/**
 * Opens what the manifest of the folder at `path` names, and its log. A file that is not there although the manifest, read
 * again, still names it is missing in the result. The caller closes the result's directory. Errors: io_error.
 */
export function holdSnapshot(path: string): HeldSnapshot {
  const directory = openExistingDirectory(path);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const read = tryReadManifest(directory);
    const names = directory.list();
    const wanted = wantedFiles(read.manifest, names);
    const files = openAll(directory, wanted, names);
    const isWhole = wanted.every((name) => files.has(name));
    if (isWhole || tryReadManifest(directory).manifest?.snapshot === read.manifest?.snapshot) {
      return { directory: new HeldDirectory(path, files), ...read, names };
    }
    closeAll(files);
  }
  throw new EngineError('io_error', `${path}: expected a snapshot that stays, got another one ${TRIES_MAX} times`);
}

function tryReadManifest(directory: Directory): Pick<HeldSnapshot, 'manifest' | 'manifestError'> {
  try {
    return { manifest: readManifest(directory, crc32c), manifestError: null };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { manifest: null, manifestError: error };
  }
}

/** Without a manifest nobody knows which segments count: all of them. */
function wantedFiles(manifest: Manifest | null, names: readonly string[]): string[] {
  const logs = names.filter((name) => walFileNumber(name) !== null);
  if (manifest === null) return [...names.filter((name) => segmentFileId(name) !== null), ...logs];
  const wanted = new Set([MANIFEST_FILE, ...snapshotFilesOf(manifest), ...logs]);
  if (manifest.walFile !== 0) wanted.add(walFileName(manifest.walFile));
  return [...wanted];
}

/** Opens those of `wanted` that are there. Errors: io_error when one is there and cannot be opened. */
function openAll(
  directory: Directory,
  wanted: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, StorageFile> {
  const listed = new Set(names);
  const files = new Map<string, StorageFile>();
  for (const name of wanted) {
    if (!listed.has(name)) continue;
    try {
      files.set(name, directory.open(name, 'read'));
    } catch (error) {
      if (!directory.list().includes(name)) continue;
      closeAll(files);
      throw error;
    }
  }
  return files;
}
