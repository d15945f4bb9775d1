/**
 * The write-ahead log of an engine that follows a replicated one: what is in it is durable elsewhere before it is applied, so this one
 * keeps nothing but its place.
 *
 * Used by the write path in the place of file-wal.ts. Its sequence is that of the replicated log, and moves when all that was asked for there
 * is applied, not record by record.
 */
import type { ManifestStream } from '../types/manifest.js';
import type { WriteAheadLog } from './wal.js';

export class StreamWal implements WriteAheadLog {
  readonly #streamId: string;
  #sequence: number;
  #replayFrom: number;
  /** Bytes of records since the last snapshot that ended, and of those since the last one began. */
  #bytes = 0;
  #bytesSinceRotation = 0;
  readonly fileNumber = 0;
  readonly isSettled = true;
  readonly isSynced = true;
  readonly syncs = 0;

  constructor(sequence: number, { id, from }: ManifestStream) {
    this.#streamId = id;
    this.#sequence = sequence;
    this.#replayFrom = from;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Which log is followed, and where it is to be read from by who goes on behind `sequence`. */
  get stream(): ManifestStream {
    return { id: this.#streamId, from: this.#replayFrom };
  }

  /** Bytes of records that no snapshot contains. */
  get bytes(): number {
    return this.#bytes + this.#bytesSinceRotation;
  }

  /** Everything up to `sequence` is applied; who restarts there reads from `replayFrom`. */
  moveTo(sequence: number, replayFrom: number): void {
    this.#sequence = sequence;
    this.#replayFrom = replayFrom;
  }

  /** What rotate() adds to the bytes before it. */
  get fileBytes(): number {
    return this.#bytesSinceRotation;
  }

  append(_type: number, _collectionId: number, parts: readonly Uint8Array[]): number {
    for (const { length } of parts) this.#bytesSinceRotation += length;
    return this.#sequence;
  }

  flush(): void {}

  async sync(): Promise<void> {}

  commit(): void {}

  rollback(): boolean {
    return true;
  }

  rotate(): void {
    this.#bytes += this.#bytesSinceRotation;
    this.#bytesSinceRotation = 0;
  }

  removeThrough(): void {
    this.#bytes = 0;
  }

  async close(): Promise<void> {}
}
