/**
 * The shared words by which the HTTP thread, the readers and the writer coordinate. Each is accessed by Atomics alone.
 *
 *   word                      written by             meaning, and what a reader of it may assume
 *   GENERATION                writer                 counts publications; whoever loads g can receive every update posted
 *                                                    before g from its port (posting happens before the store)
 *   REQUEST_SEQUENCE          HTTP thread, writer    counts requests and every so many publications; readers wait on it
 *   REQUEST_HEAD              HTTP thread            requests put into the request ring so far
 *   REQUEST_TAIL              readers, by exchange   requests taken from it so far
 *   COMPLETION_SEQUENCE       readers                counts completions; the HTTP thread waits on it
 *   COMPLETION_HEAD           readers, by addition   places taken in the completion ring so far
 *   COMPLETION_WAITING        HTTP thread, readers   1: the HTTP thread sleeps, or is about to, and wants to be woken; the
 *                                                    reader that exchanges it for 0 wakes it
 *   STOP                      HTTP thread            1: readers end when the request ring is empty
 *   EPOCH + r                 reader r               the generation its running query started from, or EPOCH_IDLE:
 *                                                    regions retired since are not reused. r = number of readers
 *                                                    is the maintenance thread; the writer sets that word when it hands
 *                                                    a merge over, and back when the merge is done
 *   QUERIES + r               reader r               queries answered, modulo 2^32
 *   BUSY_LOW + r, BUSY_HIGH+r reader r               microseconds spent in queries, 64 bits
 *   CACHE_BYTES + r           reader r               bytes that its caches hold
 *   CACHE_HITS + r, CACHE_MISSES + r, CACHE_EVICTIONS + r    what they were asked for and had, had not, had to let go,
 *                             reader r               modulo 2^32
 *   REQUEST_RING + i          HTTP thread            slot of request i modulo RING_SLOTS
 *   COMPLETION_RING + i       readers                slot + 1 of completion i modulo RING_SLOTS; the HTTP thread sets it
 *                                                    back to 0 when it has taken it
 */
import { READER_THREADS_MAX } from '../core/limits.js';

/** Threads that read segments: the readers, then the maintenance thread. */
const EPOCHS = READER_THREADS_MAX + 1;

/** Reads in flight at most; beyond, a request is refused. A power of two. */
export const RING_SLOTS = 1024;

export const EPOCH_IDLE = 0x7fffffff;

export const WORD = {
  GENERATION: 0,
  REQUEST_SEQUENCE: 16,
  REQUEST_HEAD: 32,
  REQUEST_TAIL: 48,
  COMPLETION_SEQUENCE: 64,
  COMPLETION_HEAD: 80,
  STOP: 96,
  COMPLETION_WAITING: 104,
  EPOCH: 112,
  QUERIES: 112 + EPOCHS,
  BUSY_LOW: 112 + 2 * EPOCHS,
  BUSY_HIGH: 112 + 3 * EPOCHS,
  CACHE_BYTES: 112 + 4 * EPOCHS,
  CACHE_HITS: 112 + 5 * EPOCHS,
  CACHE_MISSES: 112 + 6 * EPOCHS,
  CACHE_EVICTIONS: 112 + 7 * EPOCHS,
  REQUEST_RING: 112 + 8 * EPOCHS,
  COMPLETION_RING: 112 + 8 * EPOCHS + RING_SLOTS,
} as const;

const CONTROL_WORDS = WORD.COMPLETION_RING + RING_SLOTS;

/** The control words, with every reader idle. */
export function createControlWords(): Int32Array<SharedArrayBuffer> {
  const words = new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * 4));
  words.fill(EPOCH_IDLE, WORD.EPOCH, WORD.EPOCH + EPOCHS);
  return words;
}

/** The oldest generation that a running query or merge may still use; the current one when none runs. */
export function oldestGenerationInUse(words: Int32Array, readers: number): number {
  let oldest = Atomics.load(words, WORD.GENERATION);
  for (let r = 0; r <= readers; r++) oldest = Math.min(oldest, Atomics.load(words, WORD.EPOCH + r));
  return oldest;
}

/** Bytes that the caches of all readers hold. */
export function cachedBytes(words: Int32Array, readers: number): number {
  let bytes = 0;
  for (let r = 0; r < readers; r++) bytes += Atomics.load(words, WORD.CACHE_BYTES + r) >>> 0;
  return bytes;
}

/** Whether the maintenance thread carries out a merge now. */
export function isMerging(words: Int32Array, readers: number): boolean {
  return Atomics.load(words, WORD.EPOCH + readers) !== EPOCH_IDLE;
}

/** Wakes every reader: a request was queued or an update posted. */
export function wakeReaders(words: Int32Array, count: number): void {
  Atomics.add(words, WORD.REQUEST_SEQUENCE, 1);
  Atomics.notify(words, WORD.REQUEST_SEQUENCE, count);
}
