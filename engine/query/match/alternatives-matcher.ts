/**
 * Matches and scores, chunk by chunk, a token that stands for terms or for some phrase: whatever a document holds of it
 * makes it match, once, and the best of it is its score.
 *
 * The alternatives are gathered in an accumulator of this token alone, which then goes into the query's; at once into the
 * query's as long as that is empty. Whether a token is matched here depends on the query and never on the segment: sums of
 * floats round by the order of adding.
 */
import { CHUNK_DOCS, SCRATCH_ACC, SCRATCH_MATCHED, SCRATCH_TMP } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { mayHold, phraseWeight } from '../expand/alternative-phrase.js';
import type { MatchedToken } from '../expand/text-query.js';
import type { ReadBudget } from '../read-budget.js';
import { allocateScratch } from '../scratch-memory.js';
import type { MatchingGround } from './matching-ground.js';
import { PhraseMatcher } from './phrase-matcher.js';
import { PlannedToken } from './token-plan.js';

interface WeighedPhrase {
  readonly matcher: PhraseMatcher;
  readonly weight: number;
}

/**
 * Scratch that the tokens of a query take turns in, from the heap of the segment's arena: taken when it is first asked for,
 * which most queries never do. All but `matched` hold nothing between two tokens. Errors: overloaded.
 */
export class ClauseScratch {
  readonly #binding: ArenaBinding;
  #acc = 0;
  #matched = 0;
  #list = 0;

  constructor(binding: ArenaBinding) {
    this.#binding = binding;
  }

  /** f32[CHUNK_DOCS] */
  get acc(): number {
    if (this.#acc === 0) this.#acc = allocateScratch(this.#binding, CHUNK_DOCS * 4);
    return this.#acc;
  }

  /** u8[CHUNK_DOCS], all zero between tokens. */
  get matched(): number {
    if (this.#matched === 0) {
      this.#matched = allocateScratch(this.#binding, CHUNK_DOCS);
      // By a kernel: fill() of an array in shared memory takes ten times as long.
      this.#binding.kernels.clearCounts(this.#matched, CHUNK_DOCS);
    }
    return this.#matched;
  }

  /** u16[CHUNK_DOCS] */
  get list(): number {
    if (this.#list === 0) this.#list = allocateScratch(this.#binding, CHUNK_DOCS * 2);
    return this.#list;
  }
}

export class AlternativesMatcher {
  readonly #token: MatchedToken;
  readonly #ground: MatchingGround;
  readonly #segment: SearchableSegment;
  readonly #own: ClauseScratch;
  readonly #budget: ReadBudget;
  readonly #terms: PlannedToken;
  /** Those that some document of the segment may hold; null until the first chunk is matched. */
  #phrases: readonly WeighedPhrase[] | null = null;

  /** It and its methods take memory from the heap of the segment's arena. Errors of all: overloaded. */
  constructor(token: MatchedToken, ground: MatchingGround, own: ClauseScratch, budget: ReadBudget) {
    this.#token = token;
    this.#ground = ground;
    this.#segment = ground.segment;
    this.#own = own;
    this.#budget = budget;
    this.#terms = new PlannedToken(token.expansion, ground, token.repeats);
  }

  /** Whether it is known without anything being made that no document of `chunk` holds any of it. */
  cannotMatch(chunk: number): boolean {
    return this.#phrases !== null && this.#phrases.length === 0 && this.#terms.cannotMatch(chunk);
  }

  /** What scoreChunk of kernels/scoring.ts does for a plan, with the query's accumulators. */
  score(chunk: number, t: number, listIn: number, inCount: number, out: number, outCount: number): number {
    const { kernels, scratch } = this.#segment.binding;
    const acc = scratch.ptr + SCRATCH_ACC;
    const matched = scratch.ptr + SCRATCH_MATCHED;
    // Before anything matched, the query's own accumulator is as empty as one of this token alone.
    if (t === 0 && outCount === 0) return this.#gather(chunk, 0, acc, matched, 0, 0, out);
    const own = this.#own;
    if (t > 0) {
      // Only documents that have matched all tokens before are looked at.
      kernels.clearScores(listIn, inCount, own.acc);
      const count = this.#gather(chunk, t, own.acc, matched, listIn, inCount, out);
      kernels.addScores(out, count, own.acc, acc);
      return count;
    }
    const count = this.#gather(chunk, 0, own.acc, own.matched, 0, 0, own.list);
    return kernels.scatterBest(own.list, count, own.acc, own.matched, acc, matched, out, outCount);
  }

  /** Scores the alternatives into the accumulator `acc`; returns how many documents match, listed in `out`. */
  #gather(
    chunk: number,
    t: number,
    acc: number,
    matched: number,
    listIn: number,
    inCount: number,
    out: number,
  ): number {
    const { kernels, scratch } = this.#segment.binding;
    const tmp = scratch.ptr + SCRATCH_TMP;
    this.#phrases ??= this.#makePhrases();
    let count = kernels.scoreChunk(this.#terms.plan, chunk, t, acc, tmp, matched, listIn, inCount, out, 0);
    for (const { matcher, weight } of this.#phrases) {
      this.#budget.check();
      const found = t > 0 ? matcher.scoreAmong(chunk, listIn, inCount) : matcher.score(chunk);
      count = kernels.raiseScored(matcher.docsPtr, matcher.scoresPtr, found, weight, t, acc, matched, out, count);
    }
    return count;
  }

  #makePhrases(): WeighedPhrase[] {
    const { sought, expansion, repeats } = this.#token;
    const phrases: WeighedPhrase[] = [];
    for (const phrase of sought) {
      if (!mayHold(phrase, this.#ground.index)) continue;
      this.#budget.check();
      const matcher = new PhraseMatcher(phrase.tokens, this.#ground, repeats);
      const weight = phraseWeight(phrase, expansion.df, this.#ground.map.documents);
      if (!matcher.matchesNothing) phrases.push({ matcher, weight });
    }
    return phrases;
  }
}
