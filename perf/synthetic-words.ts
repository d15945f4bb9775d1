/**
 * Made-up words that can be spoken, one for each rank: the rarer a word, the longer. Used by synthetic-corpus.ts.
 *
 * A word is made of syllables, each a beginning, a vowel and an ending, so that it can be taken apart in one way only: no two ranks
 * have the same word, and none has to be remembered to know that.
 */

/** None begins with what a syllable may end with, but for single letters, which then are the beginning. */
const BEGINNINGS = 'b c d f g h j k l m n p r s t v w z br ch cl cr dr fl fr gr pl pr sh sl st th tr'.split(' ');
const VOWELS = 'a e i o u ai ea ou'.split(' ');
const ENDINGS = ['', 'n', 'r', 'l', 'm'];

const SYLLABLES = BEGINNINGS.flatMap((beginning) =>
  VOWELS.flatMap((vowel) => ENDINGS.map((ending) => beginning + vowel + ending)),
);

/** Ranks below have one syllable. */
const ONE_SYLLABLE = 1024;
/** From here on every second word has three syllables, all others two. */
const THREE_SYLLABLES = 1 << 16;
/** Spreads the ranks over all words of a length: without a common divisor with the number of syllables, none comes twice. */
const STRIDE = 1_000_003;

function syllablesOf(rank: number): number {
  if (rank < ONE_SYLLABLE) return 1;
  return rank >= THREE_SYLLABLES && rank % 2 === 1 ? 3 : 2;
}

/** How many ranks have words: what two syllables can say. */
export const RANKS_MAX = SYLLABLES.length ** 2;

/** The word of `rank`, from 0 to {@link RANKS_MAX} - 1: small letters alone. */
export function wordOfRank(rank: number): string {
  const syllables = syllablesOf(rank);
  let rest = (rank * STRIDE) % SYLLABLES.length ** syllables;
  let word = '';
  for (let i = 0; i < syllables; i++) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}
