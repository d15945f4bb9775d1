/**
 * Lays the sections of a column into a region: the one order of bytes in which both the builder and the merge write, so
 * that a merged column equals an indexed one byte for byte. The layout is drawn in layout/columns.ts.
 */
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  COLUMN_BASE,
  COLUMN_CARDINALITY,
  COLUMN_CODES,
  COLUMN_DICT_BYTES,
  COLUMN_DICT_HASHES,
  COLUMN_DICT_OFFSETS,
  COLUMN_FLAG_MULTI,
  COLUMN_FLAGS,
  COLUMN_HEADER_BYTES,
  COLUMN_KIND,
  COLUMN_KIND_KEYWORD,
  COLUMN_KIND_NUMBER,
  COLUMN_MAX_CODE,
  COLUMN_PRESENT,
  COLUMN_STARTS,
  COLUMN_VALUE_COUNT,
  COLUMN_WIDTH,
  COLUMN_ZONES,
  ZONE_BYTES,
  ZONE_DOCS,
  ZONE_MAX,
  ZONE_MIN,
} from '../layout/columns.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { type ColumnKind, ColumnReader, zoneCount } from './column-reader.js';

/** Words of a zone: the halves of its least and its greatest code. */
const ZONE_WORDS = ZONE_BYTES >> 2;
const MIN_LOW = ZONE_MIN >> 2;
const MIN_HIGH = MIN_LOW + 1;
const MAX_LOW = ZONE_MAX >> 2;
const MAX_HIGH = MAX_LOW + 1;

export interface ValueCounts {
  /** Some document has more than one. */
  readonly multi: boolean;
  /** Values of all documents together, each distinct within its document. */
  readonly values: number;
  /** Documents with a value. */
  readonly docsWithValue: number;
}

export interface CodeRange {
  /** Numbers: smallest key. */
  readonly baseHi: number;
  readonly baseLo: number;
  /** Largest code. */
  readonly maxCodeHi: number;
  readonly maxCodeLo: number;
}

/** Keywords: the distinct values. */
export interface DictionarySize {
  readonly cardinality: number;
  readonly byteCount: number;
}

export const NO_DICTIONARY: DictionarySize = { cardinality: 0, byteCount: 0 };

/** The codes of a keyword column: ordinals. */
export const ordinalRange = (cardinality: number): CodeRange => ({
  baseHi: 0,
  baseLo: 0,
  maxCodeHi: 0,
  maxCodeLo: Math.max(0, cardinality - 1),
});

/** All that decides the size of a column's sections. */
export interface ColumnShape {
  readonly kind: ColumnKind;
  readonly maxDoc: number;
  readonly counts: ValueCounts;
  readonly range: CodeRange;
  readonly dictionary: DictionarySize;
}

/** Bytes per code, given the largest one. */
function codeWidth({ maxCodeHi, maxCodeLo }: CodeRange): number {
  if (maxCodeHi !== 0) return 8;
  if (maxCodeLo > 0xffff) return 4;
  return maxCodeLo > 0xff ? 2 : 1;
}

const aligned = (bytes: number): number => Math.ceil(bytes / SECTION_ALIGN) * SECTION_ALIGN;
const codeCount = ({ counts, maxDoc }: ColumnShape): number => (counts.multi ? counts.values : maxDoc);
const presentBytes = (maxDoc: number): number => 8 * Math.ceil(maxDoc / 64);

/** Bytes that a column of `shape` takes in a region, the padding before it included. */
export function columnBytes(shape: ColumnShape): number {
  const { maxDoc, counts, range, dictionary } = shape;
  let bytes = SECTION_ALIGN + COLUMN_HEADER_BYTES;
  bytes += aligned(codeCount(shape) * codeWidth(range));
  if (counts.multi) bytes += aligned(4 * (maxDoc + 1));
  if (counts.docsWithValue < maxDoc) bytes += aligned(presentBytes(maxDoc));
  bytes += aligned(ZONE_BYTES * zoneCount(maxDoc));
  if (shape.kind === 'number') return bytes;
  const { cardinality, byteCount } = dictionary;
  return bytes + aligned(4 * (cardinality + 1)) + aligned(byteCount) + aligned(8 * cardinality);
}

/** Takes an aligned, zeroed section of `bytes` bytes, padded to SECTION_ALIGN, and returns its offset. */
function section(out: RegionWriter, bytes: number): number {
  const offset = out.reserveZeroed(bytes);
  out.align(SECTION_ALIGN);
  return offset;
}

/**
 * Writes the header of a column and takes its sections, all zero, at the writer's position. The returned reader's
 * arrays are those sections: the caller fills codes, starts, present and the dictionary, then calls writeZones().
 * Errors: RegionFullError.
 */
export function reserveColumn(out: RegionWriter, shape: ColumnShape): ColumnReader {
  const { maxDoc, range } = shape;
  const { multi, docsWithValue } = shape.counts;
  const { cardinality, byteCount } = shape.dictionary;
  const keyword = shape.kind === 'keyword';
  const width = codeWidth(range);
  const count = codeCount(shape);
  out.align(SECTION_ALIGN);
  const header = out.reserveZeroed(COLUMN_HEADER_BYTES);
  const put = (at: number, value: number): void => {
    out.views.u32[(header + at) >> 2] = value;
  };
  put(COLUMN_KIND, keyword ? COLUMN_KIND_KEYWORD : COLUMN_KIND_NUMBER);
  put(COLUMN_WIDTH, width);
  put(COLUMN_FLAGS, multi ? COLUMN_FLAG_MULTI : 0);
  put(COLUMN_VALUE_COUNT, count);
  put(COLUMN_BASE, range.baseLo);
  put(COLUMN_BASE + 4, range.baseHi);
  put(COLUMN_MAX_CODE, range.maxCodeLo);
  put(COLUMN_MAX_CODE + 4, range.maxCodeHi);
  put(COLUMN_CODES, section(out, count * width));
  if (multi) put(COLUMN_STARTS, section(out, 4 * (maxDoc + 1)));
  if (docsWithValue < maxDoc) put(COLUMN_PRESENT, section(out, presentBytes(maxDoc)));
  put(COLUMN_ZONES, section(out, ZONE_BYTES * zoneCount(maxDoc)));
  put(COLUMN_CARDINALITY, cardinality);
  if (keyword) {
    put(COLUMN_DICT_OFFSETS, section(out, 4 * (cardinality + 1)));
    put(COLUMN_DICT_BYTES, section(out, byteCount));
    put(COLUMN_DICT_HASHES, section(out, 8 * cardinality));
  }
  return new ColumnReader(out.views, header, maxDoc);
}

/** Fills the zone map of a column whose codes, starts and present bits are in place. */
export function writeZones(column: ColumnReader): void {
  const { maxDoc, zones, multi, starts } = column;
  const zoneTotal = zoneCount(maxDoc);
  for (let zone = 0; zone < zoneTotal; zone++) {
    const doc = zone * ZONE_DOCS;
    const past = Math.min(maxDoc, doc + ZONE_DOCS);
    // min > max marks a zone without values.
    const at = zone * ZONE_WORDS;
    zones.fill(0xffffffff, at + MIN_LOW, at + MIN_HIGH + 1);
    zones.fill(0, at + MAX_LOW, at + MAX_HIGH + 1);
    if (multi) widenZone(column, zone, starts[doc], starts[past]);
    else if (column.present.length === 0) widenZone(column, zone, doc, past);
    else for (let i = doc; i < past; i++) if (column.has(i)) widenZone(column, zone, i, i + 1);
  }
}

/** Takes codes [first, end) into a zone's minimum and maximum. */
function widenZone(column: ColumnReader, zone: number, first: number, end: number): void {
  const { zones, codes } = column;
  const at = zone * ZONE_WORDS;
  if (column.width < 8) {
    let min = zones[at + MIN_LOW];
    let max = zones[at + MAX_LOW];
    for (let i = first; i < end; i++) {
      const code = codes[i];
      if (code < min) min = code;
      if (code > max) max = code;
    }
    if (first < end) zones[at + MIN_HIGH] = 0;
    zones[at + MIN_LOW] = min;
    zones[at + MAX_LOW] = max;
    return;
  }
  for (let i = first; i < end; i++) {
    const lo = codes[2 * i];
    const hi = codes[2 * i + 1];
    if (hi < zones[at + MIN_HIGH] || (hi === zones[at + MIN_HIGH] && lo < zones[at + MIN_LOW])) {
      zones[at + MIN_LOW] = lo;
      zones[at + MIN_HIGH] = hi;
    }
    if (hi > zones[at + MAX_HIGH] || (hi === zones[at + MAX_HIGH] && lo > zones[at + MAX_LOW])) {
      zones[at + MAX_LOW] = lo;
      zones[at + MAX_HIGH] = hi;
    }
  }
}
