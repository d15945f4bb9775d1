/**
 * Phrases as they are matched: tokens that stand next to each other, each for its exact term alone.
 */
import { idf } from '../../postings/impacts.js';
import type { QueryToken } from '../../text/query-tokens.js';
import { hasRanges } from './segment-ranges.js';
import { type Expansion, RELATED_WEIGHT } from './token-expansion.js';

/** A token of a phrase, which stands for its exact term alone. */
export interface PhraseToken {
  readonly token: QueryToken;
  readonly expansion: Expansion;
}

/** By segment: 0 where no document, deleted ones included, holds a phrase, else 1. NO_HOLDERS: none does. */
export type Holders = readonly number[];

export const NO_HOLDERS: Holders = [];

/** A phrase that a token stands for too: it is cut in two, or has a synonym of several tokens. */
export interface AlternativePhrase {
  readonly kind: 'split' | 'synonym';
  readonly tokens: readonly PhraseToken[];
  /** Typed tokens that it stands for together: the fewest, where rules differ. */
  readonly typedTokens: number;
  /** null: nobody has looked. */
  readonly holders: Holders | null;
}

/** Whether some document may hold the phrase. */
export const mayBeHeld = ({ holders }: AlternativePhrase): boolean => holders !== NO_HOLDERS;

/** Whether some document of segment `index` may hold `phrase`. */
export function mayHold({ tokens, holders }: AlternativePhrase, index: number): boolean {
  if (holders !== null) return holders !== NO_HOLDERS && holders[index] !== 0;
  for (const { expansion } of tokens) if (!hasRanges(expansion.ranges, index)) return false;
  return true;
}

/**
 * What the score of a phrase is multiplied by where it stands for a token whose terms share the document frequency `df`, of `documents`:
 * the phrase counts as much as another term of the token. Added up, the frequencies of its own tokens would rank it above what was typed.
 * With a df of 0 no term stands for the token, and those typed for the phrase share its score.
 */
export function phraseWeight({ tokens, typedTokens }: AlternativePhrase, df: number, documents: number): number {
  if (df === 0) return RELATED_WEIGHT / typedTokens;
  let sum = 0;
  for (const { expansion } of tokens) sum += idf(documents, Math.min(expansion.df, documents));
  return (RELATED_WEIGHT * idf(documents, Math.min(df, documents))) / sum;
}

/** Postings of the rarest token: a document with the phrase has that, too. */
export function phraseCost(tokens: readonly PhraseToken[]): number {
  let cost = Number.POSITIVE_INFINITY;
  for (const { expansion } of tokens) cost = Math.min(cost, expansion.df);
  return cost;
}
