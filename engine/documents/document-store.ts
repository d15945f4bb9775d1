/**
 * The document store of a segment: every document's JSON bytes, exactly as received.
 *
 * Written by the segment builder, and by merges, which pack (merge-documents.ts); read to answer fetches and to splice hits
 * into responses. Never parses or changes a document. Layout in layout/documents.ts.
 */
import { assert } from '../core/assert.js';
import {
  PACKED_BYTES_MAX,
  PART_BYTES,
  PART_DICTIONARY,
  PART_DICTIONARY_BYTES,
  PART_FIRST,
  STORE_PART_COUNT,
  STORE_PARTS,
  STORE_RAW_HIGH,
  STORE_RAW_LOW,
} from '../layout/documents.js';
import { SCRATCH_DOCUMENT } from '../layout/scratch.js';
import type { RegionViews } from '../memory/arena.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { U32List } from './byte-pool.js';
import { ByteRows, beginRows, reserveRowBytes, rowsBound } from './byte-rows.js';

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

  /** The bytes of a document that was added. */
  document(doc: number): Uint8Array {
    const firsts = this.#firstDocs.view();
    let body = firsts.length - 1;
    while (firsts[body] > doc) body--;
    return this.#bodies[body].subarray(this.#starts.values[doc], this.#ends.values[doc]);
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

/** A stored document: a range of `bytes`, until the next one is read. */
export interface DocumentBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Documents from `first` on, up to the next part. */
export interface StorePart {
  readonly first: number;
  /** What its documents are packed with; null: nothing, they are as received. */
  readonly dictionary: Uint8Array | null;
}

/** The documents of a segment. */
export class DocumentStoreReader {
  readonly rows: ByteRows;
  /** Its absolute address. */
  readonly ptr: number;
  /** Index in views.u32 of the parts; 0: there is one, which is plain. */
  readonly #parts: number;
  readonly #partCount: number;
  /** Bytes of all documents as received. */
  readonly rawByteCount: number;
  readonly #read: { bytes: Uint8Array; start: number; end: number };

  /** `offset` is what the writer returned. */
  constructor(views: RegionViews, offset: number) {
    const word = (at: number): number => views.u32[(offset + at) >> 2];
    this.rows = new ByteRows(views, offset);
    this.ptr = views.region.ptr + offset;
    this.#read = { bytes: views.u8, start: 0, end: 0 };
    this.#parts = word(STORE_PARTS) >> 2;
    this.#partCount = word(STORE_PART_COUNT);
    this.rawByteCount = this.#parts === 0 ? this.rows.byteCount : word(STORE_RAW_LOW) + word(STORE_RAW_HIGH) * 2 ** 32;
  }

  get maxDoc(): number {
    return this.rows.count;
  }

  /** Its parts, at least one. */
  get parts(): StorePart[] {
    if (this.#parts === 0) return [{ first: 0, dictionary: null }];
    const { u8, u32 } = this.rows.views;
    return Array.from({ length: this.#partCount }, (_, part) => {
      const at = this.#parts + part * (PART_BYTES / 4);
      const dictionary = u32[at + PART_DICTIONARY / 4];
      const end = dictionary + u32[at + PART_DICTIONARY_BYTES / 4];
      return { first: u32[at + PART_FIRST / 4], dictionary: dictionary === 0 ? null : u8.subarray(dictionary, end) };
    });
  }

  /** Bytes of the document as received. Throws when it is damaged. */
  byteLength(doc: number): number {
    const start = this.rows.start(doc);
    const end = this.rows.end(doc);
    return this.#partOf(doc) === 0 ? end - start : this.#lengthOf(doc, start, end);
  }

  /**
   * The document as received: in the segment, or unpacked to the scratch area of `binding`, of the segment's arena. The object
   * is the same for every call. Throws when the document is damaged.
   */
  read(doc: number, { kernels, scratch }: ArenaBinding): DocumentBytes {
    const { views } = this.rows;
    const read = this.#read;
    read.bytes = views.u8;
    read.start = this.rows.start(doc);
    read.end = this.rows.end(doc);
    assert(read.start <= read.end && read.end <= views.u8.length, 'the document lies in its segment');
    const part = this.#partOf(doc);
    if (part === 0) return read;
    const length = this.#lengthOf(doc, read.start, read.end);
    read.start += lengthBytes(length);
    if (read.end - read.start === length) return read;
    const { ptr } = views.region;
    const dictionary = ptr + views.u32[part + PART_DICTIONARY / 4];
    const dictionaryBytes = views.u32[part + PART_DICTIONARY_BYTES / 4];
    const to = scratch.ptr + SCRATCH_DOCUMENT;
    if (kernels.unpackRow(ptr + read.start, ptr + read.end, dictionary, dictionaryBytes, to, to + length) !== length)
      throw damagedRow(doc);
    read.bytes = scratch.u8;
    read.start = SCRATCH_DOCUMENT;
    read.end = SCRATCH_DOCUMENT + length;
    return read;
  }

  /** The row of a document, and what it is packed with; null: nothing, it is as received. */
  rowOf(doc: number): { readonly start: number; readonly end: number; readonly dictionary: Uint8Array | null } {
    const { rows } = this;
    const { u8, u32 } = rows.views;
    const part = this.#partOf(doc);
    const start = part === 0 ? 0 : u32[part + PART_DICTIONARY / 4];
    const dictionary = part === 0 ? null : u8.subarray(start, start + u32[part + PART_DICTIONARY_BYTES / 4]);
    return { start: rows.start(doc), end: rows.end(doc), dictionary };
  }

  /** What the head of the row [start, end), of a part with a dictionary, says of the document's length. */
  #lengthOf(doc: number, start: number, end: number): number {
    const length = readLength(this.rows.views.u8, start);
    if (length > PACKED_BYTES_MAX && end - start !== length + lengthBytes(length)) throw damagedRow(doc);
    return length;
  }

  /** Index in views.u32 of the part that document `doc` lies in; 0: it is as received. */
  #partOf(doc: number): number {
    if (this.#parts === 0) return 0;
    const { u32 } = this.rows.views;
    let low = 0;
    let high = this.#partCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (u32[this.#parts + middle * (PART_BYTES / 4) + PART_FIRST / 4] <= doc) low = middle;
      else high = middle - 1;
    }
    const part = this.#parts + low * (PART_BYTES / 4);
    return u32[part + PART_DICTIONARY / 4] === 0 ? 0 : part;
  }
}

const damagedRow = (doc: number): Error => new Error(`stored document ${doc}: its row is damaged`);

const LENGTH_BYTES_MAX = 5;

/** The varint of at most LENGTH_BYTES_MAX bytes at `at`: below 2^35, whatever the bytes. */
export function readLength(u8: Uint8Array, at: number): number {
  let value = 0;
  let factor = 1;
  for (let i = at; i < at + LENGTH_BYTES_MAX; i++) {
    const byte = u8[i];
    value += (byte & 127) * factor;
    if (byte < 128) break;
    factor *= 128;
  }
  return value;
}

/** Bytes of `length` as a varint. */
export function lengthBytes(length: number): number {
  let bytes = 1;
  for (let left = length; left > 127; left = Math.floor(left / 128)) bytes++;
  return bytes;
}
