/**
 * Has an HTTP thread give back what its own reads have left behind, once nobody has asked for a while. The runtime collects garbage
 * after much more of it has come together, and pages of the largest read stay; meanwhile the process holds memory that nothing is in.
 */

const TICK_MS = 1000;
/**
 * Ticks without an answer before it is done. The collector gives memory back only where little was allocated in the last seconds.
 */
const QUIET_TICKS = 8;
/** Fewer answers since the last time leave too little behind. */
const ANSWERS_MIN = 500;

export class QuietReads {
  readonly #answers: () => number;
  readonly #rest: () => void;
  #seen = 0;
  #restedAt = 0;
  #quietTicks = 0;

  /** `answers`: how many this thread has given; `rest` gives back what they left behind. */
  constructor(answers: () => number, rest: () => void) {
    this.#answers = answers;
    this.#rest = rest;
  }

  /** Looks from now on, without keeping the process alive. */
  start(): void {
    setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Called every TICK_MS. */
  tick(): void {
    const answers = this.#answers();
    this.#quietTicks = answers === this.#seen ? this.#quietTicks + 1 : 0;
    this.#seen = answers;
    if (this.#quietTicks !== QUIET_TICKS || answers - this.#restedAt < ANSWERS_MIN) return;
    this.#restedAt = answers;
    this.#rest();
  }
}
