/**
 * Remembers which kinds of search have all been dear of late, so that the HTTP thread need not read another one to find that out once
 * more. Used by inline-reader.ts. Searches are of a kind that differ in their words, in what their filters say, and in their page alone.
 *
 * One of so many is tried all the same, and the first that is not dear ends it. What words alone take depends on the words: that is no kind.
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
  /** By place: dear ones in a row, none beyond STREAK_MIN counted, and those that were not tried since the last one that was. */
  readonly #streaks = new Uint8Array(PLACES);
  readonly #untried = new Uint8Array(PLACES);
  /** The least that one of the streak was estimated at, in microseconds. */
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
    this.#costsUs[place] = streak === 0 ? costUs : Math.min(this.#costsUs[place], costUs);
  }
}

/** Words that are told apart by their number; more are as many. */
const WORDS_MAX = 8;

/** A number that hardly ever is the same for different kinds; 0: it is of none. */
export function kindOf(request: SearchRequest, collectionId: number): number {
  const { q, queryBy, filter, requiredFilter, sort, facet, facetQuery, distinct, highlight } = request;
  if ((filter ?? requiredFilter ?? sort ?? facet ?? distinct) === null && q !== '') return 0;
  const { typoTolerance, prefix, matchMode, ranking } = request;
  const switches =
    (typoTolerance === false ? 1 : 0) |
    (prefix ? 2 : 0) |
    (matchMode === 'any' ? 4 : 0) |
    (ranking === 'bm25' ? 8 : 0) |
    (filter === null ? 0 : 16) |
    (requiredFilter === null ? 0 : 32);
  let hash = hashNumber(hashNumber(FNV_START, collectionId), switches | (wordsIn(q) << 6));
  hash = hashText(hash, queryBy ?? '');
  hash = hashText(hash, sort ?? '');
  hash = hashText(hash, facet ?? '');
  hash = hashText(hash, facetQuery ?? '');
  hash = hashText(hash, distinct ?? '');
  hash = hashText(hash, highlight ?? '');
  return hash === 0 ? 1 : hash;
}

/** How many words `text` has, as far as spaces tell. */
function wordsIn(text: string): number {
  if (text === '') return 0;
  let words = 1;
  for (let at = text.indexOf(' '); at >= 0 && words < WORDS_MAX; at = text.indexOf(' ', at + 1)) words++;
  return words;
}
