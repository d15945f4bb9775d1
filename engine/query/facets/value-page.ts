/**
 * Has a kernel write the values of a keyword field and their counts. Called by write-values.ts. Layout: layout/value-page.ts.
 */
import { SCRATCH_OUT_DOCS, SCRATCH_OUT_SCORES } from '../../layout/scratch.js';
import { VALUE_BYTES, VALUE_CODE, VALUE_COUNT, VALUE_PAGE_BYTES, VALUE_PAGE_ENTRIES } from '../../layout/value-page.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { ColumnReader } from '../../values/column-reader.js';

/** What is written at once, and the room for it. */
const VALUES_MAX = 256;
const JSON_BYTES = 1 << 16;
/** Shared memory is copied by words of this size where both sides begin at the same place of one, else byte by byte. */
const WORD_BYTES = 8;

/** Values of a column, by rank from 0, and how many documents have each. */
export interface CountedValues {
  readonly column: ColumnReader;
  readonly codes: ArrayLike<number>;
  /** By rank: where its code is among `codes`. */
  readonly entries: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  readonly size: number;
}

/** Values as JSON, a comma before each: a range of `bytes`, until others are written. None: the first is to be written in another way. */
export type ComposedValues = Readonly<ComposedRange>;

interface ComposedRange {
  count: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

const composed: ComposedRange = { count: 0, bytes: new Uint8Array(0), start: 0, end: 0 };

/**
 * Writes values of a column in the arena of `binding` from rank `from` on, and returns as many as there is room for, always in the same
 * object. Overwrites where kernels write documents and scores in the scratch. `copyTo`: the address, of any kind, that the first byte
 * will be copied to.
 */
export function composeValues(
  { kernels, scratch }: ArenaBinding,
  { column, codes, entries, counts, size }: CountedValues,
  from: number,
  copyTo: number,
): ComposedValues {
  const { u8, u32, ptr } = scratch;
  const to = Math.min(size, from + VALUES_MAX);
  let word = (SCRATCH_OUT_DOCS + VALUE_PAGE_ENTRIES) >> 2;
  for (let rank = from; rank < to; rank++, word += VALUE_BYTES >> 2) {
    u32[word + (VALUE_CODE >> 2)] = codes[entries[rank]];
    u32[word + (VALUE_COUNT >> 2)] = counts[rank];
  }
  const { views, offset } = column;
  const segment = views.region.ptr;
  const page = ptr + SCRATCH_OUT_DOCS;
  const start = SCRATCH_OUT_SCORES + ((copyTo - (u8.byteOffset + SCRATCH_OUT_SCORES)) & (WORD_BYTES - 1));
  const [json, end] = [ptr + start, segment + views.u8.length];
  composed.count = kernels.writeValues(page, to - from, segment, end, segment + offset, json, json + JSON_BYTES);
  composed.bytes = u8;
  composed.start = start;
  composed.end = start + u32[(SCRATCH_OUT_DOCS + VALUE_PAGE_BYTES) >> 2];
  return composed;
}
