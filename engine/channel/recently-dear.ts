/**
 * Remembers for a while which reads the HTTP thread gave up as too dear for it, so that it does not begin the same ones again
 * and again. Used by inline-reader.ts. What it takes for another read goes to the readers, which is never wrong.
 */
import { type OPERATION_FETCH, OPERATION_SEARCH, type Read } from '../core/requests.js';
import type { GivenUpFor } from './inline-budget.js';
import { FNV_START, hashNumber, hashText } from './text-hash.js';

/** A power of two, and its logarithm. */
const PLACES = 4096;
const PLACE_BITS = 12;
const MEMORY_MS = 1000;

export class RecentlyDear {
  /** A read's hash where its last bits say; 0: none. */
  readonly #hashes = new Int32Array(PLACES);
  /** What the reads in #hashes were estimated at, in microseconds; 0: they were not. */
  readonly #costsUs = new Float64Array(PLACES);
  /** As #hashes, of those that the clock stopped once. */
  readonly #suspects = new Int32Array(PLACES);
  /**
   * Of those that were too dear for their terms alone, where their last bits say or, if another one is there, the bits before; remembered
   * until others come. With one place each, of two that share it and are asked for in turn neither would ever be found again.
   */
  readonly #unlearned = new Int32Array(PLACES);
  #untilMs = 0;

  /** Whether a read with this hash was noted within the last second or so. */
  has(hash: number, nowMs: number): boolean {
    if (nowMs >= this.#untilMs) {
      this.#hashes.fill(0);
      this.#suspects.fill(0);
      this.#untilMs = nowMs + MEMORY_MS;
    }
    return this.#hashes[hash & (PLACES - 1)] === hash;
  }

  /** What the read with this hash was estimated at, in microseconds, as far as that was noted, with ~hash or without; else 0. */
  costUsOf(hash: number): number {
    const noted = this.#hashes[hash & (PLACES - 1)] === hash ? hash : ~hash;
    const place = noted & (PLACES - 1);
    return this.#hashes[place] === noted ? this.#costsUs[place] : 0;
  }

  /** Whether the read was too dear only because of what it would have had to find out about its tokens. */
  isUnlearned(hash: number): boolean {
    return this.#unlearned[hash & (PLACES - 1)] === hash || this.#unlearned[otherPlace(hash)] === hash;
  }

  /** The read is too dear; `costUs`: what it was estimated at, 0: it was not. The clock is believed the second time, since the thread may have waited. */
  note(hash: number, why: GivenUpFor, costUs: number): void {
    const place = hash & (PLACES - 1);
    if (why === 'terms') {
      const isFree = this.#unlearned[place] === 0 || this.#unlearned[place] === hash;
      this.#unlearned[isFree ? place : otherPlace(hash)] = hash;
    }
    if (why === 'time' && this.#suspects[place] !== hash) {
      this.#suspects[place] = hash;
      return;
    }
    this.#hashes[place] = hash;
    this.#costsUs[place] = costUs;
  }

  /** What the read had to find out is known. */
  noteLearned(hash: number): void {
    const place = hash & (PLACES - 1);
    const other = otherPlace(hash);
    if (this.#unlearned[place] === hash) this.#unlearned[place] = 0;
    if (this.#unlearned[other] === hash) this.#unlearned[other] = 0;
    if (this.#hashes[place] === hash) this.#hashes[place] = 0;
  }
}

const otherPlace = (hash: number): number => (hash >>> PLACE_BITS) & (PLACES - 1);

/** What may be dear. */
export type HashedRead = Exclude<Read, { operation: typeof OPERATION_FETCH }>;

/** A number that hardly ever is the same for reads of which one is dear and the other is not. Never 0. */
export function hashOf(read: HashedRead, collectionId: number): number {
  const { q, queryBy, limit, typoTolerance } = read.request;
  const isSearch = read.operation === OPERATION_SEARCH;
  const switches = (isSearch ? 1 : 0) | (typoTolerance === false ? 2 : 0);
  let hash = hashNumber(FNV_START, collectionId);
  hash = hashNumber(hash, switches | (limit << 2));
  hash = hashText(hash, q);
  if (queryBy !== null) hash = hashText(hash, queryBy);
  if (isSearch) {
    const { filter, sort, facet, facetQuery, distinct, highlight, offset, prefix, matchMode, ranking } = read.request;
    const { requiredFilter } = read.request;
    const more = (prefix ? 1 : 0) | (matchMode === 'any' ? 2 : 0) | (ranking === 'bm25' ? 4 : 0);
    hash = hashNumber(hash, more | (offset << 3));
    if (filter !== null) hash = hashText(hash, filter);
    if (requiredFilter !== null) hash = hashText(hash, requiredFilter);
    if (sort !== null) hash = hashText(hash, sort);
    if (facet !== null) hash = hashText(hash, facet);
    if (facetQuery !== null) hash = hashText(hash, facetQuery);
    if (distinct !== null) hash = hashText(hash, distinct);
    if (highlight !== null) hash = hashText(hash, highlight);
  }
  return hash === 0 ? 1 : hash;
}
