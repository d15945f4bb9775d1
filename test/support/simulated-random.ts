/**
 * The choices of the simulated disk as plain numbers, from fast-check: what a power failure keeps, where a write tears.
 *
 * 0 always means the harmless choice (kept, whole), so that a failure shrinks towards a disk that does nothing wrong.
 */
import fc from 'fast-check';

/** Returns a number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

export interface Choices {
  readonly seed: number;
  /** How many numbers are drawn from the seed; all after them are 0. */
  readonly count: number;
}

/** A failing run shrinks to as few choices as still show the failure. */
export const choicesArbitrary: fc.Arbitrary<Choices> = fc.record({
  seed: fc.integer({ min: 0, max: 0xffffffff }),
  count: fc.nat(200),
});

/** The same numbers for the same choices. */
export function randomOf({ seed, count }: Choices): Random {
  const random = seededRandom(seed);
  let left = count;
  return () => (left-- > 0 ? random() : 0);
}

/** Mulberry32: 32 bits of state are plenty for choices. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}
