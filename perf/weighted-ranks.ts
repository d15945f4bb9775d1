/**
 * Draws ranks by weight: words as often as they occur, lengths as often as texts have them. Used by the benchmarks and by the
 * synthetic corpus.
 */
import type { Random } from './random.js';

/** Parts of [0, 1) of which each knows between which ranks its numbers fall. */
const PARTS = 1 << 16;

/** Draws ranks 0 to `count` - 1; `weightOf` gives each its share of the sum. */
export class WeightedRanks {
  /** Sums of the weights up to and with each rank. */
  readonly #cumulative: Float64Array;
  /** The rank that the least number of each part falls on. */
  readonly #first: Uint32Array;

  constructor(count: number, weightOf: (rank: number) => number) {
    this.#cumulative = new Float64Array(count);
    let sum = 0;
    for (let rank = 0; rank < count; rank++) {
      sum += weightOf(rank);
      this.#cumulative[rank] = sum;
    }
    this.#first = new Uint32Array(PARTS + 1).fill(count - 1);
    let rank = 0;
    for (let part = 0; part < PARTS; part++) {
      while (rank < count - 1 && this.#cumulative[rank] <= (part / PARTS) * sum) rank++;
      this.#first[part] = rank;
    }
  }

  draw(random: Random): number {
    const cumulative = this.#cumulative;
    const share = random();
    const wanted = share * cumulative[cumulative.length - 1];
    const part = Math.floor(share * PARTS);
    let low = this.#first[part];
    let high = this.#first[part + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle] <= wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
