/**
 * Compresses answers, as fast as there is and not on the calling thread: zlib's own threads do it, while this one goes on. What waits
 * for them is bounded; beyond, answers are sent plain, which costs the server less.
 *
 * One for each HTTP thread. Used by reply.ts for whole answers and by the export for its pages.
 */
import { brotliCompress, constants, crc32, deflateRaw, gzip } from 'node:zlib';
import type { Encoding } from './accept-encoding.js';

/** Compressed at a time, or waiting for it: libuv has four threads. */
const JOBS_MAX = 8;
const JOBS_BYTES_MAX = 32 * 1024 * 1024;
/** Output is gathered in pieces of this size; each but the last costs the calling thread a turn. */
const PIECE_BYTES_MAX = 1024 * 1024;
const PIECE_BYTES_MIN = 4096;

const GZIP_LEVEL = 1;
const BROTLI_QUALITY = 1;

/** A head without name or time, deflated fast, system not known (RFC 1952, section 2.3). */
const GZIP_HEAD = Buffer.from('1f8b08000000000004ff', 'hex');
const GZIP_TAIL_BYTES = 8;
/** A last block of nothing (RFC 1951, section 3.2.6). */
const LAST_BLOCK = Buffer.from('0300', 'hex');

type Done = (packed: Buffer<ArrayBuffer> | null) => void;

const pieceBytes = (byteCount: number): number => Math.min(Math.max(byteCount >> 1, PIECE_BYTES_MIN), PIECE_BYTES_MAX);

export class Compressor {
  /** Answers with fewer bytes are sent plain; 0: all are. */
  readonly minBytes: number;
  #jobs = 0;
  #jobsBytes = 0;

  constructor(minBytes: number) {
    this.minBytes = minBytes;
  }

  /**
   * Has `bytes`, which must stay as they are until then, compressed, and calls `done` later; with null when that has failed. False: there
   * is no room for it.
   */
  compress(encoding: Encoding, bytes: Uint8Array, done: Done): boolean {
    const byteCount = bytes.byteLength;
    if (this.#jobs >= JOBS_MAX || this.#jobsBytes + byteCount > JOBS_BYTES_MAX) return false;
    this.#jobs += 1;
    this.#jobsBytes += byteCount;
    const finish = (error: Error | null, packed: Buffer<ArrayBuffer>): void => {
      this.#jobs -= 1;
      this.#jobsBytes -= byteCount;
      done(error === null ? packed : null);
    };
    const chunkSize = pieceBytes(byteCount);
    if (encoding === 'gzip') gzip(bytes, { level: GZIP_LEVEL, chunkSize }, finish);
    else {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: byteCount,
      };
      brotliCompress(bytes, { params, chunkSize }, finish);
    }
    return true;
  }
}

/**
 * One gzip body that is made of pages. Each is deflated by itself and ends at a whole byte, so pages need nothing of one another but
 * their order.
 */
export class GzipPages {
  #before = GZIP_HEAD;
  #sum = 0;
  #byteCount = 0;

  /** Has `page`, which must stay as it is until then, compressed, and calls `done` later with what is to be sent; null: that has failed. */
  pack(page: Uint8Array, isLast: boolean, done: Done): void {
    this.#sum = crc32(page, this.#sum);
    this.#byteCount += page.byteLength;
    const options = { level: GZIP_LEVEL, chunkSize: pieceBytes(page.byteLength), finishFlush: constants.Z_SYNC_FLUSH };
    deflateRaw(page, options, (error, packed) => {
      if (error !== null) {
        done(null);
        return;
      }
      const before = this.#before;
      this.#before = Buffer.alloc(0);
      done(Buffer.concat(isLast ? [before, packed, LAST_BLOCK, this.#tail()] : [before, packed]));
    });
  }

  #tail(): Buffer<ArrayBuffer> {
    const tail = Buffer.alloc(GZIP_TAIL_BYTES);
    tail.writeUInt32LE(this.#sum, 0);
    tail.writeUInt32LE(this.#byteCount % 2 ** 32, 4);
    return tail;
  }
}
