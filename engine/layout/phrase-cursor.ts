/**
 * Where the verification of a phrase stands in the postings of one token in one field: kept in scratch memory by
 * query/match/phrase-matcher.ts, advanced by kernels/phrases.ts. Pointers are absolute.
 *
 *   written per segment
 *     0 list      u32  ENTRY_KIND_SINGLE: the document; else address of the list
 *     4 df        u32  postings of the list
 *     8 kind      u32  ENTRY_KIND_*
 *    12 table     u32  address of the position offset table, 0 when the list has none
 *    16 stream    u32  address of the first posting's positions
 *    56 segment   u32  address of the segment
 *   kept by the kernel, per chunk
 *    20 data      u32  chunked: address of the chunk's data, 0: the list has no posting in the chunk
 *    24 count     u32  chunked: postings of the chunk | CURSOR_DENSE or CURSOR_RANKED
 *    28 first     u32  chunked: index of the chunk's first posting
 *    32 place     u32  chunked: no posting of a later candidate lies before this place of the chunk
 *    36 index     u32  posting whose positions `ptr` points to
 *    40 ptr       u32
 *   kept by the kernel, per document
 *    44 left      u32  positions not yet read
 *    48 position  u32  the position read last
 *    52 read      u32  address of the next position
 */

export const CURSOR_BYTES = 64;
export const CURSOR_LIST = 0;
export const CURSOR_DF = 4;
export const CURSOR_KIND = 8;
export const CURSOR_TABLE = 12;
export const CURSOR_STREAM = 16;
export const CURSOR_DATA = 20;
export const CURSOR_COUNT = 24;
export const CURSOR_FIRST = 28;
export const CURSOR_PLACE = 32;
export const CURSOR_INDEX = 36;
export const CURSOR_PTR = 40;
export const CURSOR_LEFT = 44;
export const CURSOR_POSITION = 48;
export const CURSOR_READ = 52;
export const CURSOR_SEGMENT = 56;
export const CURSOR_DENSE = 0x40000000;
export const CURSOR_RANKED = 0x20000000;
