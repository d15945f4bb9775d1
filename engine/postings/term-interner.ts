/**
 * Gives each distinct term of a segment under construction a small number, in order of first appearance.
 *
 * An open-addressing hash table over a byte pool; called once a token, so it allocates only when it grows. Used by the
 * postings builder; forgets everything at reset().
 */
import { assert } from '../core/assert.js';

const INITIAL_SLOTS = 1 << 8;
const INITIAL_POOL_BYTES = 1 << 10;
/** Terms that begin alike are compared one by one up to here. */
const SMALL_RUN = 24;
/** A larger table is given up by reset(). */
const KEPT_SLOTS_MAX = 1 << 18;

/** FNV-1a over `bytes[start..end)`, finished with a xor-shift so that the low bits can index a table. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export class TermInterner {
  #slots = new Uint32Array(INITIAL_SLOTS);
  #hashes = new Uint32Array(INITIAL_SLOTS >> 1);
  #offsets = new Uint32Array((INITIAL_SLOTS >> 1) + 1);
  #pool = new Uint8Array(INITIAL_POOL_BYTES);
  #count = 0;

  /** Distinct terms so far. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of all terms, concatenated by number. */
  get pool(): Uint8Array {
    return this.#pool;
  }

  /** Term t lies at pool[offsets[t] .. offsets[t + 1]). */
  get offsets(): Uint32Array {
    return this.#offsets;
  }

  /** The number of the term `bytes[start..end)`. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const term = this.#slots[slot] - 1;
      if (term < 0) return this.#insert(slot, hash, bytes, start, end);
      if (this.#hashes[term] === hash && this.#equals(term, bytes, start, end)) return term;
      slot = (slot + 1) & mask;
    }
  }

  /** Forgets every term; keeps the memory unless it has grown past what a usual batch needs. */
  reset(): void {
    if (this.#slots.length > KEPT_SLOTS_MAX) {
      this.#slots = new Uint32Array(INITIAL_SLOTS);
      this.#hashes = new Uint32Array(INITIAL_SLOTS >> 1);
      this.#offsets = new Uint32Array((INITIAL_SLOTS >> 1) + 1);
      this.#pool = new Uint8Array(INITIAL_POOL_BYTES);
    } else {
      this.#slots.fill(0);
    }
    this.#count = 0;
  }

  /** Term numbers in ascending byte order. */
  sortedTerms(): Uint32Array {
    const count = this.#count;
    assert(count < 1 << 29, 'a batch has fewer than 512 Mi distinct terms');
    // The first bytes of each term and its number, as one number of 64 bits: those are sorted without a comparator.
    const keys = new BigUint64Array(count);
    const halves = new Uint32Array(keys.buffer);
    const lowBytes = count <= 1 << 16 ? 2 : count <= 1 << 24 ? 1 : 0;
    for (let term = 0; term < count; term++) {
      const start = this.#offsets[term];
      halves[2 * term] = this.#bytesAt(start + 4, lowBytes, term) * 2 ** (32 - 8 * lowBytes) + term;
      halves[2 * term + 1] = this.#bytesAt(start, 4, term);
    }
    keys.sort();
    const order = new Uint32Array(count);
    const termMask = 0xffffffff >>> (8 * lowBytes);
    for (let i = 0; i < count; i++) order[i] = halves[2 * i] & termMask;
    for (let low = 0; low < count; ) {
      let high = low + 1;
      while (high < count && halves[2 * high + 1] === halves[2 * low + 1]) {
        if ((halves[2 * high] ^ halves[2 * low]) & ~termMask) break;
        high++;
      }
      if (high - low > 1) this.#sortRun(order, low, high);
      low = high;
    }
    return order;
  }

  /** The `count` bytes of `term` from `at` on as a big-endian number, 0 in the place of those behind its end. */
  #bytesAt(at: number, count: number, term: number): number {
    const pool = this.#pool;
    const end = this.#offsets[term + 1];
    let key = 0;
    for (let i = at; i < at + count; i++) key = key * 256 + (i < end ? pool[i] : 0);
    return key;
  }

  /** Sorts order[low..high), terms that begin alike. */
  #sortRun(order: Uint32Array, low: number, high: number): void {
    if (high - low > SMALL_RUN) {
      order.subarray(low, high).sort((a, b) => this.#compare(a, b));
      return;
    }
    for (let i = low + 1; i < high; i++) {
      const term = order[i];
      let hole = i;
      for (; hole > low && this.#compare(order[hole - 1], term) > 0; hole--) order[hole] = order[hole - 1];
      order[hole] = term;
    }
  }

  #compare(a: number, b: number): number {
    const pool = this.#pool;
    const startA = this.#offsets[a];
    const startB = this.#offsets[b];
    const lengthA = this.#offsets[a + 1] - startA;
    const lengthB = this.#offsets[b + 1] - startB;
    const shared = Math.min(lengthA, lengthB);
    for (let i = 0; i < shared; i++) {
      const difference = pool[startA + i] - pool[startB + i];
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }

  #equals(term: number, bytes: Uint8Array, start: number, end: number): boolean {
    const at = this.#offsets[term];
    if (this.#offsets[term + 1] - at !== end - start) return false;
    const shift = at - start;
    for (let i = start; i < end; i++) if (this.#pool[i + shift] !== bytes[i]) return false;
    return true;
  }

  #insert(slot: number, hash: number, bytes: Uint8Array, start: number, end: number): number {
    const term = this.#count++;
    const at = this.#offsets[term];
    const poolEnd = at + end - start;
    if (poolEnd > this.#pool.length) {
      const pool = new Uint8Array(Math.max(this.#pool.length * 2, poolEnd));
      pool.set(this.#pool);
      this.#pool = pool;
    }
    for (let i = start; i < end; i++) this.#pool[at + i - start] = bytes[i];
    this.#offsets[term + 1] = poolEnd;
    this.#hashes[term] = hash;
    this.#slots[slot] = term + 1;
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    return term;
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const hashes = new Uint32Array(slots.length >> 1);
    const offsets = new Uint32Array((slots.length >> 1) + 1);
    hashes.set(this.#hashes);
    offsets.set(this.#offsets);
    const mask = slots.length - 1;
    for (let term = 0; term < this.#count; term++) {
      let slot = hashes[term] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.#slots = slots;
    this.#hashes = hashes;
    this.#offsets = offsets;
  }
}
