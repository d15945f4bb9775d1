/**
 * The memory in which documents are packed: a small one of the thread that merges. Laid out by documents/row-packer.ts, used by
 * kernels/packed-rows.ts. Addresses are absolute.
 *
 *   DICTIONARY        what documents are packed with, then 16 bytes
 *   DICTIONARY_TABLES three of u16[1 << DICTIONARY_HASH_BITS]: 1 + where in the dictionary four bytes of a hash stand last; 0:
 *                     nowhere; the same of eight bytes, and of sixteen
 *   DOCUMENT_TABLE    u16[1 << DOCUMENT_HASH_BITS]: the same of the document being packed
 *   ENDS              u32[PACKED_ROWS_MAX]: where each document ends in RAW; once packed, where its row ends in PACKED
 *   RAW               documents as received, one after the other, then 16 bytes
 *   PACKED            their rows: no row is longer than its document by more than ROW_HEAD_MAX
 */

export const DICTIONARY_HASH_BITS = 15;
export const DOCUMENT_HASH_BITS = 12;
/** Bytes of a length as a varint. */
export const ROW_HEAD_MAX = 5;
/** Documents that are packed at once. */
export const PACKED_ROWS_MAX = 4096;
/** Bytes of them. */
export const RAW_BYTES_MAX = 262144;

export const PACKING_DICTIONARY = 65536;
export const PACKING_DICTIONARY_TABLE = PACKING_DICTIONARY + 32768 + 64;
export const PACKING_TABLE_OF_8 = PACKING_DICTIONARY_TABLE + 65536;
export const PACKING_TABLE_OF_16 = PACKING_TABLE_OF_8 + 65536;
export const PACKING_DOCUMENT_TABLE = PACKING_TABLE_OF_16 + 65536;
export const PACKING_ENDS = PACKING_DOCUMENT_TABLE + 8192;
export const PACKING_RAW = PACKING_ENDS + 4 * PACKED_ROWS_MAX;
export const PACKING_PACKED = PACKING_RAW + RAW_BYTES_MAX + 64;
/** A packed row may be begun that turns out longer than its document: it takes no more than this beyond. */
export const PACKING_PAGES = 16;
