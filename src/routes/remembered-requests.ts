/**
 * Requests of searches by their query strings, or bodies, as sent: the same ones are sent again and again, and reading one takes
 * longer than finding it here.
 *
 * Used by search.ts alone. Bounded; remembered is what was asked before.
 */
import type { CollectionVersion, ResponseFormat, SearchRequest } from '../../engine/index.js';
import type { KeyScope } from '../keys/key-scope.js';
import { RecurringMap } from './recurring-map.js';

const REQUESTS_MAX = 1024;
/** What is longer is read each time. */
export const REMEMBERED_CHARS_MAX = 256;

/** What was read. */
export interface ReadSearch {
  readonly request: SearchRequest;
  /** Names of what was given and is not known. */
  readonly unknown: readonly string[];
  /** Whose it is: others have other requests. */
  readonly scope: KeyScope | null;
  /** Stands for the request in tags (search-tags.ts). */
  readonly mark: string;
  /** What it found last, and in which state of the collection; null: it was not answered yet. */
  last: FoundLast | null;
}

/** What a search found, and in which state. */
export interface FoundLast extends CollectionVersion {
  readonly found: number;
  /** The tag of the answer, and the headers that tell of it (answer-head.ts). */
  readonly tag: string;
  readonly tagLines: string;
}

/** Has the engine know that `request` was asked before, though as another one: what it comes to is worth keeping. */
export function noteAsked({ note }: SearchRequest): void {
  if (note !== null) note.isAskedAgain = true;
}

export class RememberedRequests {
  readonly #byQuery = new RecurringMap<ReadSearch>(REQUESTS_MAX);

  /** What `query`, asked of `collection` within `scope` and answered in `format`, was read as last; undefined: it was not, or for another. */
  get(query: string, collection: string, format: ResponseFormat, scope: KeyScope | null): ReadSearch | undefined {
    const read = this.#byQuery.get(query);
    if (read === undefined || read.scope !== scope) return undefined;
    const { request } = read;
    return request.collection === collection && request.format === format ? read : undefined;
  }

  /** Offers to remember that `query` was read as `read`. */
  keep(query: string, read: ReadSearch): void {
    if (query.length <= REMEMBERED_CHARS_MAX && this.#byQuery.offer(query, read)) noteAsked(read.request);
  }
}
