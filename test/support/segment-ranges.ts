/** Ranges of entries as an expansion holds them, from lists by segment. */
import type { SegmentRanges } from '../../engine/query/expand/segment-ranges.js';

/** Each list of `bySegment` is low, high, weight index, repeated. */
export function packRanges(bySegment: readonly (readonly number[])[]): SegmentRanges {
  const starts = bySegment.map((_, s) => bySegment.slice(0, s).flat().length);
  const words = bySegment.flat();
  const weights = words.reduce((bits, word, i) => (i % 3 === 2 ? bits | (1 << word) : bits), 0);
  return { words, starts: [...starts, words.length], weights };
}
