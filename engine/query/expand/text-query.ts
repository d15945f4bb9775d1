/**
 * The text of a search, ready to be matched: what each clause stands for over all segments, ordered by cost.
 *
 * Made once per search and stage (search-stages.ts). The order is the same in every segment and follows from the live
 * documents alone, so that scores add up in the same order and equal documents score equal to the last bit, whatever was
 * deleted or merged.
 */
import type { QueryToken } from '../../text/query-tokens.js';
import { editsAllowed } from '../edits-allowed.js';
import type { ParsedSearch } from '../parse-search.js';
import { type PhraseClause, phraseKey, type TokenClause } from '../query-clauses.js';
import { type AlternativePhrase, mayBeHeld, type PhraseToken, phraseCost } from './alternative-phrase.js';
import { type KnownToken, NO_SPLITS, type Splits } from './expansion-cache.js';
import { findRarest } from './rarest-tokens.js';
import { applyRules, findJoinedWords, type RelatedWord } from './related-words.js';
import { addTerms, type Expansion, type ExpansionMode, exactLargestDf } from './token-expansion.js';
import { type ExpansionContext, TokenReader } from './token-reader.js';

/**
 * About how many postings a completed token of one, two, and three or more code points stands for, as a multiple of those
 * of its most frequent term: medians over titles and longer texts. Their exact number is unknown: lists hold deleted
 * documents, and a prefix has too many lists to count in each.
 */
const COMPLETED_SPREAD = [8, 4, 2] as const;

/** 1: as typed, with unknown tokens corrected and split. 2: known ones too, and neighbours are joined. */
export type Stage = 1 | 2;

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
  /**
   * Those of the phrases that are looked for: none that no document holds. Of several clauses in several fields all are, since
   * sums of floats depend on the order of adding, and only a token without phrases adds to a score field by field.
   */
  readonly sought: readonly AlternativePhrase[];
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

const NOT_RELATED: readonly RelatedWord[] = [];

/** What must not be in a match of `search`, by phrase. */
export function expandExclusions(search: ParsedSearch, context: ExpansionContext): readonly (readonly PhraseToken[])[] {
  const reader = new TokenReader(search, context);
  return search.excluded.map((tokens) => reader.exactly(tokens));
}

/** Puts the clauses that are left in order of cost; of equal ones those typed first come first. */
function orderClauses(stage: Stage, typed: readonly (MatchedClause | null)[], matchAll: boolean): TextQuery {
  const clauses: MatchedClause[] = [];
  for (const clause of typed) {
    if (clause === null) continue;
    let at = clauses.length;
    clauses.push(clause);
    for (; at > 0 && clauses[at - 1].cost > clause.cost; at--) clauses[at] = clauses[at - 1];
    clauses[at] = clause;
  }
  return { stage, clauses, typed, matchAll };
}

/** Expands the clauses of one search, which are one at least, for its stages. */
export class QueryExpander {
  readonly #search: ParsedSearch;
  readonly #context: ExpansionContext;
  readonly #reader: TokenReader;
  /** By clause; null: a phrase, or a token that was dropped. */
  readonly #known: (KnownToken | null)[] = [];

  constructor(search: ParsedSearch, context: ExpansionContext) {
    this.#search = search;
    this.#context = context;
    this.#reader = new TokenReader(search, context);
  }

  /** What the first stage reads; called once. */
  expand(): TextQuery {
    const { clauses, matchAll } = this.#search;
    const { rules, budget } = this.#context;
    const { synonyms, stopped } = applyRules(this.#search, rules, budget);
    const left = stopped.size === 0 ? clauses : clauses.filter((_, index) => !stopped.has(index));
    const kept = findRarest(left, this.#context);
    const typed: (MatchedClause | null)[] = [];
    for (let i = 0; i < clauses.length; i++) {
      const clause = clauses[i];
      this.#known.push(null);
      if (clause.kind === 'phrase') typed.push(this.#expandPhrase(clause));
      else if (stopped.has(i) || (kept !== null && !kept.has(clause.token.text))) typed.push(null);
      else typed.push(this.#expandToken(clause, i, synonyms.get(i) ?? NOT_RELATED));
    }
    return orderClauses(1, typed, matchAll);
  }

  /** What the second stage reads, where the first was `first` and found `found`; null when that is the same. */
  widen(first: TextQuery, found: number): TextQuery | null {
    const isRead = first.typed.map((clause) => clause !== null);
    const joined = findJoinedWords(this.#search, isRead, (left, right) => this.#reader.join(left, right));
    const typed: (MatchedClause | null)[] = [];
    let isSame = true;
    for (let i = 0; i < first.typed.length; i++) {
      const clause = first.typed[i];
      const known = this.#known[i];
      const wider =
        clause?.kind === 'token' && known !== null
          ? this.#widenToken(clause, known, joined.get(i) ?? NOT_RELATED, found === 0)
          : clause;
      if (wider !== clause) isSame = false;
      typed.push(wider);
    }
    return isSame ? null : orderClauses(2, typed, first.matchAll);
  }

  #expandToken(clause: TokenClause, index: number, synonyms: readonly RelatedWord[]): MatchedToken {
    const known = this.#reader.known(clause.token);
    this.#known[index] = known;
    const own = this.#reader.expand(known, this.#modeOf(clause));
    const splits = own.isKnown || !this.#search.typos.enabled ? NO_SPLITS : this.#reader.splits(known);
    return this.#match(clause, own, synonyms, splits);
  }

  /**
   * `matched`, made for the first stage, as the second reads it: itself when that is the same. `joined`: what it is with
   * its neighbours. `foundNothing`: the first stage did.
   */
  #widenToken(
    matched: MatchedToken,
    known: KnownToken,
    joined: readonly RelatedWord[],
    foundNothing: boolean,
  ): MatchedToken {
    const { clause, own, related } = matched;
    const wider = this.#reader.widen(known, own, this.#modeOf(clause), foundNothing);
    const splits = this.#reader.splits(known);
    const isSplitAlready = !own.isKnown || splits.all.length === 0;
    if (!isWider(wider, own) && joined.length === 0 && isSplitAlready) return matched;
    return this.#match(clause, wider, joined.length === 0 ? related : [...related, ...joined], splits);
  }

  #expandPhrase(clause: PhraseClause): MatchedPhrase {
    const tokens = this.#reader.exactly(clause.tokens);
    return { kind: 'phrase', clause, tokens, repeats: clause.slots.length, cost: phraseCost(tokens) };
  }

  #modeOf({ token, isCompleted }: TokenClause): ExpansionMode {
    const { typos, stemmed } = this.#search;
    return { isCompleted, edits: editsAllowed(token, typos), stemmed };
  }

  #match(clause: TokenClause, own: Expansion, related: readonly RelatedWord[], splits: Splits): MatchedToken {
    const expansion = related.length === 0 ? own : this.#addRelated(own, related);
    const phrases = related.length === 0 ? splits.all : this.#addPhrases(related, splits.all);
    const { fields, clauses } = this.#search;
    const isSum = fields.indexes.length > 1 && clauses.length > 1;
    const sought = isSum ? phrases : related.length === 0 ? splits.held : held(phrases);
    // Clauses are put in order by what does not depend on how documents lie in segments.
    const largestDf = clauses.length > 1 ? exactLargestDf(expansion) : expansion.largestDf;
    let cost = clause.isCompleted ? largestDf * spreadOf(clause.token) : largestDf;
    for (const { tokens } of phrases) cost += phraseCost(tokens);
    return { kind: 'token', clause, own, related, expansion, phrases, sought, repeats: clause.slots.length, cost };
  }

  #addRelated(own: Expansion, related: readonly RelatedWord[]): Expansion {
    const terms = related.flatMap(({ tokens }) => (tokens.length === 1 ? tokens : []));
    return terms.length === 0 ? own : addTerms(own, terms, this.#context);
  }

  /** Each phrase that a live document may hold, once. */
  #addPhrases(related: readonly RelatedWord[], splits: readonly AlternativePhrase[]): readonly AlternativePhrase[] {
    const phrases = new Map(splits.map((split) => [phraseKey(split.tokens.map(({ token }) => token)), split]));
    for (const { tokens, length } of related) {
      if (tokens.length === 1) continue;
      const key = phraseKey(tokens);
      const known = phrases.get(key);
      if (known !== undefined && known.typedTokens <= length) continue;
      const expanded = known?.tokens ?? this.#reader.exactly(tokens);
      phrases.set(key, { kind: 'synonym', tokens: expanded, typedTokens: length, holders: null });
    }
    return [...phrases.values()].filter(({ tokens }) => tokens.every(({ expansion }) => expansion.df > 0));
  }
}

/** Whether the second stage has added something. They may be equal and not the same: each is forgotten by itself. */
const isWider = (wider: Expansion, own: Expansion): boolean => wider.ranges.words.length > own.ranges.words.length;

/** Those of `phrases` that some document may hold. */
const held = (phrases: readonly AlternativePhrase[]): readonly AlternativePhrase[] => phrases.filter(mayBeHeld);

/** Whether terms of its own alone stand for a token: nothing related, and no phrase that some document may hold. */
export const standsAlone = ({ phrases, related }: MatchedToken): boolean =>
  related.length === 0 && !phrases.some(mayBeHeld);

const spreadOf = ({ codePoints }: QueryToken): number =>
  COMPLETED_SPREAD[Math.min(codePoints, COMPLETED_SPREAD.length) - 1];
