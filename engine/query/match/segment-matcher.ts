/**
 * Matches the text of a query in one segment, chunk by chunk: which documents, and with what score.
 *
 * Term-at-a-time within a chunk: each token's postings raise scores in an accumulator, and a byte a document counts the
 * tokens matched. So the pass over the last token gives the list of matches, their exact count and each of them once. With
 * match_mode any, every token is treated as the first.
 */
import {
  SCRATCH_ACC,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
  SCRATCH_LIST_C,
  SCRATCH_MATCHED,
  SCRATCH_TMP,
} from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { mayHold, type PhraseToken } from '../expand/alternative-phrase.js';
import { hasRanges } from '../expand/segment-ranges.js';
import type { MatchedClause, TextQuery } from '../expand/text-query.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { AlternativesMatcher, ClauseScratch } from './alternatives-matcher.js';
import { PhraseMatcher } from './phrase-matcher.js';
import { PlannedToken } from './token-plan.js';

/** A clause in this segment: a token, a token that some phrase may stand for, or a phrase. */
type SegmentClause =
  | { readonly token: PlannedToken }
  | { readonly alternatives: AlternativesMatcher }
  | { readonly phrase: PhraseMatcher };

export class SegmentMatcher {
  readonly #segment: SearchableSegment;
  readonly #clauses: SegmentClause[] = [];
  readonly #matchAll: boolean;
  readonly #budget: ReadBudget;
  /** Absolute address of the u16 documents of the last chunk that matched. */
  listPtr = 0;
  /** Absolute address of the f32 scores by document of the chunk. */
  readonly accPtr: number;
  #firstCount = 0;
  #firstPtr = 0;

  /** Takes its memory from the heap of the segment's arena. */
  constructor(query: TextQuery, index: number, segment: SearchableSegment, map: FieldMap, budget: ReadBudget) {
    this.#segment = segment;
    this.#budget = budget;
    this.#matchAll = query.matchAll;
    this.accPtr = segment.binding.scratch.ptr + SCRATCH_ACC;
    const ground = { segment, index, map, budget };
    let own: ClauseScratch | null = null;
    for (const clause of query.clauses) {
      if (clause.kind === 'phrase')
        this.#clauses.push({ phrase: new PhraseMatcher(clause.tokens, ground, clause.repeats) });
      else if (clause.sought.length === 0)
        this.#clauses.push({ token: new PlannedToken(clause.expansion, ground, clause.repeats) });
      else {
        own ??= new ClauseScratch(segment.binding);
        this.#clauses.push({ alternatives: new AlternativesMatcher(clause, ground, own, budget) });
      }
    }
  }

  /** Whether any document of the segment could match. */
  static mayMatch({ clauses, matchAll }: TextQuery, index: number): boolean {
    for (const clause of clauses) if (mayClauseMatch(clause, index) !== matchAll) return !matchAll;
    return matchAll;
  }

  /** Matches the documents of `chunk` and returns how many, at listPtr; clear() before the next chunk. */
  match(chunk: number): number {
    if (this.#matchAll) {
      for (const clause of this.#clauses) if (this.#cannotMatch(clause, chunk)) return this.#none();
      return this.#matchEvery(chunk);
    }
    return this.#matchAny(chunk);
  }

  /** Forgets how many tokens each document of the chunk has matched. The list may have been filtered in place meanwhile. */
  clear(): void {
    if (this.#firstCount === 0) return;
    const { kernels, scratch } = this.#segment.binding;
    kernels.clearMatched(scratch.ptr + SCRATCH_MATCHED, this.#firstPtr, this.#firstCount);
    this.#firstCount = 0;
  }

  #none(): number {
    this.#firstCount = 0;
    return 0;
  }

  #cannotMatch(clause: SegmentClause, chunk: number): boolean {
    if ('alternatives' in clause) return clause.alternatives.cannotMatch(chunk);
    return 'token' in clause ? clause.token.cannotMatch(chunk) : clause.phrase.matchesNothing;
  }

  #matchEvery(chunk: number): number {
    const { ptr } = this.#segment.binding.scratch;
    const first = ptr + SCRATCH_LIST_A;
    let list = first;
    let count = 0;
    for (let t = 0; t < this.#clauses.length; t++) {
      const out = t === 0 ? first : ptr + (t & 1 ? SCRATCH_LIST_B : SCRATCH_LIST_C);
      count = this.#score(this.#clauses[t], chunk, t, list, count, out, 0);
      if (t === 0) {
        this.#firstCount = count;
        this.#firstPtr = first;
      }
      list = out;
      if (count === 0) break;
    }
    this.listPtr = list;
    // A list that is the first one is filtered in place later: keep a copy of what must be cleared.
    if (list === first && count > 0) this.#keepFirst(count);
    return count;
  }

  #matchAny(chunk: number): number {
    const { ptr } = this.#segment.binding.scratch;
    const list = ptr + SCRATCH_LIST_A;
    let count = 0;
    for (const clause of this.#clauses) count = this.#score(clause, chunk, 0, 0, 0, list, count);
    this.listPtr = list;
    if (count > 0) this.#keepFirst(count);
    else this.#firstCount = 0;
    return count;
  }

  #keepFirst(count: number): void {
    const { u16, ptr } = this.#segment.binding.scratch;
    u16.copyWithin(SCRATCH_LIST_C >> 1, SCRATCH_LIST_A >> 1, (SCRATCH_LIST_A >> 1) + count);
    this.#firstPtr = ptr + SCRATCH_LIST_C;
    this.#firstCount = count;
  }

  #score(
    clause: SegmentClause,
    chunk: number,
    token: number,
    listIn: number,
    inCount: number,
    out: number,
    outCount: number,
  ): number {
    this.#budget.check();
    const { kernels, scratch } = this.#segment.binding;
    const acc = scratch.ptr + SCRATCH_ACC;
    const matched = scratch.ptr + SCRATCH_MATCHED;
    if ('token' in clause) {
      const tmp = scratch.ptr + SCRATCH_TMP;
      return kernels.scoreChunk(clause.token.plan, chunk, token, acc, tmp, matched, listIn, inCount, out, outCount);
    }
    if ('alternatives' in clause) return clause.alternatives.score(chunk, token, listIn, inCount, out, outCount);
    const { phrase } = clause;
    const found = token > 0 ? phrase.scoreAmong(chunk, listIn, inCount) : phrase.score(chunk);
    return kernels.scatterScored(phrase.docsPtr, phrase.scoresPtr, found, token, acc, matched, out, outCount);
  }
}

function mayClauseMatch(clause: MatchedClause, index: number): boolean {
  if (clause.kind === 'phrase') return mayPhraseMatch(clause.tokens, index);
  if (hasRanges(clause.expansion.ranges, index)) return true;
  for (const phrase of clause.sought) if (mayHold(phrase, index)) return true;
  return false;
}

function mayPhraseMatch(tokens: readonly PhraseToken[], index: number): boolean {
  for (const { expansion } of tokens) if (!hasRanges(expansion.ranges, index)) return false;
  return true;
}
