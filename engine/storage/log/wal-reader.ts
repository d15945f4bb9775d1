/**
 * Reads the frames of one write-ahead log file in order, through a window: never the whole file at once.
 *
 * Used by recovery and to move records into a fresh file. Never decides what a bad frame means.
 */
import { WAL_HEADER_BYTES } from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';
import type { StorageFile } from '../files/directory.js';
import type { WalRecord } from './wal.js';
import type { WalFileHeader } from './wal-format.js';
import { frameFormatOf, type WalFrameFormat, type WalFrameHeader } from './wal-frame.js';

const WINDOW_BYTES = 1 << 20;

/** A frame whose checksums hold. */
export interface WalFrame extends WalRecord {
  readonly unsynced: number;
}

/** A frame whose header is sound, and whose payload is not. */
export interface BadPayload extends WalFrameHeader {
  /** Checksum of the payload as it is; `checksum` is the one it had. */
  readonly computed: number;
}

export class WalReader {
  readonly #file: StorageFile;
  readonly #salt: number;
  readonly #format: WalFrameFormat;
  readonly #crc32c: Crc32c;
  #window = new Uint8Array(WINDOW_BYTES);
  #windowStart = 0;
  #windowBytes = 0;
  #position = WAL_HEADER_BYTES;
  /** What a frame is known to prove: that those up to this one were synced. */
  #provenThrough = 0;
  /** Bytes of the file that are read: what lies past them is as if it were not there. */
  readonly size: number;

  constructor(file: StorageFile, header: WalFileHeader, crc32c: Crc32c, size: number) {
    this.#file = file;
    this.#salt = header.salt;
    this.#format = frameFormatOf(header.version);
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
    const header = this.#headerAt(this.#position);
    const start = header === null ? -1 : this.#ensure(this.#position, this.#bytesOf(header));
    if (header === null || start < 0 || this.#checksumAt(start, header) !== header.checksum) return null;
    const { sequence, unsynced, type, collectionId, payloadBytes } = header;
    const payloadStart = start + this.#format.headerBytes;
    this.#position += this.#bytesOf(header);
    const payload = this.#window.subarray(payloadStart, payloadStart + payloadBytes);
    return { sequence, unsynced, type, collectionId, payload };
  }

  /**
   * What the bad frame at the position says of itself, after next() returned null; null when its header cannot be trusted
   * either, or there is no frame. Errors: io_error.
   */
  badPayload(): BadPayload | null {
    if (!this.#format.hasSoundHeaders) return null;
    const header = this.#headerAt(this.#position);
    const start = header === null ? -1 : this.#ensure(this.#position, this.#bytesOf(header));
    return header === null || start < 0 ? null : { ...header, computed: this.#checksumAt(start, header) };
  }

  /** Goes on behind the bad frame at the position, which badPayload() has returned. */
  passOver(bad: BadPayload): void {
    this.#position += this.#bytesOf(bad);
  }

  /** Goes to the frame that begins at `position`. */
  seek(position: number): void {
    this.#position = position;
  }

  /**
   * Whether a frame somewhere after the bad one at the position, sound in what says so, proves that frame `sequence` had
   * been synced. Looks at every offset, as the length of a bad frame says nothing, but for that of `bad`. Errors: io_error.
   */
  provesSynced(sequence: number, bad: BadPayload | null): boolean {
    if (sequence <= this.#provenThrough) return true;
    const { headerBytes, hasSoundHeaders } = this.#format;
    const sequenceMax = sequence + (this.size - this.#position) / headerBytes;
    const first = this.#position + (bad === null ? 1 : this.#bytesOf(bad));
    for (let offset = first; offset + headerBytes <= this.size; offset++) {
      const header = this.#headerAt(offset);
      if (header === null || header.sequence - header.unsynced < sequence || header.sequence > sequenceMax) continue;
      if (!hasSoundHeaders) {
        const start = this.#ensure(offset, this.#bytesOf(header));
        if (start < 0 || this.#checksumAt(start, header) !== header.checksum) continue;
      }
      this.#provenThrough = header.sequence - header.unsynced;
      return true;
    }
    return false;
  }

  #bytesOf({ payloadBytes }: WalFrameHeader): number {
    return this.#format.headerBytes + payloadBytes;
  }

  #headerAt(offset: number): WalFrameHeader | null {
    const { headerBytes } = this.#format;
    if (offset + headerBytes > this.size) return null;
    const start = this.#ensure(offset, headerBytes);
    return start < 0 ? null : this.#format.decode(this.#window, start, this.size - offset, this.#salt, this.#crc32c);
  }

  /** The checksum that the frame which begins at `start` of the window should have. */
  #checksumAt(start: number, { payloadBytes }: WalFrameHeader): number {
    return this.#format.checksum(this.#window, start, payloadBytes, this.#salt, this.#crc32c);
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
