/**
 * The file operations that the engine needs, and nothing more, so that a test can stand in for the disk.
 *
 * Implemented over node:fs in node-directory.ts. Every operation throws an EngineError: disk_full when there is no
 * space, io_error otherwise, naming the file and the operation.
 */

/** An open file. Positions and sizes are bytes. */
export interface StorageFile {
  readonly name: string;
  /** The system's descriptor, for mapping the file; null when it lies on no real disk. */
  readonly descriptor: number | null;
  size(): number;
  /** Fills `target` from `position` on; returns fewer bytes than it holds only at the end of the file. */
  read(target: Uint8Array, position: number): number;
  /** Writes all of `parts`, one after the other, from `position` on. After an error any part may have been written. */
  write(parts: readonly Uint8Array[], position: number): void;
  truncate(bytes: number): void;
  /** Makes what was written before the call durable, off this thread. */
  sync(): Promise<void>;
  /** The same, and waits. */
  syncNow(): void;
  close(): void;
}

/** read: must exist. write: must exist, also readable. create: also readable, emptied if it exists. */
export type OpenMode = 'read' | 'write' | 'create';

/** One flat folder of files. */
export interface Directory {
  /** For messages alone. */
  readonly path: string;
  /** Names of all files, in no order. */
  list(): string[];
  open(name: string, mode: OpenMode): StorageFile;
  /** Replaces `to` if it exists. Durable after the next sync(). */
  rename(from: string, to: string): void;
  remove(name: string): void;
  /** Bytes that may still be written, about; infinite where nobody knows. */
  freeBytes(): number;
  /** Makes the creation, renaming and removal of files durable. */
  sync(): void;
}
