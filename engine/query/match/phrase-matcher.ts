/**
 * Finds the documents of a chunk in which the tokens of a phrase follow one another in one field.
 *
 * All tokens must be in the document (an intersection by the same kernels as every query, in accumulators of its own);
 * then the positions of each candidate are compared. A document's score is that of the tokens as exact matches.
 */
import {
  SCRATCH_OUT_DOCS,
  SCRATCH_OUT_SCORES,
  SCRATCH_PHRASE_ACC,
  SCRATCH_PHRASE_LIST_A,
  SCRATCH_PHRASE_LIST_B,
  SCRATCH_PHRASE_MATCHED,
  SCRATCH_TMP,
} from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { PhraseToken } from '../expand/alternative-phrase.js';
import type { MatchingGround } from './matching-ground.js';
import { makePhraseCursors } from './phrase-cursors.js';
import { PlannedToken } from './token-plan.js';

export class PhraseMatcher {
  readonly #ground: MatchingGround;
  readonly #segment: SearchableSegment;
  readonly #tokens: readonly PhraseToken[];
  readonly #factor: number;
  /** The rarest token first; null until the first chunk is matched. */
  #planned: readonly PlannedToken[] | null = null;
  /** Per queried field in which every token occurs: the address of the tokens' cursors. */
  readonly #cursors: number[] = [];

  /** Documents that have all tokens: the address of a u16 list, and how many. */
  #left = 0;
  #leftCount = 0;

  /** Absolute address of the u16 documents that match() found. */
  readonly docsPtr: number;
  /** Absolute address of their f32 scores. */
  readonly scoresPtr: number;

  /**
   * `tokens` in the order typed; scores are multiplied by `factor`. It and its methods take memory from the heap of the
   * segment's arena. Errors of all: overloaded when that has no room.
   */
  constructor(tokens: readonly PhraseToken[], ground: MatchingGround, factor: number) {
    const { segment, index, fields } = ground;
    this.#ground = ground;
    this.#segment = segment;
    this.#tokens = tokens;
    this.#factor = factor;
    for (const field of fields.indexes) {
      const cursors = makePhraseCursors(tokens, field, segment, index);
      if (cursors !== 0) this.#cursors.push(cursors);
    }
    const { ptr } = segment.binding.scratch;
    this.docsPtr = ptr + SCRATCH_PHRASE_LIST_A;
    this.scoresPtr = ptr + SCRATCH_OUT_SCORES;
  }

  /** Whether no document of the segment can hold the phrase: no queried field holds all of its tokens. */
  get matchesNothing(): boolean {
    return this.#cursors.length === 0;
  }

  /** Matches the documents of `chunk`; returns how many, at docsPtr and scoresPtr. */
  match(chunk: number): number {
    if (this.#cursors.length === 0) return 0;
    const { kernels, scratch } = this.#segment.binding;
    const { ptr } = scratch;
    const acc = ptr + SCRATCH_PHRASE_ACC;
    const matched = ptr + SCRATCH_PHRASE_MATCHED;
    // The first list stays whole: it names the counts to clear. The others take turns.
    const first = ptr + SCRATCH_PHRASE_LIST_A;
    const count = kernels.scoreChunk(
      this.#plannedTokens()[0].plan,
      chunk,
      0,
      acc,
      ptr + SCRATCH_TMP,
      matched,
      first,
      0,
      first,
      0,
    );
    this.#intersect(chunk, 1, 0, first, count);
    kernels.clearMatched(matched, first, count);
    return this.#take();
  }

  /**
   * As match(), of the `count` documents of `candidates`, each there once, at the address of a u16 list outside the areas of
   * phrases. Their scores are left undefined.
   */
  matchAmong(chunk: number, candidates: number, count: number): number {
    if (this.#cursors.length === 0) return 0;
    const { kernels, scratch } = this.#segment.binding;
    const matched = scratch.ptr + SCRATCH_PHRASE_MATCHED;
    // To the kernels a candidate is a document that has matched a first token.
    kernels.startMatched(matched, candidates, count);
    this.#intersect(chunk, 0, 1, candidates, count);
    kernels.clearMatched(matched, candidates, count);
    return this.#take();
  }

  /** As matchAmong(), with the scores that match() gives. */
  scoreAmong(chunk: number, candidates: number, count: number): number {
    const { kernels, scratch } = this.#segment.binding;
    kernels.clearScores(candidates, count, scratch.ptr + SCRATCH_PHRASE_ACC);
    return this.matchAmong(chunk, candidates, count);
  }

  /**
   * Leaves in #left those documents of `list` that have the tokens from the `from`th rarest on, and marks those with the phrase.
   * `before`: how many tokens a document of the list has matched beside those that are planned.
   */
  #intersect(chunk: number, from: number, before: number, list: number, count: number): void {
    const { kernels, scratch } = this.#segment.binding;
    const { ptr } = scratch;
    const acc = ptr + SCRATCH_PHRASE_ACC;
    const matched = ptr + SCRATCH_PHRASE_MATCHED;
    const tmp = ptr + SCRATCH_TMP;
    const planned = this.#plannedTokens();
    this.#left = list;
    this.#leftCount = count;
    for (let p = from; p < planned.length && this.#leftCount > 0; p++) {
      const out = ptr + (p % 2 === 1 ? SCRATCH_PHRASE_LIST_B : SCRATCH_OUT_DOCS);
      const t = p + before;
      this.#leftCount = kernels.scoreChunk(
        planned[p].plan,
        chunk,
        t,
        acc,
        tmp,
        matched,
        this.#left,
        this.#leftCount,
        out,
        0,
      );
      this.#left = out;
    }
    this.#mark(chunk, this.#left, this.#leftCount);
  }

  /** Writes the marked ones of #left to docsPtr and scoresPtr; returns how many. */
  #take(): number {
    const { kernels, scratch } = this.#segment.binding;
    const acc = scratch.ptr + SCRATCH_PHRASE_ACC;
    return kernels.takeMarked(this.#left, this.#leftCount, this.#ground.marks, acc, this.docsPtr, this.scoresPtr);
  }

  #mark(chunk: number, list: number, count: number): void {
    const { kernels } = this.#segment.binding;
    const { marks } = this.#ground;
    // A phrase of one token needs no position: whoever has the token has the phrase.
    kernels.startMarks(marks, count, this.#tokens.length === 1 ? 1 : 0);
    if (this.#tokens.length === 1) return;
    for (const cursors of this.#cursors) kernels.markPhrase(cursors, this.#tokens.length, chunk, list, count, marks);
  }

  #plannedTokens(): readonly PlannedToken[] {
    if (this.#planned === null) {
      const inOrder = [...this.#tokens].sort((a, b) => a.expansion.df - b.expansion.df);
      this.#planned = inOrder.map(({ expansion }) => new PlannedToken(expansion, this.#ground, this.#factor));
    }
    return this.#planned;
  }
}
