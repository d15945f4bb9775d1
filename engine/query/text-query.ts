/**
 * The text of a search, ready to be matched: each clause expanded over all segments and ordered by cost.
 *
 * Made once per search; once more for the prefix-typo fallback, when nothing was found and the last token is tried as a
 * mistyped prefix. The order is the same in every segment and follows from the live documents alone, so that scores add
 * up in the same order and equal documents score equal to the last bit, whatever was deleted or merged.
 */
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { QueryToken } from '../text/query-tokens.js';
import type { ExpansionCache } from './expansion-cache.js';
import type { FieldMap } from './field-map.js';
import { editsAllowed, type ParsedSearch } from './parse-search.js';
import type { ReadBudget } from './read-budget.js';
import { type Expansion, type ExpansionMode, expandToken } from './token-expansion.js';

/**
 * About how many postings a completed token of one, two, and three or more code points stands for, as a multiple of those
 * of its most frequent term: medians over titles and longer texts. Their exact number is unknown: lists hold deleted
 * documents, and a prefix has too many lists to count in each.
 */
const COMPLETED_SPREAD = [8, 4, 2] as const;

/** A token of a phrase, which stands for its exact term alone. */
export interface PhraseToken {
  readonly token: QueryToken;
  readonly expansion: Expansion;
}

/** A phrase that a token stands for too, as when it is split. */
export interface AlternativePhrase {
  readonly tokens: readonly PhraseToken[];
  /** What the score of the phrase is multiplied by. */
  readonly weight: number;
}

/** A token: a document matches with any of its terms and phrases, and scores as the best of them. */
export interface MatchedToken {
  readonly kind: 'token';
  readonly expansion: Expansion;
  readonly phrases: readonly AlternativePhrase[];
  readonly cost: number;
}

export interface MatchedPhrase {
  readonly kind: 'phrase';
  /** In the order typed. */
  readonly tokens: readonly PhraseToken[];
  readonly cost: number;
}

export type MatchedClause = MatchedToken | MatchedPhrase;

export interface TextQuery {
  /** Cheapest first. */
  readonly clauses: readonly MatchedClause[];
  readonly matchAll: boolean;
}

const EXACT_ONLY: ExpansionMode = { completed: false, edits: 0, prefixTypos: false };

/** What expanding needs beside the parsed search. */
export interface ExpansionContext {
  readonly segments: readonly SearchableSegment[];
  readonly fields: FieldMap;
  readonly cache: ExpansionCache;
  readonly budget: ReadBudget;
}

/** Expands the clauses of `search`; `prefixTypos`: the completed token may also be a mistyped prefix. */
export function expandQuery(search: ParsedSearch, context: ExpansionContext, prefixTypos: boolean): TextQuery {
  const fieldKey = search.fields.indexes.join();
  // The heap still holds what the last query put there, and walks of the dictionary need room.
  for (const { binding } of context.segments) binding.heap.reset();
  const clauses = search.clauses.map((clause): MatchedClause => {
    if (clause.kind === 'phrase') {
      const tokens = clause.tokens.map((token) => ({ token, expansion: expand(token, EXACT_ONLY, fieldKey, context) }));
      return { kind: 'phrase', tokens, cost: Math.min(...tokens.map(({ expansion }) => expansion.df)) };
    }
    const { token } = clause;
    const completed = token === search.completed;
    const mode: ExpansionMode = {
      completed,
      edits: editsAllowed(token, search.typos),
      prefixTypos: prefixTypos && completed,
    };
    const expansion = expand(token, mode, fieldKey, context);
    return { kind: 'token', expansion, phrases: [], cost: completed ? expansion.df * spreadOf(token) : expansion.df };
  });
  clauses.sort((a, b) => a.cost - b.cost);
  return { clauses, matchAll: search.matchAll };
}

const spreadOf = ({ codePoints }: QueryToken): number =>
  COMPLETED_SPREAD[Math.min(codePoints, COMPLETED_SPREAD.length) - 1];

function expand(token: QueryToken, mode: ExpansionMode, fieldKey: string, context: ExpansionContext): Expansion {
  const { bytes } = token;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const key = `${mode.edits}${mode.completed ? 'c' : 'w'}${mode.prefixTypos ? 'f' : '-'}${fieldKey}:${text}`;
  const known = context.cache.get(key);
  if (known !== undefined) return known;
  const expansion = expandToken(token, mode, context.segments, context.fields, context.budget);
  context.cache.set(key, expansion);
  return expansion;
}

/** Whether the prefix-typo fallback of `search` could find anything that the search itself does not. */
export function canFallBack(search: ParsedSearch): boolean {
  return search.completed !== null && editsAllowed(search.completed, search.typos) > 0;
}
