/**
 * Finds the documents of a chunk in which the tokens of a phrase follow one another in one field.
 *
 * All tokens must be in the document (an intersection by the same kernels as every query, in accumulators of its own);
 * then the positions of each candidate are compared. A document's score is that of the tokens as exact matches.
 */
import {
  CHUNK_DOCS,
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
import { rangesIn } from '../expand/segment-ranges.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import { allocateScratch } from '../scratch-memory.js';
import { makePhraseCursors } from './phrase-cursors.js';
import { makeTokenPlan } from './token-plan.js';

/** Takes room for the marks of a query's phrases, which take turns in it, from the heap of the segment's arena. */
export function allocateMarks({ binding }: SearchableSegment): number {
  return allocateScratch(binding, CHUNK_DOCS);
}

export class PhraseMatcher {
  readonly #segment: SearchableSegment;
  /** Token plans, the rarest token's first. */
  readonly #plans: readonly number[];
  /** Per queried field in which every token occurs: the address of the tokens' cursors. */
  readonly #cursors: readonly number[];
  /** Address of a byte a candidate: 1 when it has the phrase. */
  readonly #marks: number;

  /** Documents that have all tokens: the address of a u16 list, and how many. */
  #left = 0;
  #leftCount = 0;

  /** Absolute address of the u16 documents that match() found. */
  readonly docsPtr: number;
  /** Absolute address of their f32 scores. */
  readonly scoresPtr: number;

  /**
   * `tokens` in the order typed; `marks` is what allocateMarks() gave; scores are multiplied by `factor`. Takes its memory
   * from the heap of the segment's arena. Errors: overloaded when that has no room.
   */
  constructor(
    tokens: readonly PhraseToken[],
    segmentIndex: number,
    segment: SearchableSegment,
    map: FieldMap,
    fields: QueriedFields,
    marks: number,
    factor: number,
  ) {
    this.#segment = segment;
    const inOrder = [...tokens].sort((a, b) => a.expansion.df - b.expansion.df);
    this.#plans = inOrder.map(({ expansion }) =>
      makeTokenPlan(segment, rangesIn(expansion.ranges, segmentIndex), map, expansion.df, factor),
    );
    this.#cursors = findEntries(tokens, segment, fields).map((entries) => makePhraseCursors(segment, entries));
    this.#marks = marks;
    const { ptr } = segment.binding.scratch;
    this.docsPtr = ptr + SCRATCH_PHRASE_LIST_A;
    this.scoresPtr = ptr + SCRATCH_OUT_SCORES;
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
    const count = kernels.scoreChunk(this.#plans[0], chunk, 0, acc, ptr + SCRATCH_TMP, matched, first, 0, first, 0);
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
   * Leaves in #left those documents of `list` that have the tokens from plan `from` on, and marks those with the phrase.
   * `before`: how many tokens a document of the list has matched beside those of the plans.
   */
  #intersect(chunk: number, from: number, before: number, list: number, count: number): void {
    const { kernels, scratch } = this.#segment.binding;
    const { ptr } = scratch;
    const acc = ptr + SCRATCH_PHRASE_ACC;
    const matched = ptr + SCRATCH_PHRASE_MATCHED;
    const tmp = ptr + SCRATCH_TMP;
    this.#left = list;
    this.#leftCount = count;
    for (let p = from; p < this.#plans.length && this.#leftCount > 0; p++) {
      const out = ptr + (p % 2 === 1 ? SCRATCH_PHRASE_LIST_B : SCRATCH_OUT_DOCS);
      const t = p + before;
      this.#leftCount = kernels.scoreChunk(
        this.#plans[p],
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
    return kernels.takeMarked(this.#left, this.#leftCount, this.#marks, acc, this.docsPtr, this.scoresPtr);
  }

  #mark(chunk: number, list: number, count: number): void {
    const { kernels, scratch } = this.#segment.binding;
    const marks = this.#marks - scratch.ptr;
    // A phrase of one token needs no position: whoever has the token has the phrase.
    const known = this.#plans.length === 1 ? 1 : 0;
    scratch.u8.fill(known, marks, marks + count);
    if (known === 1) return;
    for (const cursors of this.#cursors)
      kernels.markPhrase(cursors, this.#plans.length, chunk, list, count, this.#marks);
  }
}

/** Per queried field in which every token occurs: the tokens' entries, in the order typed. */
function findEntries(tokens: readonly PhraseToken[], segment: SearchableSegment, fields: QueriedFields): number[][] {
  const { dictionary, postings } = segment.reader;
  const ords = tokens.map(({ token }) => dictionary.find(token.bytes, 0, token.bytes.length));
  if (ords.includes(-1)) return [];
  return fields.indexes
    .map((field) => ords.map((ord) => postings.findEntry(ord, field)))
    .filter((entries) => !entries.includes(-1));
}
