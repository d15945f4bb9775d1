/**
 * Finds the documents of a chunk in which the tokens of a phrase follow one another in one field (kernels/phrases.ts), for
 * what looks at each match: a phrase that stands for a token, an exclusion, a search with a filter or facets. A document's
 * score is that of the tokens as exact matches.
 */
import { PHRASE_AGAIN } from '../../layout/phrase.js';
import { SCRATCH_OUT_SCORES, SCRATCH_PHRASE_LIST } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { PhraseToken } from '../expand/alternative-phrase.js';
import type { ReadBudget } from '../read-budget.js';
import type { MatchingGround } from './matching-ground.js';
import { writePhrase } from './phrase-record.js';

/**
 * Finds the documents of `chunk` that hold `phrase`, begun in the segment of `binding`; as the kernel matchPhrase() does, with a look
 * at `budget` where that takes long, and returns how many there are. Errors: those of `budget`.
 */
export function matchPhrase(
  { kernels }: ArenaBinding,
  phrase: number,
  chunk: number,
  budget: ReadBudget,
  list = 0,
  count = 0,
  isScored = 0,
): number {
  let found = kernels.matchPhrase(phrase, chunk, list, count, isScored) >>> 0;
  while (found === PHRASE_AGAIN) {
    budget.check();
    found = kernels.goMatching(phrase, chunk, list, count, isScored) >>> 0;
  }
  return found;
}

export class PhraseMatcher {
  readonly #segment: SearchableSegment;
  readonly #budget: ReadBudget;
  readonly #phrase: number;

  /** Whether no document of the segment can hold the phrase: no queried field holds all of its tokens. */
  readonly matchesNothing: boolean;
  /** Absolute address of the u16 documents that were found last. */
  readonly docsPtr: number;
  /** Absolute address of their f32 scores. */
  readonly scoresPtr: number;

  /**
   * `tokens` in the order typed; scores are multiplied by `factor`. Takes memory from the heap of the segment's arena. Errors:
   * overloaded when that has no room.
   */
  constructor(tokens: readonly PhraseToken[], { segment, index, map, budget }: MatchingGround, factor: number) {
    const { binding, reader } = segment;
    const { ptr } = binding.scratch;
    this.#segment = segment;
    this.#budget = budget;
    this.#phrase = writePhrase(binding, tokens, map, factor, index, index + 1);
    const { entriesPtr } = reader.postings;
    this.matchesNothing = binding.kernels.beginPhrase(this.#phrase, 0, reader.views.region.ptr, entriesPtr) === 0;
    this.docsPtr = ptr + SCRATCH_PHRASE_LIST;
    this.scoresPtr = ptr + SCRATCH_OUT_SCORES;
  }

  /** Finds the documents of `chunk`; returns how many, at docsPtr. */
  match(chunk: number): number {
    return this.#match(chunk, 0, 0, 0);
  }

  /** As match(), with their scores at scoresPtr. */
  score(chunk: number): number {
    return this.#match(chunk, 0, 0, 1);
  }

  /** As match(), of the `count` documents, each there once, at the address `list` of a u16 list outside the areas of phrases. */
  matchAmong(chunk: number, list: number, count: number): number {
    return this.#match(chunk, list, count, 0);
  }

  /** As matchAmong(), with the scores. */
  scoreAmong(chunk: number, list: number, count: number): number {
    return this.#match(chunk, list, count, 1);
  }

  #match(chunk: number, list: number, count: number, isScored: number): number {
    if (this.matchesNothing) return 0;
    return matchPhrase(this.#segment.binding, this.#phrase, chunk, this.#budget, list, count, isScored);
  }
}
