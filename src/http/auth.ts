/**
 * Who may do what: compares the key of a request with the two keys of the server.
 *
 * Called by the server for every request, before a body is read. Never logs or returns a key.
 */
import { timingSafeEqual } from 'node:crypto';
import type { RequestPort } from './request-port.js';

/** What an endpoint asks for: nothing, any of the two keys, or the admin key. */
export type AccessLevel = 'public' | 'search' | 'admin';
export type AccessDecision = 'granted' | 'unauthorized' | 'forbidden';

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

export class Authenticator {
  /** False when no key is set: every endpoint is open. */
  readonly enabled: boolean;
  readonly #admin: Buffer | null;
  readonly #search: Buffer | null;
  readonly #presented = Buffer.alloc(PADDED_BYTES);

  /** Keys of 1 to KEY_CHARS_MAX characters; null: not set. One key alone turns authentication on. */
  constructor(adminKey: string | null, searchKey: string | null) {
    this.#admin = paddedKey(adminKey);
    this.#search = paddedKey(searchKey);
    this.enabled = adminKey !== null || searchKey !== null;
  }

  /**
   * Decides whether a request that presents `key` ('' for none) may use an endpoint of level `access`.
   *
   * Takes the same time wherever the presented key differs, and whatever its length: blocks of fixed width are compared
   * whole. 'unauthorized' means no valid key, 'forbidden' a search key where the admin key is needed.
   */
  decide(key: string, access: AccessLevel): AccessDecision {
    if (!this.enabled || access === 'public') return 'granted';
    if (key === '' || key.length > KEY_CHARS_MAX) return 'unauthorized';
    padKey(key, this.#presented);
    const isAdmin = this.#admin !== null && timingSafeEqual(this.#admin, this.#presented);
    const isSearch = this.#search !== null && timingSafeEqual(this.#search, this.#presented);
    if (isAdmin) return 'granted';
    if (!isSearch) return 'unauthorized';
    return access === 'admin' ? 'forbidden' : 'granted';
  }
}
