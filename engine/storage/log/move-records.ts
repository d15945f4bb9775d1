/**
 * Copies acknowledged records from a log file that failed into the fresh one that goes on in its place.
 */
import { EngineError } from '../../core/errors.js';
import { WAL_HEADER_BYTES } from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';
import type { WalFile } from './wal-file.js';
import { encodeFrameHeader } from './wal-frame.js';
import { WalReader } from './wal-reader.js';

/** A boundary between two frames of a file. */
export interface Mark {
  readonly position: number;
  /** Of the last frame before it. */
  readonly sequence: number;
}

/**
 * Copies the records between `first` and `end` of `old`, which lies in the folder `path`, to the begin of `next`. Returns where they end
 * there. Errors: io_error for what cannot be read back; those of the disk that `next` lies on.
 */
export function moveRecords(old: WalFile, first: Mark, end: Mark, next: WalFile, crc32c: Crc32c, path: string): Mark {
  const reader = new WalReader(old.file, old.header, crc32c, end.position);
  reader.seek(first.position);
  let position = WAL_HEADER_BYTES;
  for (let sequence = first.sequence + 1; sequence <= end.sequence; sequence++) {
    const frame = reader.next();
    if (frame === null || frame.sequence !== sequence) {
      const message = `${path}: cannot read acknowledged record ${sequence} back at offset ${reader.position}`;
      throw new EngineError('io_error', message);
    }
    const parts = [frame.payload];
    const copied = { ...frame, payloadBytes: frame.payload.length, unsynced: sequence - first.sequence };
    const head = encodeFrameHeader(copied, parts, next.header.salt, crc32c);
    next.file.write([head, frame.payload], position);
    position += head.length + frame.payload.length;
  }
  return { position, sequence: end.sequence };
}
