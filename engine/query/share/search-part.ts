/**
 * What came of the chunks that a helper took, as 32-bit words in shared memory: written by the helper, read by the starter.
 *
 *   words        what
 *   1            documents that match
 *   1            best documents, n
 *   n, n, n      by document: its segment, its number there, the bits of its score
 *   then for each facet field, in the order asked for:
 *   1            runs
 *     1, 1       of each: its segment, its entries, m (query/facets/value-run.ts)
 *     m, m, m    by entry: the low half of its value, the high half, its count; ordinals have no high halves
 *
 * Counters that are lent are written in the place of a run (query/facets/lent-counts.ts).
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { ColumnReader } from '../../values/column-reader.js';
import type { FacetCollector } from '../facets/facet-collector.js';
import type { TopDocs } from '../sort/top-docs.js';

const FOUND = 0;
const TOP_COUNT = 1;
const TOP = 2;
const WORDS_A_DOCUMENT = 3;
/** What is lent has five. */
const WORDS_A_RUN = 5;
const WORDS_AN_ENTRY = 3;

/** Words that a part takes at most, of a search for the best `size` documents and the facets of `fields`. */
export function partWordsMax(
  size: number,
  fields: readonly number[] | null,
  segments: readonly SearchableSegment[],
): number {
  let words = TOP + WORDS_A_DOCUMENT * size;
  for (const field of fields ?? []) {
    words++;
    for (const segment of segments) words += WORDS_A_RUN + WORDS_AN_ENTRY * valuesMax(segment.column(field));
  }
  return words;
}

/** Distinct values of a column at most. */
function valuesMax(column: ColumnReader | null): number {
  if (column === null) return 0;
  if (column.kind === 'keyword') return column.cardinality;
  return column.width === 8 ? column.valueCount : Math.min(column.valueCount, column.maxCodeLo + 1);
}

/** Writes a part that found `found` to `words`, which have room for it. Ends the collecting of `top`. */
export function writePart(words: Uint32Array, found: number, top: TopDocs, facets: FacetCollector | null): void {
  const count = top.finishUnordered();
  words[FOUND] = found;
  words[TOP_COUNT] = count;
  const docs = TOP + count;
  const scores = docs + count;
  words.set(top.segments.subarray(0, count), TOP);
  words.set(top.docs.subarray(0, count), docs);
  floatsAt(words, scores, count).set(top.scores.subarray(0, count));
  facets?.writeRuns(words, scores + count);
}

/** Documents that match, of the part in `words`. */
export const foundOf = (words: Uint32Array): number => words[FOUND];

/** The best documents of a part, in no order: of each its segment, its number there, and its score. */
export interface PartTop {
  readonly segments: Uint32Array;
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
}

/** The best documents of the part in `words`. */
export function topOf(words: Uint32Array): PartTop {
  const count = words[TOP_COUNT];
  const docs = TOP + count;
  const scores = docs + count;
  return {
    segments: words.subarray(TOP, docs),
    docs: words.subarray(docs, scores),
    scores: floatsAt(words, scores, count),
  };
}

const floatsAt = (words: Uint32Array, from: number, count: number): Float32Array =>
  new Float32Array(words.buffer, words.byteOffset + from * words.BYTES_PER_ELEMENT, count);

/** Where the runs of the part in `words` begin. */
export const runsOf = (words: Uint32Array): number => TOP + WORDS_A_DOCUMENT * words[TOP_COUNT];
