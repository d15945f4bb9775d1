/**
 * Documents made by a seed, as many as are wanted, so that anybody can measure what others measured without a corpus of theirs: short
 * titles of words that occur as words do, and a field of every other type. Called by corpus-source.ts.
 *
 * The same seed gives the same bytes on every machine: all figures come from +, -, *, / and square roots, which IEEE 754 rounds
 * in one way, and from no other function of Math.
 */
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { createRandom, type Random, randomBelow } from './random.js';
import type { PerfField } from './schemas.js';
import { wordOfRank } from './synthetic-words.js';
import { WeightedRanks } from './weighted-ranks.js';

export const SYNTHETIC_FIELDS: readonly PerfField[] = [
  { name: 'title', type: 'text' },
  { name: 'topic', type: 'keyword', facet: true },
  { name: 'score', type: 'int', filter: true, sort: true },
  { name: 'price', type: 'float', filter: true, sort: true },
  { name: 'created', type: 'date', filter: true, sort: true },
  { name: 'sold', type: 'bool', facet: true },
];

/** Words there are; what a corpus has of them grows with it, as the rarest ones occur once in hundreds of millions. */
export const VOCABULARY = 1 << 20;
const WORD_SHIFT = 5;
const WORDS_MAX = 60;
const TOPICS = 200;
/** Rank of the word of the first one: not one that titles are full of. */
const FIRST_TOPIC = 2000;
const FIRST_DAY_MS = 1_600_000_000_000;
const STEP_MS = 60_000;
const HOUR_MS = 3_600_000;
const CHUNK_CHARS = 1 << 18;

/**
 * How often the word of a rank from 0 on is written: 1 / (rank + 1 + 5)^1.25, Mandelbrot's form of Zipf's law ("An informational
 * theory of the statistical structure of language", 1953). The exponent is above 1, so that the number of different words grows
 * like a power of the number of all, as Heaps found ("Information retrieval: computational and theoretical aspects", 1978).
 */
export function wordWeight(rank: number): number {
  const shifted = rank + 1 + WORD_SHIFT;
  return 1 / (shifted * Math.sqrt(Math.sqrt(shifted)));
}

/** The share of titles of at most `words` words: log-logistic with a median of 8.2 and a shape of 2.5. */
function shareUpTo(words: number): number {
  const grown = words * words * Math.sqrt(words);
  return grown / (8.2 * 8.2 * Math.sqrt(8.2) + grown);
}

/** How often titles have `words` words, 1 to 60; longer ones are not made. */
export const lengthWeight = (words: number): number => shareUpTo(words + 0.5) - shareUpTo(words - 0.5);

/** Makes documents one after the other. */
class DocumentMaker {
  readonly #random: Random;
  readonly #ranks = new WeightedRanks(VOCABULARY, wordWeight);
  readonly #lengths = new WeightedRanks(WORDS_MAX, (rank) => lengthWeight(rank + 1));
  readonly #topics = new WeightedRanks(TOPICS, (rank) => 1 / (rank + 1));
  /** Those that were drawn: making a word takes longer than finding it. */
  readonly #words: (string | undefined)[] = new Array<string | undefined>(VOCABULARY).fill(undefined);
  #made = 0;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  #word(rank: number): string {
    const known = this.#words[rank];
    if (known !== undefined) return known;
    const made = wordOfRank(rank);
    this.#words[rank] = made;
    return made;
  }

  #title(): string {
    const random = this.#random;
    const first = this.#word(this.#ranks.draw(random));
    let title = first[0].toUpperCase() + first.slice(1);
    for (let left = this.#lengths.draw(random); left > 0; left--) title += ` ${this.#word(this.#ranks.draw(random))}`;
    return title;
  }

  /** The next document as JSON. No word needs an escape. */
  next(): string {
    const random = this.#random;
    const id = this.#made++;
    const title = this.#title();
    const topic = this.#word(FIRST_TOPIC + this.#topics.draw(random));
    // Half of all are below 10, one of a hundred is above 900: the share above x is 10 / (10 + x).
    const share = random();
    const score = Math.floor((10 * share) / (1.0001 - share));
    const cheapness = random();
    const cents = 99 + Math.floor(50_000 * cheapness * cheapness * cheapness);
    const created = FIRST_DAY_MS + id * STEP_MS + randomBelow(random, HOUR_MS);
    const sold = random() < 0.3;
    return `{"id":"s${id}","title":"${title}","topic":"${topic}","score":${score},"price":${cents / 100},"created":${created},"sold":${sold}}\n`;
  }
}

/** `count` documents as JSON lines, in pieces of some hundred thousand characters. */
export function* makeDocuments(count: number, seed: number): Generator<string> {
  const maker = new DocumentMaker(seed);
  let piece = '';
  for (let made = 0; made < count; made++) {
    piece += maker.next();
    if (piece.length < CHUNK_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Writes `count` documents to the file at `path`. Errors: those of the file system. */
export function writeDocuments(path: string, count: number, seed: number): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of makeDocuments(count, seed)) appendFileSync(file, piece, 'latin1');
  } finally {
    closeSync(file);
  }
}
