/**
 * The text of a search, ready to be matched: what each clause stands for over all segments, ordered by cost.
 *
 * Made once per search and stage (search-stages.ts). The order is the same in every segment and follows from the live
 * documents alone, so that scores add up in the same order and equal documents score equal to the last bit, whatever was
 * deleted or merged.
 */
import type { QueryToken } from '../text/query-tokens.js';
import type { ExpansionCache } from './expansion-cache.js';
import { editsAllowed, type ParsedSearch } from './parse-search.js';
import { type PhraseClause, type TokenClause, tokenKey } from './query-clauses.js';
import { findRarest } from './rarest-tokens.js';
import {
  type Expansion,
  type ExpansionMode,
  type ExpansionSource,
  expandExactly,
  expandToken,
  widenExpansion,
} from './token-expansion.js';

/**
 * About how many postings a completed token of one, two, and three or more code points stands for, as a multiple of those
 * of its most frequent term: medians over titles and longer texts. Their exact number is unknown: lists hold deleted
 * documents, and a prefix has too many lists to count in each.
 */
const COMPLETED_SPREAD = [8, 4, 2] as const;

/** 1: as typed, with unknown tokens corrected. 2: known ones are corrected too. */
export type Stage = 1 | 2;

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
  readonly clause: TokenClause;
  readonly expansion: Expansion;
  readonly phrases: readonly AlternativePhrase[];
  /** How often it was typed: its score counts as often. */
  readonly repeats: number;
  readonly cost: number;
}

export interface MatchedPhrase {
  readonly kind: 'phrase';
  readonly clause: PhraseClause;
  /** In the order typed. */
  readonly tokens: readonly PhraseToken[];
  readonly repeats: number;
  readonly cost: number;
}

export type MatchedClause = MatchedToken | MatchedPhrase;

export interface TextQuery {
  readonly stage: Stage;
  /** Cheapest first; at least one. */
  readonly clauses: readonly MatchedClause[];
  /** By clause of the parsed search, so in the order typed; null: dropped. */
  readonly typed: readonly (MatchedClause | null)[];
  readonly matchAll: boolean;
}

/** What expanding needs beside the parsed search. */
export interface ExpansionContext extends ExpansionSource {
  readonly cache: ExpansionCache;
}

/** Expands the clauses of `search`, which are one at least, for the first stage. */
export function expandQuery(search: ParsedSearch, context: ExpansionContext): TextQuery {
  // The heap still holds what the last query put there, and walks of the dictionary need room.
  for (const { binding } of context.segments) binding.heap.reset();
  const expander = new QueryExpander(search, context);
  const kept = findRarest(search.clauses, context);
  return orderClauses(
    1,
    search.clauses.map((clause) => {
      if (clause.kind === 'phrase') return expander.phrase(clause);
      return kept === null || kept.has(tokenKey(clause.token)) ? expander.token(clause) : null;
    }),
    search.matchAll,
  );
}

/** What the second stage of `search` reads, whose first is `first`; null when that is the same. */
export function widenQuery(first: TextQuery, search: ParsedSearch, context: ExpansionContext): TextQuery | null {
  for (const { binding } of context.segments) binding.heap.reset();
  const expander = new QueryExpander(search, context);
  const typed = first.typed.map((clause) => (clause?.kind === 'token' ? expander.widen(clause) : clause));
  return typed.every((clause, i) => clause === first.typed[i]) ? null : orderClauses(2, typed, search.matchAll);
}

/** What must not be in a match of `search`. */
export function expandExclusions(search: ParsedSearch, context: ExpansionContext): PhraseToken[][] {
  const expander = new QueryExpander(search, context);
  return search.excluded.map((tokens) => expander.exactly(tokens));
}

function orderClauses(stage: Stage, typed: readonly (MatchedClause | null)[], matchAll: boolean): TextQuery {
  const clauses = typed.filter((clause) => clause !== null).sort((a, b) => a.cost - b.cost);
  return { stage, clauses, typed, matchAll };
}

class QueryExpander {
  readonly #search: ParsedSearch;
  readonly #context: ExpansionContext;
  readonly #fieldKey: string;

  constructor(search: ParsedSearch, context: ExpansionContext) {
    this.#search = search;
    this.#context = context;
    this.#fieldKey = search.fields.indexes.join();
  }

  token(clause: TokenClause): MatchedToken {
    const { token } = clause;
    const mode = this.#modeOf(clause);
    const expansion = this.#remembered(modeKey(1, mode), token, () => expandToken(token, mode, this.#context));
    return this.#match(clause, expansion);
  }

  /** `matched`, made for the first stage, as the second reads it: itself when that is the same. */
  widen(matched: MatchedToken): MatchedToken {
    const { clause } = matched;
    const { token } = clause;
    const mode = this.#modeOf(clause);
    const expansion = this.#remembered(modeKey(2, mode), token, () =>
      widenExpansion(token, matched.expansion, mode, this.#context),
    );
    return expansion === matched.expansion ? matched : this.#match(clause, expansion);
  }

  phrase(clause: PhraseClause): MatchedPhrase {
    const tokens = this.exactly(clause.tokens);
    const cost = Math.min(...tokens.map(({ expansion }) => expansion.df));
    return { kind: 'phrase', clause, tokens, repeats: clause.slots.length, cost };
  }

  exactly(tokens: readonly QueryToken[]): PhraseToken[] {
    return tokens.map((token) => ({
      token,
      expansion: this.#remembered('x', token, () => expandExactly(token, this.#context)),
    }));
  }

  #modeOf({ token, isCompleted }: TokenClause): ExpansionMode {
    const { typos, stemmed } = this.#search;
    return { isCompleted, edits: editsAllowed(token, typos), stemmed };
  }

  #match(clause: TokenClause, expansion: Expansion): MatchedToken {
    const { largestDf } = expansion;
    const cost = clause.isCompleted ? largestDf * spreadOf(clause.token) : largestDf;
    return { kind: 'token', clause, expansion, phrases: [], repeats: clause.slots.length, cost };
  }

  #remembered(mode: string, token: QueryToken, expand: () => Expansion): Expansion {
    const key = `${mode}${this.#fieldKey}:${tokenKey(token)}`;
    const known = this.#context.cache.get(key);
    if (known !== undefined) return known;
    const expansion = expand();
    this.#context.cache.set(key, expansion);
    return expansion;
  }
}

const modeKey = (stage: Stage, { isCompleted, edits }: ExpansionMode): string =>
  `${stage}${edits}${isCompleted ? 'c' : 'w'}`;

const spreadOf = ({ codePoints }: QueryToken): number =>
  COMPLETED_SPREAD[Math.min(codePoints, COMPLETED_SPREAD.length) - 1];
