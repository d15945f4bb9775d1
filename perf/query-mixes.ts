/**
 * The kinds of queries that the load tests ask, drawn from the documents themselves with a seeded generator.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, pick, type Random, randomBelow } from './random.js';
import type { BrowseParameters, Corpus } from './schemas.js';
import type { Vocabulary } from './vocabulary.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MISSPELT_MIN = 5;
const SUGGEST_MAX = 6;

/** Queries of a mix that are asked before it is measured. */
const WARM_UP_QUERIES = 200;

export interface QueryMix {
  readonly name: string;
  /** What follows the server's address. */
  readonly paths: readonly string[];
  /** Further ones of the kind, asked before those are measured. Of the public query sets what is left of their files. */
  readonly warmUp: readonly string[];
}

/** Mixes whose figures the floors are held against. */
export const TWO_WORDS = 'two words, default';
export const SUGGEST = 'suggest';
export const BROWSE = 'filter, 2 facets, sort';
export const ONE_WORD_BY_OCCURRENCE = 'one word exact, by occurrence';
export const ONE_WORD_BY_WORD = 'one word exact, by distinct word';

type Parameters = Readonly<Record<string, string>>;
const EXACT: Parameters = { typo_tolerance: 'false', prefix: 'false' };

function pathOf({ name, queryBy }: Corpus, endpoint: 'search' | 'suggest', parameters: Parameters): string {
  const all = queryBy === undefined ? parameters : { ...parameters, query_by: queryBy };
  return `/collections/${name}/${endpoint}?${new URLSearchParams(all)}`;
}

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

  hasWords(charsMin: number): boolean {
    return this.#occurrences.some((word) => [...word].length >= charsMin);
  }

  get hasPairs(): boolean {
    return this.#vocabulary.samples.some(({ length }) => length > 1);
  }

  /** There have to be such words, as for the others below. */
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

const facetsOf = (parameters: BrowseParameters): number => parameters.facet?.split(',').length ?? 0;
const sayFacets = (count: number): string => `${count} ${count === 1 ? 'facet' : 'facets'}`;

/** Names what a search without text has: {@link BROWSE} where the schema has fields for all of it. */
function browseName(parameters: BrowseParameters): string {
  const facets = facetsOf(parameters);
  const parts = [parameters.filter && 'filter', facets > 0 && sayFacets(facets), parameters.sort && 'sort'];
  return parts.filter(Boolean).join(', ');
}

/** The mixes of fields that are filtered, counted and sorted by; none where the schema has no such fields. */
function fieldMixes(corpus: Corpus, vocabulary: Vocabulary, random: Random, source: WordSource): Mix[] {
  const browse = (): BrowseParameters => corpus.browse(random, vocabulary);
  // A sequence of its own, so that looking takes nothing from the one that queries are drawn with.
  const example = corpus.browse(createRandom(1), vocabulary);
  const search = (q: string, more: Parameters): string => pathOf(corpus, 'search', { q, ...more });
  const mixes: Mix[] = [];
  if (browseName(example) !== '') mixes.push({ name: browseName(example), draw: () => search('', browse()) });
  if (example.facet !== undefined) {
    const draw = (): string => search(source.byOccurrence(), { facet: browse().facet ?? '' });
    mixes.push({ name: `one word, ${sayFacets(facetsOf(example))}`, draw });
  }
  return mixes;
}

interface Mix {
  readonly name: string;
  readonly draw: () => string;
}

/** The names of the mixes of every corpus, and what each asks. */
export const MIX_PURPOSES: Readonly<Record<string, string>> = {
  [ONE_WORD_BY_OCCURRENCE]: 'a word as often as it is written, no typos, no completion',
  [ONE_WORD_BY_WORD]: 'any word of the vocabulary, most of which are rare, no typos, no completion',
  'one word, default': 'typos and completion as by default',
  [TWO_WORDS]: 'two words of one document',
  'phrase of two words': 'two neighbours in quotes',
  'prefix of 1': 'the first letter of a word; prefix of 2, prefix of 3: more of it',
  'one word, misspelt': 'a word of at least five letters, one of which is changed, added, left out or swapped',
  [BROWSE]: 'no text; as far as the schema has fields for it',
  'one word, 2 facets': 'typos and completion as by default, and counts',
  [SUGGEST]: 'completions of one to six letters',
};

/**
 * All mixes of one corpus, `count` queries each; those that its documents have no words or fields for are left out. `dataFolder`:
 * where the public query sets lie; '': they are not asked. Throws when there is no word to ask for.
 */
export function createMixes(corpus: Corpus, vocabulary: Vocabulary, count: number, dataFolder: string): QueryMix[] {
  const random = createRandom(7);
  const source = new WordSource(random, vocabulary);
  if (!source.hasWords(1)) throw new Error(`${corpus.name}: no text field of any document has a word`);
  const search = (q: string, more: Parameters = {}): string => pathOf(corpus, 'search', { q, ...more });
  const where = (isThere: boolean, ...mixes: readonly Mix[]): readonly Mix[] => (isThere ? mixes : []);
  const mixes: readonly Mix[] = [
    { name: ONE_WORD_BY_OCCURRENCE, draw: () => search(source.byOccurrence(), EXACT) },
    { name: ONE_WORD_BY_WORD, draw: () => search(source.byWord(), EXACT) },
    { name: 'one word, default', draw: () => search(source.byOccurrence()) },
    ...where(
      source.hasPairs,
      { name: TWO_WORDS, draw: () => search(source.pair(false)) },
      { name: 'phrase of two words', draw: () => search(`"${source.pair(true)}"`) },
    ),
    ...[1, 2, 3].flatMap((chars) =>
      where(source.hasWords(chars), { name: `prefix of ${chars}`, draw: () => search(source.cut(chars)) }),
    ),
    ...where(source.hasWords(MISSPELT_MIN), {
      name: 'one word, misspelt',
      draw: () => search(misspell(random, source.byOccurrence(MISSPELT_MIN))),
    }),
    ...fieldMixes(corpus, vocabulary, random, source),
    ...where(source.hasWords(SUGGEST_MAX), {
      name: SUGGEST,
      draw: () => pathOf(corpus, 'suggest', { q: source.cut(1 + randomBelow(random, SUGGEST_MAX)) }),
    }),
  ];
  const paths = mixes.map(({ draw }) => Array.from({ length: count }, draw));
  const drawn = mixes.map(({ name, draw }, index): QueryMix => {
    return { name, paths: paths[index] ?? [], warmUp: Array.from({ length: WARM_UP_QUERIES }, draw) };
  });
  return [...drawn, ...fileMixes(corpus, count, dataFolder)];
}

interface FileQuery {
  readonly text: string;
  readonly kind?: string;
}

/** The two public query sets, where they are; they were written for other documents and find little. */
function fileMixes(corpus: Corpus, count: number, dataFolder: string): QueryMix[] {
  if (dataFolder === '') return [];
  const read = (name: string, toPath: (query: FileQuery) => string): QueryMix[] => {
    const path = join(dataFolder, `${name}.queries.jsonl`);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .slice(0, count + WARM_UP_QUERIES);
    const paths = lines.map((line) => toPath(JSON.parse(line) as FileQuery));
    return [{ name: `${name} queries`, paths: paths.slice(0, count), warmUp: paths.slice(count) }];
  };
  return [
    ...read('sbg', ({ text, kind }) => {
      const q = kind === 'phrase' ? `"${text}"` : text.replaceAll(/[+"-]/g, ' ');
      return pathOf(corpus, 'search', { q, ...EXACT, match_mode: kind === 'union' ? 'any' : 'all' });
    }),
    ...read('wands', ({ text }) => pathOf(corpus, 'search', { q: text })),
  ];
}
