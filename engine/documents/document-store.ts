/**
 * The document store of a segment: every document's JSON bytes, exactly as received.
 *
 * Written by the segment builder and merger, read to answer fetches and to splice hits into responses. Never parses or
 * changes a document. Layout in layout/documents.ts.
 */
import { assert } from '../core/assert.js';
import type { MergeInput } from '../core/merge-input.js';
import type { RegionViews } from '../memory/arena.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { U32List } from './byte-pool.js';
import {
  ByteRows,
  beginRows,
  liveByteCount,
  liveRowCount,
  mergedEnds,
  mergeRows,
  reserveRowBytes,
  rowsBound,
} from './byte-rows.js';

/** The documents of a segment about to be written. Keeps references to the bodies they came in, and copies once. */
export class DocumentStoreBuilder {
  readonly #bodies: Uint8Array[] = [];
  /** Number of the first document of each body. */
  readonly #firstDocs = new U32List();
  readonly #starts = new U32List();
  readonly #ends = new U32List();
  #byteCount = 0;

  get count(): number {
    return this.#starts.length;
  }

  /** Bytes of all documents. */
  get byteCount(): number {
    return this.#byteCount;
  }

  /** Adds the document bytes[start..end), which must stay as it is until write(). */
  add(bytes: Uint8Array, start: number, end: number): void {
    assert(start < end, 'a document has bytes');
    if (this.#bodies.length === 0 || this.#bodies[this.#bodies.length - 1] !== bytes) {
      this.#bodies.push(bytes);
      this.#firstDocs.push(this.#starts.length);
    }
    this.#starts.push(start);
    this.#ends.push(end);
    this.#byteCount += end - start;
  }

  /** Upper bound of what write() appends. */
  sizeBound(): number {
    return rowsBound(this.count, this.#byteCount);
  }

  /** Appends the store and returns its offset. May be repeated after a RegionFullError. */
  write(writer: RegionWriter): number {
    const { count } = this;
    const header = beginRows(writer, this.#rowEnds());
    const bytes = reserveRowBytes(writer, header);
    const { u8 } = writer.views;
    let position = 0;
    for (let i = 0; i < this.#bodies.length; i++) {
      const body = this.#bodies[i];
      const last = i + 1 < this.#bodies.length ? this.#firstDocs.values[i + 1] : count;
      for (let doc = this.#firstDocs.values[i]; doc < last; doc++) {
        const from = this.#starts.values[doc];
        const to = this.#ends.values[doc];
        u8.set(body.subarray(from, to), bytes + position);
        position += to - from;
      }
    }
    assert(position === this.#byteCount, 'every document was copied');
    return header;
  }

  /** Where each document ends in the store. */
  #rowEnds(): Uint32Array {
    const rows = new Uint32Array(this.count);
    const starts = this.#starts.values;
    const ends = this.#ends.values;
    let position = 0;
    for (let doc = 0; doc < rows.length; doc++) {
      position += ends[doc] - starts[doc];
      rows[doc] = position;
    }
    return rows;
  }

  /** Forgets every document and the bodies they came in. */
  reset(): void {
    this.#bodies.length = 0;
    this.#firstDocs.reset();
    this.#starts.reset();
    this.#ends.reset();
    this.#byteCount = 0;
  }
}

/** The documents of a segment. Ranges are offsets into the `u8` view of the segment's region. */
export class DocumentStoreReader {
  readonly rows: ByteRows;

  /** `offset` is what the writer returned. */
  constructor(views: RegionViews, offset: number) {
    this.rows = new ByteRows(views, offset);
  }

  get maxDoc(): number {
    return this.rows.count;
  }

  /** Offset of the document's opening brace. */
  start(doc: number): number {
    return this.rows.start(doc);
  }

  /** Offset past the document's closing brace. */
  end(doc: number): number {
    return this.rows.end(doc);
  }
}

/** Upper bound of what mergeDocumentStores() appends. */
export function documentStoreMergeBound(inputs: readonly MergeInput<DocumentStoreReader>[]): number {
  return rowsBound(liveRowCount(inputs), liveByteCount(inputs));
}

/** Appends a store of the surviving documents of `inputs`, in their order, and returns its offset. */
export function mergeDocumentStores(writer: RegionWriter, inputs: readonly MergeInput<DocumentStoreReader>[]): number {
  const header = beginRows(writer, mergedEnds(inputs));
  mergeRows(writer, header, inputs);
  return header;
}
