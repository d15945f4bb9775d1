/**
 * Finds the outlines that a segment has of its lists (layout/list-outline.ts). Used by query/expand/list-outlines.ts.
 */
import { UNION_OUTLINE } from '../layout/list-union.js';
import { ENTRY_KIND_TINY } from '../layout/postings.js';
import type { RegionViews } from '../memory/arena.js';
import { DF_WORD, ENTRY_WORDS, POSITIONS_WORD, TAIL_WORD, tailKind } from './entry-words.js';

/** What is no entry of a segment that has fewer than 2^28 of them. */
export const NO_ENTRY = -1;

export class OutlineReader {
  readonly #views: RegionViews;
  readonly #table: number;
  readonly #standIns: number;
  /** From the first of the segment's entries to the first stand-in, which lies before it, modulo 2^28. */
  readonly #first: number;
  readonly #count: number;

  /** `entries`, `table`: offsets of the segment's entries and of its outlines; `count`: how many there are. */
  constructor(views: RegionViews, entries: number, table: number, count: number) {
    const standIns = Math.ceil((table + count * 4) / 64) * 64;
    this.#views = views;
    this.#table = table >> 2;
    this.#standIns = standIns >> 2;
    this.#first = ((standIns - entries) >>> 0) / (ENTRY_WORDS * 4);
    this.#count = count;
  }

  /**
   * The number of the entry that stands for the outline of entry `entry`, counted from the segment's entries, modulo 2^32 bytes:
   * for kernels alone. NO_ENTRY: there is none.
   */
  find(entry: number): number {
    const { u32 } = this.#views;
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (u32[this.#table + middle] < entry) low = middle + 1;
      else high = middle;
    }
    if (low >= this.#count || u32[this.#table + low] !== entry) return NO_ENTRY;
    const at = this.#standIns + low * ENTRY_WORDS;
    // Of a damaged segment it may be anything, which kernels would take for a list.
    const isStandIn =
      u32[at + POSITIONS_WORD] === UNION_OUTLINE &&
      u32[at + DF_WORD] === 0 &&
      tailKind(u32[at + TAIL_WORD]) === ENTRY_KIND_TINY;
    return isStandIn ? this.#first + low : NO_ENTRY;
  }
}
