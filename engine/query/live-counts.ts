/**
 * How many live documents of a segment hold a term in any of some fields: a document once, deleted ones never. And bounds of that, which
 * cost less.
 *
 * Used by query/top-terms.ts: bounds for very many terms, counts for the few that can still be among the best.
 */
import { SCRATCH_FILTER_BITS } from '../layout/scratch.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { PostingsReader } from '../postings/list-reader.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';

/** Of one segment, for one query: valid until its scratch heap is reset. */
export class TermHolders {
  readonly #kernels: ArenaBinding['kernels'];
  readonly #postings: PostingsReader;
  readonly #segmentPtr: number;
  readonly #fieldMap: number;
  readonly #livePtr: number;
  readonly #maxDoc: number;
  readonly #bitsPtr: number;

  /** In the fields that the map at `fieldMap`, in the segment's arena, admits. */
  constructor({ binding, maxDoc, liveDocsPtr, reader }: SearchableSegment, fieldMap: number) {
    this.#kernels = binding.kernels;
    this.#postings = reader.postings;
    this.#segmentPtr = reader.views.region.ptr;
    this.#fieldMap = fieldMap;
    this.#livePtr = liveDocsPtr;
    this.#maxDoc = maxDoc;
    this.#bitsPtr = binding.scratch.ptr + SCRATCH_FILTER_BITS;
  }

  /** Live documents with term `ord`. */
  count(ord: number): number {
    const postings = this.#postings;
    const count = this.#kernels.countHolders(
      this.#segmentPtr,
      postings.entriesPtr,
      postings.firstEntry(ord),
      postings.firstEntry(ord + 1),
      this.#fieldMap,
      this.#livePtr,
      this.#maxDoc,
      this.#bitsPtr,
    );
    return count >>> 0;
  }

  /** At least as many as count() says; exactly as many where that is a few. */
  bound(ord: number): number {
    const postings = this.#postings;
    const bound = this.#kernels.boundHolders(
      this.#segmentPtr,
      postings.entriesPtr,
      postings.firstEntry(ord),
      postings.firstEntry(ord + 1),
      this.#fieldMap,
      this.#livePtr,
      this.#maxDoc,
    );
    return bound >>> 0;
  }

  /** The first of the terms [low, high) with a bound of at least `wanted`, which is above 0; `high`: there is none. */
  next(low: number, high: number, wanted: number): number {
    const { startsPtr, entriesPtr, entryCount } = this.#postings;
    const ord = this.#kernels.nextFrequentTerm(
      this.#segmentPtr,
      startsPtr,
      entriesPtr,
      entryCount,
      low,
      high,
      this.#fieldMap,
      wanted,
      this.#livePtr,
      this.#maxDoc,
    );
    return ord >>> 0;
  }
}
