/**
 * The bytes of postings inside a segment. Written by postings/, read by it, by kernels/token-plan.ts and
 * kernels/scoring.ts. Little-endian; offsets count from the segment's start.
 *
 *   entryStarts  u32[termCount + 1]  first entry of each term; entries of one term are ordered by field
 *   entries      one per (term, field), ENTRY_BYTES each
 *     0  4 list        u32  ENTRY_KIND_SINGLE: the document itself; else offset of the list, 4-byte aligned
 *     4  4 df          u32  documents in the list, deleted ones included
 *     8  4 positions   u32  offset of the positions, see below
 *    12  1 field       u8   index into the schema's fields
 *    13  1 maxImpact   u8   largest impact of the list (ENTRY_KIND_SINGLE: its impact)
 *    14  1 kind        u8   ENTRY_KIND_*
 *    15  1 signed      u8   1: the positions begin with signatures; 0 of segments of version 1 and of short lists
 *
 *   list, ENTRY_KIND_TINY (2 <= df <= TINY_DOCS_MAX)
 *     docs u32[df] ascending, impacts u8[df]
 *
 *   list, ENTRY_KIND_CHUNKED
 *     chunkCount u32, then chunkCount directory entries, CHUNK_ENTRY_BYTES each, ascending by chunk:
 *     0  2 chunk       u16  document / 65536
 *     2  1 kind        u8   CHUNK_KIND_*, the smallest of those that the list may have
 *     3  1 maxImpact   u8   largest impact in the chunk
 *     4  4 count       u32  postings in the chunk, 1..65536
 *     8  4 data        u32  offset of the data, 4-byte aligned
 *    12  4 first       u32  postings in the chunks before: the index of this chunk's first posting
 *     sparse data: docs u16[count] (document % 65536, ascending), impacts u8[count],
 *                  block maxima u8[ceil(count / 128)]: largest impact of each 128 postings
 *
 *     ranked data, of a chunk with at least RANKED_COUNT_MIN postings
 *       0  8192 docs      bits      document d: bit d % 8 of byte d / 8
 *    8192  1024 ranks     u16[512]  postings of the chunk before each 128 documents
 *    9216   512 maxima    u8[512]   block maxima of each 128 documents
 *    9728     n impacts   u8[n]     by posting, as in sparse data
 *
 *     dense data, in segments of format version 1 alone: impacts u8[65536] by document, 0 = absent;
 *                  block maxima u8[512] of each 128 documents; ranks u16[512] as in ranked data
 *
 *     bitset data, in prefix postings alone; what most postings of a field are, is kept once for all of them:
 *       0     4 back      u32       common impacts of the chunk's documents lie this many bytes before the data
 *       4  8192 docs      bits      document d: bit d % 8 of byte d / 8
 *    8196   512 maxima    u8[512]   block maxima of each 128 documents
 *    8708  1026 starts    u16[513]  exceptions of the chunk before each 128 documents, and all
 *    9734     n docs      u8[n]     exceptions, ascending: documents of the list, modulo 128, with another impact than
 *                                 the common one
 *             n impacts   u8[n]     of the exceptions
 *
 *   common impacts, per field that has such chunks: u8[maxDoc], zero up to a multiple of 128: the impact of the
 *   document's rarest token of the field (lowest by frequency, then by score); 0 when it has none
 *
 *   positions, per entry
 *     when it is signed, 4-byte aligned: signatures u16[df], and zero up to a multiple of 4
 *     when df > POSITION_BLOCK, 4-byte aligned: u32[ceil(df / 128) + 1] byte offsets of every 128th posting and of the
 *     end, counted from the first byte after this table
 *     then per posting varints (LEB128):
 *     one position p: (p << 1) | 1;  n > 1 positions: n << 1, the first position, then n - 1 differences
 *
 *   signature of a posting: bit p % SIGNATURE_BITS for each of its positions p; and SIGNATURE_BEYOND when one of them is
 *   not below SIGNATURE_BITS: without that, it says exactly where the token stands. (Gabriel Araujo, "Using the most
 *   unhinged AVX-512 instruction to make the fastest phrase search algo", 2025, keeps such bits for phrases.)
 *
 *   prefix postings: the union of all lists of the terms that begin with the same one or two code points, where that is
 *   long; so that a short prefix reads one list a field instead of tens of thousands
 *     table: PREFIX_ROW_BYTES a prefix, ascending by low, longer ranges first
 *     0  4 low         u32  ordinals [low, high) of the terms
 *     4  4 high        u32
 *     8  4 entry       u32  first of its entries, one a field that has one of the terms; they follow the terms' entries
 *    12  4 entryCount  u32
 *     Such an entry has no positions; the impact of a document is that of its most frequent term.
 *
 * An impact is a byte 1..255 naming a class of (term frequency, field length): postings/impacts.ts.
 */

export const ENTRY_BYTES = 16;
export const ENTRY_LIST = 0;
export const ENTRY_DF = 4;
/** @public part of the format, and held by its snapshot: code counts by words of an entry. */
export const ENTRY_POSITIONS = 8;
export const ENTRY_FIELD = 12;
export const ENTRY_MAX_IMPACT = 13;
export const ENTRY_KIND = 14;
export const ENTRY_SIGNED = 15;

export const ENTRY_KIND_SINGLE = 0;
export const ENTRY_KIND_TINY = 1;
export const ENTRY_KIND_CHUNKED = 2;
export const TINY_DOCS_MAX = 15;

export const CHUNK_ENTRY_BYTES = 16;
export const CHUNK_ENTRY_CHUNK = 0;
export const CHUNK_ENTRY_KIND = 2;
/** @public part of the format, and held by its snapshot: code reads the whole word. */
export const CHUNK_ENTRY_MAX_IMPACT = 3;
export const CHUNK_ENTRY_COUNT = 4;
export const CHUNK_ENTRY_DATA = 8;
export const CHUNK_ENTRY_FIRST = 12;

export const CHUNK_KIND_SPARSE = 0;
export const CHUNK_KIND_DENSE = 1;
export const CHUNK_KIND_BITSET = 2;
export const CHUNK_KIND_RANKED = 3;
/**
 * One document in 32: from here on a chunk is ranked. It takes less room than a sparse one from 4,845 on, and makes counting
 * and looking documents up cheap before.
 */
export const RANKED_COUNT_MIN = 2048;
export const BLOCK_POSTINGS = 128;
/** Blocks of 128 documents of a chunk. */
export const CHUNK_BLOCKS = 512;
export const RANKED_RANKS = 8192;
export const RANKED_MAXIMA = 9216;
export const RANKED_IMPACTS = 9728;
export const DENSE_MAXIMA = 65536;
export const DENSE_RANKS = 66048;
export const BITSET_DOCS = 4;
export const BITSET_MAXIMA = 8196;
export const BITSET_STARTS = 8708;
export const BITSET_EXCEPTION_COUNT = 9732;
export const BITSET_EXCEPTIONS = 9734;
export const BITSET_BYTES = 9734;
export const POSITION_BLOCK = 128;
export const SIGNATURE_BITS = 15;
export const SIGNATURE_BEYOND = 0x8000;
/** Added between the positions of two values of one field, so that no phrase spans them. */
export const POSITION_GAP = 100;
/** Positions end here, in an array of more than ten million values: twice one is still a 32-bit number. */
export const POSITION_MAX = 1073741824;

export const PREFIX_ROW_BYTES = 16;
export const PREFIX_ROW_LOW = 0;
export const PREFIX_ROW_HIGH = 4;
export const PREFIX_ROW_ENTRY = 8;
export const PREFIX_ROW_ENTRY_COUNT = 12;
/** A prefix whose lists hold at least this many postings, or fewer in a small segment, in at least this many lists, gets prefix postings. */
export const PREFIX_POSTINGS_MIN = 4096;
export const PREFIX_LISTS_MIN = 32;
