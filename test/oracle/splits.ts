/**
 * Words written as one that are two, and as two that are one, by trying every cut and looking every word up.
 */
import { isSameToken, type TokenClause } from './query.js';
import { type Corpus, frequencyOf } from './statistics.js';

const SPLITS_MAX = 3;
const TOKEN_CODE_POINTS_MAX = 64;

/** The cuts of `token` into two terms of the queried fields, best first. */
export function splitsOf(corpus: Corpus, token: string): (readonly [string, string])[] {
  if (/^\p{N}+$/u.test(token)) return [];
  const points = [...token];
  const cuts = points.slice(1).map((_, i) => {
    const left = points.slice(0, i + 1).join('');
    const right = points.slice(i + 1).join('');
    const [less, more] = [frequencyOf(corpus, left), frequencyOf(corpus, right)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return { place: i, parts: [left, right] as const, less, more };
  });
  return cuts
    .filter(({ less }) => less > 0)
    .sort((a, b) => b.less - a.less || b.more - a.more || a.place - b.place)
    .slice(0, SPLITS_MAX)
    .map(({ parts }) => parts);
}

/** The terms that `clause` is when written as one with a neighbour, wherever it was typed. */
export function joinedTerms(corpus: Corpus, runs: readonly (readonly TokenClause[])[], clause: TokenClause): string[] {
  const pairs = runs.flatMap((run) => run.slice(1).map((right, i) => [run[i] ?? right, right] as const));
  return pairs
    .filter((pair) => pair.some((typed) => isSameToken(typed, clause)))
    .map(([left, right]) => left.token + right.token)
    .filter((joined) => [...joined].length <= TOKEN_CODE_POINTS_MAX && frequencyOf(corpus, joined) > 0);
}
