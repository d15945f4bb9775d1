/**
 * Who has an order that the writer has given to the maintenance thread and may take back: one word.
 *
 *   WAITING     the order was posted: whoever exchanges this has it
 *   TAKEN_BACK  written by the writer: it carries the order out itself
 *   BEGUN       written by the maintenance thread, which is at it
 *   DONE        written by the maintenance thread: it has posted the answer, and is done with all that the order names
 */
import type { AtomicWords } from './atomic-words.js';

const WAITING = 0;
const TAKEN_BACK = 1;
const BEGUN = 2;
const DONE = 3;

const PLACE = 0;

export class OrderWord {
  readonly #words: AtomicWords;

  /** `words`: one, of its own, 0 when the order is posted. */
  constructor(words: AtomicWords) {
    this.#words = words;
  }

  /** Maintenance thread: whether the order is still to be carried out, by the caller then. */
  begin(): boolean {
    return this.#words.compareExchange(PLACE, WAITING, BEGUN) === WAITING;
  }

  /** Maintenance thread: the answer is posted. */
  end(): void {
    this.#words.store(PLACE, DONE);
    this.#words.notify(PLACE);
  }

  /** Writer: whether the order is its own again. */
  takeBack(): boolean {
    return this.#words.compareExchange(PLACE, WAITING, TAKEN_BACK) === WAITING;
  }

  get isDone(): boolean {
    return this.#words.load(PLACE) === DONE;
  }

  /** Writer: returns once the answer is posted. */
  wait(): void {
    for (let now = this.#words.load(PLACE); now !== DONE; now = this.#words.load(PLACE)) this.#words.wait(PLACE, now);
  }
}
