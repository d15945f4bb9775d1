/**
 * The bytes of a segment's document store and id table. Written and read by documents/document-store.ts and
 * documents/id-table.ts. Little-endian; every offset counts from the segment's start. Both begin with the same header:
 *
 *   header, 64 bytes, 64-byte aligned
 *   offset bytes field      type  meaning
 *        0     4 count      u32   rows, one a document: maxDoc
 *        4     4 starts     u32   offset of the starts: row i is bytes[start(i)..start(i + 1)), 0 <= i <= count
 *        8     4 bytes      u32   offset of the rows, concatenated in document order
 *       12     4 byteCount  u32   their bytes in all, equal to start(count)
 *       16     4 slots      u32   id table: offset of u32[slotCount]; store: 0
 *       20     4 slotCount  u32   id table: slots, always more than documents; store: 0
 *       24     4 startWidth u32   4: the starts are u32[count + 1];
 *                                 2: they are u32[ceil((count + 1) / 32)], the starts of rows 0, 32, 64 and so on, then
 *                                    u16[count + 1], by how much row i starts after row i - i % 32. Where that is enough.
 *       28    36            -     zero
 *
 *   then starts, slots (id table only) and bytes, each 64-byte aligned
 *
 * A row of the document store is a document as received. A row of the id table is its id: UTF-8, or the decimal text of
 * an integer id.
 *
 * The hash is MurmurHash3_x86_32 of the id with seed 0. A slot is (hash << w) | (document + 1), w the bits of count: so
 * its upper bits tell nearly all other ids apart before any of them is looked at. An empty slot is 0. A document's first
 * slot is floor(hash * slotCount / 2^32); a taken slot sends it to the next, the last to the first. When two documents of
 * a segment have the same id, only the later has a slot.
 */

export const ROWS_HEADER_BYTES = 64;
export const ROWS_COUNT = 0;
export const ROWS_STARTS = 4;
export const ROWS_BYTES = 8;
export const ROWS_BYTE_COUNT = 12;
export const ID_TABLE_SLOTS = 16;
export const ID_TABLE_SLOT_COUNT = 20;
export const ROWS_START_WIDTH = 24;

/** Narrow starts count from the start of every row of which the number is a multiple of 1 << ROWS_BLOCK_SHIFT. */
export const ROWS_BLOCK_SHIFT = 5;

export const ID_SLOT_BYTES = 4;
/** Slots are three for this many documents, rounded down, and one more: a load of two thirds. */
export const ID_DOCS_PER_THREE_SLOTS = 2;
