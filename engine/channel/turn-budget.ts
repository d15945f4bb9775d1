/**
 * How much of its time the HTTP thread may spend on reads of its own: so much in a turn of its event loop, so that requests,
 * acknowledgements and clients that wait for the rest of an answer have their turns as if it read nothing.
 *
 * A read that waited for bytes from a disk is paid for with a pause, so that such reads take a small share of the thread's time
 * however many come. One that took long for want of a processor is not: whatever the thread does takes longer then. Used by
 * inline-reader.ts. Pure but for what it is made with.
 */

const majorFaults = (): number => process.resourceUsage().majorPageFault;

/** Microseconds of reads in a turn, and of those that take less than handing them over. */
const TURN_US_MAX = 200;
const CHEAP_TURN_US_MAX = 2000;
/** What handing a read over takes of this thread. */
const CHEAP_US = 15;
/** A read that took longer, and met pages that were not in memory, is followed by a pause of PAUSE_FACTOR times as long. */
const LONG_READ_US = 1000;
const PAUSE_FACTOR = 20;

export class TurnBudget {
  readonly #schedule: (run: () => void) => void;
  readonly #endTurn = (): void => {
    this.#spentUs = 0;
  };
  readonly #faultCount: () => number;
  #faults = 0;
  #spentUs = 0;
  #pausedUntilMs = 0;

  /** `schedule` calls its argument once the turn is over; `faultCount` tells how often the process waited for a page so far. */
  constructor(schedule: (run: () => void) => void = setImmediate, faultCount = majorFaults) {
    this.#schedule = schedule;
    this.#faultCount = faultCount;
  }

  /** Whether a read that takes `expectedUs`, about, may begin at `nowMs`. */
  hasTime(expectedUs: number, nowMs: number): boolean {
    const most = expectedUs <= CHEAP_US ? CHEAP_TURN_US_MAX : TURN_US_MAX;
    return this.#spentUs < most && nowMs >= this.#pausedUntilMs;
  }

  /** A read took `elapsedUs`, and is over at `nowMs`. */
  spend(elapsedUs: number, nowMs: number): void {
    if (this.#spentUs === 0) this.#schedule(this.#endTurn);
    // A read of no time counts, so that the turn is known to be begun.
    this.#spentUs += elapsedUs + 1;
    if (elapsedUs > LONG_READ_US && this.#hasFaulted()) this.#pausedUntilMs = nowMs + (elapsedUs / 1000) * PAUSE_FACTOR;
  }

  /** Whether the process has waited for a page since the last call. */
  #hasFaulted(): boolean {
    const before = this.#faults;
    this.#faults = this.#faultCount();
    return this.#faults > before;
  }
}
