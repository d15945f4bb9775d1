/**
 * Counts the live documents that hold a term in any of some fields: a document once, deleted ones never.
 *
 * Called by the suggester for the few terms that can still be among the best. Exact document frequencies answer when
 * there is one field and no deletion; else the lists are read.
 */

import { assert } from '../core/assert.js';
import { isLive } from '../segment/live-docs.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';

/** Arrays for more documents are given up after the query. */
const KEPT_DOCS_MAX = 1 << 18;

export class LiveCounts {
  #docs = new Uint32Array(1024);
  #impacts = new Uint8Array(1024);
  #seen = new Uint8Array(8192);
  /** A count that damage broke off has left bits in `#seen`. */
  #isSeenDirty = false;

  /** Live documents of `segment` with term `ord` in a field that `admits`. */
  count(segment: SearchableSegment, ord: number, admits: (field: number) => boolean): number {
    const { postings } = segment.reader;
    const entries: number[] = [];
    const end = postings.firstEntry(ord + 1);
    for (let entry = postings.firstEntry(ord); entry < end; entry++)
      if (admits(postings.field(entry))) entries.push(entry);
    if (entries.length === 0) return 0;
    const live = segment.liveDocs === null ? null : segment.liveDocs.u8;
    if (entries.length === 1)
      return live === null ? postings.df(entries[0]) : this.#countLive(segment, entries[0], live);
    return this.#countUnion(segment, entries, live);
  }

  /** Gives up arrays that one long list has made large. */
  trim(): void {
    if (this.#docs.length > KEPT_DOCS_MAX) {
      this.#docs = new Uint32Array(1024);
      this.#impacts = new Uint8Array(1024);
    }
    if (this.#seen.length > KEPT_DOCS_MAX) this.#seen = new Uint8Array(8192);
  }

  #read(segment: SearchableSegment, entry: number): number {
    const df = segment.reader.postings.df(entry);
    assert(df <= segment.maxDoc, 'a list has at most a posting a document');
    if (this.#docs.length < df) {
      this.#docs = new Uint32Array(df * 2);
      this.#impacts = new Uint8Array(df * 2);
    }
    return segment.reader.postings.readList(entry, this.#docs, this.#impacts, 0);
  }

  #countLive(segment: SearchableSegment, entry: number, live: Uint8Array): number {
    const df = this.#read(segment, entry);
    let count = 0;
    for (let i = 0; i < df; i++) if (isLive(live, this.#docs[i])) count++;
    return count;
  }

  #countUnion(segment: SearchableSegment, entries: readonly number[], live: Uint8Array | null): number {
    const bytes = Math.ceil(segment.maxDoc / 8);
    if (this.#seen.length < bytes) this.#seen = new Uint8Array(bytes * 2);
    const seen = this.#seen;
    if (this.#isSeenDirty) seen.fill(0);
    this.#isSeenDirty = true;
    let count = 0;
    for (const entry of entries) {
      const df = this.#read(segment, entry);
      for (let i = 0; i < df; i++) {
        const doc = this.#docs[i];
        const bit = 1 << (doc & 7);
        if ((seen[doc >> 3] & bit) !== 0 || !isLive(live, doc)) continue;
        seen[doc >> 3] |= bit;
        count++;
      }
    }
    for (const entry of entries) {
      const df = this.#read(segment, entry);
      for (let i = 0; i < df; i++) seen[this.#docs[i] >> 3] = 0;
    }
    this.#isSeenDirty = false;
    return count;
  }
}
