/**
 * What kernels.wasm exports, by source file of kernels/. Every pointer is an absolute address in the bound arena; a
 * pointer or count that a kernel returns comes back as a signed i32, so addresses need `>>> 0`.
 */
import type { GainerKernels, ListOutlineKernels, ListUnionKernels, LossKernels } from './kept-list-exports.js';
import type { HitPageKernels, ValuePageKernels } from './page-exports.js';
import type { LiveCountKernels, TermFrequencyKernels, TermKernels } from './term-exports.js';

/** kernels/columns.ts */
export interface ColumnKernels {
  columnMatchRange(
    out: number,
    codes: number,
    width: number,
    zones: number,
    first: number,
    count: number,
    loLo: number,
    loHi: number,
    hiLo: number,
    hiHi: number,
  ): void;
  columnMatchRangeMulti(
    out: number,
    codes: number,
    width: number,
    starts: number,
    valueCount: number,
    zones: number,
    first: number,
    count: number,
    loLo: number,
    loHi: number,
    hiLo: number,
    hiHi: number,
  ): void;
  columnMatchSet(
    out: number,
    codes: number,
    width: number,
    starts: number,
    valueCount: number,
    zones: number,
    first: number,
    count: number,
    table: number,
    ranges: number,
    rangeCount: number,
  ): void;
}

/** kernels/bitsets.ts */
export interface BitsetKernels {
  bitsetClear(out: number): void;
  bitsetFill(out: number, count: number): void;
  bitsetCopy(out: number, from: number, count: number): void;
  bitsetAnd(out: number, other: number, count: number): void;
  bitsetOr(out: number, other: number, count: number): void;
  bitsetComplement(out: number, universe: number, count: number): void;
  bitsetMeet(out: number, live: number, filter: number, count: number): number;
  bitsetRemove(out: number, list: number, count: number): void;
  bitsetCount(bits: number, count: number): number;
  bitsetIsEmpty(bits: number, count: number): number;
}

/** kernels/facets.ts */
export interface FacetKernels {
  countCodes(
    list: number,
    count: number,
    chunkBase: number,
    segment: number,
    column: number,
    counts: number,
    codeCount: number,
  ): void;
  countCodesOfBits(
    bits: number,
    docs: number,
    chunkBase: number,
    segment: number,
    column: number,
    counts: number,
    codeCount: number,
  ): void;
  takeCounts(counts: number, from: number, to: number, codes: number, out: number): number;
  addCounts(to: number, from: number, codeCount: number): void;
  clearCounts(ptr: number, bytes: number): void;
}

/** kernels/top-counts.ts */
export interface TopCountsKernels {
  topCounts(counts: number, codeCount: number, wanted: number, room: number, codes: number, out: number): number;
}

/** kernels/sort.ts */
export interface SortKernels {
  splitByScore(
    list: number,
    count: number,
    scores: number,
    bound: number,
    descending: number,
    better: number,
    ties: number,
  ): number;
  splitByPresence(
    list: number,
    count: number,
    chunkBase: number,
    segment: number,
    column: number,
    better: number,
    ties: number,
  ): number;
  splitByColumn(
    list: number,
    count: number,
    chunkBase: number,
    segment: number,
    column: number,
    descending: number,
    keyHi: number,
    keyLo: number,
    better: number,
    ties: number,
  ): number;
  selectBelow(list: number, count: number, docEnd: number, out: number): number;
  spreadList(list: number, count: number, out: number): void;
}

/** kernels/score-top.ts, kernels/end-top.ts, kernels/judged-top.ts */
export interface ScoreTopKernels {
  beginTop(top: number, size: number, keyKind: number, descending: number): void;
  boundPage(top: number, page: number, share: number, wholeShare: number, whole: number): void;
  offerScores(top: number, orderBase: number, list: number, count: number, acc: number): void;
  offerDocs(top: number, orderBase: number, docs: number, scores: number, count: number): void;
  offerByColumn(top: number, orderBase: number, list: number, count: number, acc: number, spread: number): void;
  endTop(top: number, window: number, best: number): number;
  rescoreTop(top: number, scores: number, count: number, sorted: number): void;
  rescoreJudged(top: number, count: number, sorted: number): number;
  groupNearTies(top: number, count: number, share: number): void;
}

/** kernels/top-columns.ts */
export interface TopColumnKernels {
  beginTopColumn(top: number, orderBase: number, segment: number, column: number): void;
}

/** kernels/top-bits.ts */
export interface TopBitsKernels {
  offerBits(
    top: number,
    orderBase: number,
    bits: number,
    docs: number,
    zones: number,
    acc: number,
    list: number,
    spread: number,
  ): void;
}

/** kernels/token-plan.ts */
export interface TokenPlanKernels {
  largestFrequency(entries: number, low: number, high: number, fieldMap: number): number;
  nextFrequentEntry(entries: number, low: number, high: number, fieldMap: number, threshold: number): number;
  makePlan(plan: number, heap: number, heapEnd: number): number;
  chunkHasPostings(plan: number, chunk: number): number;
}

/** kernels/scoring.ts */
export interface ScoringKernels {
  scoreChunk(
    plan: number,
    chunk: number,
    token: number,
    acc: number,
    tmp: number,
    matched: number,
    listIn: number,
    inCount: number,
    out: number,
    outCount: number,
  ): number;
  scatterScored(
    docs: number,
    scores: number,
    count: number,
    token: number,
    acc: number,
    matched: number,
    out: number,
    outCount: number,
  ): number;
  raiseScored(
    docs: number,
    scores: number,
    count: number,
    weight: number,
    token: number,
    acc: number,
    matched: number,
    out: number,
    outCount: number,
  ): number;
  clearScores(list: number, count: number, acc: number): void;
  addScores(list: number, count: number, own: number, acc: number): void;
  scatterBest(
    list: number,
    count: number,
    own: number,
    ownMatched: number,
    acc: number,
    matched: number,
    out: number,
    outCount: number,
  ): number;
}

/** kernels/sweep.ts */
export interface SweepKernels {
  beginSweepChunk(sweep: number, chunk: number): void;
  /** Returns one of SWEEP_DONE, SWEEP_STOPPED and SWEEP_NO_ROOM of layout/sweep.ts. */
  runSweep(sweep: number, steps: number): number;
}

/** kernels/phrases.ts */
export interface PhraseKernels {
  /** Returns 1 when some document of the segment may have the phrase, else 0. */
  beginPhrase(phrase: number, row: number, segment: number, entries: number): number;
  /** Returns how many documents it listed; PHRASE_AGAIN, as a signed number, when goMatching() is to go on. */
  matchPhrase(phrase: number, chunk: number, list: number, count: number, isScored: number): number;
  goMatching(phrase: number, chunk: number, list: number, count: number, isScored: number): number;
}

/** kernels/candidates.ts */
export interface CandidateKernels {
  beginCandidates(state: number): number;
  measureCandidates(state: number, steps: number): number;
}

/** kernels/bonus-window.ts */
export interface BonusWindowKernels {
  fillWindow(window: number, top: number, presented: number, segments: number, count: number): number;
  beginWindow(window: number, records: number): void;
  chooseCandidates(window: number, state: number): number;
  chooseDoubts(window: number, state: number): number;
  noteMeasured(window: number, state: number): void;
  finishWindow(window: number): void;
  /** kernels/own-terms.ts */
  judgeByOwnTerms(window: number, table: number, gainsByCompletions: number): number;
}

/** kernels/nearness.ts */
export interface NearnessKernels {
  judgeValues(state: number, candidate: number, place: number, values: number, count: number): number;
}

/** kernels/blocks.ts */
export interface BlockKernels {
  scoreBlocks(
    data: number,
    packed: number,
    weight: number,
    lut: number,
    classMin: number,
    blockLow: number,
    blockHigh: number,
    threshold: number,
    acc: number,
    out: number,
  ): number;
}

/** kernels/doc-lists.ts */
export interface DocListKernels {
  filterList(list: number, count: number, live: number, filter: number): number;
  clearMatched(matched: number, list: number, count: number): void;
  listChunk(live: number, filter: number, docs: number, out: number, limit: number): number;
}

/** kernels/common-docs.ts */
export interface CommonDocKernels {
  commonDocs(a: number, n: number, b: number, m: number, out: number): number;
  commonPlaces(a: number, n: number, b: number, m: number, out: number): number;
}

/** kernels/json-values.ts, kernels/json-members.ts */
export interface JsonKernels {
  /** Returns the number of members, -1 of an object that it does not read. */
  jsonMembers(start: number, end: number, shift: number, known: number): number;
  jsonValueEnd(from: number, end: number, depths: number): number;
}

/** kernels/ascii-tokens.ts */
export interface AsciiTokenKernels {
  /** Returns the number of tokens, -1 of a value that is not ASCII. */
  tokenizeAscii(start: number, bytes: number, seed: number): number;
}

/** kernels/packed-rows.ts */
export interface RowKernels {
  indexDictionary(bytes: number): void;
  packRows(count: number, dictionaryBytes: number): number;
  unpackRow(from: number, end: number, dictionary: number, dictionaryBytes: number, to: number, toEnd: number): number;
}

export interface Kernels
  extends BlockKernels,
    PhraseKernels,
    BonusWindowKernels,
    CandidateKernels,
    NearnessKernels,
    TermKernels,
    TermFrequencyKernels,
    LiveCountKernels,
    ColumnKernels,
    BitsetKernels,
    FacetKernels,
    TopCountsKernels,
    SortKernels,
    ScoreTopKernels,
    TopColumnKernels,
    TopBitsKernels,
    TokenPlanKernels,
    ListUnionKernels,
    ListOutlineKernels,
    LossKernels,
    GainerKernels,
    ScoringKernels,
    SweepKernels,
    DocListKernels,
    CommonDocKernels,
    RowKernels,
    HitPageKernels,
    ValuePageKernels,
    JsonKernels,
    AsciiTokenKernels {}
