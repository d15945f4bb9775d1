/**
 * Requests of searches by their query strings, or bodies, as sent: the same ones are sent again and again, and reading one takes
 * longer than finding it here.
 *
 * Used by search.ts alone. Bounded; all are forgotten when there is one too many.
 */
import type { ResponseFormat, SearchRequest } from '../../engine/index.js';

const REQUESTS_MAX = 1024;
/** What is longer is read each time. */
export const REMEMBERED_CHARS_MAX = 256;

export class RememberedRequests {
  readonly #byQuery = new Map<string, SearchRequest>();

  /** What `query`, asked of `collection` and answered in `format`, was read as last; undefined: it was not, or for another. */
  get(query: string, collection: string, format: ResponseFormat): SearchRequest | undefined {
    const request = this.#byQuery.get(query);
    const isSame = request !== undefined && request.collection === collection && request.format === format;
    return isSame ? request : undefined;
  }

  /** Remembers that `query` was read as `request`, which is never changed. */
  keep(query: string, request: SearchRequest): void {
    if (query.length > REMEMBERED_CHARS_MAX) return;
    if (this.#byQuery.size === REQUESTS_MAX) this.#byQuery.clear();
    this.#byQuery.set(query, request);
  }
}
