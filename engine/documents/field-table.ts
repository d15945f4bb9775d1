/**
 * Reads a document's keys: finds what each means to a schema, a declared field, `id`, or nothing.
 *
 * Owned by a document reader. Documents of a collection tend to have their keys in one order, so it first tries the key
 * that followed the previous one last time, and only then hashes.
 */
import { assert } from '../core/assert.js';
import type { BytePool } from './byte-pool.js';
import { decodeString } from './json-strings.js';

/** The key is `id`. */
export const KEY_ID = -1;
/** The key is not declared. */
const KEY_UNDECLARED = -2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** FNV-1a (Fowler, Noll, Vo): `hash = Math.imul(hash ^ byte, HASH_PRIME)`, from HASH_SEED. */
const HASH_SEED = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** Slots a key: few enough to stay in cache, many enough that most lookups end at the first. */
const SLOTS_PER_KEY = 4;

/** Key number of a key that is not declared; see `#starts`. */
const NO_KEY = -1;

export class FieldTable {
  /** What the key read last means: the index of a field, KEY_ID or KEY_UNDECLARED. */
  found = KEY_UNDECLARED;
  readonly #bytes: Uint8Array;
  /** Key k is #bytes[#starts[k]..#starts[k + 1]); key 0 is `id`, key k the field k - 1. */
  readonly #starts: Uint32Array;
  /** Key number + 1, or 0. */
  readonly #slots: Uint16Array;
  readonly #mask: number;
  /** #successors[k + 1]: the key that came after key k last time; [0]: at the beginning or after an undeclared one. */
  readonly #successors: Int16Array;
  #previous = NO_KEY;

  /** `names` are distinct, ASCII, and none is `id`. */
  constructor(names: readonly string[]) {
    const keys = ['id', ...names];
    let size = 1;
    while (size < keys.length * SLOTS_PER_KEY) size *= 2;
    this.#bytes = new TextEncoder().encode(keys.join(''));
    this.#starts = new Uint32Array(keys.length + 1);
    this.#slots = new Uint16Array(size);
    this.#mask = size - 1;
    this.#successors = new Int16Array(keys.length + 1).fill(NO_KEY);
    for (let key = 0; key < keys.length; key++) {
      this.#starts[key + 1] = this.#starts[key] + keys[key].length;
      this.#insert(key);
    }
    assert(this.#starts[keys.length] === this.#bytes.length, 'field names are ASCII');
  }

  /** A new document begins. */
  begin(): void {
    this.#previous = NO_KEY;
  }

  /**
   * Reads the key whose first byte past its quote is at `start`, sets `found`, and returns the offset past its closing
   * quote; -1, with nothing found, when the key holds an escape: the caller calls findEscaped().
   */
  read(bytes: Uint8Array, start: number, end: number): number {
    const guess = this.#successors[this.#previous + 1];
    if (guess !== NO_KEY) {
      const close = start + this.#starts[guess + 1] - this.#starts[guess];
      if (close < end && bytes[close] === QUOTE && this.#equals(guess, bytes, start, close)) {
        this.#previous = guess;
        this.found = guess - 1;
        return close + 1;
      }
    }
    let hash = HASH_SEED;
    let pos = start;
    for (; pos < end && bytes[pos] !== QUOTE; pos++) {
      if (bytes[pos] === BACKSLASH) return -1;
      hash = Math.imul(hash ^ bytes[pos], HASH_PRIME);
    }
    this.#take(this.#lookup(hash, bytes, start, pos));
    return pos + 1;
  }

  /** Sets `found` for the decoded key bytes[start..end). */
  find(bytes: Uint8Array, start: number, end: number): void {
    this.#take(this.#lookup(hashOf(bytes, start, end), bytes, start, end));
  }

  /** Sets `found` for the key that is spelled bytes[start..end) with escapes. Decodes behind what `pool` holds, which stays as it is. */
  findEscaped(bytes: Uint8Array, start: number, end: number, pool: BytePool): void {
    const mark = pool.length;
    decodeString(bytes, start, end, pool);
    this.find(pool.bytes, mark, pool.length);
    pool.length = mark;
  }

  #take(key: number): void {
    this.#successors[this.#previous + 1] = key;
    this.#previous = key;
    this.found = key - 1;
  }

  #lookup(hash: number, bytes: Uint8Array, start: number, end: number): number {
    for (let slot = spread(hash) & this.#mask; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const key = this.#slots[slot] - 1;
      if (end - start === this.#starts[key + 1] - this.#starts[key] && this.#equals(key, bytes, start, end)) return key;
    }
    return NO_KEY;
  }

  /** Whether bytes[start..end), which is as long as key `key`, is it. */
  #equals(key: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#starts[key];
    for (let i = end - start - 1; i >= 0; i--) if (this.#bytes[own + i] !== bytes[start + i]) return false;
    return true;
  }

  #insert(key: number): void {
    let slot = spread(hashOf(this.#bytes, this.#starts[key], this.#starts[key + 1])) & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = key + 1;
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_SEED;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], HASH_PRIME);
  return hash;
}

/** FNV's low bits depend on few input bits; fold the high ones in. */
const spread = (hash: number): number => hash ^ (hash >>> 15);
