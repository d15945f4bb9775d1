/**
 * The texts that are asked of every engine, drawn from the documents with a seeded generator as those of
 * `perf/query-mixes.ts` are, and the rows of the comparison.
 */
import { createRandom, pick, type Random, randomBelow } from '../random.js';
import type { Mode, Shape } from './contestant.js';
import type { PreparedDocuments } from './documents.js';

/** Texts of one kind: slices of `each` from `first` on, more than one for those that are asked only once. */
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

/** Slices of texts that are asked once, beside those of the rounds: by them everyone warms up, until compilers have done most of it. */
export const WARM_UP_SLICES = 30;

/** `count` distinct tokens of one document in their order, next to each other if `isAdjacent` (and then not always distinct). */
function drawTokens(random: Random, { samples }: PreparedDocuments, count: number, isAdjacent: boolean): string {
  for (;;) {
    const tokens = pick(random, samples);
    if (tokens.length < count) continue;
    if (isAdjacent) {
      const first = randomBelow(random, tokens.length - count + 1);
      return tokens.slice(first, first + count).join(' ');
    }
    const places = new Set<number>();
    while (places.size < count) places.add(randomBelow(random, tokens.length));
    const drawn = [...places].sort((a, b) => a - b).map((place) => tokens[place]);
    if (new Set(drawn).size === count) return drawn.join(' ');
  }
}

/**
 * Draws `each` texts a slice; kinds that are asked only once have one that is asked before anything is measured, one for each of
 * `rounds`, and WARM_UP_SLICES.
 */
export function drawQuestions(documents: PreparedDocuments, each: number, rounds: number): Questions {
  const random = createRandom(7);
  const occurrences = documents.samples.flat();
  const texts: string[] = [];
  const add = (name: KindName, slices: number, draw: () => string): Kind => {
    const kind = { name, first: texts.length, each, slices };
    for (let i = 0; i < each * slices; i++) texts.push(draw());
    return kind;
  };
  const known = new Set<string>();
  /** A text that was not drawn so before; gives up after a while, as a small slice of the documents has few. */
  const fresh = (draw: () => string) => (): string => {
    let text = draw();
    for (let tries = 0; known.has(text) && tries < 1000; tries++) text = draw();
    known.add(text);
    return text;
  };
  const word = (): string => pick(random, occurrences);
  const tokens = (count: number, isAdjacent: boolean) => () => drawTokens(random, documents, count, isAdjacent);
  const draws: Record<KindName, () => string> = {
    'rare word': () => pick(random, documents.words),
    'word as people write it': word,
    'two words, all': tokens(2, false),
    'three words, all': tokens(3, false),
    'two words, any': tokens(2, false),
    'three words, any': tokens(3, false),
    'phrase of two': tokens(2, true),
    'phrase of three': tokens(3, true),
    'default, one word': fresh(word),
    'default, two words': fresh(tokens(2, false)),
  };
  const kinds = KIND_NAMES.map((name) => [
    name,
    add(name, name.startsWith('default') ? 1 + rounds + WARM_UP_SLICES : 1, draws[name]),
  ]);
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

/** What is asked of the libraries, and of the large engines among other things. */
export function exactRows(questions: Questions, kinds: readonly KindName[] = EXACT_KINDS): Row[] {
  return kinds.map((kind) => exactRow(questions, kind, 'top+count+documents', kind));
}

/** Default searches, each asked for the first time, and a slice of them again and again. */
export function defaultRows(questions: Questions, shapes: Row['shapes']): Row[] {
  return DEFAULT_KINDS.flatMap((name) => {
    const mode = 'top+count+documents';
    const row = { kind: questions.kinds[name], mode, ownMode: mode, shapes } as const;
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
  const all = 'top+count+documents';
  const counted = ['word as people write it', 'two words, all', 'two words, any'] as const;
  return [
    ...EXACT_KINDS.map((kind) => of(kind, 'top+count', `${kind}; without documents`)),
    ...EXACT_KINDS.map((kind) => of(kind, 'top+count', `${kind}; others without documents`, all)),
    ...exactRows(questions),
    ...counted.map((kind) => of(kind, 'count', `count only: ${kind}`)),
    ...counted.map((kind) => of(kind, 'top', `${kind}; others without count and documents`, all)),
    ...defaultRows(questions, ['corrected', 'in two steps']),
  ];
}
