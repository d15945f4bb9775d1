/**
 * How many edits a token may be off by, by its length and the typo settings of the search.
 */
import type { TypoTolerance } from '../schema/collection-schema.js';
import type { QueryToken } from '../text/query-tokens.js';

/** Edits that `token` may be off by: 0, 1 or 2. */
export function editsAllowed(token: QueryToken, typos: TypoTolerance): 0 | 1 | 2 {
  if (!typos.enabled || token.digitsOnly || token.codePoints < typos.one_typo_min_len) return 0;
  const byLength = token.codePoints >= typos.two_typo_min_len ? 2 : 1;
  const edits = Math.min(byLength, typos.max_typos);
  return edits === 2 ? 2 : edits === 1 ? 1 : 0;
}
