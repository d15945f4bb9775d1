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

/** The token as a string that equals another's when the tokens are equal. */
export function tokenKey({ bytes }: QueryToken): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** Tokens hold neither blanks nor quotes. */
export const phraseKey = (tokens: readonly QueryToken[]): string => tokens.map(tokenKey).join(' ');

/**
 * The clauses of `runs`. `completesLast`: the last token is completed, unless it stands in a phrase. Errors:
 * invalid_query when the query holds too many tokens for `matchAll`.
 */
export function makeClauses(runs: readonly QueryRun[], completesLast: boolean, matchAll: boolean): QueryClauses {
  const clauses: (QueryClause & { readonly slots: number[] })[] = [];
  const slots: QuerySlot[] = [];
  const excluded = new Map<string, readonly QueryToken[]>();
  const byKey = new Map<string, number>();
  /** Index of the clause with `key`, which is made when there is none. */
  const clauseOf = (key: string, make: () => QueryClause & { readonly slots: number[] }): number => {
    const index = byKey.get(key) ?? clauses.push(make()) - 1;
    byKey.set(key, index);
    clauses[index].slots.push(slots.length);
    return index;
  };
  const lastRun = runs.findLast(({ kind }) => kind !== 'excluded');
  for (const run of runs) {
    const { kind, tokens } = run;
    if (kind === 'excluded') excluded.set(phraseKey(tokens), tokens);
    else if (kind === 'phrase') {
      const clause = clauseOf(`"${phraseKey(tokens)}`, () => ({ kind: 'phrase', tokens, slots: [] }));
      for (const token of tokens) slots.push({ token, clause, followsText: false });
    } else {
      for (const [i, token] of tokens.entries()) {
        const isCompleted = completesLast && run === lastRun && i === tokens.length - 1;
        const key = `${isCompleted ? '*' : ' '}${tokenKey(token)}`;
        const clause = clauseOf(key, () => ({ kind: 'token', token, isCompleted, slots: [] }));
        slots.push({ token, clause, followsText: i > 0 });
      }
    }
  }
  const made = { clauses, slots, excluded: [...excluded.values()] };
  // Short queries, which nearly all are, have no more distinct tokens than tokens.
  const tokens = made.excluded.reduce((sum, phrase) => sum + phrase.length, slots.length);
  if (tokens > QUERY_TOKENS_MAX) checkTokens(made, matchAll);
  return made;
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
    for (const token of tokens) distinct.add(tokenKey(token));
  }
  if (fixed > QUERY_TOKENS_MAX)
    throw new EngineError(
      'invalid_query',
      `q: expected at most ${QUERY_TOKENS_MAX} tokens in phrases and exclusions, got ${fixed}`,
    );
  if (!matchAll) return;
  for (const clause of clauses) if (clause.kind === 'token') distinct.add(tokenKey(clause.token));
  if (distinct.size > QUERY_TOKENS_MAX)
    throw new EngineError(
      'invalid_query',
      `q: expected at most ${QUERY_TOKENS_MAX} distinct tokens, got ${distinct.size} (match_mode=any takes the rarest)`,
    );
}
