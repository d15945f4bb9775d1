/**
 * Suggestions: the last token of the query completed over the vocabulary, by brute force.
 */
import type { Suggestion } from '../support/wire.js';
import { analyze } from './analyze.js';
import { compareText, type OracleCollection } from './collection.js';
import { prefixDistance } from './edit-distance.js';
import { editBudget } from './query.js';

export interface OracleSuggest {
  readonly q: string;
  readonly query_by?: readonly string[];
  readonly typo_tolerance?: boolean;
}

/** All suggestions in order: exact completions first, then corrections; by count, then alphabetically. */
export function suggestOracle(collection: OracleCollection, query: OracleSuggest): Suggestion[] {
  const token = analyze(query.q).at(-1);
  if (token === undefined) return [];
  const fields = query.query_by ?? collection.searchableFields().map(({ name }) => name);
  const counts = new Map<string, number>();
  for (const { tokens } of collection.documents) {
    const terms = new Set(fields.flatMap((field) => (tokens.get(field) ?? []).flat()));
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const settings = collection.schema.typo_tolerance;
  const budget = editBudget(token, { ...settings, enabled: query.typo_tolerance ?? settings.enabled });
  const suggestions: Suggestion[] = [];
  for (const [text, count] of counts) {
    const typos = text.startsWith(token) ? 0 : prefixDistance(token, text);
    if (typos <= budget) suggestions.push({ text, count, typos });
  }
  return suggestions.sort(
    (a, b) => Number(a.typos > 0) - Number(b.typos > 0) || b.count - a.count || compareText(a.text, b.text),
  );
}
