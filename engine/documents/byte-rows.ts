/**
 * Rows of bytes, one a document, in document order: what the document store and the id table have in common.
 *
 * Layout in layout/documents.ts. Used by those two alone; knows nothing of what a row holds.
 */
import { assert } from '../core/assert.js';
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import { ROWS_BYTE_COUNT, ROWS_BYTES, ROWS_COUNT, ROWS_HEADER_BYTES, ROWS_STARTS } from '../layout/documents.js';
import type { RegionViews } from '../memory/arena.js';
import type { RegionWriter } from '../memory/region-writer.js';

/** Rows as they lie in a segment. Ranges are offsets into the views of the segment's region. */
export class ByteRows {
  readonly views: RegionViews;
  readonly count: number;
  readonly byteCount: number;
  /** Offset of the first row's first byte. */
  readonly bytes: number;
  /** Index of starts[0] in views.u32. */
  readonly #starts: number;

  /** `header` is the offset of the section. */
  constructor(views: RegionViews, header: number) {
    assert(header % SECTION_ALIGN === 0, 'rows are aligned');
    const { u32 } = views;
    this.views = views;
    this.count = u32[(header + ROWS_COUNT) >> 2];
    this.byteCount = u32[(header + ROWS_BYTE_COUNT) >> 2];
    this.bytes = u32[(header + ROWS_BYTES) >> 2];
    this.#starts = u32[(header + ROWS_STARTS) >> 2] >> 2;
    assert(this.bytes + this.byteCount <= views.u8.length, 'rows lie in their region');
    assert(u32[this.#starts + this.count] === this.byteCount, 'the last row ends where the rows do');
  }

  /** Offset of row `doc`'s first byte in views.u8. */
  start(doc: number): number {
    return this.bytes + this.views.u32[this.#starts + doc];
  }

  /** Offset past row `doc`'s last byte in views.u8. */
  end(doc: number): number {
    return this.bytes + this.views.u32[this.#starts + doc + 1];
  }
}

/** Upper bound of the bytes of a section of `count` rows with `byteCount` bytes in all, alignment included. */
export function rowsBound(count: number, byteCount: number): number {
  return ROWS_HEADER_BYTES + (count + 1) * 4 + byteCount + 3 * SECTION_ALIGN;
}

/** Takes a zeroed header at the next section boundary and the starts after it; returns the header's offset. */
export function beginRows(writer: RegionWriter, count: number): number {
  writer.align(SECTION_ALIGN);
  const header = writer.reserveZeroed(ROWS_HEADER_BYTES);
  const starts = writer.reserve((count + 1) * 4);
  const { u32 } = writer.views;
  u32[(header + ROWS_COUNT) >> 2] = count;
  u32[(header + ROWS_STARTS) >> 2] = starts;
  u32[starts >> 2] = 0;
  return header;
}

/** Takes the rows' bytes at the next section boundary and returns the offset of the first. */
export function reserveRowBytes(writer: RegionWriter, header: number, byteCount: number): number {
  writer.align(SECTION_ALIGN);
  const bytes = writer.reserve(byteCount);
  const { u32 } = writer.views;
  u32[(header + ROWS_BYTES) >> 2] = bytes;
  u32[(header + ROWS_BYTE_COUNT) >> 2] = byteCount;
  return bytes;
}

/** Bytes of the surviving rows of `inputs`. */
export function liveByteCount(inputs: readonly MergeInput<{ readonly rows: ByteRows }>[]): number {
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

/**
 * Fills the starts and bytes of the section at `header`, begun with liveRowCount(inputs) rows, with the surviving rows
 * of `inputs` in their order. Rows between two dropped ones are copied at once.
 */
export function mergeRows(
  writer: RegionWriter,
  header: number,
  inputs: readonly MergeInput<{ readonly rows: ByteRows }>[],
): void {
  const byteCount = liveByteCount(inputs);
  const bytes = reserveRowBytes(writer, header, byteCount);
  const { u32, u8 } = writer.views;
  const starts = u32[(header + ROWS_STARTS) >> 2] >> 2;
  let next = 0;
  let written = 0;
  for (const { reader, map, maxDoc, base, liveCount } of inputs) {
    const { rows } = reader;
    const before = next;
    assert(rows.count === maxDoc, 'a source has a row for each document');
    assert(base === next || liveCount === 0, 'sources are numbered one after the other');
    for (let doc = 0; doc < maxDoc; ) {
      if (map !== null && map[doc] === DROPPED_DOC) {
        doc++;
        continue;
      }
      assert(map === null || map[doc] === next, 'survivors keep their order');
      const from = rows.start(doc);
      let to = from;
      for (; doc < maxDoc && (map === null || map[doc] !== DROPPED_DOC); doc++) {
        to = rows.end(doc);
        u32[starts + ++next] = written + (to - from);
      }
      u8.set(rows.views.u8.subarray(from, to), bytes + written);
      written += to - from;
    }
    assert(next === before + liveCount, 'as many rows survive as the input says');
  }
  assert(written === byteCount, 'every surviving byte was copied');
}
