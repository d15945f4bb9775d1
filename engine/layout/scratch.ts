/**
 * The scratch area of one thread inside one arena: where kernels keep what lives for one query or one chunk of it, and
 * bits that live longer.
 * Offsets count from the thread's scratch base, which is 64 KiB aligned. A chunk is CHUNK_DOCS documents.
 *
 *   offset      bytes     what
 *   ACC         256 KiB   f32[65536]  score of each document of the chunk; valid only where MATCHED says so
 *   TMP         256 KiB   f32[65536]  best score within one (token, field); all zero between uses
 *   MATCHED      64 KiB   u8[65536]   tokens that each document has matched so far; all zero between chunks
 *   PHRASE_LEFT     128 KiB  u16[65536]  documents that may have the phrase being matched in a field
 *   PHRASE_SIGNATURES  128 KiB  u16[65536]  where in each of them it may begin (kernels/phrase-candidates.ts)
 *   PHRASE_MATCHED  64 KiB  u8[65536]  1: the document has the phrase; all zero between chunks
 *   LIST_A      128 KiB   u16[65536]  candidate documents of the chunk
 *   LIST_B      128 KiB   u16[65536]  the other candidate list
 *   OUT_DOCS    256 KiB   u32[65536]  kernel output: documents or ordinals
 *   OUT_SCORES  256 KiB   f32[65536]  kernel output: scores or edit counts
 *   LUT         256 KiB   f32[256][256]  per text field: BM25 tf part of each impact
 *   FILTER_BITS   1 MiB   128 bitsets of 8 KiB, one bit a document of the chunk
 *   TOKEN         8 KiB   bytes of the term being looked up or expanded, and its code points
 *   AUTOMATON    64 KiB   rows of the edit automaton, one a trie level
 *   LIST_C      128 KiB   u16[65536]  the third candidate list
 *   PHRASE_LIST     128 KiB  u16[65536]  documents that have the phrase being matched
 *   PHRASE_PLACES     4 KiB  what listing the bits of a chunk takes (kernels/bit-lists.ts)
 *   PHRASE_WINDOWS    4 KiB  positions in a document, by two tokens of a phrase (kernels/phrase-positions.ts)
 *   PHRASE_INDEXES  120 KiB  u32[]: the posting of each token of the phrase in a document
 *   SCORE_TOP   320 KiB   the best documents so far, in the arena of the segment being read (layout/score-top.ts)
 *   DOCUMENT     64 KiB   a stored document, unpacked (layout/documents.ts)
 *   HEAP      40.25 MiB   bump-allocated per query
 *   UNIONS       12 MiB   unions of lists that outlive a query (memory/block-pool.ts)
 *   KEPT          8 MiB   bitsets of chunks that outlive a query (memory/bitset-pool.ts)
 */

export const CHUNK_DOCS = 65536;
export const CHUNK_BITSET_BYTES = 8192;

export const SCRATCH_ACC = 0;
export const SCRATCH_TMP = 0x40000;
export const SCRATCH_MATCHED = 0x80000;
export const SCRATCH_PHRASE_MATCHED = 0x90000;
export const SCRATCH_PHRASE_LEFT = 0xa0000;
export const SCRATCH_PHRASE_SIGNATURES = 0xc0000;
export const SCRATCH_LIST_A = 0xe0000;
export const SCRATCH_LIST_B = 0x100000;
export const SCRATCH_OUT_DOCS = 0x120000;
export const SCRATCH_OUT_SCORES = 0x160000;
export const SCRATCH_LUT = 0x1a0000;
export const SCRATCH_FILTER_BITS = 0x1e0000;
export const SCRATCH_FILTER_BITSETS_MAX = 128;
export const SCRATCH_TOKEN = 0x2e0000;
export const SCRATCH_AUTOMATON = 0x2f0000;
export const SCRATCH_LIST_C = 0x300000;
export const SCRATCH_PHRASE_LIST = 0x320000;
export const SCRATCH_PHRASE_PLACES = 0x340000;
export const SCRATCH_PHRASE_WINDOWS = 0x341000;
export const SCRATCH_PHRASE_INDEXES = 0x342000;
export const SCRATCH_SCORE_TOP = 0x360000;
export const SCRATCH_DOCUMENT = 0x3b0000;
export const SCRATCH_HEAP = 0x3c0000;
export const SCRATCH_UNIONS = 0x2c00000;
export const SCRATCH_KEPT = 0x3800000;
export const SCRATCH_BYTES = 0x4000000;
