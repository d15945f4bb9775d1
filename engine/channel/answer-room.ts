/**
 * Bounds the memory of answers that outgrew their slots, from before they are written until the client has them: the
 * backpressure of slow connections into the readers.
 *
 *   ANSWER_KIB   KiB lent to such answers. Raised by the reader that is about to write one, lowered by the HTTP thread when
 *                it is sent or given up, and by a reader whose answer will be longer, before it asks for all of it.
 *
 * An answer larger than the bound is written when it is the only one.
 */
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';

/** Whole KiB that `bytes` take. */
export const kibOf = (bytes: number): number => Math.ceil(bytes / 1024);

export class AnswerRoom {
  readonly #words: AtomicWords;
  readonly #kibMax: number;

  constructor(words: AtomicWords, bytesMax: number) {
    this.#words = words;
    this.#kibMax = Math.max(1, Math.floor(bytesMax / 1024));
  }

  get heldKib(): number {
    return this.#words.load(WORD.ANSWER_KIB);
  }

  /** Whether tryReserve() would succeed now. */
  hasRoom(kib: number): boolean {
    const held = this.heldKib;
    return held === 0 || held + kib <= this.#kibMax;
  }

  /** Reader: takes `kib` of the room; false: there is not enough. */
  tryReserve(kib: number): boolean {
    for (;;) {
      const held = this.heldKib;
      if (held !== 0 && held + kib > this.#kibMax) return false;
      if (this.#words.compareExchange(WORD.ANSWER_KIB, held, held + kib) === held) return true;
    }
  }

  /** Gives `kib` back, which whoever calls holds. */
  release(kib: number): void {
    this.#words.add(WORD.ANSWER_KIB, -kib);
  }
}
