/**
 * Tells of most ids that no segment of a collection has them, without a look into any: a Bloom filter that sets two bits for an id, both in one
 * word of it.
 *
 * (Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 1970; Putze, Sanders & Singler, "Cache-, hash- and
 * space-efficient Bloom filters", 2007, keep the bits of a key together.) The word comes from the high bits of the hash, as slots
 * of an id table do, the bits from the low ones. Owned by state/replaced-ids.ts.
 */

const WORDS_PER_ID = 1 / 2;
/** Word and bits together take all of the hash. */
const WORDS_MAX = 1 << 22;
const HASH_SCALE = 1 / 0x100000000;

/** What a filter is made for at most. */
export const FILTERED_IDS_MAX = WORDS_MAX / WORDS_PER_ID;

const bitsOf = (hash: number): number => (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));

export class IdFilter {
  readonly #words: Uint32Array;
  /** Times a hash: its word. */
  readonly #scale: number;
  readonly #capacity: number;
  #count = 0;

  /** `capacity`: ids of which it tells well, at most FILTERED_IDS_MAX. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#words = new Uint32Array(Math.ceil(capacity * WORDS_PER_ID));
    this.#scale = this.#words.length * HASH_SCALE;
  }

  /** Whether more ids were added than it tells of well. */
  get isFull(): boolean {
    return this.#count > this.#capacity;
  }

  /** `hash`: of an id, by hashId() under one key. One that is known is not counted again. */
  add(hash: number): void {
    if (this.has(hash)) return;
    this.#words[Math.floor(hash * this.#scale)] |= bitsOf(hash);
    this.#count++;
  }

  /** False only when the id was not added. */
  has(hash: number): boolean {
    const bits = bitsOf(hash);
    return (this.#words[Math.floor(hash * this.#scale)] & bits) === bits;
  }
}
