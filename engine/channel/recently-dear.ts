/**
 * Remembers for a while which searches the HTTP thread gave up as too dear for it, so that it does not begin the same ones again
 * and again. Used by inline-reader.ts. What it takes for another search goes to the readers, which is never wrong.
 */
import type { SearchRequest } from '../core/requests.js';

/** A power of two. */
const PLACES = 4096;
const MEMORY_MS = 1000;
/** Units of a text that tell searches apart. */
const UNITS_MAX = 64;
/** Of FNV-1a (Fowler, Noll & Vo, 1991). */
const FNV_START = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

export class RecentlyDear {
  /** A search's hash where its last bits say; 0: none. */
  readonly #hashes = new Int32Array(PLACES);
  /** As #hashes, of those that the clock stopped once. */
  readonly #suspects = new Int32Array(PLACES);
  #untilMs = 0;

  /** Whether a search with this hash was noted within the last second or so. */
  has(hash: number, nowMs: number): boolean {
    if (nowMs >= this.#untilMs) {
      this.#hashes.fill(0);
      this.#suspects.fill(0);
      this.#untilMs = nowMs + MEMORY_MS;
    }
    return this.#hashes[hash & (PLACES - 1)] === hash;
  }

  /** The search is too dear; `isMeasured`: the clock says so, and is believed the second time, since the thread may have waited. */
  note(hash: number, isMeasured: boolean): void {
    const place = hash & (PLACES - 1);
    if (!isMeasured || this.#suspects[place] === hash) this.#hashes[place] = hash;
    else this.#suspects[place] = hash;
  }
}

/** A number that hardly ever is the same for searches of which one is dear and the other is not. Never 0. */
export function hashOf(request: SearchRequest, collectionId: number): number {
  const { q, queryBy, filter, sort, facet, highlight, limit, offset } = request;
  const switches = (request.prefix ? 1 : 0) | (request.typoTolerance === false ? 2 : 0);
  let hash = Math.imul(FNV_START ^ collectionId, FNV_PRIME);
  hash = Math.imul(
    hash ^ (switches | (request.matchMode === 'any' ? 4 : 0) | (request.ranking === 'bm25' ? 8 : 0)),
    FNV_PRIME,
  );
  hash = Math.imul(hash ^ limit ^ (offset << 8), FNV_PRIME);
  hash = hashText(hash, q);
  for (const text of [queryBy, filter, sort, facet, highlight]) if (text !== null) hash = hashText(hash, text);
  return hash === 0 ? 1 : hash;
}

function hashText(start: number, text: string): number {
  let hash = Math.imul(start ^ text.length, FNV_PRIME);
  for (let i = Math.min(text.length, UNITS_MAX) - 1; i >= 0; i--)
    hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}
