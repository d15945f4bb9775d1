/**
 * Words that occur as words do: few of them often, most of them hardly ever, and the same ones from run to run.
 *
 * Rank r has a share of 1 / (r + 2.7), after Mandelbrot's form of Zipf's law ("An informational theory of the
 * statistical structure of language", 1953).
 */
import { createRandom, type Random, randomBelow } from '../../perf/random.js';
import { WeightedRanks } from '../../perf/weighted-ranks.js';

const SHIFT = 2.7;
const SYLLABLES =
  'ba be bi co de do fa ga ho in ka la le ma mi na ne no on pa ra re ri sa se so ta te ti to un va vo'.split(' ');

/** Draws ranks 0 to `count` - 1, the first ones most often. */
export const zipfRanks = (count: number): WeightedRanks => new WeightedRanks(count, (rank) => 1 / (rank + 1 + SHIFT));

/** Distinct words of two to six syllables, the frequent ones short: the word of rank r is words[r]. */
export function makeWords(count: number, seed: number): string[] {
  const random = createRandom(seed);
  const words = new Set<string>();
  while (words.size < count) {
    const syllables = 2 + Math.floor(Math.log10(1 + words.size) * 0.6) + randomBelow(random, 2);
    let word = '';
    for (let i = 0; i < syllables; i++) word += SYLLABLES[randomBelow(random, SYLLABLES.length)];
    words.add(word);
  }
  return [...words];
}

/** A vocabulary to draw text from. */
export class Vocabulary {
  readonly words: readonly string[];
  readonly #ranks: WeightedRanks;

  constructor(count: number, seed: number) {
    this.words = makeWords(count, seed);
    this.#ranks = zipfRanks(count);
  }

  /** One word, as often as it occurs. */
  draw(random: Random): string {
    return this.words[this.#ranks.draw(random)];
  }

  /** `count` words with spaces between them. */
  text(random: Random, count: number): string {
    let text = this.draw(random);
    for (let i = 1; i < count; i++) text += ` ${this.draw(random)}`;
    return text;
  }
}
