/**
 * What a typed token stands for, over the vocabulary of the documents: terms with weights, and phrases. By brute force.
 */
import type { TypoTolerance } from '../support/wire.js';
import type { WordRules } from './collection.js';
import { editDistance, prefixDistance } from './edit-distance.js';
import { editBudget, isSameToken, type TokenClause } from './query.js';
import { joinedTerms, splitsOf } from './splits.js';
import { type Corpus, frequencyOf, vocabularyOf } from './statistics.js';
import { stemOf } from './stems.js';

const WEIGHT_TYPED = 1;
const WEIGHT_COMPLETED = 0.8;
const WEIGHT_STEM = 0.8;
const WEIGHT_JOINED = 0.8;
const WEIGHT_SPLIT = 0.8;
const WEIGHT_SYNONYM = 0.8;
/** Of a token that is no term and begins none. */
const WEIGHT_OF_EDITS = [1, 0.9, 0.6] as const;
const WEIGHT_OF_EDITS_KNOWN = [1, 0.25, 0.1] as const;

/**
 * 1 corrects and splits unknown tokens, 2 known ones too, and joins neighbours. 3 is the second stage of a search whose first
 * found nothing.
 */
export type Stage = 1 | 2 | 3;

/** A document matches by any of the alternatives, and scores by the best. */
export interface Reading {
  /** What a term counts in a field; 0: the token does not stand for it there. */
  readonly weightIn: (field: string, term: string) => number;
  /** The part of weightIn that comes of completing the token. */
  readonly completionWeight: (term: string) => number;
  /** The part that neither comes of that nor of what stands around the token. */
  readonly ownWeightIn: (field: string, term: string) => number;
  /** The cuts of the token in two. */
  readonly splits: readonly (readonly string[])[];
  /** Tokens that stand next to each other in a field, what their score counts, and how many typed tokens stand for them: the cuts, and synonyms. */
  readonly phrases: readonly {
    readonly tokens: readonly string[];
    readonly weight: number;
    readonly typedTokens: number;
  }[];
}

/** What tokens are read against. */
export interface ReadingContext {
  readonly corpus: Corpus;
  readonly settings: TypoTolerance;
  readonly stage: Stage;
  /** All plain text of the query. */
  readonly runs: readonly (readonly TokenClause[])[];
  readonly rules: WordRules | null;
}

/** What a run of typed tokens also means. */
interface Synonym {
  readonly typed: readonly TokenClause[];
  readonly tokens: readonly string[];
}

/** A token that stands for itself alone, as in a phrase. */
export function readExactly(token: string): Reading {
  const weightIn = (_: string, term: string): number => (term === token ? WEIGHT_TYPED : 0);
  return { weightIn, completionWeight: () => 0, ownWeightIn: weightIn, splits: [], phrases: [] };
}

/** Everything that some run of the typed tokens also means. */
export function findSynonyms({ runs, rules }: Pick<ReadingContext, 'runs' | 'rules'>): Synonym[] {
  if (rules === null) return [];
  return runs.flatMap((run) => {
    const tokens = run.map(({ token }) => token);
    return run.flatMap((_, i) =>
      rules
        .synonymsAt(tokens, i)
        .flatMap(({ length, targets }) =>
          targets.map((target) => ({ typed: run.slice(i, i + length), tokens: target })),
        ),
    );
  });
}

/** What a token of plain text stands for. */
export function readToken(clause: TokenClause, context: ReadingContext): Reading {
  const { corpus, settings, stage, runs } = context;
  const { token, isCompleted } = clause;
  const isKnown =
    frequencyOf(corpus, token) > 0 || (isCompleted && vocabularyOf(corpus).some((term) => term.startsWith(token)));
  const edits = isKnown && stage === 1 ? 0 : editBudget(token, settings);
  const joined = settings.enabled && stage !== 1 ? joinedTerms(corpus, runs, clause) : [];
  const splits = settings.enabled && (stage !== 1 || !isKnown) ? splitsOf(corpus, token) : [];
  const synonyms = findSynonyms(context).filter(({ typed }) => typed.some((each) => isSameToken(each, clause)));
  const words = new Set(synonyms.flatMap(({ tokens }) => (tokens.length === 1 ? tokens : [])));
  const completionWeight = (term: string): number =>
    Math.max(
      isCompleted && term.startsWith(token) ? WEIGHT_COMPLETED : 0,
      isCompleted && (!isKnown || stage === 3) ? weightOfMistypedPrefix(token, term, edits, isKnown) : 0,
    );
  const ownWeightIn = (field: string, term: string): number =>
    Math.max(
      hasStemOf(token, term, field, corpus) ? WEIGHT_STEM : 0,
      term === token ? WEIGHT_TYPED : 0,
      weightOfCorrection(token, term, edits, isKnown),
    );
  const weightIn = (field: string, term: string): number =>
    Math.max(
      completionWeight(term),
      ownWeightIn(field, term),
      joined.includes(term) ? WEIGHT_JOINED : 0,
      words.has(term) ? WEIGHT_SYNONYM : 0,
    );
  const phrases = synonyms
    .filter(({ tokens }) => tokens.length > 1)
    .map(({ tokens, typed }) => ({ tokens, weight: WEIGHT_SYNONYM, typedTokens: typed.length }));
  phrases.push(...splits.map((tokens) => ({ tokens, weight: WEIGHT_SPLIT, typedTokens: 1 })));
  return { weightIn, completionWeight, ownWeightIn, splits, phrases };
}

/** Whether `term` is a form of `token` in the language of the field. */
function hasStemOf(token: string, term: string, name: string, { statistics }: Corpus): boolean {
  const language = statistics.find(({ field }) => field.name === name)?.field.stem;
  return language !== undefined && stemOf(token, language) === stemOf(term, language);
}

function weightOfCorrection(token: string, term: string, edits: number, isKnown: boolean): number {
  const distance = edits === 0 ? Infinity : editDistance(token, term);
  return distance > edits ? 0 : ((isKnown ? WEIGHT_OF_EDITS_KNOWN : WEIGHT_OF_EDITS)[distance] ?? 0);
}

function weightOfMistypedPrefix(token: string, term: string, edits: number, isKnown: boolean): number {
  const distance = edits === 0 ? Infinity : prefixDistance(token, term);
  return distance > edits ? 0 : WEIGHT_COMPLETED * ((isKnown ? WEIGHT_OF_EDITS_KNOWN : WEIGHT_OF_EDITS)[distance] ?? 0);
}
