/**
 * Finds, for what a token stands for, the unions that the segments keep of its lists, and has them made when the token comes
 * again: one list is read block by block and its length is the number of matches, while many lists are read whole.
 *
 * Used by match/swept-query.ts, once a token and search. What a segment keeps is found again in later generations
 * (segment/kept-unions.ts); how often a token came is known of one generation.
 */
import type { BlockPool } from '../../memory/block-pool.js';
import type { KeptUnion } from '../../segment/kept-unions.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { canUnite, countPostings, hasPrefixPostings, makeUnion } from './make-union.js';
import { type EntryRanges, rangesIn, type SegmentRanges } from './segment-ranges.js';

/** Postings whose union is made for one search, about, and how many the making of each counts as. The others are left for the next one. */
const MADE_POSTINGS_MAX = 1 << 13;
const MADE_POSTINGS = 1024;
/** A larger union would push out many others. */
const UNION_POSTINGS_MAX = 1 << 19;
/** Of a list with signatures, about. */
const POSTING_BYTES = 5;

/** Searches of the thread that a union may miss being noted as used, while there is room for others, and else. */
const USES_UNTOUCHED = 4096;
const USES_UNTOUCHED_IF_CROWDED = 64;
/**
 * A segment in which reading the lists takes less is not worth a union: a list counts as much as so many postings, which is what
 * laying one out takes.
 */
const LIST_POSTINGS = 8;
const READ_POSTINGS_MIN = 1024;

/** Counts the searches of this thread, by which it is told who came when. */
let clock = 0;

/** A segment in which the token is many lists. */
interface ManyLists {
  readonly segment: number;
  readonly key: string;
  readonly postings: number;
  kept: KeptUnion | null;
}

/** What is known of the ranges of a token. */
class ListUnions {
  readonly #ranges: SegmentRanges;
  readonly #many: ManyLists[] = [];
  /** What was read last. */
  #read: SegmentRanges;
  #usedAt: number;
  /** Of the segments' arenas. */
  readonly #pools: readonly BlockPool[];
  /** When all of it was looked at last, and what the pools had released by then; -1: not all is made. */
  #lookedAt = 0;
  #released = -1;

  constructor(ranges: SegmentRanges, segments: readonly SearchableSegment[], fields: FieldMap, now: number) {
    this.#ranges = ranges;
    this.#read = ranges;
    this.#usedAt = now;
    this.#pools = [...new Set(segments.map(({ binding }) => binding.unions))];
    for (let s = 0; s < segments.length; s++) {
      const own = rangesIn(ranges, s);
      if (!canUnite(own, segments[s], fields)) continue;
      const postings = countPostings(own, segments[s], fields);
      const isCheap = fields.count > 1 && postings + LIST_POSTINGS * countEntries(own) < READ_POSTINGS_MIN;
      if ((isCheap && !hasPrefixPostings(own, segments[s])) || postings > UNION_POSTINGS_MAX) continue;
      this.#many.push({ segment: s, key: `${fields.indexes.join()}:${own.join()}`, postings, kept: null });
    }
  }

  /** What to read now. */
  read(segments: readonly SearchableSegment[], fields: FieldMap, budget: ReadBudget, now: number): SegmentRanges {
    const before = this.#usedAt;
    this.#usedAt = now;
    const untouched = this.#pools.some(({ isCrowded }) => isCrowded) ? USES_UNTOUCHED_IF_CROWDED : USES_UNTOUCHED;
    if (now - this.#lookedAt < untouched && this.#released === this.#countReleased()) return this.#read;
    let hasChanged = false;
    let isAllMade = true;
    let left = MADE_POSTINGS_MAX;
    for (const many of this.#many) {
      if (many.kept?.isHeld === true && now - many.kept.usedAt < untouched) continue;
      const segment = segments[many.segment];
      let kept = segment.open.unions.get(many.key, now) ?? null;
      if (kept === null && left > 0) {
        budget.check();
        kept = this.#keep(many, segment, fields, before, now);
        // Where there is no room for one there is none for the others.
        left = kept === null ? 0 : left - many.postings - MADE_POSTINGS;
      }
      if (kept === null) isAllMade = false;
      if (kept === many.kept) continue;
      many.kept = kept;
      hasChanged = true;
    }
    if (hasChanged) this.#read = this.#compose();
    this.#lookedAt = now;
    this.#released = isAllMade ? this.#countReleased() : -1;
    return this.#read;
  }

  #countReleased(): number {
    let count = 0;
    for (const { released } of this.#pools) count += released;
    return count;
  }

  /** Makes and keeps the union of a segment, if there is room for one that was used `before`, and is now. */
  #keep(
    { key, postings, segment: index }: ManyLists,
    segment: SearchableSegment,
    fields: FieldMap,
    before: number,
    now: number,
  ): KeptUnion | null {
    const { unions: pool } = segment.binding;
    if (!pool.mayTake(postings * POSTING_BYTES, before)) return null;
    const made = makeUnion(segment, rangesIn(this.#ranges, index), fields, (bytes) => pool.take(bytes, before));
    return made === null ? null : segment.open.unions.keep(key, made.ptr, made.bytes, made.ranges, now);
  }

  /** The ranges with those of unions in the place of the lists that they stand for. */
  #compose(): SegmentRanges {
    const count = this.#ranges.starts.length - 1;
    const bySegment = Array.from({ length: count }, (_, s) => rangesIn(this.#ranges, s));
    for (const { segment, kept } of this.#many) if (kept !== null) bySegment[segment] = kept.ranges;
    const starts = new Uint32Array(count + 1);
    for (let s = 0; s < count; s++) starts[s + 1] = starts[s] + bySegment[s].length;
    const words = new Uint32Array(starts[count]);
    for (let s = 0; s < count; s++) words.set(bySegment[s], starts[s]);
    return { words, starts, weights: this.#ranges.weights };
  }
}

function countEntries(ranges: EntryRanges): number {
  let count = 0;
  for (let i = 0; i < ranges.length; i += 3) count += ranges[i + 1] - ranges[i];
  return count;
}

/** null: came once. */
const known = new WeakMap<SegmentRanges, ListUnions | null>();

/**
 * What to read in the place of `ranges`, which a token stands for in `segments`: the same, or unions in some of the segments. The
 * entries of unions are for kernels alone. May take memory from scratch heaps, and resets them then.
 */
export function rangesToRead(
  ranges: SegmentRanges,
  segments: readonly SearchableSegment[],
  fields: FieldMap,
  budget: ReadBudget,
): SegmentRanges {
  const now = ++clock;
  const unions = known.get(ranges);
  if (unions === undefined) {
    known.set(ranges, null);
    return ranges;
  }
  if (unions !== null) return unions.read(segments, fields, budget, now);
  const made = new ListUnions(ranges, segments, fields, now);
  known.set(ranges, made);
  return made.read(segments, fields, budget, now);
}
