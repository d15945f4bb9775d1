/**
 * Words that were written as one though they are two ("spiderman"), and as two though they are one ("smart phone").
 *
 * Called by text-query.ts. What counts as a word is what live documents hold in the queried fields, so the answer is the
 * same for every way in which documents fall into segments.
 */
import { TOKEN_CODE_POINTS_MAX } from '../../core/limits.js';
import { joinedToken, makeToken, type QueryToken } from '../../text/query-tokens.js';
import type { ExpansionSource } from './token-expansion.js';

/** Cuts of a token that are searched for: the first is nearly always the one that was meant. */
const SPLITS_MAX = 3;

/** Two tokens that were written as one. */
export type Split = readonly [QueryToken, QueryToken];

interface RatedSplit {
  readonly split: Split;
  /** Documents that hold the rarer part. */
  readonly fewer: number;
  readonly sum: number;
}

/**
 * The cuts of `token` into two terms, best first: those of which the rarer part is most frequent, of equal ones those
 * with the more frequent other part, then the leftmost. None of digits alone: parts of a number mean nothing. `frequencyOf`:
 * live documents that hold a token.
 */
export function findSplits(
  token: QueryToken,
  source: ExpansionSource,
  frequencyOf: (part: QueryToken) => number,
): readonly Split[] {
  if (token.digitsOnly) return [];
  const { bytes } = token;
  const rated: RatedSplit[] = [];
  for (let cut = 1; cut < bytes.length; cut++) {
    // Within a code point.
    if ((bytes[cut] & 0xc0) === 0x80) continue;
    source.budget.check();
    if (!isInDictionary(bytes, 0, cut, source) || !isInDictionary(bytes, cut, bytes.length, source)) continue;
    const split: Split = [makeToken(bytes, 0, cut), makeToken(bytes, cut, bytes.length)];
    const left = frequencyOf(split[0]);
    const right = left === 0 ? 0 : frequencyOf(split[1]);
    if (right > 0) rated.push({ split, fewer: Math.min(left, right), sum: left + right });
  }
  // Sorting keeps the order of equal ones.
  rated.sort((a, b) => b.fewer - a.fewer || b.sum - a.sum);
  return rated.slice(0, SPLITS_MAX).map(({ split }) => split);
}

/** Whether some segment knows `bytes[start, end)`, in whatever field, deleted documents included: quickly told. */
export function isInDictionary(bytes: Uint8Array, start: number, end: number, { segments }: ExpansionSource): boolean {
  return segments.some(({ reader }) => reader.dictionary.find(bytes, start, end) >= 0);
}

/** `left` and `right` written as one; null: no token is that long, it would have been cut when it was indexed. */
export function joinTokens(left: QueryToken, right: QueryToken): QueryToken | null {
  if (left.codePoints + right.codePoints > TOKEN_CODE_POINTS_MAX) return null;
  return joinedToken(left, right);
}
