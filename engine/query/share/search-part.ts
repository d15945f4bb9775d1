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

const f32 = new Float32Array(1);
const bits = new Uint32Array(f32.buffer);

/** Writes a part that found `found` to `words`, which have room for it. Ends the collecting of `top`. */
export function writePart(words: Uint32Array, found: number, top: TopDocs, facets: FacetCollector | null): void {
  const count = top.finish();
  words[FOUND] = found;
  words[TOP_COUNT] = count;
  const docs = TOP + count;
  const scores = docs + count;
  for (let rank = 0; rank < count; rank++) {
    words[TOP + rank] = top.segments[rank];
    words[docs + rank] = top.docs[rank];
    f32[0] = top.scores[rank];
    words[scores + rank] = bits[0];
  }
  facets?.writeRuns(words, scores + count);
}

/** Documents that match, of the part in `words`. */
export const foundOf = (words: Uint32Array): number => words[FOUND];

/** How many best documents the part in `words` has. */
export const topCountOf = (words: Uint32Array): number => words[TOP_COUNT];

/** Calls `take` with the best documents of the part in `words`. */
export function readTop(words: Uint32Array, take: (segment: number, doc: number, score: number) => void): void {
  const count = words[TOP_COUNT];
  const docs = TOP + count;
  for (let rank = 0; rank < count; rank++) {
    bits[0] = words[docs + count + rank];
    take(words[TOP + rank], words[docs + rank], f32[0]);
  }
}

/** Where the runs of the part in `words` begin. */
export const runsOf = (words: Uint32Array): number => TOP + WORDS_A_DOCUMENT * words[TOP_COUNT];
