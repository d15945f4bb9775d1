/**
 * Reads the frames of one write-ahead log file in order, through a window: never the whole file at once.
 *
 * Used by recovery and to move records into a fresh file. Never decides what a bad frame means.
 */
import { WAL_FRAME_HEADER_BYTES, WAL_HEADER_BYTES } from '../layout/wal.js';
import type { Crc32c } from './crc32c.js';
import type { StorageFile } from './directory.js';
import type { WalRecord } from './wal.js';
import { decodeFrameHeader, frameChecksum, type WalFrameHeader } from './wal-format.js';

const WINDOW_BYTES = 1 << 20;

/** A frame whose checksum holds. */
export interface WalFrame extends WalRecord {
  readonly unsynced: number;
}

export class WalReader {
  readonly #file: StorageFile;
  readonly #salt: number;
  readonly #crc32c: Crc32c;
  #window = new Uint8Array(WINDOW_BYTES);
  #windowStart = 0;
  #windowBytes = 0;
  #position = WAL_HEADER_BYTES;
  /** Bytes of the file that are read: what lies past them is as if it were not there. */
  readonly size: number;

  constructor(file: StorageFile, salt: number, crc32c: Crc32c, size: number) {
    this.#file = file;
    this.#salt = salt;
    this.#crc32c = crc32c;
    this.size = size;
  }

  /** Where the next frame begins. */
  get position(): number {
    return this.#position;
  }

  /**
   * The next frame, or null when none that is whole and sound begins at the position: the file's end if the position is
   * its size, else a bad frame. The payload is valid until the next call. Errors: io_error.
   */
  next(): WalFrame | null {
    const frame = this.#frameAt(this.#position, this.#headerAt(this.#position));
    if (frame !== null) this.#position += WAL_FRAME_HEADER_BYTES + frame.payload.length;
    return frame;
  }

  /** Goes to the frame that begins at `position`. */
  seek(position: number): void {
    this.#position = position;
  }

  /**
   * Whether a sound frame somewhere after the position proves that frame `sequence` had been synced. Looks at every
   * offset, as the length of a bad frame says nothing.
   */
  provesSynced(sequence: number): boolean {
    const sequenceMax = sequence + (this.size - this.#position) / WAL_FRAME_HEADER_BYTES;
    for (let offset = this.#position + 1; offset + WAL_FRAME_HEADER_BYTES <= this.size; offset++) {
      const header = this.#headerAt(offset);
      if (header === null || header.sequence - header.unsynced < sequence || header.sequence > sequenceMax) continue;
      if (this.#frameAt(offset, header) !== null) return true;
    }
    return false;
  }

  #headerAt(offset: number): WalFrameHeader | null {
    if (offset + WAL_FRAME_HEADER_BYTES > this.size) return null;
    const start = this.#ensure(offset, WAL_FRAME_HEADER_BYTES);
    return start < 0 ? null : decodeFrameHeader(this.#window, start, this.size - offset);
  }

  #frameAt(offset: number, header: WalFrameHeader | null): WalFrame | null {
    if (header === null) return null;
    const { sequence, unsynced, type, checksum } = header;
    const start = this.#ensure(offset, WAL_FRAME_HEADER_BYTES + header.payloadBytes);
    if (start < 0) return null;
    const payloadStart = start + WAL_FRAME_HEADER_BYTES;
    const payload = this.#window.subarray(payloadStart, payloadStart + header.payloadBytes);
    const computed = frameChecksum(this.#crc32c, this.#salt, this.#window.subarray(start, payloadStart), [payload]);
    return computed === checksum ? { sequence, unsynced, type, payload } : null;
  }

  /** Brings `bytes` bytes from `offset` on into the window; returns their index in it, or -1 when the file is shorter. */
  #ensure(offset: number, bytes: number): number {
    const end = this.#windowStart + this.#windowBytes;
    if (offset < this.#windowStart || offset + bytes > end) {
      if (bytes > this.#window.length) this.#window = new Uint8Array(bytes);
      const wanted = Math.min(Math.max(bytes, WINDOW_BYTES), this.size - offset);
      this.#windowStart = offset;
      this.#windowBytes = this.#file.read(this.#window.subarray(0, wanted), offset);
      if (this.#windowBytes < bytes) return -1;
    }
    return offset - this.#windowStart;
  }
}
