/**
 * Collects the garbage of an HTTP thread once nobody has asked for a while. The runtime does so after much more of it has come
 * together, and meanwhile the process holds memory that nothing is in.
 */
import { collectGarbage } from '../../engine/index.js';

const TICK_MS = 1000;
/**
 * Ticks without an answer before it is done. The collector gives memory back only where little was allocated in the last seconds.
 */
const QUIET_TICKS = 8;
/** Fewer answers since the last time leave too little behind. */
const ANSWERS_MIN = 500;

export class QuietCollector {
  readonly #answers: () => number;
  readonly #collect: () => void;
  #seen = 0;
  #collectedAt = 0;
  #quietTicks = 0;

  /** `answers`: how many this thread has given. */
  constructor(answers: () => number, collect: () => void = collectGarbage) {
    this.#answers = answers;
    this.#collect = collect;
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
    if (this.#quietTicks !== QUIET_TICKS || answers - this.#collectedAt < ANSWERS_MIN) return;
    this.#collectedAt = answers;
    this.#collect();
  }
}
