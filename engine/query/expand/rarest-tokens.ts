/**
 * Chooses what is kept of a query of more tokens than are matched: the rarest, which tell most.
 *
 * Called by text-query.ts for queries of match_mode any, of which the parser takes any number of tokens.
 */
import { QUERY_TOKENS_MAX } from '../../core/limits.js';
import type { QueryClause } from '../query-clauses.js';
import { countTyped, type ExpansionSource } from './token-expansion.js';

/**
 * The texts of the QUERY_TOKENS_MAX tokens of `clauses`, phrases left out, that the fewest live documents hold in any one
 * queried field, of equal ones those typed first; null when there are no more than that.
 */
export function findRarest(clauses: readonly QueryClause[], source: ExpansionSource): ReadonlySet<string> | null {
  if (clauses.length <= QUERY_TOKENS_MAX) return null;
  const frequencies = new Map<string, number>();
  for (const clause of clauses) {
    if (clause.kind === 'phrase' || frequencies.has(clause.token.text)) continue;
    source.budget.check();
    frequencies.set(clause.token.text, countTyped(clause.token, source));
  }
  if (frequencies.size <= QUERY_TOKENS_MAX) return null;
  // Sorting keeps the order of equal ones, which is that of a map's entries.
  const rarest = [...frequencies].sort(([, a], [, b]) => a - b).slice(0, QUERY_TOKENS_MAX);
  return new Set(rarest.map(([key]) => key));
}
