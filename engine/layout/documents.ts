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
 *       28     4 parts      u32   store: offset of the parts; 0: there is one, which is plain
 *       32     4 partCount  u32   store: parts
 *       36     4 rawLow     u32   store with parts: bytes of all documents as received, low half
 *       40     4 rawHigh    u32   high half
 *       44     4 keyLow     u32   id table: key of its hash, low half; store: 0
 *       48     4 keyHigh    u32   high half
 *       52    12            -     zero
 *
 *   then starts, slots (id table only) and bytes, each 64-byte aligned, in any order
 *
 * A row of the id table is the id: UTF-8, or the decimal text of an integer id. The document store consists of parts,
 * ranges of documents:
 *
 *   part, 12 bytes
 *        0     4 first      u32   its first document; ascending, that of the first part is 0
 *        4     4 dictionary u32   offset of its dictionary; 0: the part is plain
 *        8     4 bytes      u32   bytes of the dictionary, at most DICTIONARY_BYTES_MAX
 *
 * A row of a plain part is a document as received. One of a part with a dictionary is the length of the document as a varint
 * (LEB128), then the document itself if as many bytes follow; else its sequences, as in an LZ4 block (Collet, "LZ4 Block
 * Format Description"), with the dictionary in front of the document:
 *
 *   token u8: (literals << 4) | (match - 4), 15 of either: more follows
 *   when there are 15 literals: u8 to be added, again while it is 255; then the literals; here the last sequence ends
 *   how far back the match begins, u16; when the match has 15: u8 to be added, as above
 *
 * A match does not go on from the dictionary into the document. Documents above PACKED_BYTES_MAX are as received.
 *
 * The hash of an id is its HalfSipHash-1-3 under the key of the table (core/half-sip-hash.ts), which is random; in segments of versions 1
 * and 2, of which the key is 0, MurmurHash3_x86_32 with seed 0. A slot is (hash << w) | (document + 1), w the bits of count: so
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
export const STORE_PARTS = 28;
export const STORE_PART_COUNT = 32;
export const STORE_RAW_LOW = 36;
export const STORE_RAW_HIGH = 40;
export const ID_TABLE_KEY_LOW = 44;
export const ID_TABLE_KEY_HIGH = 48;

export const PART_BYTES = 12;
export const PART_FIRST = 0;
export const PART_DICTIONARY = 4;
export const PART_DICTIONARY_BYTES = 8;

export const DICTIONARY_BYTES_MAX = 32768;
/** How far back a match begins at most is no less than dictionary and document together, less the shortest match. */
export const PACKED_BYTES_MAX = 32768;

/** Narrow starts count from the start of every row of which the number is a multiple of 1 << ROWS_BLOCK_SHIFT. */
export const ROWS_BLOCK_SHIFT = 5;

export const ID_SLOT_BYTES = 4;
/** Slots are three for this many documents, rounded down, and one more: a load of two thirds. */
export const ID_DOCS_PER_THREE_SLOTS = 2;
