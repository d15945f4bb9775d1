/**
 * Seeded random numbers, so that every run of the load tests asks the same questions.
 */

/** Numbers in [0, 1), the same for the same seed. */
export type Random = () => number;

/** Mulberry32 by Tommy Ettinger: a 32-bit counter, mixed. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** An integer in [0, bound). */
export const randomBelow = (random: Random, bound: number): number => Math.floor(random() * bound);

/** One of `items`, which is not empty. */
export const pick = <T>(random: Random, items: readonly T[]): T => items[randomBelow(random, items.length)];
