/**
 * Rows of bytes, one a document, in document order: what the document store and the id table have in common.
 *
 * Layout in layout/documents.ts. Used by those two alone; knows nothing of what a row holds.
 */
import { assert } from '../core/assert.js';
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  ROWS_BLOCK_SHIFT,
  ROWS_BYTE_COUNT,
  ROWS_BYTES,
  ROWS_COUNT,
  ROWS_HEADER_BYTES,
  ROWS_START_WIDTH,
  ROWS_STARTS,
} from '../layout/documents.js';
import type { RegionViews } from '../memory/arena.js';
import type { RegionWriter } from '../memory/region-writer.js';

const BLOCK_ROWS = 1 << ROWS_BLOCK_SHIFT;
const U16_MAX = 0xffff;

/** Rows as they lie in a segment. Ranges are offsets into the views of the segment's region. */
export class ByteRows {
  readonly views: RegionViews;
  readonly count: number;
  readonly byteCount: number;
  /** Offset of the first row's first byte. */
  readonly bytes: number;
  /** Index in views.u32 of the starts, or where they are narrow, of those of every block of rows. */
  readonly #starts: number;
  /** Index in views.u16 of the rows' starts within their block; 0 where the starts are wide. */
  readonly #narrow: number;

  /** `header` is the offset of the section. */
  constructor(views: RegionViews, header: number) {
    assert(header % SECTION_ALIGN === 0, 'rows are aligned');
    const { u32 } = views;
    this.views = views;
    this.count = u32[(header + ROWS_COUNT) >> 2];
    this.byteCount = u32[(header + ROWS_BYTE_COUNT) >> 2];
    this.bytes = u32[(header + ROWS_BYTES) >> 2];
    this.#starts = u32[(header + ROWS_STARTS) >> 2] >> 2;
    const width = u32[(header + ROWS_START_WIDTH) >> 2];
    assert(width === 2 || width === 4, 'starts are narrow or wide');
    this.#narrow = width === 2 ? (this.#starts + blockCount(this.count)) * 2 : 0;
    assert(this.bytes + this.byteCount <= views.u8.length, 'rows lie in their region');
    assert(this.start(this.count) === this.bytes + this.byteCount, 'the last row ends where the rows do');
  }

  /** Offset of row `doc`'s first byte in views.u8. */
  start(doc: number): number {
    const { u16, u32 } = this.views;
    return this.#narrow === 0
      ? this.bytes + u32[this.#starts + doc]
      : this.bytes + u32[this.#starts + (doc >>> ROWS_BLOCK_SHIFT)] + u16[this.#narrow + doc];
  }

  /** Offset past row `doc`'s last byte in views.u8. */
  end(doc: number): number {
    return this.start(doc + 1);
  }
}

/** Blocks of the starts of `count` rows, that of the end included. */
const blockCount = (count: number): number => (count >>> ROWS_BLOCK_SHIFT) + 1;

/** Upper bound of the bytes of a section of `count` rows with `byteCount` bytes in all, alignment included. */
export function rowsBound(count: number, byteCount: number): number {
  return ROWS_HEADER_BYTES + (count + 1) * 4 + byteCount + 3 * SECTION_ALIGN;
}

/** Takes a zeroed header at the next section boundary, of `count` rows; returns its offset. */
export function reserveRowsHeader(writer: RegionWriter, count: number): number {
  writer.align(SECTION_ALIGN);
  const header = writer.reserveZeroed(ROWS_HEADER_BYTES);
  writer.views.u32[(header + ROWS_COUNT) >> 2] = count;
  return header;
}

/**
 * Takes a zeroed header at the next section boundary and the starts after it, of rows that end at `ends`, counted from
 * the first byte of the first; returns the header's offset.
 */
export function beginRows(writer: RegionWriter, ends: Uint32Array): number {
  const header = reserveRowsHeader(writer, ends.length);
  writeStarts(writer, header, ends);
  return header;
}

/** Takes the starts of the section at `header`, of rows that end at `ends`, at the current position, a multiple of 4. */
export function writeStarts(writer: RegionWriter, header: number, ends: Uint32Array): void {
  const count = ends.length;
  const isNarrow = fitsNarrow(ends);
  const bases = blockCount(count);
  const starts = writer.reserve(isNarrow ? bases * 4 + (count + 1) * 2 : (count + 1) * 4);
  const { u16, u32 } = writer.views;
  u32[(header + ROWS_STARTS) >> 2] = starts;
  u32[(header + ROWS_BYTE_COUNT) >> 2] = count === 0 ? 0 : ends[count - 1];
  u32[(header + ROWS_START_WIDTH) >> 2] = isNarrow ? 2 : 4;
  const at = starts >> 2;
  if (!isNarrow) {
    u32[at] = 0;
    u32.set(ends, at + 1);
    return;
  }
  const narrow = (at + bases) * 2;
  for (let row = 0, base = 0; row <= count; row++) {
    const start = row === 0 ? 0 : ends[row - 1];
    if (row % BLOCK_ROWS === 0) {
      base = start;
      u32[at + (row >>> ROWS_BLOCK_SHIFT)] = base;
    }
    u16[narrow + row] = start - base;
  }
}

/** Whether no row starts too far from its block's first for 16 bits, and narrow starts take less room. */
function fitsNarrow(ends: Uint32Array): boolean {
  const count = ends.length;
  if (count < BLOCK_ROWS) return false;
  for (let first = 0; first <= count; first += BLOCK_ROWS) {
    const last = Math.min(first + BLOCK_ROWS - 1, count);
    if ((last === 0 ? 0 : ends[last - 1]) - (first === 0 ? 0 : ends[first - 1]) > U16_MAX) return false;
  }
  return true;
}

/** Takes the rows' bytes at the next section boundary and returns the offset of the first. */
export function reserveRowBytes(writer: RegionWriter, header: number): number {
  writer.align(SECTION_ALIGN);
  const bytes = writer.reserve(writer.views.u32[(header + ROWS_BYTE_COUNT) >> 2]);
  writer.views.u32[(header + ROWS_BYTES) >> 2] = bytes;
  return bytes;
}

type RowsInputs = readonly MergeInput<{ readonly rows: ByteRows }>[];

/** Bytes of the surviving rows of `inputs`. */
export function liveByteCount(inputs: RowsInputs): number {
  let total = 0;
  for (const { reader, map, maxDoc } of inputs) {
    if (map === null) {
      total += reader.rows.byteCount;
      continue;
    }
    for (let doc = 0; doc < maxDoc; doc++) {
      if (map[doc] !== DROPPED_DOC) total += reader.rows.end(doc) - reader.rows.start(doc);
    }
  }
  return total;
}

/** Rows that survive in `inputs`. */
export function liveRowCount(inputs: readonly MergeInput<unknown>[]): number {
  let total = 0;
  for (const input of inputs) total += input.liveCount;
  return total;
}

/** Where the surviving rows of `inputs`, one after the other, end. */
export function mergedEnds(inputs: RowsInputs): Uint32Array {
  const ends = new Uint32Array(liveRowCount(inputs));
  let next = 0;
  let end = 0;
  for (const { reader, map, maxDoc, base, liveCount } of inputs) {
    const { rows } = reader;
    assert(rows.count === maxDoc, 'a source has a row for each document');
    assert(base === next || liveCount === 0, 'sources are numbered one after the other');
    const before = next;
    for (let doc = 0, start = rows.start(0); doc < maxDoc; doc++) {
      const after = rows.end(doc);
      if (map === null || map[doc] !== DROPPED_DOC) {
        assert(map === null || map[doc] === next, 'survivors keep their order');
        end += after - start;
        ends[next++] = end;
      }
      start = after;
    }
    assert(next === before + liveCount, 'as many rows survive as the input says');
  }
  return ends;
}

/** Fills the bytes of the section at `header`, begun with mergedEnds(inputs). Rows between two dropped ones are copied at once. */
export function mergeRows(writer: RegionWriter, header: number, inputs: RowsInputs): void {
  const bytes = reserveRowBytes(writer, header);
  const { u32, u8 } = writer.views;
  let written = 0;
  for (const { reader, map, maxDoc } of inputs) {
    const { rows } = reader;
    for (let doc = 0; doc < maxDoc; ) {
      if (map !== null && map[doc] === DROPPED_DOC) {
        doc++;
        continue;
      }
      const from = rows.start(doc);
      if (map === null) doc = maxDoc;
      else while (doc < maxDoc && map[doc] !== DROPPED_DOC) doc++;
      const to = rows.start(doc);
      u8.set(rows.views.u8.subarray(from, to), bytes + written);
      written += to - from;
    }
  }
  assert(written === u32[(header + ROWS_BYTE_COUNT) >> 2], 'every surviving byte was copied');
}
