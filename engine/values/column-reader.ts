/**
 * One column of one segment, as readers see it: values by document, the keyword dictionary, and the addresses kernels
 * take. The bytes are drawn in layout/columns.ts.
 *
 * Made per segment view by the segment reader; used by filters, facets, sorting and merging. Never writes.
 */
import { assert } from '../core/assert.js';
import {
  COLUMN_BASE,
  COLUMN_CARDINALITY,
  COLUMN_CODES,
  COLUMN_DICT_BYTES,
  COLUMN_DICT_HASHES,
  COLUMN_DICT_OFFSETS,
  COLUMN_FLAG_MULTI,
  COLUMN_FLAGS,
  COLUMN_KIND,
  COLUMN_KIND_KEYWORD,
  COLUMN_KIND_NUMBER,
  COLUMN_MAX_CODE,
  COLUMN_PRESENT,
  COLUMN_STARTS,
  COLUMN_VALUE_COUNT,
  COLUMN_WIDTH,
  COLUMN_ZONES,
  ZONE_DOCS,
} from '../layout/columns.js';
import type { RegionViews } from '../memory/arena.js';
import { compareValues } from './value-bytes.js';

export type ColumnKind = 'number' | 'keyword';
export type CodeArray = Uint8Array | Uint16Array | Uint32Array;

const NOTHING = new Uint32Array(0);

export class ColumnReader {
  readonly views: RegionViews;
  readonly offset: number;
  readonly maxDoc: number;
  readonly kind: ColumnKind;
  /** Bytes per code: 1, 2, 4 or 8. */
  readonly width: number;
  /** Some document has several values: a document's codes are codes[starts[doc]] up to codes[starts[doc + 1]]. */
  readonly multi: boolean;
  readonly valueCount: number;
  /** Numbers: the smallest key, signed high half and unsigned low half. */
  readonly baseHi: number;
  readonly baseLo: number;
  /** The largest code, unsigned halves. */
  readonly maxCodeHi: number;
  readonly maxCodeLo: number;
  /** Keywords: distinct values; numbers: 0. */
  readonly cardinality: number;

  /** Absolute addresses for kernels. `startsPtr` 0: single-valued; `presentPtr` 0: every document has the field. */
  readonly codesPtr: number;
  readonly startsPtr: number;
  readonly presentPtr: number;
  readonly zonesPtr: number;

  /** The codes: Uint8Array, Uint16Array, Uint32Array by width; at width 8 a Uint32Array of pairs (low, high). */
  readonly codes: CodeArray;
  /** Multi-valued: maxDoc + 1 indexes into the codes; else empty. */
  readonly starts: Uint32Array;
  /** One bit a document, least significant first; empty when every document has the field. */
  readonly present: Uint32Array;
  /** Four words a zone: smallest code (low, high), largest code (low, high). */
  readonly zones: Uint32Array;
  /** Keywords: cardinality + 1 offsets from the start of the dictionary's bytes. */
  readonly dictOffsets: Uint32Array;
  /** Keywords: two words a value, its 64-bit hash (low, high). */
  readonly dictHashes: Uint32Array;
  /** Offset of the dictionary's bytes within the region. */
  readonly dictBase: number;

  constructor(views: RegionViews, offset: number, maxDoc: number) {
    const { region, u32 } = views;
    const header = offset >> 2;
    const word = (at: number): number => u32[header + (at >> 2)];
    const words = (from: number, count: number): Uint32Array =>
      from === 0 ? NOTHING : u32.subarray(from >> 2, (from >> 2) + count);
    const address = (from: number): number => (from === 0 ? 0 : region.ptr + from);
    const kind = word(COLUMN_KIND);
    assert(kind === COLUMN_KIND_NUMBER || kind === COLUMN_KIND_KEYWORD, 'column kind is known');
    this.views = views;
    this.offset = offset;
    this.maxDoc = maxDoc;
    this.kind = kind === COLUMN_KIND_NUMBER ? 'number' : 'keyword';
    this.width = word(COLUMN_WIDTH);
    this.multi = (word(COLUMN_FLAGS) & COLUMN_FLAG_MULTI) !== 0;
    this.valueCount = word(COLUMN_VALUE_COUNT);
    this.baseLo = word(COLUMN_BASE);
    this.baseHi = word(COLUMN_BASE + 4) | 0;
    this.maxCodeLo = word(COLUMN_MAX_CODE);
    this.maxCodeHi = word(COLUMN_MAX_CODE + 4);
    this.cardinality = word(COLUMN_CARDINALITY);
    this.codesPtr = address(word(COLUMN_CODES));
    this.startsPtr = address(word(COLUMN_STARTS));
    this.presentPtr = address(word(COLUMN_PRESENT));
    this.zonesPtr = address(word(COLUMN_ZONES));
    this.codes = codesView(views, word(COLUMN_CODES), this.width, this.valueCount);
    this.starts = words(word(COLUMN_STARTS), maxDoc + 1);
    this.present = words(word(COLUMN_PRESENT), (maxDoc + 31) >>> 5);
    this.zones = words(word(COLUMN_ZONES), 4 * zoneCount(maxDoc));
    this.dictOffsets = words(word(COLUMN_DICT_OFFSETS), this.cardinality + 1);
    this.dictHashes = words(word(COLUMN_DICT_HASHES), 2 * this.cardinality);
    this.dictBase = word(COLUMN_DICT_BYTES);
  }

  /** Throws when the arrays of a finished column do not fit each other or their region, as only damage makes them. */
  check(): void {
    const { maxDoc, codes, starts, present, zones, dictOffsets, dictHashes, cardinality, multi, valueCount } = this;
    assert(codes.length === valueCount * (this.width === 8 ? 2 : 1), 'the codes lie in their region');
    assert(multi === starts.length > 0, 'a column of many values has starts');
    assert(multi ? starts[maxDoc] === valueCount : valueCount === maxDoc, 'the codes are those of the documents');
    assert(present.length === 0 || present.length === (maxDoc + 31) >>> 5, 'the present bits lie in their region');
    assert(zones.length === 4 * zoneCount(maxDoc), 'the zones lie in their region');
    if (this.kind === 'number') return;
    assert(dictOffsets.length === cardinality + 1, 'the dictionary lies in its region');
    assert(dictHashes.length === 2 * cardinality, 'the hashes of the dictionary lie in their region');
    assert(
      this.dictBase + dictOffsets[cardinality] <= this.views.region.bytes,
      'the values of the dictionary lie in their region',
    );
  }

  /** Whether `doc` has at least one value. */
  has(doc: number): boolean {
    return this.present.length === 0 || ((this.present[doc >>> 5] >>> (doc & 31)) & 1) === 1;
  }

  /** Index of the document's first code. */
  firstIndex(doc: number): number {
    return this.multi ? this.starts[doc] : doc;
  }

  /** Index past the document's last code; equals firstIndex(doc) when the document lacks the field. */
  endIndex(doc: number): number {
    // Bounded, so that a damaged start is no endless list.
    if (this.multi) return Math.min(this.starts[doc + 1], this.valueCount);
    return this.has(doc) ? doc + 1 : doc;
  }

  /** Low half of the code at `index`, unsigned; the whole code unless the width is 8. */
  codeLo(index: number): number {
    return this.width === 8 ? this.codes[2 * index] : this.codes[index];
  }

  /** High half of the code at `index`, unsigned; 0 unless the width is 8. */
  codeHi(index: number): number {
    return this.width === 8 ? this.codes[2 * index + 1] : 0;
  }

  /** Numbers: low half of the key of a code whose low half is `codeLo`, unsigned. */
  keyLo(codeLo: number): number {
    return (this.baseLo + codeLo) >>> 0;
  }

  /** Numbers: high half of the key of a code, signed. */
  keyHi(codeLo: number, codeHi: number): number {
    return (this.baseHi + codeHi + (this.baseLo + codeLo > 0xffffffff ? 1 : 0)) | 0;
  }

  /** Keywords: offset within `views.u8` of the first byte of value `ord`. */
  dictStart(ord: number): number {
    return this.dictBase + this.dictOffsets[ord];
  }

  /** Keywords: offset within `views.u8` past the last byte of value `ord`. */
  dictEnd(ord: number): number {
    return this.dictBase + this.dictOffsets[ord + 1];
  }

  /** Keywords: the first ordinal whose value is at or past the bytes [start, end) in byte order; may be `cardinality`. */
  lowerBound(bytes: Uint8Array, start: number, end: number): number {
    let low = 0;
    let high = this.cardinality;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, bytes, start, end) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Keywords: ordinal of the value equal to the bytes [start, end), or -(insertion + 1) when there is none. */
  findOrd(bytes: Uint8Array, start: number, end: number): number {
    const ord = this.lowerBound(bytes, start, end);
    return ord < this.cardinality && this.#compare(ord, bytes, start, end) === 0 ? ord : -(ord + 1);
  }

  #compare(ord: number, bytes: Uint8Array, start: number, end: number): number {
    return compareValues(this.views.u8, this.dictStart(ord), this.dictEnd(ord), bytes, start, end);
  }
}

/** Zones of ZONE_DOCS documents, the last one partial, in a segment of `maxDoc` documents. */
export function zoneCount(maxDoc: number): number {
  return Math.ceil(maxDoc / ZONE_DOCS);
}

/** The codes at byte `offset` of the region: one element a code, two (low, high) at width 8. */
function codesView(views: RegionViews, offset: number, width: number, count: number): CodeArray {
  if (width === 1) return views.u8.subarray(offset, offset + count);
  if (width === 2) return views.u16.subarray(offset >> 1, (offset >> 1) + count);
  if (width === 4) return views.u32.subarray(offset >> 2, (offset >> 2) + count);
  assert(width === 8, 'column width is 1, 2, 4 or 8');
  return views.u32.subarray(offset >> 2, (offset >> 2) + 2 * count);
}
