/**
 * The ranges of a token with what is kept of it in the place of its lists, or beside them. Used by list-unions.ts and
 * list-outlines.ts.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { KeptLists, type WantedList } from './kept-lists.js';
import { type EntryRanges, joinRanges, rangesIn, type SegmentRanges } from './segment-ranges.js';

export class KeptRanges {
  readonly #ranges: SegmentRanges;
  readonly #lists: KeptLists;
  readonly #isBeside: boolean;
  /** What was read last. */
  #read: SegmentRanges;

  /** `isBeside`: what is kept is read beside the ranges, not in their place. */
  constructor(
    ranges: SegmentRanges,
    segments: readonly SearchableSegment[],
    wanted: readonly WantedList[],
    isBeside: boolean,
    now: number,
  ) {
    this.#ranges = ranges;
    this.#lists = new KeptLists(segments, wanted, now);
    this.#isBeside = isBeside;
    this.#read = ranges;
  }

  /** What to read now. May take memory from scratch heaps, and resets them then. */
  read(fields: FieldMap, budget: ReadBudget, now: number): SegmentRanges {
    if (this.#lists.update(fields, budget, now)) this.#read = this.#compose();
    return this.#read;
  }

  #compose(): SegmentRanges {
    const count = this.#ranges.starts.length - 1;
    const bySegment: EntryRanges[][] = Array.from({ length: count }, (_, s) => [rangesIn(this.#ranges, s)]);
    for (const [i, { segment }] of this.#lists.wanted.entries()) {
      const kept = this.#lists.kept[i];
      if (kept === null) continue;
      const own = bySegment[segment];
      if (this.#isBeside) own.push(kept.ranges);
      else own[0] = kept.ranges;
    }
    return joinRanges(bySegment, this.#ranges.weights);
  }
}
