/**
 * Where the shared words lie by which the HTTP thread, the readers and the writer coordinate. Each is accessed through
 * AtomicWords alone; the file named says who writes it, when, and what a reader of it may assume.
 *
 *   word                       protocol
 *   GENERATION, EPOCH + t      generations.ts
 *   QUICK_HEAD, QUICK_TAIL     request-ring.ts: reads that any reader may take
 *   DEAR_HEAD, DEAR_TAIL       request-ring.ts: reads that readers kept free for others leave alone
 *   COMPLETION_HEAD            completion-ring.ts
 *   POOL_BELL                  doorbell.ts: the HTTP thread sleeps
 *   READER_BELL + r            doorbell.ts: reader r sleeps
 *   INTERRUPT + slot           slot-budget.ts
 *   ANSWER_KIB                 answer-room.ts
 *   SHARE_OWNER, SHARE_JOB, SHARE_NEXT, SHARE_HELPERS, SHARE_WORKING, SHARE_RESULT + r   share-board.ts
 *   SHARE_TASK                 share-task.ts
 *   STOP                       read-loop.ts: 1, written by the HTTP thread: readers end when the rings are empty
 *   QUERIES + r                written by reader r: reads answered, modulo 2^32
 *   BUSY_LOW + r, BUSY_HIGH+r  written by reader r: microseconds spent in reads, 64 bits
 *   HELPS + r                  written by reader r: searches of other readers that it took a part in, modulo 2^32
 *   CACHE_BYTES + r            written by reader r: bytes that its caches hold
 *   CACHE_HITS + r, CACHE_MISSES + r, CACHE_EVICTIONS + r   written by reader r: what they were asked for and had, had not,
 *                              had to let go, modulo 2^32
 *   GIVEN_UP + r               written by reader r: reads that it began and left to others, modulo 2^32
 *   SYSTEM_THREAD + r          wake-apart.ts
 *
 * Words of different threads that are written often lie 64 bytes apart, so that no two share a cache line.
 */
import { HTTP_THREADS_MAX, READER_THREADS_MAX } from '../core/limits.js';
import type { AtomicWords } from './atomic-words.js';

/** Readers, the one for dear reads and the HTTP threads included. */
const READERS_MAX = READER_THREADS_MAX + 1 + HTTP_THREADS_MAX;

/** Threads that read segments: the readers, the HTTP threads the last of them, then the maintenance thread. */
export const EPOCHS_MAX = READERS_MAX + 1;

/** Reads in flight at most. A power of two, so that counters may wrap around. */
export const RING_SLOTS = 1024;

/** Words of a cache line. */
const LINE = 16;

const AFTER_LINES = 15 * LINE;
const AFTER_EPOCHS = AFTER_LINES + EPOCHS_MAX * LINE;
const AFTER_BELLS = AFTER_EPOCHS + READERS_MAX * LINE;
const AFTER_COUNTERS = AFTER_BELLS + 10 * READERS_MAX;
const AFTER_RINGS = AFTER_COUNTERS + 4 * RING_SLOTS;

/** Words from one reader's EPOCH or READER_BELL to the next one's. */
export const READER_STRIDE = LINE;

export const WORD = {
  GENERATION: 0,
  QUICK_HEAD: LINE,
  QUICK_TAIL: 2 * LINE,
  DEAR_HEAD: 3 * LINE,
  DEAR_TAIL: 4 * LINE,
  COMPLETION_HEAD: 5 * LINE,
  POOL_BELL: 6 * LINE,
  STOP: 7 * LINE,
  ANSWER_KIB: 8 * LINE,
  SHARE_OWNER: 9 * LINE,
  SHARE_JOB: 10 * LINE,
  SHARE_NEXT: 11 * LINE,
  SHARE_HELPERS: 12 * LINE,
  SHARE_WORKING: 13 * LINE,
  SHARE_TASK: 14 * LINE,
  EPOCH: AFTER_LINES,
  READER_BELL: AFTER_EPOCHS,
  QUERIES: AFTER_BELLS,
  BUSY_LOW: AFTER_BELLS + READERS_MAX,
  BUSY_HIGH: AFTER_BELLS + 2 * READERS_MAX,
  CACHE_BYTES: AFTER_BELLS + 3 * READERS_MAX,
  CACHE_HITS: AFTER_BELLS + 4 * READERS_MAX,
  CACHE_MISSES: AFTER_BELLS + 5 * READERS_MAX,
  CACHE_EVICTIONS: AFTER_BELLS + 6 * READERS_MAX,
  HELPS: AFTER_BELLS + 7 * READERS_MAX,
  GIVEN_UP: AFTER_BELLS + 8 * READERS_MAX,
  SYSTEM_THREAD: AFTER_BELLS + 9 * READERS_MAX,
  INTERRUPT: AFTER_COUNTERS,
  QUICK_RING: AFTER_COUNTERS + RING_SLOTS,
  DEAR_RING: AFTER_COUNTERS + 2 * RING_SLOTS,
  COMPLETION_RING: AFTER_COUNTERS + 3 * RING_SLOTS,
  SHARE_RESULT: AFTER_RINGS,
} as const;

export const CONTROL_WORDS = AFTER_RINGS + READERS_MAX;

/** Bytes that the caches of the first `readers` readers hold. */
export function cachedBytes(words: AtomicWords, readers: number): number {
  let bytes = 0;
  for (let reader = 0; reader < readers; reader++) bytes += words.load(WORD.CACHE_BYTES + reader) >>> 0;
  return bytes;
}
