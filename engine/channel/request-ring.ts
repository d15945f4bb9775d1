/**
 * A ring of slot numbers from the HTTP thread, which alone puts, to readers, any of which may take.
 *
 *   head        written by the HTTP thread: slots put so far, modulo 2^32. Whoever loads it may load every entry below it.
 *   tail        written by readers, by exchange: slots taken so far
 *   entries     written by the HTTP thread: the slot of request i at i modulo RING_SLOTS. An entry is overwritten only
 *               when its slot has come back, hence after it was taken: no more than RING_SLOTS slots exist.
 */
import type { AtomicWords } from './atomic-words.js';
import { RING_SLOTS, WORD } from './control-words.js';

export interface RingPlaces {
  readonly head: number;
  readonly tail: number;
  readonly entries: number;
}

export const QUICK_RING: RingPlaces = { head: WORD.QUICK_HEAD, tail: WORD.QUICK_TAIL, entries: WORD.QUICK_RING };
export const DEAR_RING: RingPlaces = { head: WORD.DEAR_HEAD, tail: WORD.DEAR_TAIL, entries: WORD.DEAR_RING };

export class RequestRing {
  readonly #words: AtomicWords;
  readonly #head: number;
  readonly #tail: number;
  readonly #entries: number;

  constructor(words: AtomicWords, { head, tail, entries }: RingPlaces) {
    this.#words = words;
    this.#head = head;
    this.#tail = tail;
    this.#entries = entries;
  }

  /** HTTP thread: puts `slot` behind the others. */
  put(slot: number): void {
    const head = this.#words.load(this.#head);
    this.#words.store(this.#entries + (head & (RING_SLOTS - 1)), slot);
    this.#words.store(this.#head, (head + 1) | 0);
  }

  /** Reader: takes the slot that waits longest, for itself alone; -1: none waits. */
  take(): number {
    for (;;) {
      const tail = this.#words.load(this.#tail);
      if (tail === this.#words.load(this.#head)) return -1;
      const slot = this.#words.load(this.#entries + (tail & (RING_SLOTS - 1)));
      // The exchange fails when another reader took it; the slot read may then be stale, and is not used.
      if (this.#words.compareExchange(this.#tail, tail, (tail + 1) | 0) === tail) return slot;
    }
  }

  /** Whether none waits now. */
  get isEmpty(): boolean {
    return this.#words.load(this.#tail) === this.#words.load(this.#head);
  }
}
