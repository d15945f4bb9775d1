/**
 * Scoped search keys: what a front end may hold. A key is its claims (api/types/keys.ts) and a signature; the server stores nothing.
 *
 *   key       := "sabre1." base64url(JSON of the claims) "." base64url(HMAC-SHA256(secret, all before this dot))
 *   secret    := HMAC-SHA256(admin key, "sabre scoped keys")
 *
 * Base64url without padding (RFC 4648, section 5), HMAC by RFC 2104. There is one algorithm, and a key does not name it. Made by
 * `sabre key`, read by http/auth.ts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { validateKeyClaims } from '../api/generated/validators.js';
import type { KeyClaims } from '../api/types/keys.js';
import { type KeyScope, scopeOf } from './key-scope.js';

/** What every scoped key begins with. */
export const SCOPED_KEY_PREFIX = 'sabre1.';
/** A header of 8 KiB, which is all that many proxies take, has room for two. */
export const SCOPED_KEY_CHARS_MAX = 4096;

const SECRET_OF = 'sabre scoped keys';
/** Scopes that are remembered: the same keys come again and again. */
const SCOPES_MAX = 1024;

const secretOf = (adminKey: string): Buffer => createHmac('sha256', adminKey).update(SECRET_OF).digest();
const signatureOf = (secret: Buffer, signed: string): Buffer =>
  Buffer.from(createHmac('sha256', secret).update(signed).digest('base64url'));

/** Returns the key that says `claims`, signed for servers whose admin key is `adminKey`. */
export function makeScopedKey(adminKey: string, claims: KeyClaims): string {
  const signed = SCOPED_KEY_PREFIX + Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${signed}.${signatureOf(secretOf(adminKey), signed).toString()}`;
}

/** Reads the JSON of claims; null when it is none. */
function readClaims(encoded: string): KeyClaims | null {
  try {
    const checked = validateKeyClaims(JSON.parse(Buffer.from(encoded, 'base64url').toString()));
    return checked.success ? checked.data : null;
  } catch {
    return null;
  }
}

export class ScopedKeys {
  readonly #secret: Buffer;
  readonly #epoch: number;
  /** By key. Of those alone whose signature is right. */
  readonly #scopes = new Map<string, KeyScope>();

  /** `epoch`: of the keys that are taken. */
  constructor(adminKey: string, epoch: number) {
    this.#secret = secretOf(adminKey);
    this.#epoch = epoch;
  }

  /**
   * The scope of `key` at `nowMs` (Unix), or what is wrong with the key, for its holder: of one whose signature is wrong, nothing but that
   * it is not known. The signature is compared in a time that does not tell where it differs.
   */
  open(key: string, nowMs: number): KeyScope | string {
    const dot = key.lastIndexOf('.');
    if (!key.startsWith(SCOPED_KEY_PREFIX) || key.length > SCOPED_KEY_CHARS_MAX) return UNKNOWN_KEY;
    const signature = Buffer.from(key.slice(dot + 1));
    const expected = signatureOf(this.#secret, key.slice(0, dot));
    // As text, since bytes would have several spellings.
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return UNKNOWN_KEY;
    const scope = this.#scopes.get(key) ?? this.#read(key, key.slice(SCOPED_KEY_PREFIX.length, dot));
    if (typeof scope === 'string') return scope;
    return nowMs < scope.expiresMs ? scope : 'a scoped key that has expired';
  }

  /** The scope that `encoded` claims, or what is wrong with it. */
  #read(key: string, encoded: string): KeyScope | string {
    const claims = readClaims(encoded);
    if (claims === null) return 'a scoped key whose claims are none of a key';
    if ((claims.epoch ?? 0) !== this.#epoch) return 'a scoped key of another key epoch';
    const scope = scopeOf(claims);
    if (this.#scopes.size === SCOPES_MAX) this.#scopes.clear();
    this.#scopes.set(key, scope);
    return scope;
  }
}

export const UNKNOWN_KEY = 'a key that is not known';
