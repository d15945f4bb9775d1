/**
 * Words written as one that are two, and as two that are one, by trying every cut and looking every word up.
 */
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
    const [less, more] = [frequencyOf(corpus, left), frequencyOf(corpus, right)].sort((a, b) => a - b) as [number, number];
    return { place: i, parts: [left, right] as const, less, more };
  });
  return cuts
    .filter(({ less }) => less > 0)
    .sort((a, b) => b.less - a.less || b.more - a.more || a.place - b.place)
    .slice(0, SPLITS_MAX)
    .map(({ parts }) => parts);
}

/** The term that `left` and `right` are when written as one, or null. */
export function joinedTerm(corpus: Corpus, left: string, right: string): string | null {
  const joined = left + right;
  return [...joined].length <= TOKEN_CODE_POINTS_MAX && frequencyOf(corpus, joined) > 0 ? joined : null;
}
