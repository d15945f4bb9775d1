/**
 * Watches how long reads wait, for balancers: a server with more to do than it can for some seconds says so in /ready, and
 * gets no new requests until it has caught up.
 *
 * Called by the route of /ready. A short burst says nothing, so the backlog must stay above its bound for a while; and the
 * server is ready again only at half of that, or it would come and go.
 */

const SAMPLES_OF_WHILE = 6;

export class ReadBacklog {
  readonly maxMs: number;
  readonly #overMs: number;
  readonly #read: () => number;
  #ms = 0;
  #overSinceMs: number | null = null;
  #isTooLong = false;

  /**
   * `read` returns how long a read would wait now, in milliseconds; more than `maxMs` (0: any wait is fine) for `overMs` is too
   * long. `read` is called at a steady pace from now on.
   */
  constructor(read: () => number, maxMs: number, overMs: number) {
    this.#read = read;
    this.maxMs = maxMs;
    this.#overMs = overMs;
    if (maxMs > 0) setInterval(() => this.#sample(), Math.ceil(overMs / SAMPLES_OF_WHILE)).unref();
  }

  /** How long a read waited at the last look. */
  get ms(): number {
    return this.#ms;
  }

  /** Whether reads have waited too long for long enough. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  #sample(): void {
    this.#ms = this.#read();
    const nowMs = performance.now();
    if (this.#ms > this.maxMs) {
      this.#overSinceMs ??= nowMs;
      if (nowMs - this.#overSinceMs >= this.#overMs) this.#isTooLong = true;
      return;
    }
    this.#overSinceMs = null;
    if (this.#ms <= this.maxMs / 2) this.#isTooLong = false;
  }
}
