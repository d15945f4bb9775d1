/**
 * The limits of a read that the HTTP thread answers itself: whatever takes more than some tens of microseconds is given up for
 * the readers, as soon as that is known. Most is known before anything was read; the rest a look at the clock tells.
 */
import { ReadStopped } from '../core/read-stopped.js';
import type { ReadBudget } from '../query/read-budget.js';
import { RESPONSE_BYTES } from './read-mailbox.js';

/** What a read may be estimated at, in microseconds. */
const COST_US_MAX = 40;
/** Terms that a read may look at beside those that were typed. */
const TERMS_MAX = 512;
/** One that has taken longer, whatever was expected, is given up. */
const ELAPSED_MS_MAX = 2;
/** Looks at the budget for one at the clock. */
const LOOKS_PER_CLOCK = 4;

/** Thrown again and again: what an error notes of its place costs more than the read. */
const TOO_DEAR = new ReadStopped('demoted');
const TOO_LONG = new ReadStopped('demoted', true);

export class InlineBudget implements ReadBudget {
  #untilMs = 0;
  #terms = 0;
  #looks = 0;

  /** A read begins at `nowMs`. */
  begin(nowMs: number): void {
    this.#untilMs = nowMs + ELAPSED_MS_MAX;
    this.#terms = 0;
    this.#looks = 0;
  }

  check(): void {
    if (++this.#looks % LOOKS_PER_CLOCK === 0 && performance.now() > this.#untilMs) throw TOO_LONG;
  }

  expectTerms(count: number): void {
    this.#terms += count;
    if (this.#terms > TERMS_MAX) throw TOO_DEAR;
  }

  expectCost(us: number): void {
    if (us > COST_US_MAX) throw TOO_DEAR;
  }

  expectBytes(bytes: number): void {
    if (bytes > RESPONSE_BYTES) throw TOO_DEAR;
  }
}
