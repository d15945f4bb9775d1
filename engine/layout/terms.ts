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
 *       20     4 masks         u32   offset of u32[maskedCount]; 0 in version 1, which has none
 *       24     4 maskedCount   u32   nodes at most MASKED_LEVELS below the root: they come first
 *       28    36 zero
 *
 * Each array starts 64-byte aligned. Node 0 is the root. The children of node i are the nodes from firstChild[i] up to
 * firstChild[i + 1], in ascending order of their labels. The low 31 bits of lowOrds[i] are the ordinal of the first term
 * at or below node i; bit 31 is set when node i ends a term, which then is that one. The terms below a node end where
 * those of its next sibling begin; a last child's end where its parent's do.
 *
 * Bit (b % 32) of masks[i] is set when some node below node i has the label b: what looks for letters that are nowhere
 * below a node need not look there. Letters have bits of their own.
 */

export const TERMS_HEADER_BYTES = 64;
export const TERMS_NODE_COUNT = 0;
export const TERMS_TERM_COUNT = 4;
export const TERMS_LABELS = 8;
export const TERMS_FIRST_CHILD = 12;
export const TERMS_LOW_ORDS = 16;
export const TERMS_MASKS = 20;
export const TERMS_MASKED_COUNT = 24;
/** Below, a node has few terms, and finding that it has none of interest is as cheap as a look at its mask. */
export const MASKED_LEVELS = 4;

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
 *       12     4 masks         u32
 *       16     4 maskedCount   u32
 *       20     4 nodeCount     u32
 *       24     8 tokenBits     u64   one bit a code point of the token, from bit 0
 *       32     8 otherFilter   u64   bit (c & 63) is set for each code point c of the token beyond ASCII
 *       40     4 otherCount    u32   distinct code points of the token beyond ASCII
 *       44     4 edits         u32   the most edits allowed, 1 or 2
 *       48     4 stack         u32   items that are to be visited lie here
 *       52     4 stackTop      u32   and end here; the last one is visited next
 *       56     4 stackEnd      u32   end of the memory for them
 *       60     4 wordCount     u32   answers written by the last call: terms
 *       64     4 prefixCount   u32   and ranges of terms with a mistyped prefix
 *      128  1024 asciiMasks    u64[128]  bit s: the token's code point s is this one
 *     1152   256 otherChars    u32[64]
 *     1408   512 otherMasks    u64[64]
 *     1920    64 chars         u8[64]  each code point of the token, 255 beyond ASCII
 *     1984   288 suffixes      u32[72] bits of the masks that the token's code points from here on have, one each
 *
 *   item, 64 bytes: node u32, highOrd u32 (past the terms below it), rowIndex u8 (code points from the root, 3 for more),
 *     best u8 (fewest edits of any prefix up to the parent, WALK_NO_EDITS for none, WALK_REPORTED when all terms below
 *     are reported), pending u8 (continuation bytes still to come), 0 u8, partial u32 (code point so far), and the rows of
 *     the automaton: R0, R1, R2, swap1, swap2, skip2, u64 each
 */
export const WALK_LABELS = 0;
export const WALK_FIRST_CHILD = 4;
export const WALK_LOW_ORDS = 8;
export const WALK_MASKS = 12;
export const WALK_MASKED_COUNT = 16;
export const WALK_NODE_COUNT = 20;
export const WALK_TOKEN_BITS = 24;
export const WALK_OTHER_FILTER = 32;
export const WALK_OTHER_COUNT = 40;
export const WALK_EDITS = 44;
export const WALK_STACK = 48;
export const WALK_STACK_TOP = 52;
export const WALK_STACK_END = 56;
export const WALK_WORD_COUNT = 60;
export const WALK_PREFIX_COUNT = 64;
export const WALK_ASCII_MASKS = 128;
export const WALK_OTHER_CHARS = 1152;
export const WALK_OTHER_MASKS = 1408;
export const WALK_CHARS = 1920;
export const WALK_SUFFIXES = 1984;
export const WALK_BYTES = 2272;

export const ITEM_BYTES = 64;
export const ITEM_NODE = 0;
export const ITEM_HIGH_ORD = 4;
export const ITEM_ROW_INDEX = 8;
export const ITEM_BEST = 9;
export const ITEM_PENDING = 10;
export const ITEM_PARTIAL = 12;
export const ITEM_R0 = 16;
export const ITEM_R1 = 24;
export const ITEM_R2 = 32;
export const ITEM_SWAP1 = 40;
export const ITEM_SWAP2 = 48;
export const ITEM_SKIP2 = 56;

/** Memory for the items of a walk: the siblings of every node on a path, of which none has more than 256. */
export const WALK_STACK_BYTES = 4227072;

export const WALK_NO_EDITS = 3;
export const WALK_REPORTED = 4;

/** What a call of a walk comes to: it is over; an output is full, and it is to be called again; the bytes are damaged. */
export const WALK_DONE = 0;
export const WALK_FULL = 1;
export const WALK_DAMAGED = 2;

/** Words that one answer takes: {ordinal, edits}. */
export const CORRECTION_WORDS = 2;
/** Words that one answer takes: {low ordinal, high ordinal, edits}. */
export const PREFIX_RANGE_WORDS = 3;
