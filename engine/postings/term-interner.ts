/**
 * Gives each distinct term of a segment under construction a small number, in order of first appearance.
 *
 * An open-addressing hash table over a pool of records; called once a token, so it allocates only when it grows. Terms are
 * compared eight bytes at a time: a look-up that succeeds mostly reads one slot and one record. Used by the postings builder;
 * forgets everything at reset().
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { type GrowthRoom, NO_BOUND } from '../core/growth-room.js';
import { HASH_SEED } from '../core/hash-seed.js';
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import {
  TOKEN_BYTES_WORD,
  TOKEN_HASH_FACTOR,
  TOKEN_HASH_SHIFT,
  TOKEN_HASH_WORD,
  TOKEN_LENGTH_WORD,
} from '../layout/token-records.js';

const INITIAL_SLOTS = 1 << 8;
const INITIAL_POOL_WORDS = 1 << 9;
/** Terms that begin alike are compared one by one up to here. */
const SMALL_RUN = 24;
/** A larger table is given up by reset(). */
const KEPT_SLOTS_MAX = 1 << 18;

/**
 * A slot: 1 + where the record of a term begins in the pool, in units of two words, and above it the highest bits of the term's
 * hash, so that few records are read in vain. 0: the slot is free.
 */
const PLACE_MASK = 0x0fffffff;
const TAG_MASK = ~PLACE_MASK;

/** No batch within the usual limits comes near: builder-limit.ts counts terms after each document. */
const POOL_WORDS_MAX = 2 * PLACE_MASK;
const POOL_FULL = 'the distinct words of a batch, or of a document, take more than 2 GiB of memory: send it in parts';

/** What a slot takes here, sorted, and in the segment, when two of five hold a term; and a word of the pool. */
const SLOT_BYTES = 64;
const POOL_WORD_BYTES = 8;

/** A record of the pool is that of a token, with the number of the term in place of the hash. */
const TERM_NUMBER_WORD = TOKEN_HASH_WORD;

/** Words that `length` bytes take in a record. */
const tokenWords = (length: number): number => ((length + 7) >> 3) << 1;

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, TOKEN_HASH_FACTOR);
  return mixed ^ (mixed >>> TOKEN_HASH_SHIFT);
}

/** `word`, of little-endian bytes, as the number that they are when the first one weighs most. */
function bigEndian(word: number): number {
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}

/** Terms in ascending byte order: term i is bytes[offsets[i] .. offsets[i + 1]). */
interface OrderedTerms {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  readonly count: number;
}

export class TermInterner {
  #slots = new Uint32Array(INITIAL_SLOTS);
  /** Where the record of each term begins. */
  #records = new Uint32Array(INITIAL_SLOTS >> 1);
  #pool = new Uint32Array(INITIAL_POOL_WORDS);
  #poolEnd = 0;
  #count = 0;
  #bytes = 0;
  /** The record of a token that comes as bytes. */
  readonly #token = new Uint32Array(TOKEN_BYTES_WORD + tokenWords(TOKEN_BYTES_MAX));
  readonly #tokenBytes = new Uint8Array(this.#token.buffer, 4 * TOKEN_BYTES_WORD);
  /** And its number. */
  readonly #number = new Uint32Array(1);

  readonly #room: GrowthRoom;

  constructor(room = NO_BOUND) {
    this.#room = room;
  }

  /** Distinct terms so far. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of these terms. */
  get byteCount(): number {
    return this.#bytes;
  }

  /** The number of the term `bytes[start..end)`, of at most TOKEN_BYTES_MAX bytes. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    assert(length <= TOKEN_BYTES_MAX, 'a token has a bound');
    const token = this.#token;
    const tokenBytes = this.#tokenBytes;
    const words = tokenWords(length);
    if (words > 0) {
      token[TOKEN_BYTES_WORD + words - 2] = 0;
      token[TOKEN_BYTES_WORD + words - 1] = 0;
    }
    for (let i = 0; i < length; i++) tokenBytes[i] = bytes[start + i];
    token[TOKEN_LENGTH_WORD] = length;
    token[TOKEN_HASH_WORD] = hashRecord(token, 0);
    this.internRecords(token, 1, this.#number, 0);
    return this.#number[0];
  }

  /** Writes the numbers of `count` terms, whose records stand at the begin of `tokens` (layout/token-records.ts), to numbers[to..]. */
  internRecords(tokens: Uint32Array, count: number, numbers: Uint32Array, to: number): void {
    let slots = this.#slots;
    let pool = this.#pool;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const hash = tokens[at + TOKEN_HASH_WORD];
      const end = at + TOKEN_BYTES_WORD + tokenWords(tokens[at + TOKEN_LENGTH_WORD]);
      const mask = slots.length - 1;
      let slot = hash & mask;
      let term = -1;
      for (let held = slots[slot]; held !== 0; held = slots[slot]) {
        const record = ((held & PLACE_MASK) - 1) << 1;
        if (((held ^ hash) & TAG_MASK) === 0 && isSame(pool, record, tokens, at, end)) {
          term = pool[record + TERM_NUMBER_WORD];
          break;
        }
        slot = (slot + 1) & mask;
      }
      if (term < 0) {
        term = this.#insert(slot, tokens, at);
        slots = this.#slots;
        pool = this.#pool;
      }
      numbers[to + i] = term;
      at = end;
    }
  }

  /** Forgets every term; keeps the memory unless it has grown past what a usual batch needs. */
  reset(): void {
    if (this.#slots.length > KEPT_SLOTS_MAX) {
      this.#slots = new Uint32Array(INITIAL_SLOTS);
      this.#records = new Uint32Array(INITIAL_SLOTS >> 1);
      this.#pool = new Uint32Array(INITIAL_POOL_WORDS);
    } else {
      this.#slots.fill(0);
    }
    this.#poolEnd = 0;
    this.#count = 0;
    this.#bytes = 0;
  }

  /** Term numbers in ascending byte order. */
  sortedTerms(): Uint32Array {
    const count = this.#count;
    assert(count < 1 << 29, 'a batch has fewer than 512 Mi distinct terms');
    // The first bytes of each term and its number, as one number of 64 bits: those are sorted without a comparator.
    const keys = new BigUint64Array(count);
    const halves = new Uint32Array(keys.buffer);
    const termMask = count <= 1 << 16 ? 0xffff : count <= 1 << 24 ? 0xffffff : 0xffffffff;
    const pool = this.#pool;
    for (let term = 0; term < count; term++) {
      const bytes = this.#records[term] + TOKEN_BYTES_WORD;
      const words = tokenWords(pool[this.#records[term] + TOKEN_LENGTH_WORD]);
      halves[2 * term] = (words > 0 ? bigEndian(pool[bytes + 1]) & ~termMask : 0) | term;
      halves[2 * term + 1] = words > 0 ? bigEndian(pool[bytes]) : 0;
    }
    keys.sort();
    const order = new Uint32Array(count);
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

  /** The terms, by number, in `order`. */
  termsIn(order: Uint32Array): OrderedTerms {
    const pool = this.#pool;
    const poolBytes = new Uint8Array(pool.buffer);
    const bytes = new Uint8Array(this.#bytes);
    const offsets = new Uint32Array(order.length + 1);
    let at = 0;
    for (let i = 0; i < order.length; i++) {
      const record = this.#records[order[i]];
      const from = 4 * (record + TOKEN_BYTES_WORD);
      const end = from + pool[record + TOKEN_LENGTH_WORD];
      for (let p = from; p < end; p++) bytes[at++] = poolBytes[p];
      offsets[i + 1] = at;
    }
    return { bytes, offsets, count: order.length };
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
    const recordA = this.#records[a];
    const recordB = this.#records[b];
    const lengthA = pool[recordA + TOKEN_LENGTH_WORD];
    const lengthB = pool[recordB + TOKEN_LENGTH_WORD];
    const end = TOKEN_BYTES_WORD + tokenWords(Math.min(lengthA, lengthB));
    for (let i = TOKEN_BYTES_WORD; i < end; i++) {
      const difference = bigEndian(pool[recordA + i]) - bigEndian(pool[recordB + i]);
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }

  #insert(slot: number, tokens: Uint32Array, at: number): number {
    const record = this.#poolEnd;
    const length = tokens[at + TOKEN_LENGTH_WORD];
    const words = TOKEN_BYTES_WORD + tokenWords(length);
    if (record + words > this.#pool.length) {
      if (record + words > POOL_WORDS_MAX) throw new EngineError('memory_full', POOL_FULL);
      this.#room.add(POOL_WORD_BYTES * this.#pool.length);
      const pool = new Uint32Array(this.#pool.length * 2);
      pool.set(this.#pool);
      this.#pool = pool;
    }
    const term = this.#count++;
    this.#poolEnd = record + words;
    this.#bytes += length;
    this.#pool[record + TERM_NUMBER_WORD] = term;
    for (let i = TOKEN_LENGTH_WORD; i < words; i++) this.#pool[record + i] = tokens[at + i];
    this.#records[term] = record;
    this.#slots[slot] = slotOf(record, tokens[at + TOKEN_HASH_WORD]);
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    return term;
  }

  #grow(): void {
    this.#room.add(SLOT_BYTES * this.#slots.length);
    const pool = this.#pool;
    const slots = new Uint32Array(this.#slots.length * 2);
    const records = new Uint32Array(slots.length >> 1);
    const mask = slots.length - 1;
    records.set(this.#records);
    for (let term = 0; term < this.#count; term++) {
      const record = records[term];
      const hash = hashRecord(pool, record);
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = slotOf(record, hash);
    }
    this.#slots = slots;
    this.#records = records;
  }
}

/** The hash of the token at words[at], which is kept there or was. */
function hashRecord(words: Uint32Array, at: number): number {
  const length = words[at + TOKEN_LENGTH_WORD];
  const end = at + TOKEN_BYTES_WORD + tokenWords(length);
  let hash = mix(HASH_SEED, length);
  for (let i = at + TOKEN_BYTES_WORD; i < end; i++) hash = mix(hash, words[i]);
  return mix(hash, 0);
}

const slotOf = (record: number, hash: number): number => ((record >> 1) + 1) | (hash & TAG_MASK);

/** Whether the term at pool[record] is the token at tokens[from..end). */
function isSame(pool: Uint32Array, record: number, tokens: Uint32Array, from: number, end: number): boolean {
  if (pool[record + TOKEN_LENGTH_WORD] !== tokens[from + TOKEN_LENGTH_WORD]) return false;
  const shift = record - from;
  for (let i = from + TOKEN_BYTES_WORD; i < end; i += 2) {
    if (((pool[i + shift] ^ tokens[i]) | (pool[i + shift + 1] ^ tokens[i + 1])) !== 0) return false;
  }
  return true;
}
