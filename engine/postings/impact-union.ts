/**
 * The union of postings lists of one field, a document with its best impact: what prefix postings are made of.
 *
 * Owned by what unites lists for the prefix postings of a segment. The lists of a field hold a document at one length,
 * so the impact of the largest term frequency is its best, and ranks by frequency are compared.
 */
import { assert } from '../core/assert.js';
import { rankByFrequency } from './impacts.js';

const rankOf = rankByFrequency();
const impactOf = new Uint8Array(256);
for (let impact = 1; impact < 256; impact++) impactOf[rankOf[impact]] = impact;

export class ImpactUnion {
  /** Best rank by document, 0 outside the union. */
  readonly #ranks: Uint8Array;
  /** A bit a document: those of the union. Finding them costs 32 times less than looking through the ranks. */
  readonly #bits: Int32Array;
  #count = 0;

  constructor(maxDoc: number) {
    this.#ranks = new Uint8Array(maxDoc);
    this.#bits = new Int32Array((maxDoc + 31) >>> 5);
  }

  /** Documents in the union. */
  get count(): number {
    return this.#count;
  }

  /** Adds the list docs[from..to) with impacts[from..to), each 1..255; or several lists in a row. */
  add(docs: Uint32Array, impacts: Uint8Array, from: number, to: number): void {
    const ranks = this.#ranks;
    const bits = this.#bits;
    let added = 0;
    for (let i = from; i < to; i++) {
      const doc = docs[i];
      const rank = rankOf[impacts[i]];
      const other = ranks[doc];
      if (rank <= other) continue;
      ranks[doc] = rank;
      if (other !== 0) continue;
      bits[doc >>> 5] |= 1 << (doc & 31);
      added++;
    }
    this.#count += added;
  }

  /** Moves the union, ascending, to docs and impacts from index `from` on, and leaves it empty. */
  take(docs: Uint32Array, impacts: Uint8Array, from: number): void {
    const ranks = this.#ranks;
    const bits = this.#bits;
    let taken = from;
    for (let word = 0; word < bits.length; word++) {
      for (let left = bits[word]; left !== 0; left &= left - 1) {
        const doc = word * 32 + 31 - Math.clz32(left & -left);
        docs[taken] = doc;
        impacts[taken++] = impactOf[ranks[doc]];
        ranks[doc] = 0;
      }
      bits[word] = 0;
    }
    assert(taken - from === this.#count, 'every document of the union was taken');
    this.#count = 0;
  }
}
