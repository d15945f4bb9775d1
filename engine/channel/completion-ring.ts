/**
 * A ring of slot numbers from readers, any of which may put, to the HTTP thread, which alone takes.
 *
 *   COMPLETION_HEAD   written by readers, by addition: places taken so far, modulo 2^32
 *   COMPLETION_RING   slot + 1 of completion i at i modulo RING_SLOTS, written by the reader that got place i; the HTTP
 *                     thread sets it back to 0 when it takes it. Whoever loads a slot may read all its reader wrote into it.
 *
 * Not more than RING_SLOTS slots exist, so a place is free again before anybody gets it once more. A reader that was
 * interrupted between getting a place and filling it holds back those behind it until it goes on, and rings then.
 */
import type { AtomicWords } from './atomic-words.js';
import { RING_SLOTS, WORD } from './control-words.js';
import { Doorbell } from './doorbell.js';

export class CompletionRing {
  readonly #words: AtomicWords;
  /** The HTTP thread's. */
  readonly bell: Doorbell;
  /** Completions taken so far, modulo 2^32. */
  #taken = 0;

  constructor(words: AtomicWords) {
    this.#words = words;
    this.bell = new Doorbell(words, WORD.POOL_BELL);
  }

  /** Reader: hands `slot` back, and wakes the HTTP thread if it sleeps. */
  put(slot: number): void {
    const place = this.#words.add(WORD.COMPLETION_HEAD, 1) & (RING_SLOTS - 1);
    this.#words.store(WORD.COMPLETION_RING + place, slot + 1);
    this.bell.ring();
  }

  /**
   * HTTP thread: calls `finish` with each slot that was handed back. false: there was none, now or after the bell was
   * armed, so that it may sleep; true: it looks again before.
   */
  collect(finish: (slot: number) => void): boolean {
    if (this.#drain(finish)) return true;
    this.bell.arm();
    // What was handed back before arm() has rung for nobody.
    if (!this.#drain(finish)) return false;
    this.bell.disarm();
    return true;
  }

  #drain(finish: (slot: number) => void): boolean {
    let slot = this.#take();
    if (slot < 0) return false;
    for (; slot >= 0; slot = this.#take()) finish(slot);
    return true;
  }

  /** The slot handed back first; -1: none. */
  #take(): number {
    const place = WORD.COMPLETION_RING + (this.#taken & (RING_SLOTS - 1));
    const slot = this.#words.load(place) - 1;
    if (slot < 0) return -1;
    this.#words.store(place, 0);
    this.#taken = (this.#taken + 1) | 0;
    return slot;
  }
}
