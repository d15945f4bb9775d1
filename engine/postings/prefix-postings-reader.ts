/**
 * Finds the prefix postings of a range of terms (layout/postings.ts). Used when a query token is expanded, and in merges.
 */
import { FIELDS_MAX } from '../core/limits.js';
import {
  CHUNK_KIND_BITSET,
  ENTRY_KIND_CHUNKED,
  PREFIX_ROW_BYTES,
  PREFIX_ROW_ENTRY,
  PREFIX_ROW_ENTRY_COUNT,
  PREFIX_ROW_HIGH,
  PREFIX_ROW_LOW,
} from '../layout/postings.js';
import { CHUNK_DOCS } from '../layout/scratch.js';
import type { RegionViews } from '../memory/arena.js';
import { CHUNK_DATA_WORD, CHUNK_HEAD_WORD, CHUNK_WORDS, headChunk, headKind } from './entry-words.js';
import type { PostingsReader } from './list-reader.js';

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
      // Bounded, so that a damaged count is no endless range.
      return { low: first, high: first + Math.min(u32[at + ENTRY_COUNT_WORD], FIELDS_MAX) };
    }
    return null;
  }

  /**
   * The impacts of the segment's `maxDoc` documents in `field` that bitsets of its prefix postings refer to; null when there are
   * none. `postings` are the segment's.
   */
  commonImpacts(postings: PostingsReader, field: number, maxDoc: number): Uint8Array | null {
    const { u32 } = this.#views;
    for (let row = 0; row < this.count; row++) {
      const at = this.#table + row * ROW_WORDS;
      const first = u32[at + ENTRY_WORD];
      for (let entry = first; entry < first + u32[at + ENTRY_COUNT_WORD]; entry++) {
        if (postings.field(entry) !== field || postings.kind(entry) !== ENTRY_KIND_CHUNKED) continue;
        const offset = this.#commonOfList(postings.list(entry) >> 2);
        if (offset >= 0) return this.#views.u8.subarray(offset, offset + maxDoc);
      }
    }
    return null;
  }

  /** Where the common impacts begin that a bitset of the list at word `list` refers to; -1: it has no bitset. */
  #commonOfList(list: number): number {
    const { u32 } = this.#views;
    for (let chunk = 0; chunk < u32[list]; chunk++) {
      const at = list + 1 + chunk * CHUNK_WORDS;
      const head = u32[at + CHUNK_HEAD_WORD];
      const data = u32[at + CHUNK_DATA_WORD];
      if (headKind(head) === CHUNK_KIND_BITSET) return data - u32[data >> 2] - headChunk(head) * CHUNK_DOCS;
    }
    return -1;
  }
}
