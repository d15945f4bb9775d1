/**
 * Finds out in which segments a phrase stands at all. Most words can be cut into two that are terms, and hardly ever do
 * these stand next to each other: a phrase that nobody holds need not be looked for in each query.
 *
 * Called by token-reader.ts for the splits of a token, once a generation.
 */
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { PhraseToken } from '../expand/alternative-phrase.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { PhraseMatcher } from './phrase-matcher.js';

/**
 * By segment: 1 where some document, deleted ones included, holds the phrase `tokens` in one of the fields of `map`, else 0. Takes the
 * scratch heaps. Errors: overloaded.
 */
export function findHolders(
  tokens: readonly PhraseToken[],
  segments: readonly SearchableSegment[],
  map: FieldMap,
  budget: ReadBudget,
): Uint8Array {
  const holders = new Uint8Array(segments.length);
  for (let s = 0; s < segments.length; s++) {
    const segment = segments[s];
    segment.binding.heap.reset();
    const matcher = new PhraseMatcher(tokens, { segment, index: s, map }, 1);
    if (matcher.matchesNothing) continue;
    for (let chunk = 0; chunk * CHUNK_DOCS < segment.maxDoc && holders[s] === 0; chunk++) {
      budget.check();
      if (matcher.match(chunk) > 0) holders[s] = 1;
    }
  }
  return holders;
}
