/**
 * Finds the terms of a segment that have a stem, in one language; the form is drawn in layout/stems.ts.
 *
 * One per segment, language and thread; holds views and numbers alone. A look-up reads one bucket and stems a term or two
 * of it. Damaged bytes make it throw or answer wrongly, never loop.
 */
import { assert } from '../core/assert.js';
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import { STEMS_BUCKET_COUNT, STEMS_HEADER_BYTES, STEMS_MEMBER_COUNT, STEMS_ORD_MASK } from '../layout/stems.js';
import type { RegionViews } from '../memory/arena.js';
import { hashStem, type TermStemmer } from './stem-hash.js';
import type { TermDictionary } from './term-dictionary.js';

const termBytes = new Uint8Array(TOKEN_BYTES_MAX);

export class StemIndex {
  readonly #u32: Uint32Array;
  readonly #dictionary: TermDictionary;
  readonly #bucketCount: number;
  readonly #memberCount: number;
  /** Indexes into u32. */
  readonly #starts: number;
  readonly #members: number;

  /** `offset` is what writeStemIndex returned, and not 0; `dictionary` that of the same segment. */
  constructor(views: RegionViews, offset: number, dictionary: TermDictionary) {
    assert(offset % SECTION_ALIGN === 0, 'a stem index is aligned');
    this.#u32 = views.u32;
    this.#dictionary = dictionary;
    this.#bucketCount = views.u32[(offset + STEMS_BUCKET_COUNT) >> 2];
    this.#memberCount = views.u32[(offset + STEMS_MEMBER_COUNT) >> 2];
    this.#starts = (offset + STEMS_HEADER_BYTES) >> 2;
    this.#members = this.#starts + this.#bucketCount + 1;
    assert(this.#bucketCount > 0 && (this.#bucketCount & (this.#bucketCount - 1)) === 0, 'buckets are a power of two');
    assert((this.#members + this.#memberCount) * 4 <= views.region.bytes, 'the stem index lies in its region');
  }

  /**
   * Appends the ordinals of the terms with the stem `stem` that are not the stem itself to `out`, ascending. `stemmer` is
   * that of the index's language; its buffer is not `stem`.
   */
  find(stem: Uint8Array, stemmer: TermStemmer, out: number[]): void {
    const bucket = hashStem(stem, 0, stem.length) & (this.#bucketCount - 1);
    let low = this.#u32[this.#starts + bucket];
    let high = this.#u32[this.#starts + bucket + 1];
    const end = high;
    assert(low <= end && end <= this.#memberCount, 'a bucket lies among the members');
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, stem, stemmer) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === end || this.#compare(low, stem, stemmer) !== 0) return;
    do out.push(this.#ord(low++));
    while (low < end && this.#u32[this.#members + low] <= STEMS_ORD_MASK);
  }

  #ord(member: number): number {
    const ord = this.#u32[this.#members + member] & STEMS_ORD_MASK;
    assert(ord < this.#dictionary.termCount, 'a member is a term of the dictionary');
    return ord;
  }

  /** Below 0 when the stem of `member` comes before `stem` in byte order, above when behind. */
  #compare(member: number, stem: Uint8Array, stemmer: TermStemmer): number {
    const length = this.#dictionary.readTerm(this.#ord(member), termBytes);
    const own = stemmer.stem(termBytes, 0, length);
    const shared = Math.min(own.length, stem.length);
    for (let i = 0; i < shared; i++) if (own[i] !== stem[i]) return own[i] - stem[i];
    return own.length - stem.length;
  }
}
