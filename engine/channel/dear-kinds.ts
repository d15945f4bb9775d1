/**
 * Remembers which kinds of search for everything have all been dear of late, so that the HTTP thread need not read another one to find that
 * out once more. Used by inline-reader.ts. Searches are of a kind that differ in what their filters say and in their page alone: that is not
 * what they are estimated by. What a search for words takes depends on the words.
 *
 * One of so many is tried all the same, and the first that is not dear ends it.
 */
import type { SearchRequest } from '../core/requests.js';
import { FNV_START, hashNumber, hashText } from './text-hash.js';

/** A power of two. */
const PLACES = 256;
/** So many of a kind in a row have to have been dear. */
const STREAK_MIN = 16;
/** Of so many that are taken to be dear, one is tried. */
const TRIED_OF = 16;

export class DearKinds {
  /** A kind's hash where its last bits say; 0: none. */
  readonly #hashes = new Int32Array(PLACES);
  /** By place: dear ones in a row, none beyond STREAK_MIN counted, and those that were asked about since, modulo TRIED_OF. */
  readonly #streaks = new Uint8Array(PLACES);
  readonly #untried = new Uint8Array(PLACES);
  /** What the last of the streak was estimated at, in microseconds. */
  readonly #costsUs = new Float64Array(PLACES);

  /** What a search of `kind` is taken to be estimated at, in microseconds, without being tried; 0: it is to be tried. */
  expectedUs(kind: number): number {
    const place = kind & (PLACES - 1);
    if (kind === 0 || this.#hashes[place] !== kind || this.#streaks[place] < STREAK_MIN) return 0;
    this.#untried[place] = (this.#untried[place] + 1) % TRIED_OF;
    return this.#untried[place] === 0 ? 0 : this.#costsUs[place];
  }

  /** A search of `kind` was tried, and is dear: it was estimated at `costUs`; 0: it is not. */
  note(kind: number, costUs: number): void {
    if (kind === 0) return;
    const place = kind & (PLACES - 1);
    const streak = this.#hashes[place] === kind ? this.#streaks[place] : 0;
    if (costUs === 0 && streak === 0) return;
    this.#hashes[place] = kind;
    this.#streaks[place] = costUs === 0 ? 0 : Math.min(streak + 1, STREAK_MIN);
    this.#costsUs[place] = costUs;
  }
}

/** A number that hardly ever is the same for different kinds; 0: it is of none. */
export function kindOf(request: SearchRequest, collectionId: number): number {
  const { q, filter, requiredFilter, sort, facet, facetQuery, distinct, highlight, explain, explainId } = request;
  if (q !== '' || highlight !== null || explain || explainId !== null) return 0;
  const filters = (filter === null ? 0 : 1) | (requiredFilter === null ? 0 : 2);
  let hash = hashNumber(hashNumber(FNV_START, collectionId), filters);
  hash = hashText(hash, sort ?? '');
  hash = hashText(hash, facet ?? '');
  hash = hashText(hash, facetQuery ?? '');
  hash = hashText(hash, distinct ?? '');
  return hash === 0 ? 1 : hash;
}
