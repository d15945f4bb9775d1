/**
 * What kernels.wasm exports of a segment's terms: of its dictionary, and how many documents hold them. See kernel-exports.ts.
 */

/** kernels/terms.ts */
export interface TermKernels {
  /** Returns the token's code points. */
  termWalkStart(walk: number, token: number, tokenBytes: number, edits: number): number;
  termWalkBegin(walk: number, segment: number, dictionary: number, room: number): void;
  /** Both return WALK_* and leave the numbers of answers in the walk. */
  termWalkCorrections(walk: number, words: number): number;
  termWalkMistyped(walk: number, words: number, ranges: number): number;
}

/** kernels/term-frequencies.ts */
export interface TermFrequencyKernels {
  nextFrequentTerm(
    segment: number,
    starts: number,
    entries: number,
    entryCount: number,
    low: number,
    high: number,
    fieldMap: number,
    wanted: number,
    live: number,
    docs: number,
  ): number;
}

/** kernels/live-counts.ts */
export interface LiveCountKernels {
  countLive(segment: number, entry: number, live: number, chunks: number): number;
  boundHolders(
    segment: number,
    entries: number,
    first: number,
    end: number,
    fieldMap: number,
    live: number,
    docs: number,
  ): number;
  countHolders(
    segment: number,
    entries: number,
    first: number,
    end: number,
    fieldMap: number,
    live: number,
    docs: number,
    bits: number,
  ): number;
}
