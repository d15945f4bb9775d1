/**
 * How the writer knows that no reader can still reach a region: generations and epochs (Fraser, "Practical lock-freedom",
 * 2004, chapter 5).
 *
 *   GENERATION  written by the writer: counts publications, modulo 2^31. Whoever loads g can receive every update posted
 *               before g from its port: posting happens before the store.
 *   EPOCH + t   written by thread t: the generation that its running query started from, or IDLE. What was retired at that
 *               generation or later is not freed. The word of the maintenance thread, the one after the readers', is written
 *               by the writer, when it hands a merge over and when the merge is done.
 *
 * A thread stores its epoch and loads the generation again. If that has not moved, the writer's next look at the epochs
 * sees the epoch; if it has, the writer may have looked before, and the thread starts over.
 *
 * Words hold generations modulo 2^31, the writer counts on in 53 bits: ages are differences modulo 2^31 to the current
 * generation, which no epoch can be ahead of, and no query or merge sees 2^31 publications. So nothing happens when the
 * words wrap around.
 */
import type { AtomicWords } from './atomic-words.js';
import { EPOCHS_MAX, READER_STRIDE, WORD } from './control-words.js';

/** An epoch word while its thread reads nothing. */
const EPOCH_IDLE = -1;
const MODULO_MASK = 0x7fffffff;

const epochPlace = (thread: number): number => WORD.EPOCH + thread * READER_STRIDE;

/** Before any thread starts: none of them reads anything. */
export function clearEpochs(words: AtomicWords): void {
  for (let thread = 0; thread < EPOCHS_MAX; thread++) words.store(epochPlace(thread), EPOCH_IDLE);
}

/** What one thread holds on to. */
export class Epoch {
  readonly #words: AtomicWords;
  readonly #place: number;

  constructor(words: AtomicWords, thread: number) {
    this.#words = words;
    this.#place = epochPlace(thread);
  }

  /** Keeps all that the current generation reaches, until leave(); returns that generation. */
  enter(): number {
    for (;;) {
      const generation = this.#words.load(WORD.GENERATION);
      this.#words.store(this.#place, generation);
      // Published meanwhile: what the older epoch protects may have been freed before it was noted.
      if (this.#words.load(WORD.GENERATION) === generation) return generation;
    }
  }

  leave(): void {
    this.#words.store(this.#place, EPOCH_IDLE);
  }

  get isIdle(): boolean {
    return this.#words.load(this.#place) === EPOCH_IDLE;
  }
}

/** The writer's end. */
export class Generations {
  readonly #words: AtomicWords;
  readonly #threads: number;
  #current: number;

  /** `threads`: how many have epochs. `current`: where to begin, any integer from 0; the word is set to it. */
  constructor(words: AtomicWords, threads: number, current = 0) {
    this.#words = words;
    this.#threads = threads;
    this.#current = current;
    words.store(WORD.GENERATION, current % (MODULO_MASK + 1));
  }

  /** Publications so far: never wraps around. */
  get current(): number {
    return this.#current;
  }

  /** Makes what was posted the current generation. */
  publish(): void {
    this.#current++;
    // Not `&` of the count itself, which may have outgrown 32 bits.
    this.#words.store(WORD.GENERATION, this.#current % (MODULO_MASK + 1));
  }

  /** The oldest generation that a query or a merge may still use; the current one when none runs. */
  oldestInUse(): number {
    const now = this.#current % (MODULO_MASK + 1);
    let oldestAge = 0;
    for (let thread = 0; thread < this.#threads; thread++) {
      const epoch = this.#words.load(epochPlace(thread));
      if (epoch !== EPOCH_IDLE) oldestAge = Math.max(oldestAge, (now - epoch) & MODULO_MASK);
    }
    return this.#current - oldestAge;
  }
}
