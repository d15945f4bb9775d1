/**
 * What each thread that answers reads counts about itself: written by that thread alone, read by the HTTP thread for its
 * statistics and by the writer for the memory budget.
 *
 *   QUERIES, HELPS, BUSY_LOW, BUSY_HIGH, CACHE_BYTES, CACHE_HITS, CACHE_MISSES, CACHE_EVICTIONS,
 *   GIVEN_UP   see control-words.ts
 */
import type { CacheCounts } from '../core/cache-budget.js';
import type { ReaderStats } from '../engine.js';
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';

/** Counts for reader `reader`, whose caches are `caches`. */
export class ReaderCounters {
  readonly #words: AtomicWords;
  readonly #reader: number;
  readonly #caches: CacheCounts;

  constructor(words: AtomicWords, reader: number, caches: CacheCounts) {
    this.#words = words;
    this.#reader = reader;
    this.#caches = caches;
  }

  /** Counts a read that took `elapsedUs`, however it ended. */
  count(elapsedUs: number): void {
    const words = this.#words;
    const reader = this.#reader;
    words.add(WORD.QUERIES + reader, 1);
    this.countTime(elapsedUs);
    words.store(WORD.CACHE_BYTES + reader, this.#caches.bytes | 0);
    words.store(WORD.CACHE_HITS + reader, this.#caches.hits | 0);
    words.store(WORD.CACHE_MISSES + reader, this.#caches.misses | 0);
    words.store(WORD.CACHE_EVICTIONS + reader, this.#caches.evictions | 0);
  }

  /** Counts a part in another reader's search. */
  countHelp(): void {
    this.#words.add(WORD.HELPS + this.#reader, 1);
  }

  /** Counts a read that took `elapsedUs` and came to nothing: another thread takes it. */
  countGivenUp(elapsedUs: number): void {
    this.#words.add(WORD.GIVEN_UP + this.#reader, 1);
    this.countTime(elapsedUs);
  }

  /** Counts time that was not spent on a read of its own, or came to nothing. */
  countTime(elapsedUs: number): void {
    const before = this.#words.load(WORD.BUSY_LOW + this.#reader) >>> 0;
    this.#words.store(WORD.BUSY_LOW + this.#reader, (before + elapsedUs) | 0);
    if (before + elapsedUs >= 2 ** 32) this.#words.add(WORD.BUSY_HIGH + this.#reader, 1);
  }
}

/**
 * What the threads have counted, added up where it is read: a word of 32 bits begins anew, which the sum over several threads would
 * show as a fall. It has to be asked once for each 2^32 that a thread counts.
 */
export class ReaderTotals {
  readonly #words: AtomicWords;
  /** By word: what it has counted in all, as far as that has been asked. */
  readonly #totals = new Map<number, number>();

  constructor(words: AtomicWords) {
    this.#words = words;
  }

  /** What reader `reader` has counted. */
  of(reader: number): ReaderStats {
    const word = (place: number): number => this.#words.load(place + reader) >>> 0;
    const total = (place: number): number => this.#total(place + reader);
    return {
      queries: total(WORD.QUERIES),
      helped: total(WORD.HELPS),
      busyUs: word(WORD.BUSY_HIGH) * 2 ** 32 + word(WORD.BUSY_LOW),
      cacheBytes: word(WORD.CACHE_BYTES),
      cacheHits: total(WORD.CACHE_HITS),
      cacheMisses: total(WORD.CACHE_MISSES),
      cacheEvictions: total(WORD.CACHE_EVICTIONS),
      givenUp: total(WORD.GIVEN_UP),
    };
  }

  #total(place: number): number {
    const before = this.#totals.get(place) ?? 0;
    const total = before + ((this.#words.load(place) - (before % 2 ** 32)) >>> 0);
    this.#totals.set(place, total);
    return total;
  }
}
