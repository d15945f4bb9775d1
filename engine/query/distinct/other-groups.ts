/**
 * Finds the hits of groups of which no document is among the best ones that were put in order, round by round: the best documents of
 * all other groups, and of these the first of each group.
 *
 * Called by the searcher where documents of few groups come first. They get no bonuses: those are for the best documents alone.
 */
import { SEARCH_WINDOW_MAX } from '../../core/limits.js';
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { TextQuery } from '../expand/text-query.js';
import { beginSegment, type Collectors } from '../segment-collector.js';
import type { DistinctHits } from './distinct-hits.js';
import { UnseenTop } from './unseen-top.js';

/** Adds to `hits` what they lack, of the matches that `collectors` and `text` say. Errors: those of the budget; overloaded. */
export function findOtherGroups(
  hits: DistinctHits,
  field: number,
  collectors: Collectors,
  text: TextQuery | null,
  segments: readonly SearchableSegment[],
): void {
  // All matches of a chunk are to be offered.
  const search = { ...collectors.search, ranked: CHUNK_DOCS };
  while (!hits.isFull) {
    const top = new UnseenTop(field, hits);
    top.begin(search.sort, SEARCH_WINDOW_MAX);
    for (const [index, segment] of segments.entries()) collectAll({ ...collectors, search, top }, text, segment, index);
    const count = top.finish();
    if (count === 0) return;
    hits.add(top, count, segments);
  }
}

function collectAll(collectors: Collectors, text: TextQuery | null, segment: SearchableSegment, index: number): void {
  collectors.budget.check();
  segment.binding.heap.reset();
  const run = beginSegment(collectors, text, segment, index);
  if (run === null) return;
  const chunks = Math.ceil(segment.maxDoc / CHUNK_DOCS);
  for (let chunk = 0; chunk < chunks; chunk++) run.collect(chunk);
  run.end();
}
