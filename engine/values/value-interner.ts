/**
 * Distinct byte strings, numbered in the order of their first appearance: the dictionary of a keyword column while its
 * segment is built. An open-addressing hash table over one pool of bytes; no string and no object a value.
 */

import { type GrowthRoom, NO_BOUND } from '../core/growth-room.js';
import { halfSipHash } from '../core/half-sip-hash.js';
import { HASH_KEY } from '../core/hash-seed.js';
import { copyValue } from './value-bytes.js';

const INITIAL_VALUES = 32;
const INITIAL_BYTES = 512;
/** A table or pool beyond this is given up by reset(), so that one large segment does not burden the small ones after it. */
const KEPT_SLOTS_MAX = 1 << 15;
const KEPT_BYTES_MAX = 1 << 20;
/** What a slot takes here, sorted, and in the segment; and a byte of a value. */
const SLOT_BYTES = 24;
const VALUE_BYTE_BYTES = 2;

export class ValueInterner {
  #count = 0;
  /** The values' bytes, concatenated; value i is [offsets[i], offsets[i + 1]). */
  #bytes = new Uint8Array(INITIAL_BYTES);
  #offsets = new Uint32Array(INITIAL_VALUES + 1);
  /** By value: a hash that is kept nowhere else. */
  #hashes = new Uint32Array(INITIAL_VALUES);
  /** Value number + 1 by hash, 0 = free; linear probing; a power of two of slots, at most half of them taken. */
  #slots = new Int32Array(2 * INITIAL_VALUES);

  readonly #room: GrowthRoom;

  constructor(room = NO_BOUND) {
    this.#room = room;
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of all values together. */
  get byteCount(): number {
    return this.#offsets[this.#count];
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get offsets(): Uint32Array {
    return this.#offsets;
  }

  /** Number of the value equal to bytes [start, end), which is added when it is new. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const hash = halfSipHash(HASH_KEY.low, HASH_KEY.high, bytes, start, end);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const value = slots[slot] - 1;
      if (this.#hashes[value] === hash && this.#equals(value, bytes, start, end)) return value;
    }
    slots[slot] = this.#count + 1;
    return this.#append(hash, bytes, start, end);
  }

  /** Forgets every value. */
  reset(): void {
    if (this.#count === 0) return;
    this.#count = 0;
    if (this.#slots.length <= KEPT_SLOTS_MAX) {
      this.#slots.fill(0);
    } else {
      this.#offsets = new Uint32Array(INITIAL_VALUES + 1);
      this.#hashes = new Uint32Array(INITIAL_VALUES);
      this.#slots = new Int32Array(2 * INITIAL_VALUES);
    }
    if (this.#bytes.length > KEPT_BYTES_MAX) this.#bytes = new Uint8Array(INITIAL_BYTES);
  }

  #equals(value: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes;
    const from = this.#offsets[value];
    const length = this.#offsets[value + 1] - from;
    if (length !== end - start) return false;
    for (let i = 0; i < length; i++) if (own[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #append(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const value = this.#count;
    const at = this.#offsets[value];
    const stop = at + end - start;
    if (stop > this.#bytes.length) this.#growBytes(stop);
    copyValue(bytes, start, end, this.#bytes, at);
    this.#hashes[value] = hash;
    this.#offsets[value + 1] = stop;
    this.#count = value + 1;
    if (2 * this.#count >= this.#slots.length) this.#growTable();
    return value;
  }

  #growBytes(wanted: number): void {
    const length = Math.max(wanted, 2 * this.#bytes.length);
    this.#room.add(VALUE_BYTE_BYTES * (length - this.#bytes.length));
    const grown = new Uint8Array(length);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  #growTable(): void {
    const capacity = this.#slots.length;
    this.#room.add(SLOT_BYTES * capacity);
    const offsets = new Uint32Array(capacity + 1);
    const hashes = new Uint32Array(capacity);
    const slots = new Int32Array(2 * capacity);
    offsets.set(this.#offsets);
    hashes.set(this.#hashes);
    const mask = slots.length - 1;
    for (let value = 0; value < this.#count; value++) {
      let slot = hashes[value] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = value + 1;
    }
    this.#offsets = offsets;
    this.#hashes = hashes;
    this.#slots = slots;
  }
}
