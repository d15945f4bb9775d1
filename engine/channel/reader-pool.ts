/**
 * The HTTP thread's side of the reader threads: queues reads, gets completions, calls back.
 *
 * Never blocks: it sleeps in Atomics.waitAsync. Reads in flight are bounded by the slots; when none is free the read is
 * refused with `overloaded`.
 */
import { assert } from '../core/assert.js';
import { EngineError, type EngineErrorCode } from '../core/errors.js';
import type { ReadCallback, ReaderStats } from '../engine.js';
import { RING_SLOTS, WORD, wakeReaders } from './control-words.js';
import { createSlotViews, OUTCOME_ERROR, type Slot } from './read-mailbox.js';
import { encodeRead, type Read } from './read-request.js';

/** A response that outgrew its slot, as the reader posts it. */
export interface PostedBody {
  readonly slot: number;
  readonly body: Uint8Array;
}

const decoder = new TextDecoder();

export class ReaderPool {
  readonly #words: Int32Array;
  readonly #readers: number;
  readonly #slots: readonly Slot[];
  readonly #free: number[] = [];
  readonly #callbacks: (ReadCallback | null)[];
  #taken = 0;
  #stopped = false;

  constructor(words: Int32Array, mailbox: SharedArrayBuffer, readers: number) {
    this.#words = words;
    this.#readers = readers;
    this.#callbacks = new Array<ReadCallback | null>(RING_SLOTS).fill(null);
    this.#slots = createSlotViews(mailbox);
    for (let slot = RING_SLOTS - 1; slot >= 0; slot--) this.#free.push(slot);
    this.#listen();
  }

  /** Reads handed over and not yet answered. */
  get depth(): number {
    return RING_SLOTS - this.#free.length;
  }

  /** Queues `read`; `done` is called once, later. */
  submit(read: Read, collectionId: number, done: ReadCallback): void {
    const slot = this.#free.pop();
    if (slot === undefined || this.#stopped) {
      if (slot !== undefined) this.#free.push(slot);
      const why = this.#stopped ? 'the server is stopping' : `${RING_SLOTS} reads are in flight already`;
      queueMicrotask(() => done(new EngineError('overloaded', `${why}; try again later`), null));
      return;
    }
    try {
      encodeRead(this.#slots[slot], read, collectionId);
    } catch (error) {
      this.#free.push(slot);
      assert(error instanceof EngineError, 'encoding fails only for size');
      queueMicrotask(() => done(error, null));
      return;
    }
    this.#callbacks[slot] = done;
    const head = Atomics.load(this.#words, WORD.REQUEST_HEAD);
    Atomics.store(this.#words, WORD.REQUEST_RING + (head & (RING_SLOTS - 1)), slot);
    Atomics.store(this.#words, WORD.REQUEST_HEAD, (head + 1) | 0);
    wakeReaders(this.#words, 1);
  }

  /** Finishes the read of a posted body. */
  receivePosted(message: PostedBody): void {
    this.#finish(message.slot, message.body);
  }

  stats(): ReaderStats[] {
    const stats: ReaderStats[] = [];
    for (let r = 0; r < this.#readers; r++) {
      const low = Atomics.load(this.#words, WORD.BUSY_LOW + r) >>> 0;
      const high = Atomics.load(this.#words, WORD.BUSY_HIGH + r) >>> 0;
      const queries = Atomics.load(this.#words, WORD.QUERIES + r) >>> 0;
      const word = (at: number): number => Atomics.load(this.#words, at + r) >>> 0;
      stats.push({
        queries,
        busyUs: high * 2 ** 32 + low,
        cacheBytes: word(WORD.CACHE_BYTES),
        cacheHits: word(WORD.CACHE_HITS),
        cacheMisses: word(WORD.CACHE_MISSES),
        cacheEvictions: word(WORD.CACHE_EVICTIONS),
      });
    }
    return stats;
  }

  /** Refuses new reads and lets readers end once the queue is empty. Resolves when every read was answered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.depth > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    Atomics.store(this.#words, WORD.STOP, 1);
    wakeReaders(this.#words, this.#readers);
  }

  #listen(): void {
    for (;;) {
      const seen = Atomics.load(this.#words, WORD.COMPLETION_SEQUENCE);
      this.#drain();
      // A read completed before this store has changed the sequence, so the wait below ends at once; one completed after
      // it finds the wish and wakes this thread.
      Atomics.store(this.#words, WORD.COMPLETION_WAITING, 1);
      const wait = Atomics.waitAsync(this.#words, WORD.COMPLETION_SEQUENCE, seen);
      if (!wait.async) continue;
      void wait.value.then(() => this.#listen());
      return;
    }
  }

  #drain(): void {
    for (;;) {
      const place = WORD.COMPLETION_RING + (this.#taken & (RING_SLOTS - 1));
      const slot = Atomics.load(this.#words, place) - 1;
      if (slot < 0) return;
      Atomics.store(this.#words, place, 0);
      this.#taken = (this.#taken + 1) | 0;
      this.#finish(slot, null);
    }
  }

  #finish(slot: number, posted: Uint8Array | null): void {
    const { header, response } = this.#slots[slot];
    const done = this.#callbacks[slot];
    assert(done !== null, 'a completed read has a callback');
    this.#callbacks[slot] = null;
    const body = posted ?? response.subarray(0, header[1]);
    if (header[0] === OUTCOME_ERROR) {
      const { code, message } = JSON.parse(decoder.decode(body.slice())) as { code: EngineErrorCode; message: string };
      done(new EngineError(code, message), null);
    } else done(null, { body, found: header[2], elapsedUs: header[3] });
    // Only now: the callback may read the slot's bytes, and no request it makes may get this slot.
    this.#free.push(slot);
  }
}
