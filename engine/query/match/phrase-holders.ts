/**
 * Finds out in which segments a phrase stands at all. Most words can be cut into two that are terms, and hardly ever do
 * these stand next to each other: a phrase that nobody holds need not be looked for in each query.
 *
 * Called by token-reader.ts for the splits of a token, once a generation.
 */
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { type Holders, NO_HOLDERS, type PhraseToken } from '../expand/alternative-phrase.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { matchPhrase } from './phrase-matcher.js';
import { writePhrase } from './phrase-record.js';

/**
 * Which of `segments` have a document, deleted ones included, that holds the phrase `tokens` in one of the fields of `map`. Takes the
 * scratch heaps. Errors: overloaded.
 */
export function findHolders(
  tokens: readonly PhraseToken[],
  segments: readonly SearchableSegment[],
  map: FieldMap,
  budget: ReadBudget,
): Holders {
  const holders = new Array<number>(segments.length).fill(0);
  let isHeldAtAll = false;
  for (let from = 0; from < segments.length; ) {
    const { binding } = segments[from];
    let to = from + 1;
    while (to < segments.length && segments[to].binding === binding) to++;
    binding.heap.reset();
    const phrase = writePhrase(binding, tokens, map, 1, from, to);
    for (let s = from; s < to; s++) {
      budget.check();
      if (!isHeld(phrase, s - from, segments[s], budget)) continue;
      holders[s] = 1;
      isHeldAtAll = true;
    }
    from = to;
  }
  return isHeldAtAll ? holders : NO_HOLDERS;
}

/** Whether `segment`, the `row`th of those that `phrase` was written for, holds it. */
function isHeld(
  phrase: number,
  row: number,
  { binding, reader, maxDoc }: SearchableSegment,
  budget: ReadBudget,
): boolean {
  if (binding.kernels.beginPhrase(phrase, row, reader.views.region.ptr, reader.postings.entriesPtr) === 0) return false;
  for (let chunk = 0; chunk * CHUNK_DOCS < maxDoc; chunk++) {
    budget.check();
    if (matchPhrase(binding, phrase, chunk, budget) > 0) return true;
  }
  return false;
}
