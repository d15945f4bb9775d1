/**
 * What of a column survives a merge: how many values, which extremes, which dictionary values.
 *
 * The first pass of the column merge, before anything is written.
 */
import { DROPPED_DOC } from '../core/merge-input.js';
import type { ColumnReader } from './column-reader.js';

export interface ColumnSurvey {
  readonly values: number;
  readonly docsWithValue: number;
  /** Smallest and largest surviving code, unsigned halves; 0 when none survives. */
  readonly minCodeHi: number;
  readonly minCodeLo: number;
  readonly maxCodeHi: number;
  readonly maxCodeLo: number;
  /** Keywords: 1 for each ordinal that survives; null: all do. */
  readonly used: Uint8Array | null;
}

/** Surveys the documents that `map` keeps (see MergeInput). Without a map everything survives and no code is read. */
export function surveyColumn(column: ColumnReader, map: Uint32Array | null): ColumnSurvey {
  if (map === null) return surveyAll(column);
  return column.kind === 'keyword' ? surveyOrdinals(column, map) : surveyNumbers(column, map);
}

function surveyAll(column: ColumnReader): ColumnSurvey {
  const docsWithValue = countPresent(column);
  const { maxCodeHi, maxCodeLo } = column;
  const values = column.multi ? column.valueCount : docsWithValue;
  return { values, docsWithValue, minCodeHi: 0, minCodeLo: 0, maxCodeHi, maxCodeLo, used: null };
}

/** Documents of the segment that have the field. */
function countPresent(column: ColumnReader): number {
  const { present, maxDoc } = column;
  if (present.length === 0) return maxDoc;
  let count = 0;
  for (let i = 0; i < present.length; i++) {
    let bits = present[i];
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

function surveyOrdinals(column: ColumnReader, map: Uint32Array): ColumnSurvey {
  const { codes, maxDoc } = column;
  const used = new Uint8Array(column.cardinality);
  let values = 0;
  let docsWithValue = 0;
  for (let doc = 0; doc < maxDoc; doc++) {
    if (map[doc] === DROPPED_DOC) continue;
    const end = column.endIndex(doc);
    const first = column.firstIndex(doc);
    if (first === end) continue;
    docsWithValue++;
    values += end - first;
    for (let i = first; i < end; i++) used[codes[i]] = 1;
  }
  return { values, docsWithValue, minCodeHi: 0, minCodeLo: 0, maxCodeHi: 0, maxCodeLo: 0, used };
}

function surveyNumbers(column: ColumnReader, map: Uint32Array): ColumnSurvey {
  const { codes, maxDoc } = column;
  const wide = column.width === 8;
  let values = 0;
  let docsWithValue = 0;
  let minLo = 0xffffffff;
  let minHi = 0xffffffff;
  let maxLo = 0;
  let maxHi = 0;
  for (let doc = 0; doc < maxDoc; doc++) {
    if (map[doc] === DROPPED_DOC) continue;
    const end = column.endIndex(doc);
    const first = column.firstIndex(doc);
    if (first === end) continue;
    docsWithValue++;
    values += end - first;
    // The codes of a document ascend: its extremes are its first and its last.
    const lo = wide ? codes[2 * first] : codes[first];
    const hi = wide ? codes[2 * first + 1] : 0;
    const lastLo = wide ? codes[2 * end - 2] : codes[end - 1];
    const lastHi = wide ? codes[2 * end - 1] : 0;
    if (hi < minHi || (hi === minHi && lo < minLo)) {
      minLo = lo;
      minHi = hi;
    }
    if (lastHi > maxHi || (lastHi === maxHi && lastLo > maxLo)) {
      maxLo = lastLo;
      maxHi = lastHi;
    }
  }
  return { values, docsWithValue, minCodeHi: minHi, minCodeLo: minLo, maxCodeHi: maxHi, maxCodeLo: maxLo, used: null };
}
