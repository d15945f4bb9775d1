/**
 * Stems of terms: what the forms of a word have in common, by the algorithms of Snowball (https://snowballstem.org).
 *
 * Used where a segment's stem index is written and where a query looks into one, for terms and tokens as the analyzer makes
 * them: folded, so that an ending which only an accent tells apart is not known as one. A language's program is loaded when
 * a thread first asks for it; collections without stems load none.
 */
import { createRequire } from 'node:module';
import { assert } from '../core/assert.js';
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import type { StemLanguage } from '../schema/stem-languages.js';

/** A stem may be a letter or two longer than its word; 64 code points are at most 128 of its units, three bytes each. */
const STEM_BYTES_MAX = 512;

/** What the Snowball compiler makes. It has state, but none that outlives a call. */
interface SnowballProgram {
  stemWord(word: string): string;
}

const load = createRequire(import.meta.url);

export class Stemmer {
  readonly #program: SnowballProgram;
  readonly #term = new Uint8Array(TOKEN_BYTES_MAX);
  readonly #stem = new Uint8Array(STEM_BYTES_MAX);
  /** The same memory, which can be text. */
  readonly #termText = Buffer.from(this.#term.buffer);
  readonly #stemText = Buffer.from(this.#stem.buffer);

  constructor(language: StemLanguage) {
    const Program = load(`./generated/${language}-stemmer.cjs`) as new () => SnowballProgram;
    this.#program = new Program();
  }

  /** The stem of the term bytes[start..end), which follows from the term alone. Valid until the next call. */
  stem(bytes: Uint8Array, start: number, end: number): Uint8Array {
    const length = end - start;
    assert(length > 0 && length <= TOKEN_BYTES_MAX, 'a term has 1 to TOKEN_BYTES_MAX bytes');
    const term = this.#term;
    let union = 0;
    for (let i = 0; i < length; i++) {
      const byte = bytes[start + i];
      term[i] = byte;
      union |= byte;
    }
    const word = this.#termText.toString(union < 0x80 ? 'latin1' : 'utf8', 0, length);
    const stem = this.#program.stemWord(word);
    if (stem === word) return term.subarray(0, length);
    assert(stem.length * 3 <= STEM_BYTES_MAX, 'a stem is about as long as its word');
    return this.#stem.subarray(0, this.#stemText.write(stem, 'utf8'));
  }
}

const stemmers = new Map<StemLanguage, Stemmer>();

/** The stemmer of `language`, one a thread. */
export function stemmerOf(language: StemLanguage): Stemmer {
  let stemmer = stemmers.get(language);
  if (stemmer === undefined) {
    stemmer = new Stemmer(language);
    stemmers.set(language, stemmer);
  }
  return stemmer;
}
