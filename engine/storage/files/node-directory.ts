/**
 * A Directory over node:fs: the real disk.
 */
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Directory, OpenMode, StorageFile } from './directory.js';
import { storageError } from './storage-error.js';

/** Buffers that one writev takes on Linux (IOV_MAX). */
const WRITE_PARTS_MAX = 1024;
const OPEN_FLAGS: Record<OpenMode, string> = { read: 'r', write: 'r+', create: 'w+' };

class NodeFile implements StorageFile {
  readonly name: string;
  readonly #path: string;
  readonly #fd: number;

  get descriptor(): number {
    return this.#fd;
  }

  constructor(name: string, path: string, fd: number) {
    this.name = name;
    this.#path = path;
    this.#fd = fd;
  }

  #attempt<T>(operation: string, act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw storageError(error, operation, this.#path);
    }
  }

  size(): number {
    return this.#attempt('stat', () => fs.fstatSync(this.#fd).size);
  }

  read(target: Uint8Array, position: number): number {
    return this.#attempt('read', () => {
      let done = 0;
      while (done < target.length) {
        const got = fs.readSync(this.#fd, target, done, target.length - done, position + done);
        if (got === 0) break;
        done += got;
      }
      return done;
    });
  }

  write(parts: readonly Uint8Array[], position: number): void {
    this.#attempt('write', () => {
      let offset = position;
      for (let start = 0; start < parts.length; start += WRITE_PARTS_MAX) {
        offset = this.#writeAll(parts.slice(start, start + WRITE_PARTS_MAX), offset);
      }
    });
  }

  /** Returns the position after the last byte. The system may write less than asked; the rest is then asked again. */
  #writeAll(parts: Uint8Array[], position: number): number {
    let rest = parts;
    let offset = position;
    while (rest.length > 0) {
      let written = fs.writevSync(this.#fd, rest, offset);
      offset += written;
      const next = rest.findIndex((part) => {
        if (written < part.length) return true;
        written -= part.length;
        return false;
      });
      if (next < 0) break;
      rest = rest.slice(next);
      if (written > 0) rest[0] = (rest[0] as Uint8Array).subarray(written);
    }
    return offset;
  }

  truncate(bytes: number): void {
    this.#attempt('truncate', () => fs.ftruncateSync(this.#fd, bytes));
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#fd, (error) => {
        if (error === null) resolve();
        else reject(storageError(error, 'sync', this.#path));
      });
    });
  }

  syncNow(): void {
    this.#attempt('sync', () => fs.fdatasyncSync(this.#fd));
  }

  close(): void {
    this.#attempt('close', () => fs.closeSync(this.#fd));
  }
}

class NodeDirectory implements Directory {
  readonly path: string;
  readonly #root: string;

  /** `root`: by what path it is reached. */
  constructor(path: string, root = path) {
    this.path = path;
    this.#root = root;
  }

  #attempt<T>(operation: string, path: string, act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw storageError(error, operation, path);
    }
  }

  #at(name: string): string {
    return join(this.#root, name);
  }

  list(): string[] {
    return this.#attempt('list', this.path, () => fs.readdirSync(this.#root));
  }

  open(name: string, mode: OpenMode): StorageFile {
    const path = join(this.path, name);
    return this.#attempt(
      'open',
      path,
      () => new NodeFile(name, path, fs.openSync(this.#at(name), OPEN_FLAGS[mode], 0o640)),
    );
  }

  rename(from: string, to: string): void {
    const target = join(this.path, to);
    this.#attempt('rename', target, () => fs.renameSync(this.#at(from), this.#at(to)));
  }

  remove(name: string): void {
    const path = join(this.path, name);
    this.#attempt('remove', path, () => fs.unlinkSync(this.#at(name)));
  }

  freeBytes(): number {
    return this.#attempt('statfs', this.path, () => {
      const { bavail, bsize } = fs.statfsSync(this.#root);
      return bavail * bsize;
    });
  }

  sync(): void {
    this.#attempt('sync', this.path, () => {
      const fd = fs.openSync(this.#root, 'r');
      try {
        fs.fsyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
    });
  }
}

/** Makes the names of the folders from `path` up to `first` durable, which were created: each is an entry of its parent. */
function syncNamesUpTo(first: string, path: string): void {
  for (let folder = path; ; folder = dirname(folder)) {
    new NodeDirectory(dirname(folder)).sync();
    if (folder === first || folder === dirname(folder)) return;
  }
}

/** Opens the folder at `path`, creating it and its parents, durably, when missing. Errors: disk_full, io_error. */
export function openDirectory(path: string): Directory {
  try {
    const first = fs.mkdirSync(path, { recursive: true, mode: 0o750 });
    if (first !== undefined) syncNamesUpTo(resolve(first), resolve(path));
  } catch (error) {
    throw storageError(error, 'create', path);
  }
  return new NodeDirectory(path);
}

/** A folder that this process keeps open: what it is called, and by what path it is reached. Plain data: it crosses threads. */
export interface HeldFolder {
  readonly path: string;
  readonly root: string;
}

/**
 * As openDirectory(), for heldDirectory() in any thread: until the process ends that is this very folder, whatever is moved, mounted or
 * made anew under its name meanwhile. It is reached by an open descriptor (proc(5), /proc/pid/fd); by its name where the system has none.
 */
export function holdFolder(path: string): HeldFolder {
  openDirectory(path);
  try {
    const descriptor = fs.openSync(path, 'r');
    const root = `/proc/${process.pid}/fd/${descriptor}`;
    if (fs.existsSync(root)) return { path, root };
    fs.closeSync(descriptor);
    return { path, root: path };
  } catch (error) {
    throw storageError(error, 'open', path);
  }
}

/** The folder that holdFolder() holds. */
export const heldDirectory = ({ path, root }: HeldFolder): Directory => new NodeDirectory(path, root);

/** Opens the folder at `path`, which must exist: nothing is created. Errors: io_error. */
export function openExistingDirectory(path: string): Directory {
  const directory = new NodeDirectory(path);
  directory.list();
  return directory;
}
