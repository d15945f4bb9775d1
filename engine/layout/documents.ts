/**
 * The bytes of a segment's document store and id table. Written and read by documents/document-store.ts and
 * documents/id-table.ts. Little-endian; every offset counts from the segment's start. Both begin with the same header:
 *
 *   header, 64 bytes, 64-byte aligned
 *   offset bytes field      type  meaning
 *        0     4 count      u32   rows, one a document: maxDoc
 *        4     4 starts     u32   offset of u32[count + 1]: row i is bytes[starts[i]..starts[i + 1])
 *        8     4 bytes      u32   offset of the rows, concatenated in document order
 *       12     4 byteCount  u32   their bytes in all, equal to starts[count]
 *       16     4 slots      u32   id table: offset of {hash u32, document + 1 u32}[slotCount]; store: 0
 *       20     4 slotCount  u32   id table: slots, always more than documents; store: 0
 *       24    40            -     zero
 *
 *   then starts, slots (id table only) and bytes, each 64-byte aligned
 *
 * A row of the document store is a document as received. A row of the id table is its id: UTF-8, or the decimal text of
 * an integer id.
 *
 * The hash is MurmurHash3_x86_32 of the id with seed 0. A document's first slot is floor(hash * slotCount / 2^32), so
 * that slots are in order of hash and a merge writes them front to back; a taken slot sends it to the next, the last to
 * the first. An empty slot is {0, 0}. When two documents of a segment have the same id, only the later has a slot.
 */

export const ROWS_HEADER_BYTES = 64;
export const ROWS_COUNT = 0;
export const ROWS_STARTS = 4;
export const ROWS_BYTES = 8;
export const ROWS_BYTE_COUNT = 12;
export const ID_TABLE_SLOTS = 16;
export const ID_TABLE_SLOT_COUNT = 20;

export const ID_SLOT_BYTES = 8;
/** Slots are this many a document and one more: a load of one half. */
export const ID_SLOTS_PER_DOC = 2;
