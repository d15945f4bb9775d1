/**
 * What the segments keep for a token that comes again, made beside their lists: unions of these (list-unions.ts), outlines
 * (list-outlines.ts), and what documents bonuses are for (bonuses/gainers.ts). Made bit by bit, so that no search pays for all of
 * it, and found again in later generations (segment/kept-unions.ts).
 */
import type { BlockPool } from '../../memory/block-pool.js';
import type { KeptUnion } from '../../segment/kept-unions.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import type { EntryRanges } from './segment-ranges.js';

/** What the making may cost one search, about: as much as so many postings of unions. The others are left for the next one. */
const MAKING_COST_MAX = 1 << 13;

/** Searches of the thread that what is kept may miss being noted as used, while there is room for others, and else. */
const USES_UNTOUCHED = 4096;
const USES_UNTOUCHED_IF_CROWDED = 64;

/** What was made in a block. */
export interface MadeList {
  readonly ptr: number;
  readonly bytes: number;
  /** How it is read as a list: low, high, weight index, repeated. */
  readonly ranges: EntryRanges;
}

/** What is wanted in a segment, where it is kept under `key`. */
export interface WantedList {
  readonly segment: number;
  readonly key: string;
  /** Of making it, in postings of a union. */
  readonly cost: number;
  /** Bytes that it takes, about. */
  readonly bytes: number;
  /** Makes it in a block that `take` gives for a number of bytes, 0 where there is none; null: there is no room. */
  make(segment: SearchableSegment, fields: FieldMap, take: (bytes: number) => number): MadeList | null;
}

/** Counts the uses of what this thread keeps, by which it is told who came when. */
let clock = 0;

/** The time of a use. */
export const nextUse = (): number => ++clock;

/** What is kept for a token, in segments of one generation. */
export class KeptLists {
  readonly #segments: readonly SearchableSegment[];
  readonly wanted: readonly WantedList[];
  /** By place in `wanted`; null: it is not made, or was given up. */
  readonly kept: (KeptUnion | null)[];
  #usedAt: number;
  /** Of the segments' arenas. */
  readonly #pools: readonly BlockPool[];
  /** When all of it was looked at last, and what the pools had released by then; -1: not all is made. */
  #lookedAt = 0;
  #released = -1;
  /** `kept` is not what the last update() told of: one may have been stopped since. */
  #hasChanged = false;

  constructor(segments: readonly SearchableSegment[], wanted: readonly WantedList[], now: number) {
    this.#segments = segments;
    this.wanted = wanted;
    this.kept = wanted.map(() => null);
    this.#usedAt = now;
    this.#pools = [...new Set(segments.map(({ binding }) => binding.unions))];
  }

  /** Whether all that is wanted is kept. */
  get isComplete(): boolean {
    return this.#released >= 0;
  }

  /** Makes some of what is not kept; whether `kept` has changed. May take memory from scratch heaps, and resets them then. */
  update(fields: FieldMap, budget: ReadBudget, now: number): boolean {
    const before = this.#usedAt;
    this.#usedAt = now;
    const untouched = this.#pools.some(({ isCrowded }) => isCrowded) ? USES_UNTOUCHED_IF_CROWDED : USES_UNTOUCHED;
    const isKnown = now - this.#lookedAt < untouched && this.#released === this.#countReleased();
    if (isKnown && !this.#hasChanged) return false;
    const released = this.#countReleased();
    let left = MAKING_COST_MAX;
    for (const [i, list] of this.wanted.entries()) {
      const { [i]: kept } = this.kept;
      if (kept?.isHeld === true && now - kept.usedAt < untouched) continue;
      const segment = this.#segments[list.segment];
      this.#put(i, segment.open.unions.get(list.key, now) ?? null);
      if (this.kept[i] !== null || left <= 0) continue;
      budget.check();
      this.#put(i, this.#keep(list, segment, fields, before, now));
      // Where there is no room for one there is none for the others. And what had to go for it may be what others are made of.
      left = this.kept[i] === null || this.#countReleased() !== released ? 0 : left - list.cost;
    }
    // Another one may have taken the place of one.
    for (const [i, kept] of this.kept.entries()) if (kept?.isHeld === false) this.#put(i, null);
    this.#lookedAt = now;
    this.#released = this.kept.includes(null) ? -1 : this.#countReleased();
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  #put(i: number, kept: KeptUnion | null): void {
    if (this.kept[i] === kept) return;
    this.kept[i] = kept;
    this.#hasChanged = true;
  }

  #countReleased(): number {
    let count = 0;
    for (const { released } of this.#pools) count += released;
    return count;
  }

  /** Makes and keeps what is wanted in a segment, if there is room for what was used `before`, and is now. */
  #keep(list: WantedList, segment: SearchableSegment, fields: FieldMap, before: number, now: number): KeptUnion | null {
    const { unions: pool } = segment.binding;
    if (!pool.mayTake(list.bytes, before)) return null;
    const made = list.make(segment, fields, (bytes) => pool.take(bytes, before));
    return made === null ? null : segment.open.unions.keep(list.key, made.ptr, made.bytes, made.ranges, now);
  }
}
