/**
 * The id table of a segment: from a document's number to its id, and from an id to the document.
 *
 * Written by the segment builder and merger; read by upserts and deletes (which look in every segment), by fetches, and by
 * filters on `id`. Layout in layout/documents.ts.
 */
import { assert } from '../core/assert.js';
import { HASH_KEY, type HashKey } from '../core/hash-seed.js';
import type { MergeInput } from '../core/merge-input.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  ID_DOCS_PER_THREE_SLOTS,
  ID_SLOT_BYTES,
  ID_TABLE_KEY_HIGH,
  ID_TABLE_KEY_LOW,
  ID_TABLE_SLOT_COUNT,
  ID_TABLE_SLOTS,
} from '../layout/documents.js';
import type { RegionViews } from '../memory/arena.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { BytePool, U32List } from './byte-pool.js';
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
import { hashId } from './id-hash.js';

const NOT_FOUND = -1;
const HASH_SCALE = 1 / 0x100000000;

/** Ids by document: id `doc` is bytes[ends[doc - 1]..ends[doc]), the first from 0 on, and hashes[doc] its hashId() under `key`. */
export interface HashedIds {
  readonly key: HashKey;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly hashes: Uint32Array;
}

/** The ids of a segment about to be written, in document order. */
export class IdTableBuilder {
  readonly #pool = new BytePool();
  readonly #ends = new U32List();
  readonly #hashes = new U32List();
  readonly #superseded = new U32List();

  get count(): number {
    return this.#ends.length;
  }

  /** Adds the id bytes[start..end) of the next document. */
  add(bytes: Uint8Array, start: number, end: number): void {
    this.#pool.append(bytes, start, end);
    this.#ends.push(this.#pool.length);
    this.#hashes.push(hashId(HASH_KEY, bytes, start, end));
  }

  /** The ids added, valid until the next add() or reset(). */
  hashed(): HashedIds {
    return {
      key: HASH_KEY,
      count: this.count,
      bytes: this.#pool.bytes,
      ends: this.#ends.view(),
      hashes: this.#hashes.view(),
    };
  }

  /** Upper bound of what write() appends. */
  sizeBound(): number {
    return rowsBound(this.count, this.#pool.length) + slotBytesBound(this.count);
  }

  /** Appends the table and returns its offset. May be repeated after a RegionFullError. */
  write(writer: RegionWriter): number {
    const header = beginRows(writer, this.#ends.view());
    reserveSlots(writer, header, this.count);
    const bytes = reserveRowBytes(writer, header);
    writer.views.u8.set(this.#pool.bytes.subarray(0, this.#pool.length), bytes);
    const table = new IdTableReader(writer.views, header);
    this.#superseded.reset();
    for (let doc = 0; doc < this.count; doc++) {
      const earlier = insertSlot(table, this.#hashes.values[doc], doc);
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
    this.#pool.reset();
    this.#ends.reset();
    this.#hashes.reset();
    this.#superseded.reset();
  }
}

/** The id table of a segment. Ranges are offsets into the `u8` view of the segment's region. */
export class IdTableReader {
  readonly rows: ByteRows;
  /** Absolute address, for kernels. */
  readonly ptr: number;
  /** Index of the first slot in views.u32. */
  readonly slots: number;
  readonly slotCount: number;
  readonly key: HashKey;
  /** Bits of a slot that hold the document; the hash fills the others. */
  readonly docBits: number;

  /** `offset` is what the writer returned. */
  constructor(views: RegionViews, offset: number) {
    this.rows = new ByteRows(views, offset);
    this.ptr = views.region.ptr + offset;
    this.slots = views.u32[(offset + ID_TABLE_SLOTS) >> 2] >> 2;
    this.slotCount = views.u32[(offset + ID_TABLE_SLOT_COUNT) >> 2];
    this.key = { low: views.u32[(offset + ID_TABLE_KEY_LOW) >> 2], high: views.u32[(offset + ID_TABLE_KEY_HIGH) >> 2] };
    this.docBits = 32 - Math.clz32(this.rows.count);
    assert(this.slotCount === slotCountOf(this.rows.count), 'an empty slot ends every search');
    assert((this.slots + this.slotCount) * 4 <= views.u8.length, 'the slots lie in their region');
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
    const { rows, slots, slotCount, docBits } = this;
    const { u32 } = rows.views;
    const hash = hashId(this.key, bytes, start, end);
    const tag = hash << docBits;
    const docMask = (1 << docBits) - 1;
    let slot = firstSlot(hash, slotCount);
    let isWrapped = false;
    for (;;) {
      const entry = u32[slots + slot] | 0;
      if (entry === 0) return NOT_FOUND;
      // Negative or at most docMask: what is left of the hash is compared by one exclusive or.
      const doc = (entry ^ tag) - 1;
      if (doc >= 0 && doc < docMask && rowEquals(rows, doc, bytes, start, end)) return doc;
      slot++;
      if (slot === slotCount) {
        // Damage in a mapped file: without an empty slot the search would never end.
        assert(!isWrapped, 'an empty slot ends every search');
        isWrapped = true;
        slot = 0;
      }
    }
  }

  /**
   * Looks up the ids of docs[0..count), documents of `ids`, which are hashed under the key of this table, in that order. `takes` is told what find() returns for one that is here, and says
   * whether it was looked for. Moves the documents of all others to the front of `docs`; returns how many they are.
   */
  findEach(ids: HashedIds, docs: Uint32Array, count: number, takes: (found: number) => boolean): number {
    const { rows, slots, slotCount, docBits } = this;
    const { u32 } = rows.views;
    const { key, bytes, ends, hashes } = ids;
    assert(isSameKey(key, this.key), 'ids are looked up by their hashes under the key of the table');
    const docMask = (1 << docBits) - 1;
    let left = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i];
      const hash = hashes[doc];
      const tag = hash << docBits;
      let found = NOT_FOUND;
      let slot = firstSlot(hash, slotCount);
      for (let turn = slotCount; ; turn--) {
        const entry = u32[slots + slot] | 0;
        if (entry === 0) break;
        assert(turn > 0, 'an empty slot ends every search');
        const other = (entry ^ tag) - 1;
        if (other >= 0 && other < docMask && rowEquals(rows, other, bytes, doc === 0 ? 0 : ends[doc - 1], ends[doc])) {
          found = other;
          break;
        }
        slot = slot + 1 === slotCount ? 0 : slot + 1;
      }
      if (found === NOT_FOUND || !takes(found)) docs[left++] = doc;
    }
    return left;
  }
}

export const isSameKey = (a: HashKey, b: HashKey): boolean => a.low === b.low && a.high === b.high;

/** The same ids, those of `docs` hashed under `key`. */
export function rehashed({ count, bytes, ends }: HashedIds, key: HashKey, docs: Uint32Array): HashedIds {
  const hashes = new Uint32Array(count);
  for (const doc of docs) hashes[doc] = hashId(key, bytes, doc === 0 ? 0 : ends[doc - 1], ends[doc]);
  return { key, count, bytes, ends, hashes };
}

/** The ids of a segment as those of one about to be written. */
export function hashedIds({ rows }: IdTableReader): HashedIds {
  const { count } = rows;
  const bytes = rows.views.u8.subarray(rows.bytes, rows.bytes + rows.byteCount);
  const ends = new Uint32Array(count);
  const hashes = new Uint32Array(count);
  for (let doc = 0, start = 0; doc < count; doc++) {
    const end = rows.end(doc) - rows.bytes;
    ends[doc] = end;
    hashes[doc] = hashId(HASH_KEY, bytes, start, end);
    start = end;
  }
  return { key: HASH_KEY, count, bytes, ends, hashes };
}

/** Upper bound of what mergeIdTables() appends. */
export function idTableMergeBound(inputs: readonly MergeInput<IdTableReader>[]): number {
  const count = liveRowCount(inputs);
  return rowsBound(count, liveByteCount(inputs)) + slotBytesBound(count);
}

/**
 * Appends a table of the ids of the surviving documents of `inputs` and returns its offset.
 *
 * Of documents with one id within a source, at most the last may survive; across sources, the later one is found.
 */
export function mergeIdTables(writer: RegionWriter, inputs: readonly MergeInput<IdTableReader>[]): number {
  const ends = mergedEnds(inputs);
  const header = beginRows(writer, ends);
  reserveSlots(writer, header, ends.length);
  mergeRows(writer, header, inputs);
  const table = new IdTableReader(writer.views, header);
  const { u8 } = writer.views;
  let start = table.idStart(0);
  for (let doc = 0; doc < ends.length; doc++) {
    const end = table.idEnd(doc);
    insertSlot(table, hashId(HASH_KEY, u8, start, end), doc);
    start = end;
  }
  return header;
}

const slotCountOf = (count: number): number => Math.floor((count * 3) / ID_DOCS_PER_THREE_SLOTS) + 1;

const slotBytesBound = (count: number): number => slotCountOf(count) * ID_SLOT_BYTES + SECTION_ALIGN;

/** Takes zeroed slots for `count` documents at the next section boundary. */
function reserveSlots(writer: RegionWriter, header: number, count: number): void {
  writer.align(SECTION_ALIGN);
  const slots = writer.reserveZeroed(slotCountOf(count) * ID_SLOT_BYTES);
  const { u32 } = writer.views;
  u32[(header + ID_TABLE_SLOTS) >> 2] = slots;
  u32[(header + ID_TABLE_SLOT_COUNT) >> 2] = slotCountOf(count);
  u32[(header + ID_TABLE_KEY_LOW) >> 2] = HASH_KEY.low;
  u32[(header + ID_TABLE_KEY_HIGH) >> 2] = HASH_KEY.high;
}

/** The product may round, but never up to `slotCount`: hash < 2^32 and a double has 53 bits. */
const firstSlot = (hash: number, slotCount: number): number => (hash * (slotCount * HASH_SCALE)) | 0;

/**
 * Gives `doc`, later than all that have one, its slot. Returns the document that has the same id and loses its slot, or
 * NOT_FOUND.
 */
function insertSlot({ rows, slots, slotCount, docBits }: IdTableReader, hash: number, doc: number): number {
  const { u8, u32 } = rows.views;
  const tag = hash << docBits;
  const docMask = (1 << docBits) - 1;
  let slot = firstSlot(hash, slotCount);
  for (;;) {
    const at = slots + slot;
    const entry = u32[at] | 0;
    if (entry === 0) {
      u32[at] = tag | (doc + 1);
      return NOT_FOUND;
    }
    const other = (entry ^ tag) - 1;
    if (other >= 0 && other < docMask && rowEquals(rows, other, u8, rows.start(doc), rows.end(doc))) {
      u32[at] = tag | (doc + 1);
      return other;
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
