/**
 * The bytes of one column (doc values of one field) inside a segment. Written by values/column-writer.ts, read by
 * values/column-reader.ts and the column kernels. Little-endian; every offset counts from the segment's start.
 *
 *   header, 64 bytes, 64-byte aligned
 *   offset bytes field         type  meaning
 *        0     4 kind          u32   COLUMN_KIND_NUMBER or COLUMN_KIND_KEYWORD
 *        4     4 width         u32   bytes per code: 1, 2, 4 or 8
 *        8     4 flags         u32   COLUMN_FLAG_*
 *       12     4 valueCount    u32   codes stored: maxDoc when single-valued, else starts[maxDoc]
 *       16     8 base          i64   numbers: key = base + code; keywords: 0
 *       24     8 maxCode       u64   largest code stored, 0 when none
 *       32     4 codes         u32   offset of code[valueCount], 64-byte aligned, padded to 64 bytes
 *       36     4 starts        u32   multi-valued: offset of u32[maxDoc + 1] into codes; else 0
 *       40     4 present       u32   offset of the present bitset (bit = 1: the document has the field); 0: all have it
 *       44     4 zones         u32   offset of {min u64, max u64} per ZONE_DOCS documents; min > max: no value in the zone
 *       48     4 dictOffsets   u32   keywords: offset of u32[cardinality + 1] into dictBytes; else 0
 *       52     4 dictBytes     u32   keywords: offset of the values' UTF-8 bytes, sorted by byte order, concatenated
 *       56     4 dictHashes    u32   keywords: offset of u32[2 * cardinality], a 64-bit hash (lo, hi) of each value
 *       60     4 cardinality   u32   keywords: number of dictionary values; else 0
 *
 * A number's key is an i64 whose signed order is the value's order: int and date as they are, bool 0 or 1, float its
 * IEEE 754 bits with the low 63 flipped when negative (-0 is stored as 0). A keyword's code is its ordinal in the sorted
 * dictionary. A single-valued document without the field has code 0 and its present bit clear. The codes of a
 * multi-valued document are ascending and distinct.
 */

export const COLUMN_KIND_NUMBER = 1;
export const COLUMN_KIND_KEYWORD = 2;

export const COLUMN_FLAG_MULTI = 1;

export const COLUMN_HEADER_BYTES = 64;
export const COLUMN_KIND = 0;
export const COLUMN_WIDTH = 4;
export const COLUMN_FLAGS = 8;
export const COLUMN_VALUE_COUNT = 12;
export const COLUMN_BASE = 16;
export const COLUMN_MAX_CODE = 24;
export const COLUMN_CODES = 32;
export const COLUMN_STARTS = 36;
export const COLUMN_PRESENT = 40;
export const COLUMN_ZONES = 44;
export const COLUMN_DICT_OFFSETS = 48;
export const COLUMN_DICT_BYTES = 52;
export const COLUMN_DICT_HASHES = 56;
export const COLUMN_CARDINALITY = 60;

export const ZONE_DOCS = 4096;
export const ZONE_BYTES = 16;
export const ZONE_MIN = 0;
export const ZONE_MAX = 8;
