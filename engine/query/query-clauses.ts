/**
 * Makes clauses of the runs of a query: what is typed again counts again, and where each token stood is kept, because
 * neighbours may be joined and nearness is judged by the order typed.
 *
 * Called by parse-search.ts. Which tokens are known, and which are dropped, is decided where segments are (text-query.ts).
 */
import { EngineError } from '../core/errors.js';
import { QUERY_TOKENS_MAX } from '../core/limits.js';
import type { QueryRun, QueryToken } from '../text/query-tokens.js';

export interface TokenClause {
  readonly kind: 'token';
  readonly token: QueryToken;
  /** Also matches every term that it begins: a role of its own, so the same token may have another clause without it. */
  readonly isCompleted: boolean;
  /** Slots where it was typed, ascending: at least one. Its score counts once for each. */
  readonly slots: readonly number[];
}

/** Tokens that must stand next to each other in one field: at least one, neither completed nor corrected. */
export interface PhraseClause {
  readonly kind: 'phrase';
  readonly tokens: readonly QueryToken[];
  /** Slots of its first token. */
  readonly slots: readonly number[];
}

export type QueryClause = TokenClause | PhraseClause;

/** A token as it was typed, one of a phrase too: a place in the order of the query. */
export interface QuerySlot {
  readonly token: QueryToken;
  /** Its clause, as an index. */
  readonly clause: number;
  /** Stands right after the slot before it: both are plain text, with neither a quote nor an exclusion between. */
  readonly followsText: boolean;
}

export interface QueryClauses {
  /** In the order in which they were first typed. */
  readonly clauses: readonly QueryClause[];
  /** In the order typed; exclusions have none. */
  readonly slots: readonly QuerySlot[];
  /** What a match must not hold: tokens that stand next to each other in a queried field. */
  readonly excluded: readonly (readonly QueryToken[])[];
}

/** Tokens hold neither blanks nor quotes. */
export const phraseKey = (tokens: readonly QueryToken[]): string => {
  let key = tokens[0].text;
  for (let i = 1; i < tokens.length; i++) key += ` ${tokens[i].text}`;
  return key;
};

const NO_EXCLUSIONS: readonly (readonly QueryToken[])[] = [];

/** Clauses up to which the one of a token is looked for among all of them. */
const SCANNED_MAX = 16;

type GrowingClause = QueryClause & { readonly slots: number[] };

/** The clauses of a query and its slots, as they are read. */
class ClauseList {
  readonly clauses: GrowingClause[] = [];
  readonly slots: QuerySlot[] = [];
  /** By role and token or phrase; null: there are few clauses. */
  #byKey: Map<string, number> | null = null;

  addToken(token: QueryToken, isCompleted: boolean, followsText: boolean): void {
    let clause = this.#findToken(token, isCompleted);
    if (clause < 0) clause = this.#push({ kind: 'token', token, isCompleted, slots: [] });
    this.clauses[clause].slots.push(this.slots.length);
    this.slots.push({ token, clause, followsText });
  }

  addPhrase(tokens: readonly QueryToken[]): void {
    let clause = this.#findPhrase(tokens);
    if (clause < 0) clause = this.#push({ kind: 'phrase', tokens, slots: [] });
    this.clauses[clause].slots.push(this.slots.length);
    for (const token of tokens) this.slots.push({ token, clause, followsText: false });
  }

  #push(clause: GrowingClause): number {
    const index = this.clauses.push(clause) - 1;
    if (this.#byKey !== null) this.#byKey.set(clauseKey(clause), index);
    else if (index === SCANNED_MAX) this.#byKey = new Map(this.clauses.map((one, i) => [clauseKey(one), i]));
    return index;
  }

  #findToken(token: QueryToken, isCompleted: boolean): number {
    if (this.#byKey !== null) return this.#byKey.get(clauseKey({ kind: 'token', token, isCompleted, slots: [] })) ?? -1;
    for (let i = 0; i < this.clauses.length; i++) {
      const clause = this.clauses[i];
      if (clause.kind === 'token' && clause.token.text === token.text && clause.isCompleted === isCompleted) return i;
    }
    return -1;
  }

  #findPhrase(tokens: readonly QueryToken[]): number {
    const key = clauseKey({ kind: 'phrase', tokens, slots: [] });
    if (this.#byKey !== null) return this.#byKey.get(key) ?? -1;
    return this.clauses.findIndex((clause) => clause.kind === 'phrase' && clauseKey(clause) === key);
  }
}

const clauseKey = (clause: QueryClause): string =>
  clause.kind === 'phrase' ? `"${phraseKey(clause.tokens)}` : `${clause.isCompleted ? '*' : ' '}${clause.token.text}`;

/**
 * The clauses of `runs`. `completesLast`: the last token is completed, unless it stands in a phrase. Errors:
 * invalid_query when the query holds too many tokens for `matchAll`.
 */
export function makeClauses(runs: readonly QueryRun[], completesLast: boolean, matchAll: boolean): QueryClauses {
  const { clauses, slots } = addRuns(runs, completesLast);
  const made = { clauses, slots, excluded: findExclusions(runs) };
  // Short queries, which nearly all are, have no more distinct tokens than tokens.
  let tokens = slots.length;
  for (const phrase of made.excluded) tokens += phrase.length;
  if (tokens > QUERY_TOKENS_MAX) checkTokens(made, matchAll);
  return made;
}

function addRuns(runs: readonly QueryRun[], completesLast: boolean): ClauseList {
  const list = new ClauseList();
  let lastRun = runs.length - 1;
  while (lastRun >= 0 && runs[lastRun].kind === 'excluded') lastRun--;
  for (let r = 0; r <= lastRun; r++) {
    const { kind, tokens } = runs[r];
    if (kind === 'phrase') list.addPhrase(tokens);
    else if (kind === 'text') {
      const completed = completesLast && r === lastRun ? tokens.length - 1 : -1;
      for (let i = 0; i < tokens.length; i++) list.addToken(tokens[i], i === completed, i > 0);
    }
  }
  return list;
}

/** What is excluded, each once. */
function findExclusions(runs: readonly QueryRun[]): readonly (readonly QueryToken[])[] {
  let excluded: Map<string, readonly QueryToken[]> | null = null;
  for (const { kind, tokens } of runs) {
    if (kind !== 'excluded') continue;
    excluded ??= new Map();
    excluded.set(phraseKey(tokens), tokens);
  }
  return excluded === null ? NO_EXCLUSIONS : [...excluded.values()];
}

function checkTokens({ clauses, excluded }: QueryClauses, matchAll: boolean): void {
  const distinct = new Set<string>();
  // A phrase costs by the token, also by one that it repeats.
  let fixed = 0;
  for (const tokens of [
    ...clauses.flatMap((clause) => (clause.kind === 'phrase' ? [clause.tokens] : [])),
    ...excluded,
  ]) {
    fixed += tokens.length;
    for (const token of tokens) distinct.add(token.text);
  }
  if (fixed > QUERY_TOKENS_MAX)
    throw new EngineError(
      'invalid_query',
      `q: expected at most ${QUERY_TOKENS_MAX} tokens in phrases and exclusions, got ${fixed}`,
    );
  if (!matchAll) return;
  for (const clause of clauses) if (clause.kind === 'token') distinct.add(clause.token.text);
  if (distinct.size > QUERY_TOKENS_MAX)
    throw new EngineError(
      'invalid_query',
      `q: expected at most ${QUERY_TOKENS_MAX} distinct tokens, got ${distinct.size} (match_mode=any takes the rarest)`,
    );
}
