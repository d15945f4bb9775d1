/**
 * Sets of searches by the bodies that asked for them: a page asks for the same ones again and again, and reading them takes longer
 * than finding them here. What each took last tells where it is best answered (place-searches.ts).
 *
 * Used by multi-search.ts alone. Bounded; remembered is what was asked before.
 */
import type { ResponseFormat, SearchRequest } from '../../engine/index.js';
import type { KeyScope } from '../keys/key-scope.js';
import { RecurringMap } from './recurring-map.js';
import { noteAsked } from './remembered-requests.js';

const SETS_MAX = 256;
/** What is longer is read each time. */
const BODY_BYTES_MAX = 4096;

/** What was read. */
export interface ReadSet {
  readonly requests: readonly SearchRequest[];
  readonly format: ResponseFormat;
  /** Whose it is: others have other requests. */
  readonly scope: KeyScope | null;
  /** Microseconds that each took when it was last answered; NaN: it was not yet. */
  readonly lastUs: Float64Array;
}

/** A character a byte, whatever they mean. */
const keyOf = (body: Uint8Array<ArrayBuffer>): string =>
  Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');

export class RememberedSets {
  readonly #byBody = new RecurringMap<ReadSet>(SETS_MAX);

  /** What `body`, asked within `scope` and answered in `format`, was read as last; undefined: it was not, or for another. */
  get(body: Uint8Array<ArrayBuffer>, format: ResponseFormat, scope: KeyScope | null): ReadSet | undefined {
    if (body.length > BODY_BYTES_MAX) return undefined;
    const set = this.#byBody.get(keyOf(body));
    return set?.scope === scope && set.format === format ? set : undefined;
  }

  /** Offers to remember that `body` was read as `set`: every search of it, without a word that is not known. */
  keep(body: Uint8Array<ArrayBuffer>, set: ReadSet): void {
    if (body.length <= BODY_BYTES_MAX && this.#byBody.offer(keyOf(body), set)) set.requests.forEach(noteAsked);
  }
}
