/**
 * What a sweep reads: clauses that are tokens for which no phrase is sought, or phrases. Made once a search and stage, run by sweep.ts.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { PhraseToken } from '../expand/alternative-phrase.js';
import { listsToRead } from '../expand/lists-to-read.js';
import type { SegmentRanges } from '../expand/segment-ranges.js';
import type { MatchedClause, TextQuery } from '../expand/text-query.js';
import type { Expansion } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import type { ParsedSearch } from '../parse-search.js';
import type { ReadBudget } from '../read-budget.js';
import { TopDocs } from '../sort/top-docs.js';
import type { PassingDocs } from './passing-docs.js';

/** A clause as it is swept: a token for which no phrase is sought, or a phrase. */
export interface SweptClause {
  /** Of a phrase: of its first token, which tell segments apart that cannot have it. */
  readonly ranges: SegmentRanges;
  readonly df: number;
  readonly repeats: number;
  /** The tokens of a phrase; null: a token. */
  readonly tokens: readonly PhraseToken[] | null;
}

export interface SweptQuery {
  readonly clauses: readonly SweptClause[];
  readonly matchAll: boolean;
  /** What a match must pass beside the text; null: nothing is asked. */
  readonly passing: PassingDocs | null;
  /** What withKeptLists() made of it last; null: nothing. */
  withKept: SweptQuery | null;
}

/**
 * `text` as it can be swept; null when `search` needs the general way: it has an order of its own, or phrases that tokens stand
 * for. Where it has facets, sweepFaceted() is to sweep it.
 */
export function sweptQuery(search: ParsedSearch, text: TextQuery, passing: PassingDocs | null): SweptQuery | null {
  if (!TopDocs.takesScores(search.sort)) return null;
  for (const clause of text.clauses) if (clause.kind === 'token' && clause.sought.length > 0) return null;
  // Sums of floats depend on the order of adding: what a phrase scores over several fields is one summand.
  const isSummand = text.clauses.length > 1 && search.fields.indexes.length > 1;
  const clauses: SweptClause[] = [];
  for (const clause of text.clauses) clauses.push(sweptClause(clause, isSummand));
  return { clauses, matchAll: text.matchAll, passing, withKept: null };
}

/** `isSummand`: a phrase of one token is not to be read as a token. */
function sweptClause(clause: MatchedClause, isSummand: boolean): SweptClause {
  const { repeats } = clause;
  if (clause.kind === 'token') return sweptToken(clause.expansion, repeats);
  const { tokens } = clause;
  const [{ expansion }] = tokens;
  // Whoever has the only token of a phrase has the phrase.
  if (tokens.length === 1 && !isSummand) return sweptToken(expansion, repeats);
  return { ranges: expansion.ranges, df: expansion.df, repeats, tokens };
}

/** A token, as if no phrase stood for it. */
export const sweptToken = ({ ranges, df }: Expansion, repeats: number): SweptClause => ({
  ranges,
  df,
  repeats,
  tokens: null,
});

/**
 * `query` with what is kept of lists in the place of lists: of its only clause, since beside others lists are scored whole.
 */
export function withKeptLists(
  query: SweptQuery,
  segments: readonly SearchableSegment[],
  map: FieldMap,
  budget: ReadBudget,
): SweptQuery {
  const { clauses, matchAll, passing } = query;
  const { ranges: own, df, repeats, tokens } = clauses[0];
  if (clauses.length > 1 || tokens !== null) return query;
  const ranges = listsToRead(own, df, segments, map, budget);
  if (ranges === own) return query;
  // Mostly the same as for the search before.
  if (query.withKept?.clauses[0].ranges !== ranges)
    query.withKept = { clauses: [{ ranges, df, repeats, tokens }], matchAll, passing, withKept: null };
  return query.withKept;
}
