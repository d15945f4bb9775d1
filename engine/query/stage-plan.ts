/**
 * What follows from what the tokens of a search stand for, before a list is read: the same for as long as the collection stays as it
 * is, but where there is a filter. Made by the searcher, once a stage.
 */

import type { CollectionSchema } from '../schema/collection-schema.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { type BestRanking, bestRanking, boundOf } from './bonuses/rank-best.js';
import { estimateCostUs } from './cost-estimate.js';
import type { PhraseToken } from './expand/alternative-phrase.js';
import type { TextQuery } from './expand/text-query.js';
import type { FieldMap } from './field-map.js';
import { type SweptQuery, sweptQuery } from './match/swept-query.js';
import type { ParsedSearch } from './parse-search.js';
import type { PageBound } from './sort/page-bound.js';

/** A stage of a search, as far as it follows from what its tokens stand for. */
export interface StagePlan<Text extends TextQuery | null = TextQuery> {
  readonly text: Text;
  /** Which documents need not be kept; null: all matter. */
  readonly bound: PageBound | null;
  /** What it takes, about, in microseconds. */
  readonly costUs: number;
  /** How it is swept; null: it goes the general way, or what it must pass is found out each time. */
  readonly swept: SweptQuery | null;
  /** null: its documents are in order as they were collected. */
  readonly ranking: BestRanking | null;
}

/** The plan of `text`, as which `search` is read without `excluded`. */
export function planStage(
  search: ParsedSearch,
  text: TextQuery,
  excluded: readonly (readonly PhraseToken[])[],
  target: { readonly schema: CollectionSchema; readonly segments: readonly SearchableSegment[] },
  map: FieldMap,
): StagePlan {
  const bound = boundOf(search, text, map, target.schema);
  const costUs = estimateCostUs(search, text, excluded, target.segments);
  const isPlain = search.filter === null && search.facets === null && excluded.length === 0;
  const swept = isPlain ? sweptQuery(search, text, null) : null;
  return { text, bound, costUs, swept, ranking: bestRanking(search, text, bound, target, map) };
}
