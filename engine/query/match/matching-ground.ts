/**
 * Where the clauses of a query are matched: one segment, with what they share in it.
 *
 * Made by segment-matcher.ts and chunk-filter.ts, once a segment.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';

export interface MatchingGround {
  readonly segment: SearchableSegment;
  /** The segment's place among those of the search. */
  readonly index: number;
  readonly map: FieldMap;
  readonly budget: ReadBudget;
}
