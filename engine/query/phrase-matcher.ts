/**
 * Finds the documents of a chunk in which the tokens of a phrase follow one another in one field.
 *
 * All tokens must be in the document (an intersection by the same kernels as any query, in accumulators of its own);
 * then the positions of each candidate are compared. A document's score is that of the tokens as exact matches.
 */
import {
  SCRATCH_OUT_SCORES,
  SCRATCH_PHRASE_ACC,
  SCRATCH_PHRASE_LIST_A,
  SCRATCH_PHRASE_LIST_B,
  SCRATCH_PHRASE_STAGE,
  SCRATCH_TMP,
} from '../layout/scratch.js';
import { readPositions } from '../postings/list-reader.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { FieldMap } from './field-map.js';
import type { QueriedFields } from './search-plan.js';
import type { MatchedPhrase } from './text-query.js';
import { makeTokenPlan } from './token-plan.js';

export class PhraseMatcher {
  readonly #segment: SearchableSegment;
  /** Token plans, cheapest first. */
  readonly #plans: readonly number[];
  /** Per queried field in which every token occurs: the tokens' entries, in the order typed. */
  readonly #entries: readonly (readonly number[])[];
  readonly #positions: number[][];
  readonly #counts: number[];

  /** Absolute address of the u16 documents that match() found. */
  readonly docsPtr: number;
  /** Absolute address of their f32 scores. */
  readonly scoresPtr: number;

  constructor(
    phrase: MatchedPhrase,
    segmentIndex: number,
    segment: SearchableSegment,
    map: FieldMap,
    fields: QueriedFields,
  ) {
    this.#segment = segment;
    const inOrder = [...phrase.tokens].sort((a, b) => a.expansion.postings - b.expansion.postings);
    this.#plans = inOrder.map(({ expansion }) =>
      makeTokenPlan(segment, expansion.ranges[segmentIndex], map, expansion.df),
    );
    const { dictionary, postings } = segment.reader;
    const ords = phrase.tokens.map(({ token }) => dictionary.find(token.bytes, 0, token.bytes.length));
    this.#entries = ords.includes(-1)
      ? []
      : fields.indexes
          .map((field) => ords.map((ord) => postings.findEntry(ord, field)))
          .filter((entries) => !entries.includes(-1));
    this.#positions = phrase.tokens.map(() => []);
    this.#counts = phrase.tokens.map(() => 0);
    const { ptr } = segment.binding.scratch;
    this.docsPtr = ptr + SCRATCH_PHRASE_LIST_A;
    this.scoresPtr = ptr + SCRATCH_OUT_SCORES;
  }

  /** Matches the documents of `chunk`; returns how many, at docsPtr and scoresPtr. */
  match(chunk: number): number {
    if (this.#entries.length === 0) return 0;
    const { binding } = this.#segment;
    const { kernels, scratch } = binding;
    const { ptr } = scratch;
    const stage = ptr + SCRATCH_PHRASE_STAGE;
    const acc = ptr + SCRATCH_PHRASE_ACC;
    const lists = [ptr + SCRATCH_PHRASE_LIST_A, ptr + SCRATCH_PHRASE_LIST_B, ptr + SCRATCH_OUT_SCORES];
    let count = 0;
    let first = 0;
    let list = lists[0];
    for (let t = 0; t < this.#plans.length; t++) {
      // The first list stays whole: it names the stages to clear.
      const out = t === 0 ? lists[0] : lists[1 + ((t - 1) & 1)];
      count = kernels.scoreChunk(this.#plans[t], chunk, t, acc, ptr + SCRATCH_TMP, stage, list, count, out, 0);
      if (t === 0) first = count;
      list = out;
      if (count === 0) break;
    }
    const matched = count === 0 ? 0 : this.#verify(chunk, list, count);
    // The verified documents are in a list of JavaScript's until the stages are cleared.
    kernels.clearStage(stage, lists[0], first);
    this.#store(matched);
    return matched;
  }

  #found = new Uint16Array(1024);

  #verify(chunk: number, list: number, count: number): number {
    const { scratch } = this.#segment.binding;
    const base = (list - scratch.ptr) >> 1;
    if (this.#found.length < count) this.#found = new Uint16Array(65536);
    let matched = 0;
    for (let i = 0; i < count; i++) {
      const doc = scratch.u16[base + i];
      if (this.#adjacent(chunk * 65536 + doc)) this.#found[matched++] = doc;
    }
    return matched;
  }

  #store(matched: number): void {
    const { u16, f32 } = this.#segment.binding.scratch;
    for (let i = 0; i < matched; i++) {
      const doc = this.#found[i];
      u16[(SCRATCH_PHRASE_LIST_A >> 1) + i] = doc;
      f32[(SCRATCH_OUT_SCORES >> 2) + i] = f32[(SCRATCH_PHRASE_ACC >> 2) + doc];
    }
  }

  #adjacent(doc: number): boolean {
    for (const entries of this.#entries) if (this.#adjacentIn(entries, doc)) return true;
    return false;
  }

  #adjacentIn(entries: readonly number[], doc: number): boolean {
    const { postings, views } = this.#segment.reader;
    for (let t = 0; t < entries.length; t++) {
      const index = postings.findPosting(entries[t], doc);
      if (index < 0) return false;
      this.#counts[t] = readPositions(views.u8, postings.positionsOf(entries[t], index), this.#positions[t]);
    }
    if (entries.length === 1) return true;
    for (let i = 0; i < this.#counts[0]; i++) if (this.#continues(this.#positions[0][i])) return true;
    return false;
  }

  #continues(start: number): boolean {
    for (let t = 1; t < this.#counts.length; t++)
      if (!contains(this.#positions[t], this.#counts[t], start + t)) return false;
    return true;
  }
}

function contains(ascending: readonly number[], count: number, value: number): boolean {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low < count && ascending[low] === value;
}
