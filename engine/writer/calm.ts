/**
 * Tells when hardly anything is written, so that what pays only then is begun. Asked by the writer's loop at each of its ticks.
 *
 * A trickle of single writes is calm, too: a shop that changes a price now and then must not wait for better times for ever.
 */

/** Ticks in a row that make it calm. */
const TICKS = 4;
/** The log grows by at most as much in such a tick. */
const BYTES_A_TICK = 1 << 16;

export class Calm {
  #logBytes = 0;
  #ticks = 0;

  /** A tick is over, with `logBytes` in the log now. Returns whether it has been calm for long enough. */
  tick(logBytes: number): boolean {
    this.#ticks = logBytes - this.#logBytes > BYTES_A_TICK ? 0 : this.#ticks + 1;
    this.#logBytes = logBytes;
    return this.#ticks >= TICKS;
  }
}
