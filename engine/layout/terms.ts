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
 *       48     4 stack         u32   items that are to be expanded lie here
 *       52     4 stackTop      u32   and end here; the last ones are next
 *       56     4 stackEnd      u32   end of the memory for them
 *       60     4 wordCount     u32   answers written by the last call: terms
 *       64     4 prefixCount   u32   and ranges of terms with a mistyped prefix
 *       68     4 termCount     u32
 *       72     4 tails         u32   the tails to be followed lie here
 *       76     4 tailsEnd      u32   and end here
 *       80     4 taken         u32   the items that are being expanded lie here
 *       84     4 touched       u32   of no meaning: what was read ahead
 *      128  1024 asciiMasks    u64[128]  bit s: the token's code point s is this one
 *     1152   256 otherChars    u32[64]
 *     1408   512 otherMasks    u64[64]
 *     1920    64 chars         u8[64]  each code point of the token, 255 beyond ASCII
 *     1984   288 suffixes      u32[72] bits of the masks that the token's code points from here on have, one each
 *
 *   item, 64 bytes: up to 16 siblings in the same state
 *   offset bytes field
 *        0     4 block         u32   the first node that may be one of them
 *        4     4 end           u32   of the only one: the node where the terms below it end; 0: the next node
 *        8     1 rowIndex      u8    code points from the root, WALK_FAR for more
 *        9     1 best          u8    fewest edits of any prefix up to the parent, WALK_NO_EDITS for none, WALK_REPORTED when
 *                                    all terms below are reported
 *       10     2 bits          u16   bit i: node block + i is one of them
 *       12     3 partial       u24   code point so far
 *       15     1 pending       u8    continuation bytes of it still to come
 *       16    48 rows          u64   of the automaton: R0, R1, R2, swap1, swap2, skip2
 *
 *   tail, 48 bytes: a node where all edits are used up: from here on the token must follow letter by letter
 *   offset bytes field
 *        0     4 node          u32
 *        4     4 end           u32   the node where the terms below it end
 *        8     8 states        u64   bit i: the token's code point i may follow; before the tail is settled, bit i: the code
 *                                    points up to i match
 *       16     4 first         u32   its children, once they were looked up
 *       20     4 last          u32   and their end
 *       24     4 best          u32   WALK_REPORTED: the terms below are reported
 *       28     4 zero
 *       32    16 labels        u8    of the first 16 children
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
export const WALK_TERM_COUNT = 68;
export const WALK_TAILS = 72;
export const WALK_TAILS_END = 76;
export const WALK_TAKEN = 80;
export const WALK_TOUCHED = 84;
export const WALK_ASCII_MASKS = 128;
export const WALK_OTHER_CHARS = 1152;
export const WALK_OTHER_MASKS = 1408;
export const WALK_CHARS = 1920;
export const WALK_SUFFIXES = 1984;
export const WALK_BYTES = 2272;

export const ITEM_BYTES = 64;
export const ITEM_BLOCK = 0;
export const ITEM_END = 4;
export const ITEM_ROW_INDEX = 8;
export const ITEM_BEST = 9;
export const ITEM_BITS = 10;
export const ITEM_PARTIAL = 12;
export const ITEM_PENDING = 15;
export const ITEM_R0 = 16;
export const ITEM_R1 = 24;
export const ITEM_R2 = 32;
export const ITEM_SWAP1 = 40;
export const ITEM_SWAP2 = 48;
export const ITEM_SKIP2 = 56;

export const TAIL_BYTES = 48;
export const TAIL_NODE = 0;
export const TAIL_END = 4;
export const TAIL_STATES = 8;
export const TAIL_FIRST = 16;
export const TAIL_LAST = 20;
export const TAIL_BEST = 24;
export const TAIL_LABELS = 32;
/** Tails that are gathered before they are followed, and with those that the last items taken lead to. */
export const WALK_TAILS_MAX = 2048;
export const WALK_TAILS_GATHERED = 8192;
/**
 * Tails that come of as many at a level, at most. A state is at most two code points away from what was read, so a tail has up
 * to five, and each leads to one child alone.
 */
export const WALK_TAILS_LEVEL = 5 * WALK_TAILS_GATHERED;
/** Answers of a kind that an output has room for, and how many may come of one step. */
export const WALK_ANSWERS_MAX = 65536;
export const WALK_STEP_ANSWERS = 49152;

/** Items taken off the stack at once, and siblings in them, at most, but for the last item's. */
export const WALK_TAKEN_ITEMS = 32;
export const WALK_TAKEN_SIBLINGS = 32;

/**
 * The memory of a walk, of which hardly any is ever used: items that are being expanded, tails of two levels, and the stack.
 * That has room for the siblings of every node on a path, of which none has more than 256; and as long as there are less than
 * WALK_WIDE_BYTES on it, for those of all that are taken at once.
 */
export const WALK_TAKEN_BYTES = WALK_TAKEN_ITEMS * ITEM_BYTES;
export const WALK_TAILS_BYTES = 2 * WALK_TAILS_LEVEL * TAIL_BYTES;
export const WALK_WIDE_BYTES = 1048576;
export const WALK_STACK_BYTES = 6291456;
export const WALK_MEMORY_BYTES = WALK_TAKEN_BYTES + WALK_TAILS_BYTES + WALK_STACK_BYTES;

export const WALK_FAR = 3;
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
