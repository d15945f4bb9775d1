/**
 * Searches of which only the number of matches is asked, where that is known once their token is expanded: no list is read.
 *
 * Called by the searcher before anything is collected.
 */

import type { TextQuery } from '../expand/text-query.js';
import { isTypedAlone } from '../expand/token-expansion.js';
import type { ParsedSearch } from '../parse-search.js';

/** In the place of a number of matches: it is not known. */
export const NOT_COUNTED = -1;

/**
 * How many live documents match `text`, read of `search` with exclusions or without, when no document is wanted and it is one
 * typed term in one field, whose document frequency tells; else NOT_COUNTED.
 */
export function countText(
  { limit, isRankAsked, filter, facets, fields }: ParsedSearch,
  text: TextQuery,
  isExcluding: boolean,
): number {
  if (limit > 0 || isRankAsked || filter !== null || facets !== null || isExcluding) return NOT_COUNTED;
  const { clauses } = text;
  if (clauses.length > 1 || fields.indexes.length > 1) return NOT_COUNTED;
  const [clause] = clauses;
  if (clause === undefined || clause.kind === 'phrase' || clause.sought.length > 0) return NOT_COUNTED;
  return isTypedAlone(clause.expansion) ? clause.expansion.df : NOT_COUNTED;
}
