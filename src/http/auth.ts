/**
 * Who may do what: compares the key of a request with the two keys of the server, and opens scoped keys.
 *
 * Called by the server for every request, before a body is read. Never logs or returns a key.
 */
import { timingSafeEqual } from 'node:crypto';
import type { KeyScope } from '../keys/key-scope.js';
import { SCOPED_KEY_PREFIX, ScopedKeys, UNKNOWN_KEY } from '../keys/scoped-key.js';
import type { RequestPort } from './request-port.js';

/** What an endpoint asks for: nothing, any of the keys, or the admin key. */
export type AccessLevel = 'public' | 'search' | 'admin';

/**
 * 'unauthorized' means no valid key, 'forbidden' one that does not reach so far; `got` says which, for the client. `scope`: what the request
 * may see; null: everything.
 */
export type AccessDecision =
  | { readonly kind: 'granted'; readonly scope: KeyScope | null }
  | { readonly kind: 'unauthorized' | 'forbidden'; readonly got: string };

export const KEY_HEADER = 'x-service-api-key';
export const KEY_CHARS_MAX = 512;

const BEARER = /^bearer +/i;

/**
 * The key that a request presents, '' for none: its own header, else `Authorization: Bearer KEY` (RFC 6750). Called for every request that needs
 * one.
 */
export function presentedKey(request: RequestPort): string {
  const key = request.getHeader(KEY_HEADER);
  if (key !== '') return key;
  const authorization = request.getHeader('authorization');
  return BEARER.test(authorization) ? authorization.replace(BEARER, '').trimEnd() : '';
}

const LENGTH_BYTES = 4;
// A key of KEY_CHARS_MAX characters takes at most 3 bytes for each UTF-16 unit.
const PADDED_BYTES = LENGTH_BYTES + KEY_CHARS_MAX * 3;

/** Writes the length of `key` and its bytes into `target`, zero-filled: equal keys, and only those, give equal bytes. */
function padKey(key: string, target: Buffer): void {
  target.fill(0);
  target.writeUInt32LE(target.write(key, LENGTH_BYTES, 'utf8'), 0);
}

function paddedKey(key: string | null): Buffer | null {
  if (key === null) return null;
  const padded = Buffer.alloc(PADDED_BYTES);
  padKey(key, padded);
  return padded;
}

const GRANTED: AccessDecision = { kind: 'granted', scope: null };
const NO_KEY: AccessDecision = { kind: 'unauthorized', got: 'no key' };
const UNKNOWN: AccessDecision = { kind: 'unauthorized', got: UNKNOWN_KEY };
const SEARCH_KEY: AccessDecision = { kind: 'forbidden', got: 'the search key' };
const SCOPED_KEY: AccessDecision = { kind: 'forbidden', got: 'a scoped key' };

export class Authenticator {
  /** False when no key is set: every endpoint is open. */
  readonly enabled: boolean;
  readonly #admin: Buffer | null;
  readonly #search: Buffer | null;
  /** null: without an admin key there are none. */
  readonly #scoped: ScopedKeys | null;
  readonly #presented = Buffer.alloc(PADDED_BYTES);

  /**
   * Keys of 1 to KEY_CHARS_MAX characters; null: not set. One key alone turns authentication on. `keyEpoch`: of the scoped keys that are
   * taken.
   */
  constructor(adminKey: string | null, searchKey: string | null, keyEpoch: number) {
    this.#admin = paddedKey(adminKey);
    this.#search = paddedKey(searchKey);
    this.#scoped = adminKey === null ? null : new ScopedKeys(adminKey, keyEpoch);
    this.enabled = adminKey !== null || searchKey !== null;
  }

  /**
   * Decides whether a request that presents `key` ('' for none) may use an endpoint of level `access`.
   *
   * Takes the same time wherever the presented key differs, and whatever its length: blocks of fixed width are compared
   * whole.
   */
  decide(key: string, access: AccessLevel): AccessDecision {
    if (!this.enabled || access === 'public') return GRANTED;
    if (key === '') return NO_KEY;
    if (key.length <= KEY_CHARS_MAX) {
      padKey(key, this.#presented);
      const isAdmin = this.#admin !== null && timingSafeEqual(this.#admin, this.#presented);
      const isSearch = this.#search !== null && timingSafeEqual(this.#search, this.#presented);
      if (isAdmin) return GRANTED;
      if (isSearch) return access === 'admin' ? SEARCH_KEY : GRANTED;
    }
    if (this.#scoped === null || !key.startsWith(SCOPED_KEY_PREFIX)) return UNKNOWN;
    const scope = this.#scoped.open(key, Date.now());
    if (typeof scope === 'string') return { kind: 'unauthorized', got: scope };
    return access === 'admin' ? SCOPED_KEY : { kind: 'granted', scope };
  }
}
