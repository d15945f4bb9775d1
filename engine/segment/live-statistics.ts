/**
 * What scores take from a segment, of its live documents alone: how many hold a term in a field, how many have tokens in
 * a field and how many those are. So a score is what it would be had the deleted documents never been there.
 *
 * One per open segment and thread, made when the first query meets deletions. Nothing of it is stored: all follows from
 * the segment, which never changes, and the live docs of a generation. The sums over documents follow those from
 * generation to generation at the cost of a look at the bitmap; the live documents of a list are counted when a query asks.
 */
import { ENTRY_BYTES } from '../layout/postings.js';
import { CHUNK_DOCS } from '../layout/scratch.js';
import type { RegionViews } from '../memory/arena.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { SegmentReader } from './segment-reader.js';

/** Counts of lists this long are remembered; of shorter ones they cost as little as looking them up. */
const REMEMBERED_POSTINGS_MIN = 512;
/** Lists whose counts are remembered, at most; beyond, all are forgotten. */
const REMEMBERED_MAX = 1024;

export class LiveStatistics {
  readonly #reader: SegmentReader;
  readonly #binding: ArenaBinding;
  readonly #chunks: number;
  /** The bitmap that the sums are of, a bit a document. */
  readonly #live: Uint32Array;
  #liveCount = 0;
  readonly #fields: readonly number[];
  /** By field of the schema. */
  readonly #tokens: Float64Array;
  readonly #documents: Float64Array;
  /** By entry: live documents in its list. */
  readonly #counts = new Map<number, number>();

  constructor(reader: SegmentReader, binding: ArenaBinding) {
    this.#reader = reader;
    this.#binding = binding;
    this.#chunks = Math.ceil(reader.maxDoc / CHUNK_DOCS);
    this.#live = new Uint32Array(Math.ceil(reader.maxDoc / 32));
    this.#fields = reader.searchableFields;
    this.#tokens = new Float64Array(reader.fieldCount);
    this.#documents = new Float64Array(reader.fieldCount);
    this.#startOver();
  }

  /** Takes the sums to the generation at which `liveDocs` holds, which has `liveCount` bits set. */
  follow(liveDocs: RegionViews, liveCount: number): void {
    // A document that was deleted stays deleted, so the number of live ones names the bitmap.
    if (liveCount === this.#liveCount) return;
    if (liveCount > this.#liveCount) this.#startOver();
    const live = this.#live;
    const { u32 } = liveDocs;
    for (let word = 0; word < live.length; word++) {
      if (live[word] === u32[word]) continue;
      for (let gone = live[word] & ~u32[word]; gone !== 0; gone &= gone - 1)
        this.#subtract(word * 32 + 31 - Math.clz32(gone & -gone));
      live[word] = u32[word];
    }
    this.#liveCount = liveCount;
    this.#counts.clear();
  }

  /** Live documents with at least one token in `field`. */
  fieldDocCount(field: number): number {
    return this.#documents[field];
  }

  /** Tokens of `field` over all live documents. */
  fieldTokens(field: number): number {
    return this.#tokens[field];
  }

  /** Live documents in the list of `entry`, which belongs to a term; `liveDocs` are those of follow(). */
  df(entry: number, liveDocs: RegionViews): number {
    const { postings, views } = this.#reader;
    const isLong = postings.df(entry) >= REMEMBERED_POSTINGS_MIN;
    const known = isLong ? this.#counts.get(entry) : undefined;
    if (known !== undefined) return known;
    const address = postings.entriesPtr + entry * ENTRY_BYTES;
    const { kernels } = this.#binding;
    const count = kernels.countLive(views.region.ptr, address, liveDocs.region.ptr, this.#chunks) >>> 0;
    if (!isLong) return count;
    if (this.#counts.size === REMEMBERED_MAX) this.#counts.clear();
    this.#counts.set(entry, count);
    return count;
  }

  /** As if no document were deleted. */
  #startOver(): void {
    const { maxDoc } = this.#reader;
    this.#liveCount = maxDoc;
    this.#live.fill(0xffffffff);
    if ((maxDoc & 31) !== 0) this.#live[maxDoc >> 5] = 2 ** (maxDoc & 31) - 1;
    for (const field of this.#fields) {
      this.#tokens[field] = this.#reader.fieldTokens(field);
      this.#documents[field] = this.#reader.fieldDocCount(field);
    }
  }

  #subtract(doc: number): void {
    for (const field of this.#fields) {
      const length = this.#reader.fieldLength(field, doc);
      if (length === 0) continue;
      this.#tokens[field] -= length;
      this.#documents[field]--;
    }
  }
}
