/**
 * The text of a search, ready to be matched: what each clause stands for over all segments, ordered by cost.
 *
 * Made once per search and stage (search-stages.ts). The order is the same in every segment and follows from the live
 * documents alone, so that scores add up in the same order and equal documents score equal to the last bit, whatever was
 * deleted or merged.
 */
import type { QueryToken } from '../../text/query-tokens.js';
import { editsAllowed, type ParsedSearch } from '../parse-search.js';
import { type PhraseClause, phraseKey, type TokenClause, tokenKey } from '../query-clauses.js';
import type { ExpansionCache } from './expansion-cache.js';
import { findRarest } from './rarest-tokens.js';
import { applyRules, findJoinedWords, type RelatedWord } from './related-words.js';
import type { TextRules } from './text-rules.js';
import {
  addTerms,
  type Expansion,
  type ExpansionMode,
  type ExpansionSource,
  expandExactly,
  expandToken,
  RELATED_WEIGHT,
  widenExpansion,
} from './token-expansion.js';
import { findSplits, type Split } from './word-splits.js';

/**
 * About how many postings a completed token of one, two, and three or more code points stands for, as a multiple of those
 * of its most frequent term: medians over titles and longer texts. Their exact number is unknown: lists hold deleted
 * documents, and a prefix has too many lists to count in each.
 */
const COMPLETED_SPREAD = [8, 4, 2] as const;

/** 1: as typed, with unknown tokens corrected and split. 2: known ones too, and neighbours are joined. */
export type Stage = 1 | 2;

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
}

/** A token: a document matches with any of its terms and phrases, and scores as the best of them. */
export interface MatchedToken {
  readonly kind: 'token';
  readonly clause: TokenClause;
  /** What the token stands for by itself. */
  readonly own: Expansion;
  /** What it stands for because of its neighbours and the collection's rules: terms and phrases, as they were found. */
  readonly related: readonly RelatedWord[];
  /** All terms: its own and related ones. */
  readonly expansion: Expansion;
  /** All phrases, each once. */
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
  /** null: the collection has none. */
  readonly rules: TextRules | null;
}

const NO_PHRASES: readonly AlternativePhrase[] = [];

/** Expands the clauses of `search`, which are one at least, for the first stage. */
export function expandQuery(search: ParsedSearch, context: ExpansionContext): TextQuery {
  // The heap still holds what the last query put there, and walks of the dictionary need room.
  for (const { binding } of context.segments) binding.heap.reset();
  const expander = new QueryExpander(search, context);
  const { synonyms, stopped } = applyRules(search, context.rules, context.budget);
  const left = stopped.size === 0 ? search.clauses : search.clauses.filter((_, index) => !stopped.has(index));
  const kept = findRarest(left, context);
  const typed = search.clauses.map((clause, index) => {
    if (clause.kind === 'phrase') return expander.phrase(clause);
    if (stopped.has(index) || (kept !== null && !kept.has(tokenKey(clause.token)))) return null;
    return expander.token(clause, synonyms.get(index) ?? []);
  });
  return orderClauses(1, typed, search.matchAll);
}

/** What the second stage of `search` reads, whose first is `first` and found `found`; null when that is the same. */
export function widenQuery(
  first: TextQuery,
  found: number,
  search: ParsedSearch,
  context: ExpansionContext,
): TextQuery | null {
  for (const { binding } of context.segments) binding.heap.reset();
  const expander = new QueryExpander(search, context);
  const joined = findJoinedWords(search, (index) => first.typed[index] !== null, context);
  const typed = first.typed.map((clause, index) =>
    clause?.kind === 'token' ? expander.widen(clause, joined.get(index) ?? [], found === 0) : clause,
  );
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

  token(clause: TokenClause, synonyms: readonly RelatedWord[]): MatchedToken {
    const { token } = clause;
    const mode = this.#modeOf(clause);
    const own = this.#remembered(modeKey(1, mode), token, () => expandToken(token, mode, this.#context));
    const splits = own.isKnown || !this.#search.typos.enabled ? [] : this.#splits(token);
    return this.#match(clause, own, synonyms, splits);
  }

  /**
   * `matched`, made for the first stage, as the second reads it: itself when that is the same. `joined`: what it is with
   * its neighbours. `foundNothing`: the first stage did.
   */
  widen(matched: MatchedToken, joined: readonly RelatedWord[], foundNothing: boolean): MatchedToken {
    const { clause, own, related } = matched;
    const { token } = clause;
    const mode = this.#modeOf(clause);
    const wider = this.#remembered(`${modeKey(2, mode)}${foundNothing ? '0' : ''}`, token, () =>
      widenExpansion(token, own, mode, foundNothing, this.#context),
    );
    const splits = this.#splits(token);
    const isSplitAlready = !own.isKnown || splits.length === 0;
    if (!isWider(wider, own) && joined.length === 0 && isSplitAlready) return matched;
    return this.#match(clause, wider, [...related, ...joined], splits);
  }

  phrase(clause: PhraseClause): MatchedPhrase {
    const tokens = this.exactly(clause.tokens);
    return { kind: 'phrase', clause, tokens, repeats: clause.slots.length, cost: phraseCost(tokens) };
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

  #match(clause: TokenClause, own: Expansion, related: readonly RelatedWord[], splits: readonly Split[]): MatchedToken {
    const terms = related.flatMap(({ tokens }) => (tokens.length === 1 ? tokens : []));
    const expansion = terms.length === 0 ? own : addTerms(own, terms, this.#context);
    const phrases = related.length + splits.length === 0 ? NO_PHRASES : this.#phrases(related, splits);
    const { largestDf } = expansion;
    let cost = clause.isCompleted ? largestDf * spreadOf(clause.token) : largestDf;
    for (const { tokens } of phrases) cost += phraseCost(tokens);
    return { kind: 'token', clause, own, related, expansion, phrases, repeats: clause.slots.length, cost };
  }

  /** Each phrase that a live document may hold, once, with the largest of its weights. */
  #phrases(related: readonly RelatedWord[], splits: readonly Split[]): AlternativePhrase[] {
    const phrases = new Map<string, AlternativePhrase>();
    const add = (kind: AlternativePhrase['kind'], tokens: readonly QueryToken[], weight: number): void => {
      const key = phraseKey(tokens);
      const known = phrases.get(key);
      if (known === undefined || known.weight < weight)
        phrases.set(key, { kind, tokens: known?.tokens ?? this.exactly(tokens), weight });
    };
    for (const split of splits) add('split', split, RELATED_WEIGHT);
    for (const { tokens, length } of related) if (tokens.length > 1) add('synonym', tokens, RELATED_WEIGHT / length);
    return [...phrases.values()].filter(({ tokens }) => tokens.every(({ expansion }) => expansion.df > 0));
  }

  #splits(token: QueryToken): readonly Split[] {
    const key = `${this.#fieldKey}:${tokenKey(token)}`;
    const known = this.#context.cache.splits(key);
    if (known !== undefined) return known;
    const splits = findSplits(token, this.#context);
    this.#context.cache.setSplits(key, splits);
    return splits;
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

/** Whether the second stage has added something. They may be equal and not the same: each is forgotten by itself. */
const isWider = (wider: Expansion, own: Expansion): boolean => wider.ranges.words.length > own.ranges.words.length;

/** Postings of the rarest token: a document with the phrase has that, too. */
export const phraseCost = (tokens: readonly PhraseToken[]): number =>
  Math.min(...tokens.map(({ expansion }) => expansion.df));

const spreadOf = ({ codePoints }: QueryToken): number =>
  COMPLETED_SPREAD[Math.min(codePoints, COMPLETED_SPREAD.length) - 1];
