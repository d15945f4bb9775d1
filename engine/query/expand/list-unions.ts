/**
 * Finds, for what a token stands for, the unions that the segments keep of its lists, and has them made when the token comes
 * again: one list is read block by block and its length is the number of matches, while many lists are read whole.
 *
 * Used by match/swept-query.ts, once a token and search. How often a token came is known of one generation.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import type { WantedList } from './kept-lists.js';
import { KeptRanges } from './kept-ranges.js';
import { LaterUse } from './later-use.js';
import { canUnite, countPostings, hasPrefixPostings, makeUnion } from './make-union.js';
import { type EntryRanges, rangesIn, type SegmentRanges } from './segment-ranges.js';

/** A larger union would push out many others. */
const UNION_POSTINGS_MAX = 1 << 19;
/** Of making a union of no postings, in postings. */
const UNION_COST = 1024;
/** Of a list with signatures, about. */
const POSTING_BYTES = 5;

/**
 * A segment in which reading the lists takes less is not worth a union: a list counts as much as so many postings, which is what
 * laying one out takes.
 */
const LIST_POSTINGS = 8;
const READ_POSTINGS_MIN = 1024;

/** The union of `own` in segment number `index`; null: none is worth making. */
function wantedUnion(own: EntryRanges, segment: SearchableSegment, index: number, fields: FieldMap): WantedList | null {
  if (!canUnite(own, segment, fields)) return null;
  const postings = countPostings(own, segment, fields);
  const isCheap = fields.count > 1 && postings + LIST_POSTINGS * countEntries(own) < READ_POSTINGS_MIN;
  if ((isCheap && !hasPrefixPostings(own, segment)) || postings > UNION_POSTINGS_MAX) return null;
  return {
    segment: index,
    key: `${fields.indexes.join()}:${own.join()}`,
    cost: postings + UNION_COST,
    bytes: postings * POSTING_BYTES,
    make: (of, by, take) => makeUnion(of, own, by, take),
  };
}

function wantUnions(ranges: SegmentRanges, segments: readonly SearchableSegment[], fields: FieldMap): WantedList[] {
  const wanted: WantedList[] = [];
  for (const [index, segment] of segments.entries()) {
    const list = wantedUnion(rangesIn(ranges, index), segment, index, fields);
    if (list !== null) wanted.push(list);
  }
  return wanted;
}

function countEntries(ranges: EntryRanges): number {
  let count = 0;
  for (let i = 0; i < ranges.length; i += 3) count += ranges[i + 1] - ranges[i];
  return count;
}

const known = new LaterUse<SegmentRanges, KeptRanges>();

/**
 * What to read in the place of `ranges`, which a token stands for in `segments`: the same, or unions in some of the segments. The
 * entries of unions are for kernels alone. `now`: the time of this use. May take memory from scratch heaps, and resets them then.
 */
export function rangesToRead(
  ranges: SegmentRanges,
  segments: readonly SearchableSegment[],
  fields: FieldMap,
  budget: ReadBudget,
  now: number,
): SegmentRanges {
  const unions = known.get(
    ranges,
    () => new KeptRanges(ranges, segments, wantUnions(ranges, segments, fields), false, now),
  );
  return unions === null ? ranges : unions.read(fields, budget, now);
}
