/**
 * Where reading the postings of one token of a phrase in one field stands: kept in scratch memory, made by
 * kernels/phrases.ts for each segment (layout/phrase.ts), advanced by kernels/phrase-cursors.ts. Pointers are absolute.
 *
 *   written per segment
 *     0 list        u32  ENTRY_KIND_SINGLE: the document; else address of the list
 *     4 df          u32  postings of the list; 0: the field does not have the token
 *     8 kind        u8   ENTRY_KIND_*
 *     9 impact      u8   ENTRY_KIND_SINGLE: its impact
 *    12 table       u32  address of the position offset table, 0 when the list has none
 *    16 stream      u32  address of the first posting's positions
 *    56 segment     u32  address of the segment
 *    60 signatures  u32  address of the list's signatures, 0 when it has none
 *   written per chunk
 *    10 form        u8   chunked: CHUNK_KIND_*
 *    20 data        u32  chunked: address of the chunk's data
 *    24 count       u32  postings of the chunk
 *    28 first       u32  chunked: index of the chunk's first posting
 *    32 place       u32  chunked: no posting of a later candidate lies before this place of the chunk
 *    36 index       u32  posting whose positions `ptr` points to
 *    40 ptr         u32
 *   written per document
 *    44 left        u32  positions not yet read
 *    48 position    u32  the position read last
 *    52 read        u32  address of the next position
 */

export const CURSOR_BYTES = 64;
export const CURSOR_LIST = 0;
export const CURSOR_DF = 4;
export const CURSOR_KIND = 8;
export const CURSOR_IMPACT = 9;
export const CURSOR_FORM = 10;
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
export const CURSOR_SIGNATURES = 60;
