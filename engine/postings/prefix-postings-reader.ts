/**
 * Finds the prefix postings of a range of terms (layout/postings.ts). Used when a query token is expanded.
 */
import {
  PREFIX_ROW_BYTES,
  PREFIX_ROW_ENTRY,
  PREFIX_ROW_ENTRY_COUNT,
  PREFIX_ROW_HIGH,
  PREFIX_ROW_LOW,
} from '../layout/postings.js';
import type { RegionViews } from '../memory/arena.js';

const ROW_WORDS = PREFIX_ROW_BYTES >> 2;
const LOW_WORD = PREFIX_ROW_LOW >> 2;
const HIGH_WORD = PREFIX_ROW_HIGH >> 2;
const ENTRY_WORD = PREFIX_ROW_ENTRY >> 2;
const ENTRY_COUNT_WORD = PREFIX_ROW_ENTRY_COUNT >> 2;

/** Entries [low, high) of a segment's postings. */
export interface EntrySpan {
  readonly low: number;
  readonly high: number;
}

export class PrefixPostingsReader {
  readonly #views: RegionViews;
  readonly #table: number;
  readonly count: number;

  constructor(views: RegionViews, prefixPostings: number, prefixPostingsCount: number) {
    this.#views = views;
    this.#table = prefixPostings >> 2;
    this.count = prefixPostingsCount;
  }

  /** The entries of the prefix postings of exactly the terms [low, high), one a field; null when there is none. */
  find(low: number, high: number): EntrySpan | null {
    const { u32 } = this.#views;
    let from = 0;
    let to = this.count;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (u32[this.#table + middle * ROW_WORDS + LOW_WORD] < low) from = middle + 1;
      else to = middle;
    }
    for (; from < this.count; from++) {
      const at = this.#table + from * ROW_WORDS;
      if (u32[at + LOW_WORD] !== low) return null;
      if (u32[at + HIGH_WORD] !== high) continue;
      const first = u32[at + ENTRY_WORD];
      return { low: first, high: first + u32[at + ENTRY_COUNT_WORD] };
    }
    return null;
  }
}
