/**
 * The entries that a token stands for, as ranges over all segments in one array, so that they are copied to where kernels
 * read them at once.
 *
 * Made by token-expansion.ts, once a token, and kept with its expansion; never changed.
 */

/** Ranges in one segment: low, high (exclusive), weight index, repeated. Plain numbers: a typed array of so few takes about twice the memory. */
export type EntryRanges = readonly number[];

/** Numbers of a range. */
const RANGE_WORDS = 3;
/** Numbers of a log that it keeps room for; one that was longer is given up. */
const LOG_WORDS_KEPT = 1 << 16;

/** Ranges by segment. */
export interface SegmentRanges {
  /** Those of all segments, in the order of these, one after the other. */
  readonly words: EntryRanges;
  /** Where those of each segment begin in `words`, and at last where the words end: one more than there are segments. */
  readonly starts: readonly number[];
  /** Bit w is set if some range has the weight index w. */
  readonly weights: number;
}

/** Those of segment `index`: a copy. */
export const rangesIn = ({ words, starts }: SegmentRanges, index: number): EntryRanges =>
  words.slice(starts[index], starts[index + 1]);

/** As many as will be: an array that grows keeps room for more. */
const zeros = (length: number): number[] => new Array<number>(length).fill(0);

/** Where the ranges of a collection's only segment begin and end, by their number: expansions are remembered by the thousand, and most have few. */
const onlyStarts = Array.from({ length: 64 }, (_, ranges): readonly number[] => [0, ranges * RANGE_WORDS]);

/** Whether there are any in segment `index`. */
export const hasRanges = ({ starts }: SegmentRanges, index: number): boolean => starts[index] < starts[index + 1];

/** Whether there are more than one term in some segment. */
export function hasSeveralTerms({ words, starts }: SegmentRanges): boolean {
  if (words.length > RANGE_WORDS * (starts.length - 1)) return true;
  for (let i = 0; i < words.length; i += RANGE_WORDS) if (words[i + 1] - words[i] > 1) return true;
  return false;
}

/** The ranges of each segment, one after the other; `weights` as in SegmentRanges. */
export function joinRanges(bySegment: readonly (readonly EntryRanges[])[], weights: number): SegmentRanges {
  const starts = zeros(bySegment.length + 1);
  for (const [s, own] of bySegment.entries()) {
    starts[s + 1] = starts[s];
    for (const { length } of own) starts[s + 1] += length;
  }
  const words = zeros(starts[bySegment.length]);
  let at = 0;
  for (const own of bySegment) for (const ranges of own) for (const word of ranges) words[at++] = word;
  return { words, starts, weights };
}

/** Gathers ranges in any order of segments; within a segment they stay in the order in which they were added. */
export class RangeLog {
  /** Segment, low, high, weight index, repeated. */
  #words = new Uint32Array(1024);
  #length = 0;

  /** Forgets what was gathered. */
  begin(): void {
    this.#length = 0;
    if (this.#words.length > LOG_WORDS_KEPT) this.#words = new Uint32Array(LOG_WORDS_KEPT);
  }

  add(segment: number, low: number, high: number, weight: number): void {
    const at = this.#length;
    if (at === this.#words.length) this.#grow();
    const words = this.#words;
    words[at] = segment;
    words[at + 1] = low;
    words[at + 2] = high;
    words[at + 3] = weight;
    this.#length = at + 4;
  }

  addAll({ words, starts }: SegmentRanges): void {
    for (let s = 0; s + 1 < starts.length; s++)
      for (let i = starts[s]; i < starts[s + 1]; i += RANGE_WORDS) this.add(s, words[i], words[i + 1], words[i + 2]);
  }

  /** What was gathered, of `segmentCount` segments. */
  finish(segmentCount: number): SegmentRanges {
    const log = this.#words;
    const starts = zeros(segmentCount + 1);
    for (let at = 0; at < this.#length; at += 4) starts[log[at] + 1] += RANGE_WORDS;
    for (let s = 0; s < segmentCount; s++) starts[s + 1] += starts[s];
    const words = zeros(starts[segmentCount]);
    let weights = 0;
    for (let at = 0; at < this.#length; at += 4) {
      const segment = log[at];
      const to = starts[segment];
      words[to] = log[at + 1];
      words[to + 1] = log[at + 2];
      words[to + 2] = log[at + 3];
      weights |= 1 << log[at + 3];
      starts[segment] = to + RANGE_WORDS;
    }
    if (segmentCount === 1) return { words, starts: onlyStarts[starts[0] / RANGE_WORDS] ?? [0, starts[0]], weights };
    // Each segment's ranges have been filled up to where the next one's begin.
    starts.copyWithin(1, 0, segmentCount);
    starts[0] = 0;
    return { words, starts, weights };
  }

  #grow(): void {
    const grown = new Uint32Array(2 * this.#words.length);
    grown.set(this.#words);
    this.#words = grown;
  }
}
