/**
 * The bytes of a segment's term dictionary: a trie over the UTF-8 bytes of its distinct terms, in breadth-first order.
 * Written by terms/term-dictionary-writer.ts, read by terms/term-dictionary.ts and the term kernels. Little-endian; every
 * offset counts from the segment's start.
 *
 *   header, 64 bytes, 64-byte aligned
 *   offset bytes field         type  meaning
 *        0     4 nodeCount     u32   nodes, the root included
 *        4     4 termCount     u32   terms; an ordinal is a term's rank in byte order
 *        8     4 labels        u32   offset of u8[nodeCount], the byte that leads to each node; 0 for the root
 *       12     4 firstChild    u32   offset of u32[nodeCount + 1]
 *       16     4 lowOrds       u32   offset of u32[nodeCount]
 *       20    44 zero
 *
 * Each array starts 64-byte aligned. Node 0 is the root. The children of node i are the nodes from firstChild[i] up to
 * firstChild[i + 1], in ascending order of their labels. The low 31 bits of lowOrds[i] are the ordinal of the first term
 * at or below node i; bit 31 is set when node i ends a term, which then is that one. The terms below a node end where
 * those of its next sibling begin; a last child's end where its parent's do.
 */

export const TERMS_HEADER_BYTES = 64;
export const TERMS_NODE_COUNT = 0;
export const TERMS_TERM_COUNT = 4;
export const TERMS_LABELS = 8;
export const TERMS_FIRST_CHILD = 12;
export const TERMS_LOW_ORDS = 16;

/** The ordinal in a word of lowOrds. */
export const TERMS_ORD_MASK = 0x7fffffff;
/** Shift of the bit in a word of lowOrds that marks the end of a term. */
export const TERMS_TERMINAL_SHIFT = 31;

/**
 * A walk of the trie by an edit automaton, in SCRATCH_AUTOMATON. Absolute pointers; kept between kernel calls, so that a
 * walk goes on where a full output stopped it.
 *
 *   offset bytes field
 *        0     4 labels        u32
 *        4     4 firstChild    u32
 *        8     4 lowOrds       u32
 *       12     4 edits         u32   the most edits allowed, 1 or 2
 *       16     4 depth         i32   index of the frame on top, -1 when the walk is over
 *       20     4 otherCount    u32   distinct code points of the token beyond ASCII
 *       24     8 tokenBits     u64   one bit a code point of the token, from bit 0
 *       32     8 otherFilter   u64   bit (c & 63) is set for each of those code points c
 *       40     4 nodeCount     u32   of the trie
 *       64  1024 asciiMasks    u64[128]  bit s: the token's code point s is this one
 *     1088   256 otherChars    u32[64]
 *     1344   512 otherMasks    u64[64]
 *     1856    64 chars         u8[64]  each code point of the token, 255 beyond ASCII
 *     1920  2304 rows          one a code point from the root, from row -2
 *     4224  8224 frames        at most one a trie level, 257 of them
 *
 *   row, 32 bytes: R0 u64, R1 u64, R2 u64, mask u64 (of the code point that led to it; 0 for rows up to 0)
 *   frame, 32 bytes: node u32 (next to visit), end u32 (past the last sibling), highOrd u32 (of the parent), row u32
 *     (pointer to the parent's row), rowIndex u32, partial u32 (code point so far), pending u32 (continuation bytes still
 *     to come), best u32 (fewest edits of any prefix up to the parent, WALK_NO_EDITS for none). A frame whose siblings
 *     are done gives its place to the children of the last one.
 */
export const WALK_LABELS = 0;
export const WALK_FIRST_CHILD = 4;
export const WALK_LOW_ORDS = 8;
export const WALK_EDITS = 12;
export const WALK_DEPTH = 16;
export const WALK_OTHER_COUNT = 20;
export const WALK_TOKEN_BITS = 24;
export const WALK_OTHER_FILTER = 32;
export const WALK_NODE_COUNT = 40;
export const WALK_ASCII_MASKS = 64;
export const WALK_OTHER_CHARS = 1088;
export const WALK_OTHER_MASKS = 1344;
export const WALK_CHARS = 1856;
export const WALK_ROWS = 1920;
export const WALK_FRAMES = 4224;

export const ROW_BYTES = 32;
export const ROW_R0 = 0;
export const ROW_R1 = 8;
export const ROW_R2 = 16;
export const ROW_MASK = 24;
/** Rows -2 and -1, which hold zeros, lie before row 0. */
export const ROW_PAD = 2;

export const FRAME_BYTES = 32;
export const FRAME_NODE = 0;
export const FRAME_END = 4;
export const FRAME_HIGH_ORD = 8;
export const FRAME_ROW = 12;
export const FRAME_ROW_INDEX = 16;
export const FRAME_PARTIAL = 20;
export const FRAME_PENDING = 24;
export const FRAME_BEST = 28;

export const WALK_NO_EDITS = 3;
/** Words that one answer takes: {ordinal, edits}. */
export const CORRECTION_WORDS = 2;
/** Words that one answer takes: {low ordinal, high ordinal, edits}. */
export const PREFIX_RANGE_WORDS = 3;
