/**
 * Where the clauses of a query are matched: one segment, with what they share in it.
 *
 * Made by segment-matcher.ts and chunk-filter.ts, once a segment.
 */
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import { allocateScratch } from '../scratch-memory.js';

export class MatchingGround {
  #marks = 0;

  constructor(
    readonly segment: SearchableSegment,
    /** The segment's place among those of the search. */
    readonly index: number,
    readonly map: FieldMap,
    readonly fields: QueriedFields,
  ) {}

  /**
   * Address of a byte a candidate of a phrase, for the phrases to take turns in. Takes memory from the heap of the segment's
   * arena when it is first asked for. Errors: overloaded.
   */
  get marks(): number {
    if (this.#marks === 0) this.#marks = allocateScratch(this.segment.binding, CHUNK_DOCS);
    return this.#marks;
  }
}
