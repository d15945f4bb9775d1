/**
 * The id table of a segment: from a document's number to its id, and from an id to the document.
 *
 * Written by the segment builder and merger; read by upserts and deletes (which look in every segment), by fetches, and by
 * filters on `id`. Layout in layout/documents.ts.
 */
import { assert } from '../core/assert.js';
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  ID_SLOT_BYTES,
  ID_SLOTS_PER_DOC,
  ID_TABLE_SLOT_COUNT,
  ID_TABLE_SLOTS,
  ROWS_STARTS,
} from '../layout/documents.js';
import type { RegionViews } from '../memory/arena.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { BytePool, U32List } from './byte-pool.js';
import {
  ByteRows,
  beginRows,
  liveByteCount,
  liveRowCount,
  mergeRows,
  reserveRowBytes,
  rowsBound,
} from './byte-rows.js';
import { hashId } from './id-hash.js';

const NOT_FOUND = -1;
const HASH_SCALE = 1 / 0x100000000;

/** The ids of a segment about to be written, in document order. */
export class IdTableBuilder {
  /** The ids' bytes: id `doc` is pool.bytes[start(doc)..end(doc)). */
  readonly pool = new BytePool();
  readonly #ends = new U32List();
  readonly #hashes = new U32List();
  readonly #superseded = new U32List();

  get count(): number {
    return this.#ends.length;
  }

  /** Adds the id bytes[start..end) of the next document, and returns its hash as hashId() gives it. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashId(bytes, start, end);
    this.pool.append(bytes, start, end);
    this.#ends.push(this.pool.length);
    this.#hashes.push(hash);
    return hash;
  }

  start(doc: number): number {
    return doc === 0 ? 0 : this.#ends.values[doc - 1];
  }

  end(doc: number): number {
    return this.#ends.values[doc];
  }

  hash(doc: number): number {
    return this.#hashes.values[doc];
  }

  /** Upper bound of what write() appends. */
  sizeBound(): number {
    return rowsBound(this.count, this.pool.length) + slotBytesBound(this.count);
  }

  /** Appends the table and returns its offset. May be repeated after a RegionFullError. */
  write(writer: RegionWriter): number {
    const { count } = this;
    const header = beginRows(writer, count);
    const slots = reserveSlots(writer, header, count);
    const bytes = reserveRowBytes(writer, header, this.pool.length);
    const { u32, u8 } = writer.views;
    u32.set(this.#ends.view(), (u32[(header + ROWS_STARTS) >> 2] >> 2) + 1);
    u8.set(this.pool.bytes.subarray(0, this.pool.length), bytes);
    const rows = new ByteRows(writer.views, header);
    this.#superseded.reset();
    for (let doc = 0; doc < count; doc++) {
      const earlier = insertSlot(rows, slots, slotCountOf(count), this.#hashes.values[doc], doc);
      if (earlier !== NOT_FOUND) this.#superseded.push(earlier);
    }
    return header;
  }

  /**
   * After write(): the documents whose id a later document of the segment has too, and which are therefore deleted from
   * the start. Valid until the next write().
   */
  superseded(): Uint32Array {
    return this.#superseded.view();
  }

  reset(): void {
    this.pool.reset();
    this.#ends.reset();
    this.#hashes.reset();
    this.#superseded.reset();
  }
}

/** The id table of a segment. Ranges are offsets into the `u8` view of the segment's region. */
export class IdTableReader {
  readonly rows: ByteRows;
  /** Index of the first slot in views.u32. */
  readonly slots: number;
  readonly slotCount: number;

  /** `offset` is what the writer returned. */
  constructor(views: RegionViews, offset: number) {
    this.rows = new ByteRows(views, offset);
    this.slots = views.u32[(offset + ID_TABLE_SLOTS) >> 2] >> 2;
    this.slotCount = views.u32[(offset + ID_TABLE_SLOT_COUNT) >> 2];
    assert(this.slotCount > this.rows.count, 'an empty slot ends every search');
  }

  get maxDoc(): number {
    return this.rows.count;
  }

  idStart(doc: number): number {
    return this.rows.start(doc);
  }

  idEnd(doc: number): number {
    return this.rows.end(doc);
  }

  /** The last document with the id bytes[start..end), deleted or not; -1 when there is none. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return this.findHashed(hashId(bytes, start, end), bytes, start, end);
  }

  /** As find(), for an id whose hashId() the caller knows. */
  findHashed(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const { rows, slots, slotCount } = this;
    const { u32 } = rows.views;
    let slot = firstSlot(hash, slotCount);
    for (;;) {
      const at = slots + slot * 2;
      const entry = u32[at + 1];
      if (entry === 0) return NOT_FOUND;
      if (u32[at] === hash && rowEquals(rows, entry - 1, bytes, start, end)) return entry - 1;
      slot = slot + 1 === slotCount ? 0 : slot + 1;
    }
  }
}

/** Upper bound of what mergeIdTables() appends. */
export function idTableMergeBound(inputs: readonly MergeInput<IdTableReader>[]): number {
  const count = liveRowCount(inputs);
  return rowsBound(count, liveByteCount(inputs)) + slotBytesBound(count);
}

/**
 * Appends a table of the ids of the surviving documents of `inputs` and returns its offset.
 *
 * Of documents with one id within a source, at most the last may survive; across sources, the later one is found. The
 * sources' slots are walked in order of hash, so that the new slots are written front to back once per source.
 */
export function mergeIdTables(writer: RegionWriter, inputs: readonly MergeInput<IdTableReader>[]): number {
  const count = liveRowCount(inputs);
  const header = beginRows(writer, count);
  const slots = reserveSlots(writer, header, count);
  const slotCount = slotCountOf(count);
  mergeRows(writer, header, inputs);
  const rows = new ByteRows(writer.views, header);
  for (const { reader, map, base } of inputs) {
    const { u32 } = reader.rows.views;
    const end = reader.slots + reader.slotCount * 2;
    for (let at = reader.slots; at < end; at += 2) {
      const entry = u32[at + 1];
      if (entry === 0) continue;
      const doc = map === null ? base + entry - 1 : map[entry - 1];
      if (doc !== DROPPED_DOC) insertSlot(rows, slots, slotCount, u32[at], doc);
    }
  }
  return header;
}

const slotCountOf = (count: number): number => count * ID_SLOTS_PER_DOC + 1;

const slotBytesBound = (count: number): number => slotCountOf(count) * ID_SLOT_BYTES + SECTION_ALIGN;

/** Takes zeroed slots for `count` documents at the next section boundary; returns their index in views.u32. */
function reserveSlots(writer: RegionWriter, header: number, count: number): number {
  writer.align(SECTION_ALIGN);
  const slots = writer.reserveZeroed(slotCountOf(count) * ID_SLOT_BYTES);
  const { u32 } = writer.views;
  u32[(header + ID_TABLE_SLOTS) >> 2] = slots;
  u32[(header + ID_TABLE_SLOT_COUNT) >> 2] = slotCountOf(count);
  return slots >> 2;
}

/** The product may round, but never up to `slotCount`: hash < 2^32 and a double has 53 bits. */
const firstSlot = (hash: number, slotCount: number): number => (hash * (slotCount * HASH_SCALE)) | 0;

/** Gives `doc` its slot. Returns the document that has the same id and loses to a later one, or NOT_FOUND. */
function insertSlot(rows: ByteRows, slots: number, slotCount: number, hash: number, doc: number): number {
  const { u8, u32 } = rows.views;
  let slot = firstSlot(hash, slotCount);
  for (;;) {
    const at = slots + slot * 2;
    const entry = u32[at + 1];
    if (entry === 0) {
      u32[at] = hash;
      u32[at + 1] = doc + 1;
      return NOT_FOUND;
    }
    if (u32[at] === hash && rowEquals(rows, entry - 1, u8, rows.start(doc), rows.end(doc))) {
      u32[at + 1] = Math.max(entry, doc + 1);
      return Math.min(entry - 1, doc);
    }
    slot = slot + 1 === slotCount ? 0 : slot + 1;
  }
}

function rowEquals(rows: ByteRows, doc: number, bytes: Uint8Array, start: number, end: number): boolean {
  const { u8 } = rows.views;
  const own = rows.start(doc);
  if (rows.end(doc) - own !== end - start) return false;
  for (let i = end - start - 1; i >= 0; i--) if (u8[own + i] !== bytes[start + i]) return false;
  return true;
}
