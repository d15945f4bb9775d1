/**
 * A Directory in memory whose operations can be made to fail, for the tests of what is written through one.
 */
import { EngineError } from '../../engine/core/errors.js';
import type { Directory, OpenMode, StorageFile } from '../../engine/storage/files/directory.js';

export type Operation = 'write' | 'truncate' | 'sync' | 'open' | 'syncDirectory';

export class MemoryDirectory implements Directory {
  readonly path = 'memory';
  readonly files = new Map<string, Uint8Array>();
  /** Operations that fail now. */
  readonly failing = new Set<Operation>();
  /** Bytes that may still be written before the disk is full. */
  room = Number.POSITIVE_INFINITY;

  check(operation: Operation): void {
    if (this.failing.has(operation)) throw new EngineError('io_error', `injected: ${operation}`);
  }

  content(name: string): Uint8Array {
    const bytes = this.files.get(name);
    if (bytes === undefined) throw new EngineError('io_error', `no file ${name}`);
    return bytes;
  }

  /** A copy of everything, as a crash at this moment would leave it for the next process. */
  clone(): MemoryDirectory {
    const copy = new MemoryDirectory();
    for (const [name, bytes] of this.files) copy.files.set(name, bytes.slice());
    return copy;
  }

  list(): string[] {
    return [...this.files.keys()];
  }

  open(name: string, mode: OpenMode): StorageFile {
    if (mode === 'create') {
      this.check('open');
      this.files.set(name, new Uint8Array(0));
    }
    this.content(name);
    return new MemoryFile(this, name);
  }

  rename(from: string, to: string): void {
    this.files.set(to, this.content(from));
    this.files.delete(from);
  }

  remove(name: string): void {
    this.files.delete(name);
  }

  freeBytes(): number {
    return this.room;
  }

  sync(): void {
    this.check('syncDirectory');
  }
}

class MemoryFile implements StorageFile {
  readonly name: string;
  readonly descriptor = null;
  readonly #directory: MemoryDirectory;

  constructor(directory: MemoryDirectory, name: string) {
    this.#directory = directory;
    this.name = name;
  }

  size(): number {
    return this.#directory.content(this.name).length;
  }

  read(target: Uint8Array, position: number): number {
    const bytes = this.#directory.content(this.name).subarray(position, position + target.length);
    target.set(bytes);
    return bytes.length;
  }

  write(parts: readonly Uint8Array[], position: number): void {
    this.#directory.check('write');
    const all = Buffer.concat(parts);
    const fits = all.subarray(0, this.#directory.room);
    const old = this.#directory.content(this.name);
    const bytes = new Uint8Array(Math.max(old.length, position + fits.length));
    bytes.set(old);
    bytes.set(fits, position);
    this.#directory.files.set(this.name, bytes);
    this.#directory.room -= fits.length;
    if (fits.length < all.length) throw new EngineError('disk_full', 'injected: no space');
  }

  truncate(bytes: number): void {
    this.#directory.check('truncate');
    const resized = new Uint8Array(bytes);
    resized.set(this.#directory.content(this.name).subarray(0, bytes));
    this.#directory.files.set(this.name, resized);
  }

  async sync(): Promise<void> {
    this.syncNow();
  }

  syncNow(): void {
    this.#directory.check('sync');
  }

  close(): void {}
}
