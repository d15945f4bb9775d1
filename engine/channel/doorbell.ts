/**
 * How one thread sleeps while it has nothing to do, and how others wake it, without a lost wake-up.
 *
 *   sleeper:  arm(), look for work once more, then disarm() or sleep()
 *   ringer:   put the work where the sleeper looks, then ring()
 *
 * Either the sleeper's second look comes after the work was put there and finds it, or the ringer's look at the bell comes
 * after arm() and finds it armed (Dekker's argument; all operations are sequentially consistent). Of several ringers one
 * takes the bell down and wakes.
 *
 *   word: 1 while the sleeper sleeps or is about to. Set by the sleeper, cleared by the sleeper or by the ringer that wakes it.
 */
import type { AtomicWords } from './atomic-words.js';

/** What the word of a bell holds before its sleeper first arms it. */
const BELL_DOWN = 0;
const BELL_ARMED = 1;

/** What a ringer does around the call that wakes a sleeper: before it takes the bell down, and after it has woken it or found it up. */
export interface Waking {
  before(): void;
  after(): void;
}

const WAKING: Waking = { before() {}, after() {} };

export class Doorbell {
  readonly #words: AtomicWords;
  readonly #place: number;

  constructor(words: AtomicWords, place: number) {
    this.#words = words;
    this.#place = place;
  }

  /** Sleeper: from now on whoever brings work rings. */
  arm(): void {
    this.#words.store(this.#place, BELL_ARMED);
  }

  /** Sleeper: it is up; nobody need ring. */
  disarm(): void {
    this.#words.store(this.#place, BELL_DOWN);
  }

  /** Sleeper: returns once somebody has rung since arm(). */
  sleep(): void {
    this.#words.wait(this.#place, BELL_ARMED);
  }

  /** As sleep(), for `ms` milliseconds at most; false: they are over, and the bell is armed until somebody has rung. */
  sleepFor(ms: number): boolean {
    return this.#words.waitFor(this.#place, BELL_ARMED, ms);
  }

  /** Sleeper that must not block: resolves once somebody has rung since arm(); null: somebody has already. */
  sleepAsync(): Promise<unknown> | null {
    return this.#words.waitAsync(this.#place, BELL_ARMED);
  }

  /** Ringer: wakes the sleeper; false: it is up, and looks for work before it sleeps. */
  ring({ before, after }: Waking = WAKING): boolean {
    if (this.#words.load(this.#place) !== BELL_ARMED) return false;
    // Whatever this takes: until the bell is down another ringer wakes the sleeper.
    before();
    const isTaken = this.#words.compareExchange(this.#place, BELL_ARMED, BELL_DOWN) === BELL_ARMED;
    if (isTaken) this.#words.notify(this.#place);
    after();
    return isTaken;
  }
}
