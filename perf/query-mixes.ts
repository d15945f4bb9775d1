/**
 * The kinds of queries that the load tests ask, drawn from the documents themselves with a seeded generator.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, pick, type Random, randomBelow } from './random.js';
import type { Corpus } from './schemas.js';
import type { Vocabulary } from './vocabulary.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MISSPELT_MIN = 5;

export interface QueryMix {
  readonly name: string;
  /** What follows the server's address. */
  readonly paths: readonly string[];
}

/** Mixes whose figures the floors are held against. */
export const TWO_WORDS = 'two words, default';
export const SUGGEST = 'suggest';
export const BROWSE = 'filter, 2 facets, sort';
export const ONE_WORD_BY_OCCURRENCE = 'one word exact, by occurrence';
export const ONE_WORD_BY_WORD = 'one word exact, by distinct word';

type Parameters = Readonly<Record<string, string>>;
const EXACT: Parameters = { typo_tolerance: 'false', prefix: 'false' };

const pathOf = (corpus: Corpus, endpoint: 'search' | 'suggest', parameters: Parameters): string =>
  `/collections/${corpus.name}/${endpoint}?${new URLSearchParams(parameters)}`;

/** Changes one letter: another one, one less, one more, or two swapped. */
function misspell(random: Random, word: string): string {
  const letters = [...word];
  const at = randomBelow(random, letters.length - 1);
  const kind = randomBelow(random, 4);
  if (kind === 0) letters[at] = pick(random, [...LETTERS]);
  else if (kind === 1) letters.splice(at, 1);
  else if (kind === 2) letters.splice(at, 0, pick(random, [...LETTERS]));
  else letters.splice(at, 2, letters[at + 1], letters[at]);
  return letters.join('');
}

/** Draws words from the sampled documents, so that frequent words come often. */
export class WordSource {
  readonly #random: Random;
  readonly #vocabulary: Vocabulary;
  readonly #occurrences: readonly string[];

  constructor(random: Random, vocabulary: Vocabulary) {
    this.#random = random;
    this.#vocabulary = vocabulary;
    this.#occurrences = vocabulary.samples.flat();
  }

  byOccurrence(charsMin = 1): string {
    for (;;) {
      const word = pick(this.#random, this.#occurrences);
      if ([...word].length >= charsMin) return word;
    }
  }

  byWord(): string {
    return pick(this.#random, this.#vocabulary.words);
  }

  /** Two words of one document, in order: next to each other or not. */
  pair(isAdjacent: boolean): string {
    for (;;) {
      const words = pick(this.#random, this.#vocabulary.samples);
      if (words.length < 2) continue;
      const first = randomBelow(this.#random, words.length - 1);
      const second = isAdjacent ? first + 1 : first + 1 + randomBelow(this.#random, words.length - 1 - first);
      return `${words[first]} ${words[second]}`;
    }
  }

  cut(chars: number): string {
    return [...this.byOccurrence(chars)].slice(0, chars).join('');
  }
}

/** All mixes of one corpus, `count` queries each. `dataFolder`: where the query files lie. */
export function createMixes(corpus: Corpus, vocabulary: Vocabulary, count: number, dataFolder: string): QueryMix[] {
  const random = createRandom(7);
  const source = new WordSource(random, vocabulary);
  const search = (q: string, more: Parameters = {}): string => pathOf(corpus, 'search', { q, ...more });
  const mix = (name: string, draw: () => string): QueryMix => ({ name, paths: Array.from({ length: count }, draw) });
  return [
    mix(ONE_WORD_BY_OCCURRENCE, () => search(source.byOccurrence(), EXACT)),
    mix(ONE_WORD_BY_WORD, () => search(source.byWord(), EXACT)),
    mix('one word, default', () => search(source.byOccurrence())),
    mix(TWO_WORDS, () => search(source.pair(false))),
    mix('phrase of two words', () => search(`"${source.pair(true)}"`)),
    ...[1, 2, 3].map((chars) => mix(`prefix of ${chars}`, () => search(source.cut(chars)))),
    mix('one word, misspelt', () => search(misspell(random, source.byOccurrence(MISSPELT_MIN)))),
    mix(BROWSE, () => search('', corpus.browse(random))),
    mix('one word, 2 facets', () => search(source.byOccurrence(), { facet: corpus.browse(random).facet })),
    mix(SUGGEST, () => pathOf(corpus, 'suggest', { q: source.cut(1 + randomBelow(random, 6)) })),
    ...fileMixes(corpus, count, dataFolder),
  ];
}

interface FileQuery {
  readonly text: string;
  readonly kind?: string;
}

/** The two public query sets, where they are; they were written for other documents and find little. */
function fileMixes(corpus: Corpus, count: number, dataFolder: string): QueryMix[] {
  const read = (name: string, toPath: (query: FileQuery) => string): QueryMix[] => {
    const path = join(dataFolder, `${name}.queries.jsonl`);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').trim().split('\n').slice(0, count);
    return [{ name: `${name} queries`, paths: lines.map((line) => toPath(JSON.parse(line) as FileQuery)) }];
  };
  return [
    ...read('sbg', ({ text, kind }) => {
      const q = kind === 'phrase' ? `"${text}"` : text.replaceAll(/[+"-]/g, ' ');
      return pathOf(corpus, 'search', { q, ...EXACT, match_mode: kind === 'union' ? 'any' : 'all' });
    }),
    ...read('wands', ({ text }) => pathOf(corpus, 'search', { q: text })),
  ];
}
