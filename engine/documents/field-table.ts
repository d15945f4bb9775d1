/**
 * Finds what a document's key means to a schema: a declared field, `id`, or nothing.
 *
 * Made once per document reader; looked up once per key, by the key's bytes and a hash that the reader computes while it
 * looks for the closing quote.
 */
import { assert } from '../core/assert.js';

/** The key is not declared. */
export const KEY_UNDECLARED = -1;
/** The key is `id`. */
export const KEY_ID = -2;

/** FNV-1a over bytes: `hash = Math.imul(hash ^ byte, KEY_HASH_PRIME)`, from KEY_HASH_SEED. */
export const KEY_HASH_SEED = 0x811c9dc5 | 0;
export const KEY_HASH_PRIME = 0x01000193;

/** Slots a key: few enough to stay in cache, many enough that most lookups end at the first. */
const SLOTS_PER_KEY = 4;

export class FieldTable {
  readonly #bytes: Uint8Array;
  /** Key k is #bytes[#starts[k]..#starts[k + 1]); key 0 is `id`, key k the field k - 1. */
  readonly #starts: Uint32Array;
  /** Key number + 1, or 0. */
  readonly #slots: Uint16Array;
  readonly #mask: number;

  /** `names` are distinct, ASCII, and none is `id`. */
  constructor(names: readonly string[]) {
    const keys = ['id', ...names];
    let size = 1;
    while (size < keys.length * SLOTS_PER_KEY) size *= 2;
    this.#bytes = new TextEncoder().encode(keys.join(''));
    this.#starts = new Uint32Array(keys.length + 1);
    this.#slots = new Uint16Array(size);
    this.#mask = size - 1;
    for (let key = 0; key < keys.length; key++) {
      this.#starts[key + 1] = this.#starts[key] + keys[key].length;
      this.#insert(key);
    }
    assert(this.#starts[keys.length] === this.#bytes.length, 'field names are ASCII');
  }

  /** The field with the name bytes[start..end), whose hash is `hash`; or KEY_ID, or KEY_UNDECLARED. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number {
    for (let slot = spread(hash) & this.#mask; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const key = this.#slots[slot] - 1;
      if (this.#equals(key, bytes, start, end)) return key === 0 ? KEY_ID : key - 1;
    }
    return KEY_UNDECLARED;
  }

  #equals(key: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#starts[key];
    if (this.#starts[key + 1] - own !== end - start) return false;
    for (let i = end - start - 1; i >= 0; i--) if (this.#bytes[own + i] !== bytes[start + i]) return false;
    return true;
  }

  #insert(key: number): void {
    let hash = KEY_HASH_SEED;
    for (let i = this.#starts[key]; i < this.#starts[key + 1]; i++) {
      hash = Math.imul(hash ^ this.#bytes[i], KEY_HASH_PRIME);
    }
    let slot = spread(hash) & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = key + 1;
  }
}

/** FNV's low bits depend on few input bits; fold the high ones in. */
const spread = (hash: number): number => hash ^ (hash >>> 15);
