/**
 * The write-ahead log in numbered local files: wal-000001.log, wal-000002.log, ...
 *
 * Created by open-wal.ts after recovery; lives on the writer thread. Never retries a sync that failed: the system may
 * have dropped the pages it could not write, so a second sync would succeed without them. The log goes on in a fresh
 * file instead, whose header voids what the old one may still hold past the last synced record; where none can be
 * created, void-tail.ts voids it.
 */
import { assert } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import { WAL_FRAME_HEADER_BYTES, WAL_HEADER_BYTES, WAL_PAYLOAD_BYTES_MAX } from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';
import type { Directory } from '../files/directory.js';
import { storageError } from '../files/storage-error.js';
import { type Mark, moveRecords } from './move-records.js';
import { voidTail } from './void-tail.js';
import type { WriteAheadLog } from './wal.js';
import { createWalFile, type OlderWalFile, type WalFile } from './wal-file.js';
import { walFileName } from './wal-format.js';
import { encodeFrameHeader } from './wal-frame.js';

const UNSYNCED_MAX = 0xffffffff;

/** What recovery found. */
export interface FileWalState {
  readonly older: readonly OlderWalFile[];
  readonly current: WalFile;
  readonly position: number;
  readonly sequence: number;
}

export class FileWal implements WriteAheadLog {
  readonly #directory: Directory;
  readonly #crc32c: Crc32c;
  readonly #fileBytesMax: number;
  #older: OlderWalFile[];
  #current: WalFile;
  /** Last frame appended, whether flushed or not. */
  #sequence: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #flushed: Mark;
  #committed: Mark;
  #synced: Mark;
  /** The furthest that anything was ever written in the current file, by a flush that failed too. */
  #writtenEnd: number;
  /** Where frames begin that were refused, may be in the current file, and could not be made void. */
  #refusedFrom = Number.POSITIVE_INFINITY;
  /** What the sync under way covers. */
  #syncing: Mark | null = null;
  #syncPromise: Promise<void> | null = null;
  /** The sync behind it, of all who have asked since it began. */
  #nextSync: Promise<void> | null = null;
  #failure: EngineError | null = null;
  #syncs = 0;

  /** Appends go to a new file once the current one has reached `fileBytesMax`. */
  constructor(directory: Directory, crc32c: Crc32c, fileBytesMax: number, state: FileWalState) {
    this.#directory = directory;
    this.#crc32c = crc32c;
    this.#fileBytesMax = fileBytesMax;
    this.#older = [...state.older];
    this.#current = state.current;
    this.#sequence = state.sequence;
    const end: Mark = { position: state.position, sequence: state.sequence };
    this.#flushed = end;
    this.#committed = end;
    this.#synced = end;
    this.#writtenEnd = end.position;
  }

  get fileNumber(): number {
    return this.#current.header.fileNumber;
  }

  get bytes(): number {
    return this.#older.reduce((sum, file) => sum + file.bytes, this.#flushed.position);
  }

  get fileBytes(): number {
    return this.#flushed.position;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get isSettled(): boolean {
    const isCommitted = this.#flushed.position === this.#committed.position;
    return this.#pendingBytes === 0 && isCommitted && this.#syncing === null;
  }

  get isSynced(): boolean {
    return this.#synced.position >= this.#committed.position;
  }

  get syncs(): number {
    return this.#syncs;
  }

  append(type: number, collectionId: number, parts: readonly Uint8Array[]): number {
    assert(type > 0, 'a record has a type');
    assert(type < 256, 'a record type is one byte');
    assert(collectionId >>> 0 === collectionId, 'a collection number is a word');
    let payloadBytes = 0;
    for (const part of parts) payloadBytes += part.length;
    if (payloadBytes > WAL_PAYLOAD_BYTES_MAX) {
      const message = `a record of the write-ahead log holds at most ${WAL_PAYLOAD_BYTES_MAX} bytes, got ${payloadBytes}`;
      throw new EngineError('payload_too_large', message);
    }
    this.#makeReady();
    const sequence = this.#sequence + 1;
    const unsynced = Math.min(sequence - this.#synced.sequence, UNSYNCED_MAX);
    const frame = { payloadBytes, sequence, unsynced, type, collectionId };
    this.#pending.push(encodeFrameHeader(frame, parts, this.#current.header.salt, this.#crc32c));
    for (const part of parts) if (part.length > 0) this.#pending.push(part);
    this.#pendingBytes += WAL_FRAME_HEADER_BYTES + payloadBytes;
    this.#sequence = sequence;
    return sequence;
  }

  flush(): void {
    this.#throwIfFailed();
    if (this.#pendingBytes === 0) return;
    const { position } = this.#flushed;
    this.#writtenEnd = position + this.#pendingBytes;
    this.#current.file.write(this.#pending, position);
    this.#flushed = { position: this.#writtenEnd, sequence: this.#sequence };
    this.#dropPending();
  }

  commit(): void {
    this.#committed = this.#flushed;
  }

  sync(): Promise<void> {
    if (this.#syncPromise !== null) {
      this.#nextSync ??= this.#syncPromise.then(() => {
        this.#nextSync = null;
        return this.sync();
      });
      return this.#nextSync;
    }
    if (this.#failure !== null) return this.#saveCommitted();
    const covered = this.#flushed;
    this.#syncing = covered;
    this.#syncPromise = this.#current.file.sync().then(
      () => this.#endSync(covered, null),
      (error) => this.#endSync(covered, storageError(error, 'sync', this.#path)),
    );
    return this.#syncPromise;
  }

  rollback(): boolean {
    this.#dropPending();
    const target = this.#syncing ?? this.#committed;
    const mark = target.position > this.#committed.position ? target : this.#committed;
    const isWritten = mark.position < Math.min(this.#writtenEnd, this.#refusedFrom);
    this.#sequence = mark.sequence;
    this.#flushed = mark;
    return this.#takeBack(mark.position) || !isWritten;
  }

  rotate(): void {
    assert(this.isSettled, 'everything is committed and no sync is under way');
    this.#throwIfFailed();
    if (this.#flushed.position === WAL_HEADER_BYTES) return;
    if (this.#synced.position < this.#flushed.position) this.#syncNow();
    let isBegun = false;
    const begin = (): void => {
      isBegun = true;
    };
    try {
      const fileNumber = this.#current.header.fileNumber + 1;
      const next = createWalFile(this.#directory, this.#crc32c, fileNumber, this.#sequence + 1, begin);
      this.#replaceCurrent(next, this.#flushed.position, { position: WAL_HEADER_BYTES, sequence: this.#sequence });
    } catch (error) {
      const failure = storageError(error, 'rotate', this.#path);
      // What may be left of the new file, by its name, voids anything more in this one, so no append may go here.
      if (isBegun) this.#failure = failure;
      throw failure;
    }
  }

  removeThrough(sequence: number): void {
    let removed = false;
    while (this.#older.length > 0) {
      const [oldest] = this.#older;
      const next = this.#older[1]?.firstSequence ?? this.#current.header.firstSequence;
      // A file that begins behind `sequence` stays, though it may be empty: a snapshot may expect it.
      if (next > sequence + 1 || oldest.firstSequence > sequence) break;
      this.#directory.remove(walFileName(oldest.fileNumber));
      this.#older.shift();
      removed = true;
    }
    if (removed) this.#directory.sync();
  }

  async close(): Promise<void> {
    try {
      // How that ends, its own caller hears.
      if (this.#syncPromise !== null) await this.#syncPromise.catch(() => {});
      if (this.#failure === null) {
        this.flush();
        if (this.#synced.position < this.#flushed.position) await this.sync();
      } else {
        const isUnsynced = this.#synced.position < this.#committed.position;
        // Refused frames are left to the next start when the disk still keeps them; whoever wrote them has heard so.
        if (isUnsynced || this.#refusedFrom < this.#writtenEnd) this.rollback();
        if (isUnsynced) this.#throwIfFailed();
      }
    } finally {
      this.#current.file.close();
    }
  }

  get #path(): string {
    return `${this.#directory.path}/${this.#current.file.name}`;
  }

  #throwIfFailed(): void {
    if (this.#failure === null) return;
    const { code, message } = this.#failure;
    throw new EngineError(code, `the write-ahead log is failed: ${message}`, { cause: this.#failure });
  }

  /** Before an append: leaves a failed file behind, or a full one. */
  #makeReady(): void {
    if (this.#failure !== null) {
      if (!this.isSettled) this.#throwIfFailed();
      this.#continueInFreshFile();
    }
    if (this.#flushed.position >= this.#fileBytesMax && this.isSettled) this.rotate();
  }

  /** A sync of a failed log: makes what was committed durable in a fresh file. */
  async #saveCommitted(): Promise<void> {
    if (!this.isSettled) this.#throwIfFailed();
    this.#continueInFreshFile();
  }

  /**
   * Voids what the current file may hold behind `position`. Returns false when the disk allows no way of doing so: then a
   * start may read it. A file in order goes on at `position`; a failed one is left for a fresh one, or stays failed.
   */
  #takeBack(position: number): boolean {
    try {
      if (this.#failure === null) {
        if (this.#writtenEnd === position) return true;
        // Synced at once, so that a refused record does not return after a power failure.
        this.#current.file.truncate(position);
        this.#current.file.syncNow();
        this.#writtenEnd = position;
        return true;
      }
    } catch (error) {
      this.#failure = storageError(error, 'roll back', this.#path);
    }
    if (this.#syncing === null && this.#triesFreshFile()) return true;
    if (this.#writtenEnd > position && !voidTail(this.#current.file, position)) {
      this.#refusedFrom = position;
      return false;
    }
    this.#writtenEnd = position;
    this.#refusedFrom = Number.POSITIVE_INFINITY;
    return true;
  }

  #triesFreshFile(): boolean {
    try {
      this.#continueInFreshFile();
      return true;
    } catch {
      // The log stays failed, for the reason that it has.
      return false;
    }
  }

  #dropPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** `error`: of the sync itself. One of the same file beside it may have taken the error of pages that both were to write. */
  #endSync(covered: Mark, error: EngineError | null): void {
    const failure = error ?? this.#failure;
    this.#syncing = null;
    this.#syncPromise = null;
    if (failure !== null) {
      this.#nextSync = null;
      this.#failure = failure;
      throw failure;
    }
    this.#syncs++;
    this.#synced = covered;
    if (covered.position > this.#committed.position) this.#committed = covered;
  }

  #syncNow(): void {
    try {
      this.#current.file.syncNow();
      this.#synced = this.#flushed;
      this.#syncs++;
    } catch (error) {
      this.#failure = storageError(error, 'sync', this.#path);
      throw this.#failure;
    }
  }

  #replaceCurrent(next: WalFile, oldBytes: number, end: Mark): void {
    const { fileNumber, firstSequence } = this.#current.header;
    const { file } = this.#current;
    this.#older.push({ fileNumber, firstSequence, bytes: oldBytes });
    this.#current = next;
    this.#sequence = end.sequence;
    this.#flushed = end;
    this.#committed = end;
    this.#synced = end;
    this.#writtenEnd = end.position;
    this.#refusedFrom = Number.POSITIVE_INFINITY;
    try {
      file.close();
    } catch {
      // The file is closed all the same: what it holds is synced or void.
    }
  }

  /**
   * Leaves the current file at its last synced record for a new one, and moves there what was committed since (only
   * with relaxed durability). Throws, still failed, when any of it cannot be read back or written.
   */
  #continueInFreshFile(): void {
    const { position, sequence } = this.#synced;
    const fileNumber = this.#current.header.fileNumber + 1;
    let end: Mark = { position: WAL_HEADER_BYTES, sequence };
    const next = createWalFile(this.#directory, this.#crc32c, fileNumber, sequence + 1, (fresh) => {
      end = moveRecords(this.#current, this.#synced, this.#committed, fresh, this.#crc32c, this.#path);
    });
    try {
      this.#current.file.truncate(position);
    } catch {
      // The new file's first sequence voids what is left there.
    }
    this.#replaceCurrent(next, position, end);
    this.#failure = null;
  }
}
