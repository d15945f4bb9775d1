/**
 * Work that no build of the product changes, timed in every round of a run: how fast the machine itself was just then.
 *
 * Two runs of one build at different times differ by the machine. A comparison that knows by how much this loop differed does not
 * call so much a change.
 */
import { createRandom, randomBelow } from '../random.js';
import { medianOf } from './ratio-interval.js';
import { type Measure, measureOf } from './run-record.js';

export const REFERENCE_NAME = 'machine: reference loop';

/** 16 MiB of places: more than what most processors keep at hand. */
const PLACES = 1 << 22;
const STEPS = 1 << 15;
const MIXES = 1 << 21;
const WARM_UPS = 5;

export class ReferenceLoop {
  /** Each place names the next one of a walk through all of them. */
  readonly #next = new Uint32Array(PLACES);
  readonly #rounds: number[] = [];
  #current: number[] = [];
  #at = 0;

  constructor() {
    const next = this.#next;
    for (let i = 0; i < PLACES; i++) next[i] = i;
    const random = createRandom(17);
    // One cycle through all places: Sattolo, "An algorithm to generate a random cyclic permutation", 1986.
    for (let i = PLACES - 1; i > 0; i--) {
      const other = randomBelow(random, i);
      [next[i], next[other]] = [next[other], next[i]];
    }
    for (let i = 0; i < WARM_UPS; i++) this.sample();
    this.#current = [];
  }

  /** Times the work once, for the round that goes on. Takes about ten milliseconds, and the processor whole. */
  sample(): void {
    const startMs = performance.now();
    let mixed = this.#at;
    for (let i = 0; i < STEPS; i++) this.#at = this.#next[this.#at];
    for (let i = 0; i < MIXES; i++) mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) + i;
    // The result is used, so that no compiler leaves the work out.
    this.#at = (this.#at + (mixed & 1)) % PLACES;
    this.#current.push(performance.now() - startMs);
  }

  /** Ends the round: its figure is the median of its samples. */
  endRound(): void {
    this.#rounds.push(medianOf(this.#current));
    this.#current = [];
  }

  /** The measure of the rounds so far. */
  measure(): Measure {
    return measureOf(REFERENCE_NAME, 'ms', 'lower', this.#rounds);
  }
}
