/**
 * The frame of a segment: one relocatable byte range, the same in memory and on disk. Little-endian; offsets count from
 * the segment's start; sections are 64-byte aligned. Written by segment/segment-builder.ts and segment/segment-merger.ts.
 *
 *   header, SEGMENT_HEADER_BYTES
 *     0  8 magic         "SABRESEG"
 *     8  4 version       u32  SEGMENT_FORMAT_VERSION, SEGMENT_FORMAT_VERSION_MIN or between
 *    12  4 bytes         u32  size of the segment, a multiple of 4
 *    16  4 maxDoc        u32  documents, deleted ones included
 *    20  4 fieldCount    u32  fields of the schema
 *    24  4 terms         u32  term dictionary header (layout/terms.ts)
 *    28  4 entryStarts   u32  layout/postings.ts
 *    32  4 entries       u32
 *    36  4 entryCount    u32
 *    40  4 ids           u32  id table header (layout/documents.ts)
 *    44  4 documents     u32  document store header (layout/documents.ts)
 *    48  4 fields        u32  field table
 *    52  4 prefixPostings       u32  table of prefix postings (layout/postings.ts)
 *    56  4 prefixPostingsCount  u32
 *    60  4 segmentId     u32  number of the segment in its data directory; 0 until it is stored
 *    64  4 contentChecksum u32  crc32c of the bytes from SEGMENT_HEADER_BYTES to the end; 0 until it is stored
 *    68  4 outlines      u32  outlines of lists (layout/list-outline.ts); 0: an earlier program wrote none
 *    72  4 outlineCount  u32
 *    76 48               reserved, 0
 *   124  4 headerChecksum  u32  crc32c of bytes 0 to 123, continued over the field table; 0 until it is stored
 *
 *   segmentId and the checksums are filled in when the segment is first written to a file, in memory and file alike; nothing that
 *   searches reads them (storage/segment-file.ts).
 *
 *   field table: fieldCount entries, FIELD_ENTRY_BYTES each
 *     0  4 column        u32  column header (layout/columns.ts), 0: none
 *     4  4 lengths       u32  tokens of the field per document, 0: not a searchable field
 *     8  4 lengthWidth   u32  bytes per length: 1, 2 or 4
 *    12  4 docCount      u32  documents with at least one token
 *    16  4 tokensLow     u32  tokens of all documents, low half
 *    20  4 tokensHigh    u32  high half
 *    24  4 stems         u32  stem index (layout/stems.ts), 0: the field has none, or no term in it
 *    28  4 arrays        u32  documents with several values in the field (segment/array-documents.ts), 0: not known
 */

export const SEGMENT_MAGIC_LOW = 0x52424153;
export const SEGMENT_MAGIC_HIGH = 0x47455345;
export const SEGMENT_FORMAT_VERSION = 3;
/**
 * Segments of versions from this one on are read. Version 1 has neither signatures nor ranked chunks (layout/postings.ts),
 * nor masks of nodes (layout/terms.ts); both it and version 2 have id tables without a key (layout/documents.ts).
 */
export const SEGMENT_FORMAT_VERSION_MIN = 1;

export const SEGMENT_HEADER_BYTES = 128;
export const SEGMENT_MAGIC = 0;
export const SEGMENT_VERSION = 8;
export const SEGMENT_SIZE = 12;
export const SEGMENT_MAX_DOC = 16;
export const SEGMENT_FIELD_COUNT = 20;
export const SEGMENT_TERMS = 24;
export const SEGMENT_ENTRY_STARTS = 28;
export const SEGMENT_ENTRIES = 32;
export const SEGMENT_ENTRY_COUNT = 36;
export const SEGMENT_IDS = 40;
export const SEGMENT_DOCUMENTS = 44;
export const SEGMENT_FIELDS = 48;
export const SEGMENT_PREFIX_POSTINGS = 52;
export const SEGMENT_PREFIX_POSTINGS_COUNT = 56;
export const SEGMENT_ID = 60;
export const SEGMENT_CONTENT_CHECKSUM = 64;
export const SEGMENT_OUTLINES = 68;
export const SEGMENT_OUTLINE_COUNT = 72;
export const SEGMENT_HEADER_CHECKSUM = 124;

export const FIELD_ENTRY_BYTES = 32;
export const FIELD_COLUMN = 0;
export const FIELD_LENGTHS = 4;
export const FIELD_LENGTH_WIDTH = 8;
export const FIELD_DOC_COUNT = 12;
export const FIELD_TOKENS_LOW = 16;
export const FIELD_TOKENS_HIGH = 20;
export const FIELD_STEMS = 24;
export const FIELD_ARRAYS = 28;
