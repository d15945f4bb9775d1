/**
 * Tells when hardly anything is written, so that what pays only then is begun. Asked by the writer's loop at each of its ticks.
 *
 * A trickle of single writes is calm, too: a shop that changes a price now and then must not wait for better times for ever.
 */

/** Ticks in a row without any write that make it calm; one with a little counts a fifteenth of these. */
const QUIET_TICKS = 4;
const LITTLE_TICKS = 60;
/** The log grows by at most as much in a tick with a little. */
const LITTLE_BYTES = 1 << 16;

export class Calm {
  #logBytes = 0;
  /** How calm it has been since more was written; 1: for long enough. */
  #share = 0;

  /** A tick is over, with `logBytes` in the log now. Returns whether it has been calm for long enough. */
  tick(logBytes: number): boolean {
    const grown = logBytes - this.#logBytes;
    this.#logBytes = logBytes;
    if (grown > LITTLE_BYTES) this.#share = 0;
    else this.#share += 1 / (grown > 0 ? LITTLE_TICKS : QUIET_TICKS);
    return this.#share >= 1;
  }
}
