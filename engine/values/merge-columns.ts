/**
 * Merges the columns of one field over several segments: deleted documents and the dictionary values only they used go,
 * codes are narrowed anew. The result equals, byte for byte, the column of the surviving documents indexed at once.
 *
 * Called by the segment merger, field by field.
 */
import { assert } from '../core/assert.js';
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import type { RegionWriter } from '../memory/region-writer.js';
import type { ColumnKind, ColumnReader } from './column-reader.js';
import {
  type CodeRange,
  columnBytes,
  NO_DICTIONARY,
  ordinalRange,
  reserveColumn,
  type ValueCounts,
  writeZones,
} from './column-sections.js';
import { type DictionarySource, mergeDictionaries, writeMergedDictionary } from './merge-dictionaries.js';
import { compareKeys } from './number-keys.js';
import { type ColumnSurvey, surveyColumn } from './survey-column.js';

/** A source with a column, and what of it survives. */
interface Source {
  readonly input: MergeInput<ColumnReader | null>;
  readonly column: ColumnReader;
  readonly survey: ColumnSurvey;
}

const NO_CODES: CodeRange = { baseHi: 0, baseLo: 0, maxCodeHi: 0, maxCodeLo: 0 };

/**
 * Writes the merged column of `kind` of a segment of `maxDoc` documents and returns the offset of its header. The inputs
 * come in the order of their documents; one whose reader is null has no value of the field.
 */
export function mergeColumns(
  out: RegionWriter,
  inputs: readonly MergeInput<ColumnReader | null>[],
  maxDoc: number,
  kind: ColumnKind,
): number {
  const sources = surveySources(inputs, kind);
  const counts = countSurvivors(sources);
  if (kind === 'number') {
    const range = keyRange(sources);
    const column = reserveColumn(out, { kind, maxDoc, counts, range, dictionary: NO_DICTIONARY });
    fillStarts(column, inputs);
    for (const source of sources) copyNumbers(column, source);
    writeZones(column);
    return column.offset;
  }
  const dictionaries = sources.map(({ column, survey }): DictionarySource => ({ column, used: survey.used }));
  const merged = mergeDictionaries(dictionaries);
  const range = ordinalRange(merged.cardinality);
  const column = reserveColumn(out, { kind, maxDoc, counts, range, dictionary: merged });
  fillStarts(column, inputs);
  sources.forEach((source, i) => {
    copyOrdinals(column, source, merged.newOrds[i]);
  });
  writeMergedDictionary(column, merged, dictionaries);
  writeZones(column);
  return column.offset;
}

/** At most as many bytes as mergeColumns() takes in a region, found without reading a document. */
export function estimateMergedColumnBytes(
  inputs: readonly MergeInput<ColumnReader | null>[],
  maxDoc: number,
  kind: ColumnKind,
): number {
  const sources: Source[] = [];
  let values = 0;
  let cardinality = 0;
  let byteCount = 0;
  for (const input of inputs) {
    const column = input.reader;
    if (column === null) continue;
    values += column.valueCount;
    cardinality += column.cardinality;
    if (kind === 'keyword') byteCount += column.dictOffsets[column.cardinality];
    const survey: ColumnSurvey = {
      values: column.valueCount,
      docsWithValue: 1,
      minCodeHi: 0,
      minCodeLo: 0,
      maxCodeHi: column.maxCodeHi,
      maxCodeLo: column.maxCodeLo,
      used: null,
    };
    sources.push({ input, column, survey });
  }
  const range = kind === 'number' ? keyRange(sources) : ordinalRange(cardinality);
  const dictionary = { cardinality, byteCount };
  const bytesWith = (multi: boolean): number =>
    columnBytes({ kind, maxDoc, counts: { multi, values, docsWithValue: 0 }, range, dictionary });
  const single = bytesWith(false);
  return sources.some(({ column }) => column.multi) ? Math.max(single, bytesWith(true)) : single;
}

function surveySources(inputs: readonly MergeInput<ColumnReader | null>[], kind: ColumnKind): Source[] {
  const sources: Source[] = [];
  for (const input of inputs) {
    const column = input.reader;
    if (column === null) continue;
    assert(column.kind === kind, 'merged columns are of one kind');
    assert(column.maxDoc === input.maxDoc, 'a column covers its segment');
    sources.push({ input, column, survey: surveyColumn(column, input.map) });
  }
  return sources;
}

function countSurvivors(sources: readonly Source[]): ValueCounts {
  let values = 0;
  let docsWithValue = 0;
  for (const { survey } of sources) {
    values += survey.values;
    docsWithValue += survey.docsWithValue;
  }
  return { multi: values > docsWithValue, values, docsWithValue };
}

/** Base and largest code over all surviving keys. */
function keyRange(sources: readonly Source[]): CodeRange {
  let minHi = 0x7fffffff;
  let minLo = 0xffffffff;
  let maxHi = -0x80000000;
  let maxLo = 0;
  let any = false;
  for (const { column, survey } of sources) {
    if (survey.docsWithValue === 0) continue;
    any = true;
    const lowHi = column.keyHi(survey.minCodeLo, survey.minCodeHi);
    const lowLo = column.keyLo(survey.minCodeLo);
    const highHi = column.keyHi(survey.maxCodeLo, survey.maxCodeHi);
    const highLo = column.keyLo(survey.maxCodeLo);
    if (compareKeys(lowHi, lowLo, minHi, minLo) < 0) {
      minHi = lowHi;
      minLo = lowLo;
    }
    if (compareKeys(highHi, highLo, maxHi, maxLo) > 0) {
      maxHi = highHi;
      maxLo = highLo;
    }
  }
  if (!any) return NO_CODES;
  const borrow = maxLo < minLo ? 1 : 0;
  return {
    baseHi: minHi,
    baseLo: minLo,
    maxCodeHi: (maxHi - minHi - borrow) >>> 0,
    maxCodeLo: (maxLo - minLo) >>> 0,
  };
}

/** Multi-valued target: fills its starts from the number of values of each surviving document. */
function fillStarts(target: ColumnReader, inputs: readonly MergeInput<ColumnReader | null>[]): void {
  if (!target.multi) return;
  const { starts } = target;
  let at = 0;
  for (const { reader, maxDoc, base, map } of inputs) {
    for (let doc = 0; doc < maxDoc; doc++) {
      const to = map === null ? base + doc : map[doc];
      if (to === DROPPED_DOC) continue;
      if (reader !== null) at += reader.endIndex(doc) - reader.firstIndex(doc);
      starts[to + 1] = at;
    }
  }
}

/** Copies the present bits and the codes of the surviving documents of `source`, moved from its base to the target's. */
function copyNumbers(target: ColumnReader, source: Source): void {
  const { column, input } = source;
  const { map, base } = input;
  const { codes, multi, starts, present, width } = target;
  const from = column.codes;
  const wide = column.width === 8;
  const shiftLo = (column.baseLo - target.baseLo) >>> 0;
  const shiftHi = column.baseHi - target.baseHi - (column.baseLo < target.baseLo ? 1 : 0);
  for (let doc = 0; doc < column.maxDoc; doc++) {
    const to = map === null ? base + doc : map[doc];
    if (to === DROPPED_DOC) continue;
    const end = column.endIndex(doc);
    let at = multi ? starts[to] : to;
    let i = column.firstIndex(doc);
    if (i === end) continue;
    if (present.length > 0) present[to >>> 5] |= 1 << (to & 31);
    for (; i < end; i++, at++) {
      const lo = (wide ? from[2 * i] : from[i]) + shiftLo;
      if (width < 8) {
        codes[at] = lo;
      } else {
        codes[2 * at] = lo;
        codes[2 * at + 1] = (wide ? from[2 * i + 1] : 0) + shiftHi + (lo > 0xffffffff ? 1 : 0);
      }
    }
  }
}

/** Copies the present bits and the new ordinals of the surviving documents of `source`. */
function copyOrdinals(target: ColumnReader, source: Source, newOrds: Uint32Array): void {
  const { column, input } = source;
  const { map, base } = input;
  const { codes, multi, starts, present } = target;
  const from = column.codes;
  for (let doc = 0; doc < column.maxDoc; doc++) {
    const to = map === null ? base + doc : map[doc];
    if (to === DROPPED_DOC) continue;
    const end = column.endIndex(doc);
    let at = multi ? starts[to] : to;
    let i = column.firstIndex(doc);
    if (i === end) continue;
    if (present.length > 0) present[to >>> 5] |= 1 << (to & 31);
    for (; i < end; i++, at++) codes[at] = newOrds[from[i]];
  }
}
