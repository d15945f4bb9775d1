/**
 * The write-ahead log as its users see it: one ordered list of self-contained records.
 *
 * Called by the collection write path alone, on the writer thread. The local implementation is file-wal.ts; a replicated
 * log can stand in for it, so nothing here speaks of paths or bytes on a disk.
 */

import type { EngineError } from '../../core/errors.js';
import type { ManifestStream } from '../types/manifest.js';

/** `payload` is opaque here, and valid only until the callback that got it returns. */
export interface WalRecord {
  /** 1 more than the record before. */
  readonly sequence: number;
  /** 1..255 */
  readonly type: number;
  /** Of the collection that it belongs to; 0: a log of an older format does not tell. */
  readonly collectionId: number;
  readonly payload: Uint8Array;
}

/** A record that was acknowledged, and whose payload cannot be read any more. */
export interface DamagedRecord extends Omit<WalRecord, 'payload'> {
  /** corrupt_data, naming the place. */
  readonly error: EngineError;
}

/**
 * A group of writes is: append() each, flush(), sync(), acknowledge; on any error rollback(), then refuse the group.
 * With relaxed durability: append() each, flush(), commit(), acknowledge, and sync() later.
 */
export interface WriteAheadLog {
  /**
   * Adds a record of a collection whose payload is the concatenation of `parts`, which must stay unchanged until flush(). Returns its
   * sequence. Nothing is written yet. Errors: payload_too_large; disk_full or io_error when no new file can be opened.
   */
  append(type: number, collectionId: number, parts: readonly Uint8Array[]): number;
  /** Hands what was appended to the system: it outlives this process, not the machine. Errors: disk_full, io_error. */
  flush(): void;
  /**
   * Makes durable, off this thread, what was flushed before the call, and commits it; all who ask during a sync share the next. After an error nobody knows what
   * the disk holds, so the log is failed: every call but rollback() and close() throws until a fresh file is open. The
   * next append() or sync() opens one and moves there what was committed meanwhile. Errors: io_error, disk_full.
   */
  sync(): Promise<void>;
  /** Declares what was flushed acknowledged: rollback() keeps it from now on. sync() does the same once it succeeded. */
  commit(): void;
  /**
   * Drops every record after the last committed one, or after those of a sync under way. True: none of them can come back.
   * False: they were written, and the disk lets nobody take them back: they come back if the process ends before an
   * append(), rotate() or sync() succeeds; close() tries once more. Never throws for what a disk does: a log that cannot
   * be put right is left failed, and the next append() tries again.
   */
  rollback(): boolean;
  /**
   * Starts a new file, so that removeThrough() can drop all before it; none where the file has no record yet. Everything must be
   * committed. Errors: disk_full, io_error; the log goes on in its file where the new one was not even begun.
   */
  rotate(): void;
  /** Drops files that hold records up to `sequence` and no others: those are safe elsewhere. Errors: io_error. */
  removeThrough(sequence: number): void;
  /** Number of the file that the next record goes to, unless that is full or failed. */
  readonly fileNumber: number;
  /** Bytes of all files of the log, headers included, what is appended and not flushed excluded. */
  readonly bytes: number;
  /** Of the file of that number alone. */
  readonly fileBytes: number;
  /** Sequence of the last record appended; 0 before the first. */
  readonly sequence: number;
  /** Nothing is appended or flushed that is not committed, and no sync is under way. */
  readonly isSettled: boolean;
  /** All that is committed is durable. */
  readonly isSynced: boolean;
  /** Syncs that succeeded. */
  readonly syncs: number;
  /** Given when this log is but a place in a replicated one. */
  readonly stream?: ManifestStream;
  /**
   * Flushes, syncs and closes; what was not flushed or synced before is. A failed log saves what was committed in a fresh
   * file. Errors: disk_full, io_error.
   */
  close(): Promise<void>;
}
