/**
 * Sweeps a search for one token that phrases may stand for, as a word that may be cut in two: few segments hold such a phrase, and
 * these alone are collected the general way.
 *
 * Called by the searcher. Of several clauses scores are sums, which round by the order of adding, so that all segments have to add them up
 * alike.
 */
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { mayHold } from './expand/alternative-phrase.js';
import type { MatchedToken, TextQuery } from './expand/text-query.js';
import { sweepBetween } from './match/sweep.js';
import { sweptToken, withKeptLists } from './match/swept-query.js';
import { type Collectors, collectSegment, looksAtMatches } from './segment-collector.js';
import { TopDocs } from './sort/top-docs.js';

/** The only clause of `text`, if that is a token that phrases may stand for; else null. */
export function tokenWithPhrases({ clauses }: TextQuery): MatchedToken | null {
  const [only] = clauses;
  return clauses.length === 1 && only.kind === 'token' && only.sought.length > 0 ? only : null;
}

/** Whether segment `index` may hold a phrase that is sought for `token`. */
export const mayHoldPhrase = ({ sought }: MatchedToken, index: number): boolean =>
  sought.some((phrase) => mayHold(phrase, index));

/** Collects `text` in all segments and returns how many documents match; -1: it cannot be collected so. */
export function sweepAroundPhrases(
  text: TextQuery,
  segments: readonly SearchableSegment[],
  collectors: Collectors,
): number {
  const { search, map, top, budget } = collectors;
  const token = tokenWithPhrases(text);
  if (token === null || looksAtMatches(collectors) || !TopDocs.takesScores(search.sort)) return -1;
  const clauses = [sweptToken(token.expansion, token.repeats)];
  const query = withKeptLists(
    { clauses, matchAll: text.matchAll, passing: null, withKept: null },
    segments,
    map,
    budget,
  );
  let found = 0;
  for (let from = 0; from < segments.length; ) {
    if (mayHoldPhrase(token, from)) {
      found += collectSegment(collectors, text, segments[from], from);
      from++;
      continue;
    }
    let to = from + 1;
    while (to < segments.length && !mayHoldPhrase(token, to)) to++;
    found += sweepBetween(query, segments, from, to, map, top, budget);
    from = to;
  }
  return found;
}
