/**
 * Known-item searches: a title is drawn from a corpus, and asked for as people ask, cut short, misspelt, joined, split. All is
 * seeded: the same file, count and seed give the same queries.
 *
 * The item is the document whose title was drawn. A document with an equal title (the same words in the same order) is as good:
 * nobody could tell from the query which of them was meant.
 */
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { createRandom, pick, type Random, randomBelow } from './random.js';
import { wordsOf } from './vocabulary.js';

/** Words that are changed are of these letters alone. */
const LATIN = /^[a-z]+$/;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const DISTINCT_WORDS_MIN = 2;
const TITLE_WORDS_MAX = 40;
const LAST_WORD_MIN = 5;
/** A word with a typo has as many letters before it is made. */
const TYPO_WORD_MIN = 4;
const CUT_MIN = 3;
const CUT_WITH_TYPO_MIN = 4;
const JOINED_PART_MIN = 2;
const SPLIT_WORD_MIN = 6;
const SPLIT_PART_MIN = 2;
const INFLECTED_WORD_MIN = 5;
const FOREIGN_WORD_MIN = 4;
const FEW_WORDS = 3;

type Words = readonly string[];

/** A way to ask for a title. `ask` returns the words of the query; the words of all titles are at hand. */
export interface QueryKind {
  readonly name: string;
  /** The match mode in which such a query can find its title at all, where the asker's would not. */
  readonly matchMode?: 'any';
  readonly ask: (random: Random, title: Words, all: Words) => Words;
}

/** Places of the words that consist of at least `lettersMin` Latin letters. */
function placesOf(words: Words, lettersMin: number): number[] {
  return [...words.keys()].filter((place) => words[place].length >= lettersMin && LATIN.test(words[place]));
}

const neighbourPlaces = (words: Words): number[] => {
  const places = new Set(placesOf(words, JOINED_PART_MIN));
  return [...places].filter((place) => places.has(place + 1));
};

/** `from` up to and with `to`. */
const between = (random: Random, from: number, to: number): number => from + randomBelow(random, to - from + 1);

const replaced = (words: Words, place: number, ...by: Words): Words => words.toSpliced(place, 1, ...by);

/** One edit: another letter, one less, one more, or two neighbours swapped. Never the word itself. */
export function misspell(random: Random, word: string): string {
  for (;;) {
    const letters = [...word];
    const at = randomBelow(random, letters.length - 1);
    const kind = randomBelow(random, 4);
    if (kind === 0) letters[at] = pick(random, LETTERS);
    else if (kind === 1) letters.splice(at, 1);
    else if (kind === 2) letters.splice(at, 0, pick(random, LETTERS));
    else letters.splice(at, 2, letters[at + 1], letters[at]);
    const typed = letters.join('');
    if (typed !== word) return typed;
  }
}

/** A part of the word from its start: `lettersMin` letters at least, one less than all at most. */
const cut = (random: Random, word: string, lettersMin: number): string =>
  word.slice(0, between(random, lettersMin, word.length - 1));

const withTypo = (random: Random, words: Words): Words => {
  const place = pick(random, placesOf(words, TYPO_WORD_MIN));
  return replaced(words, place, misspell(random, words[place]));
};

const withLast = (words: Words, change: (last: string) => string): Words => {
  const last = words.length - 1;
  return replaced(words, last, change(words[last]));
};

/** Another form of an English word by its ending alone: -ing and -ed for each other, -s taken or given (-es after ss). */
export function inflect(word: string): string {
  if (word.endsWith('ing')) return `${word.slice(0, -3)}ed`;
  if (word.endsWith('ed')) return `${word.slice(0, -2)}ing`;
  if (word.endsWith('ss')) return `${word}es`;
  return word.endsWith('s') ? word.slice(0, -1) : `${word}s`;
}

function foreignWord(random: Random, title: Words, all: Words): string {
  const foreign = all.filter((word) => word.length >= FOREIGN_WORD_MIN && !title.includes(word));
  if (foreign.length === 0) throw new Error(`no other title has a word of ${FOREIGN_WORD_MIN} letters to lend`);
  return pick(random, foreign);
}

export const QUERY_KINDS: readonly QueryKind[] = [
  { name: 'full words', ask: (_random, title) => title },
  {
    name: 'three of its words',
    ask: (random, title) => {
      const kept = [...new Set(title)];
      while (kept.length > FEW_WORDS) kept.splice(randomBelow(random, kept.length), 1);
      return kept;
    },
  },
  { name: 'last word cut', ask: (random, title) => withLast(title, (word) => cut(random, word, CUT_MIN)) },
  { name: 'one typo', ask: withTypo },
  {
    name: 'last word cut and a typo',
    ask: (random, title) => [...withTypo(random, title.slice(0, -1)), cut(random, title.at(-1) ?? '', CUT_MIN)],
  },
  {
    name: 'typo in the cut word',
    ask: (random, title) => withLast(title, (word) => misspell(random, cut(random, word, CUT_WITH_TYPO_MIN))),
  },
  {
    name: 'two words joined',
    ask: (random, title) => {
      const place = pick(random, neighbourPlaces(title));
      return title.toSpliced(place, 2, `${title[place]}${title[place + 1]}`);
    },
  },
  {
    name: 'one word split',
    ask: (random, title) => {
      const place = pick(random, placesOf(title, SPLIT_WORD_MIN));
      const word = title[place];
      const at = between(random, SPLIT_PART_MIN, word.length - SPLIT_PART_MIN);
      return replaced(title, place, word.slice(0, at), word.slice(at));
    },
  },
  {
    name: 'other word form',
    ask: (random, title) => {
      const place = pick(random, placesOf(title, INFLECTED_WORD_MIN));
      return replaced(title, place, inflect(title[place]));
    },
  },
  {
    name: 'and a foreign word',
    matchMode: 'any',
    ask: (random, title, all) => title.toSpliced(randomBelow(random, title.length), 0, foreignWord(random, title, all)),
  },
];

/** Whether every kind of query can be made of the title, so that all of them are asked for the same items. */
export function isAskable(title: Words): boolean {
  return (
    title.length <= TITLE_WORDS_MAX &&
    new Set(title).size >= DISTINCT_WORDS_MIN &&
    placesOf(title.slice(-1), LAST_WORD_MIN).length > 0 &&
    placesOf(title.slice(0, -1), TYPO_WORD_MIN).length > 0 &&
    placesOf(title, SPLIT_WORD_MIN).length > 0 &&
    neighbourPlaces(title).length > 0
  );
}

/** The words of a title as one string: equal for equal titles. */
export const titleKey = (title: unknown): string => (typeof title === 'string' ? wordsOf(title).join(' ') : '');

export interface KnownItem {
  /** The title's key. */
  readonly title: string;
  /** Its words that are asked for. */
  readonly words: Words;
}

/** `wordsMax` words in a row of the title, from a random place; the whole title when it has no more or `wordsMax` is 0. */
const windowOf = (random: Random, title: Words, wordsMax: number): Words => {
  if (wordsMax === 0 || title.length <= wordsMax) return title;
  const start = between(random, 0, title.length - wordsMax);
  return title.slice(start, start + wordsMax);
};

/**
 * Draws `count` items from the titles of the documents in `file`; fewer when there are not as many. `wordsMax`: how many words
 * in a row are asked for, 0 for all.
 */
export async function drawItems(
  file: string,
  titleField: string,
  count: number,
  seed: number,
  wordsMax: number,
): Promise<KnownItem[]> {
  const random = createRandom(seed);
  const drawn: KnownItem[] = [];
  let seen = 0;
  for await (const batch of new DocumentFile(file).batches({ documents: 5000, bytes: 1 << 23 })) {
    for (const line of splitLines(batch.body)) {
      const value = (JSON.parse(line.toString()) as Record<string, unknown>)[titleField];
      const title = typeof value === 'string' ? wordsOf(value) : [];
      const words = windowOf(random, title, wordsMax);
      if (!isAskable(words)) continue;
      // Reservoir sampling (Vitter, algorithm R, 1985).
      const slot = seen++ < count ? drawn.length : randomBelow(random, seen);
      if (slot < count) drawn[slot] = { title: title.join(' '), words };
    }
  }
  return drawn;
}

/** What is asked for each item in one kind of query, in their order. */
export function askFor(kind: QueryKind, items: readonly KnownItem[], seed: number): string[] {
  const random = createRandom(seed);
  const all = items.flatMap(({ words }) => words);
  return items.map(({ words }) => kind.ask(random, words, all).join(' '));
}
