/**
 * Phrases as they are matched: tokens that stand next to each other, each for its exact term alone.
 */
import type { QueryToken } from '../../text/query-tokens.js';
import { hasRanges } from './segment-ranges.js';
import type { Expansion } from './token-expansion.js';

/** A token of a phrase, which stands for its exact term alone. */
export interface PhraseToken {
  readonly token: QueryToken;
  readonly expansion: Expansion;
}

/** A phrase that a token stands for too: it is cut in two, or has a synonym of several tokens. */
export interface AlternativePhrase {
  readonly kind: 'split' | 'synonym';
  readonly tokens: readonly PhraseToken[];
  /** What the score of the phrase is multiplied by. */
  readonly weight: number;
  /** By segment: 0 where no document, deleted ones included, holds it; null: nobody has looked. */
  readonly holders: Uint8Array | null;
}

/** Whether some document may hold the phrase. */
export const mayBeHeld = ({ holders }: AlternativePhrase): boolean => holders === null || holders.includes(1);

/** Whether some document of segment `index` may hold `phrase`. */
export function mayHold({ tokens, holders }: AlternativePhrase, index: number): boolean {
  if (holders !== null) return holders[index] !== 0;
  for (const { expansion } of tokens) if (!hasRanges(expansion.ranges, index)) return false;
  return true;
}

/** Postings of the rarest token: a document with the phrase has that, too. */
export function phraseCost(tokens: readonly PhraseToken[]): number {
  let cost = Number.POSITIVE_INFINITY;
  for (const { expansion } of tokens) cost = Math.min(cost, expansion.df);
  return cost;
}
