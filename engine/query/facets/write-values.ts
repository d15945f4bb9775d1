/**
 * Writes the values of a field and how many documents have each, as members of a JSON object. Used by facet-values.ts.
 */
import type { JsonWriter } from '../../documents/json-writer.js';
import type { FieldType } from '../../schema/collection-schema.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { floatOfKey, formatIntKey } from '../../values/number-keys.js';
import type { ReadBudget } from '../read-budget.js';
import type { SortSource } from '../sort/sort-source.js';
import { composeValues } from './value-page.js';
import type { ValueRun } from './value-run.js';

/** Values of a field in the order in which they are shown: where each occurs, a run and an entry of it, and its count. */
export interface TopEntries {
  readonly topRuns: Uint32Array;
  readonly topEntries: Uint32Array;
  readonly topCounts: Uint32Array;
}

/** A kernel that leaves a value here after fewer than so many is not asked for more: it would be asked again and again. */
const COMPOSED_MIN = 16;

/** The budget is told of longer values before they are written. */
const SHORT_BYTES = 4096;

/** Writes the `found` values of `top`, of a field of which `runs` hold what was counted in `segments`. */
export function writeEntries(
  writer: JsonWriter,
  type: FieldType,
  runs: readonly ValueRun[],
  segments: readonly SortSource[],
  top: TopEntries,
  found: number,
  budget: ReadBudget,
): void {
  let isComposed = runs.length === 1 && runs[0].column.kind === 'keyword';
  for (let rank = 0; rank < found; rank++) {
    if (isComposed) {
      const count = writeComposed(writer, runs[0], segments[runs[0].segment], top, rank, found);
      rank += count;
      isComposed = count >= COMPOSED_MIN;
      if (rank === found) return;
      // The next one is the one that it has left, or begins another page.
    }
    const { column, lo, hi } = runs[top.topRuns[rank]];
    const entry = top.topEntries[rank];
    if (rank > 0) writer.raw(',');
    writeValue(writer, type, column, lo[entry], hi[entry], budget);
    writer.raw(':');
    writer.integer(top.topCounts[rank]);
  }
}

/** Has a kernel write the keywords of one segment from rank `from` on; returns how many it has written. */
function writeComposed(
  writer: JsonWriter,
  { column, lo: codes }: ValueRun,
  { binding }: SortSource,
  { topEntries: entries, topCounts: counts }: TopEntries,
  from: number,
  found: number,
): number {
  // The first value of all has no comma.
  const skipped = from === 0 ? 1 : 0;
  const values = { column, codes, entries, counts, size: found };
  const { count, bytes, start, end } = composeValues(binding, values, from, writer.address - skipped);
  if (count > 0) writer.rawBytes(bytes, start + skipped, end);
  return count;
}

/** Writes a value as the name of a JSON member: of keywords the ordinal `lo` in `column`, else a number's key. */
export function writeValue(
  writer: JsonWriter,
  type: FieldType,
  column: ColumnReader,
  lo: number,
  hi: number,
  budget: ReadBudget,
): void {
  if (type === 'keyword' || type === 'text') {
    const start = column.dictStart(lo);
    const end = column.dictEnd(lo);
    if (end - start > SHORT_BYTES) budget.expectBytes(writer.length + end - start);
    writer.stringBytes(column.views.u8, start, end);
  } else if (type === 'bool') writer.string(lo === 1 ? 'true' : 'false');
  else writer.string(type === 'float' ? String(floatOfKey(hi, lo)) : formatIntKey(hi, lo));
}
