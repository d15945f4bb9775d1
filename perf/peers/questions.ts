/**
 * The texts that are asked of every engine, drawn from the documents with a seeded generator as those of
 * `perf/query-mixes.ts` are, and the rows of the comparison.
 */
import { createRandom, pick, type Random, randomBelow } from '../random.js';
import type { Mode, Shape } from './contestant.js';
import type { PreparedDocuments } from './documents.js';

/** Texts of one kind: slices of `each` from `first` on. All but the first are asked once. */
export interface Kind {
  readonly name: string;
  readonly first: number;
  readonly each: number;
  readonly slices: number;
}

export interface Row {
  readonly name: string;
  readonly kind: Kind;
  readonly mode: Mode;
  /** What Sabre is asked for, where that is more. */
  readonly ownMode: Mode;
  /** How the others compose it, a line of the table each; Sabre is asked once. */
  readonly shapes: readonly [Shape, ...Shape[]];
  /** Every round asks a slice that nobody was asked before. */
  readonly isFirstTime: boolean;
}

export interface Questions {
  readonly texts: readonly string[];
  readonly kinds: Readonly<Record<KindName, Kind>>;
}

const KIND_NAMES = [
  'rare word',
  'word as people write it',
  'two words, all',
  'three words, all',
  'two words, any',
  'three words, any',
  'phrase of two',
  'phrase of three',
  'default, one word',
  'default, two words',
] as const;
type KindName = (typeof KIND_NAMES)[number];

/**
 * Slices of texts that are asked once, beside those of the rounds: by them everyone warms up, until compilers have done most of it. Exact searches
 * are asked often enough beside that.
 */
export const warmUpSlicesOf = (kind: string): number => (kind.startsWith('default') ? 30 : 3);

/** One of so many words is asked for alone and by default: no other text has it, so that what it stands for was not looked up before. */
const KEPT_WORDS = 4;

/** Whether `word` is of those. */
export function isKept(word: string): boolean {
  let hash = 0;
  for (const letter of word) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % KEPT_WORDS === 0;
}

/** `count` distinct tokens of one document in their order, next to each other if `isAdjacent` (and then not always distinct). */
function drawTokens(random: Random, { samples }: PreparedDocuments, count: number, isAdjacent: boolean): string {
  for (;;) {
    const tokens = pick(random, samples);
    if (tokens.length < count) continue;
    if (isAdjacent) {
      const first = randomBelow(random, tokens.length - count + 1);
      const drawn = tokens.slice(first, first + count);
      if (drawn.some(isKept)) continue;
      return drawn.join(' ');
    }
    const places = new Set<number>();
    while (places.size < count) places.add(randomBelow(random, tokens.length));
    const drawn = [...places].sort((a, b) => a - b).map((place) => tokens[place]);
    if (new Set(drawn).size === count && !drawn.some(isKept)) return drawn.join(' ');
  }
}

/**
 * Draws `each` texts a slice. A kind has one that is asked again and again, also before anything is measured; one for each of `rounds`, which nobody
 * was asked before; and those to warm up by. Those after the first have no text that another one has.
 */
export function drawQuestions(documents: PreparedDocuments, each: number, rounds: number): Questions {
  const random = createRandom(7);
  const occurrences = documents.samples.flat();
  const texts: string[] = [];
  const add = (name: KindName, draw: () => string): Kind => {
    const slices = 1 + rounds + warmUpSlicesOf(name);
    const kind = { name, first: texts.length, each, slices };
    const known = new Set<string>();
    for (let i = 0; i < each * slices; i++) {
      let text = draw();
      // Gives up after a while, as a small slice of the documents has few. The first slice is asked again: there some come twice, as they do.
      for (let tries = 0; i >= each && known.has(text) && tries < 1000; tries++) text = draw();
      known.add(text);
      texts.push(text);
    }
    return kind;
  };
  const wordOf = (words: readonly string[], keeps: boolean) => (): string => {
    let word = pick(random, words);
    while (isKept(word) !== keeps) word = pick(random, words);
    return word;
  };
  const tokens = (count: number, isAdjacent: boolean) => () => drawTokens(random, documents, count, isAdjacent);
  const draws: Record<KindName, () => string> = {
    'rare word': wordOf(documents.words, false),
    'word as people write it': wordOf(occurrences, false),
    'two words, all': tokens(2, false),
    'three words, all': tokens(3, false),
    'two words, any': tokens(2, false),
    'three words, any': tokens(3, false),
    'phrase of two': tokens(2, true),
    'phrase of three': tokens(3, true),
    'default, one word': wordOf(occurrences, true),
    'default, two words': tokens(2, false),
  };
  const kinds = KIND_NAMES.map((name) => [name, add(name, draws[name])]);
  return { texts, kinds: Object.fromEntries(kinds) as Record<KindName, Kind> };
}

const shapeOf = (name: KindName): Shape => {
  if (name.startsWith('phrase')) return 'phrase';
  return name.endsWith('any') ? 'any' : 'all';
};
const EXACT_KINDS = KIND_NAMES.filter((name) => !name.startsWith('default'));
const DEFAULT_KINDS = KIND_NAMES.filter((name) => name.startsWith('default'));

const exactRow = (questions: Questions, kind: KindName, mode: Mode, name: string, ownMode = mode): Row => ({
  name,
  kind: questions.kinds[kind],
  mode,
  ownMode,
  shapes: [shapeOf(kind)],
  isFirstTime: false,
});

const WHOLE: Mode = 'top+count+documents';

/** What is asked of the libraries, and of the large engines among other things. */
export function exactRows(questions: Questions, kinds: readonly KindName[] = EXACT_KINDS): Row[] {
  return kinds.map((kind) => exactRow(questions, kind, WHOLE, kind));
}

/** The same, each asked for the first time. */
export function firstTimeRows(questions: Questions, kinds: readonly KindName[] = EXACT_KINDS): Row[] {
  return kinds.map((kind) => ({ ...exactRow(questions, kind, WHOLE, `${kind}, first time`), isFirstTime: true }));
}

/** Default searches, each asked for the first time, and a slice of them again and again. */
export function defaultRows(questions: Questions, shapes: Row['shapes']): Row[] {
  return DEFAULT_KINDS.flatMap((name) => {
    const row = { kind: questions.kinds[name], mode: WHOLE, ownMode: WHOLE, shapes } as const;
    return [
      { ...row, name: `${name}, first time`, isFirstTime: true },
      { ...row, name: `${name}, again`, isFirstTime: false },
    ];
  });
}

/** All rows of the comparison with the large engines. */
export function allRows(questions: Questions): Row[] {
  const of = (kind: KindName, mode: Mode, name: string, ownMode = mode): Row =>
    exactRow(questions, kind, mode, name, ownMode);
  const counted = ['word as people write it', 'two words, all', 'two words, any'] as const;
  return [
    ...EXACT_KINDS.map((kind) => of(kind, 'top+count', `${kind}; without documents`)),
    ...EXACT_KINDS.map((kind) => of(kind, 'top+count', `${kind}; others without documents`, WHOLE)),
    ...exactRows(questions),
    ...firstTimeRows(questions),
    ...counted.map((kind) => of(kind, 'count', `count only: ${kind}`)),
    ...counted.map((kind) => of(kind, 'top', `${kind}; others without count and documents`, WHOLE)),
    ...defaultRows(questions, ['corrected', 'in two steps']),
  ];
}
