/**
 * A text query over neighbouring segments of one arena, as one kernel runs it. Written by query/match/sweep.ts, run by
 * kernels/sweep.ts, which notes here how far it came. Pointers are absolute.
 *
 *   sweep
 *     0 scratch      u32  the thread's scratch area (layout/scratch.ts)
 *     4 top          u32  the best documents (layout/score-top.ts)
 *     8 matchAll     u32  1: a match holds every clause; 0: any of them
 *    12 plans        u32  clauseCount plans (layout/token-plan.ts) in the order of the query, planBytes apart; not of
 *                         phrases, of which the ranges are those of the first token
 *    16 planBytes    u32
 *    20 clauseCount  u32  at least 1
 *    24 rows         u32  rowCount rows: the segments, in order
 *    28 rowCount     u32
 *    32 ranges       u32  by clause, u32[rowCount + 1]: addresses where the ranges that it reads of each segment begin, and
 *                         where those of the last end; ranges as of a plan
 *    36 heap         u32  memory from here to heapEnd is free for plans, 16-byte aligned
 *    40 heapEnd      u32
 *    44 found        u32  matches so far
 *    48 steps        i32  what is left to be done in this call, in steps of some nanoseconds
 *    52 chunkCount   u32  chunks of the segment being read; 0: its plans are not made yet
 *    56 chunk        u32  the chunk being read
 *    60 clause       u32  the next clause to be scored in it
 *    64 count        u32  documents of the chunk that match the clauses before
 *    68 firstCount   u32  documents of the chunk that match the first clause
 *    72 row          u32  index of the segment being read
 *    76 outer        u32  address of the entry that is all the segment's only clause reads of it, or a union, as prefix postings are
 *    80 outerWeight  f32  what its scores are multiplied by
 *    84 inner        u32  address of an entry that weighs more, within the outer one, as that of the prefix itself; 0: there is none
 *    88 innerWeight  f32
 *    92 phrases      u32  by clause, u32: address of a phrase (layout/phrase.ts), 0 of a token; 0: all are tokens
 *    96 joined       u32  by clause and queried field, a record (layout/joined-lists.ts); 0: lists are not joined
 *   100 joinedEnd    u32  where the records end
 *   104 isJoined     u32  1: lists are joined in the segment being read
 *   108 blocks       u32  of a segment whose lists are joined: blocks of 128 documents that the chunk being read has, the last of
 *                         which may not be full
 *   112 judge        u32  what judges documents as they are found (layout/judge.ts); 0: nobody asks for that
 *   116 typed        u32  which of the two entries is that of the term as typed; 0: neither
 *   120 completed    u32  which of them holds completions of it, and nothing else but itself; 0: neither
 *   124 better       u32  beside the segment's own list, the entry of the documents that a union scores apart
 *                         (layout/list-union.ts); 0: there are none
 *   128 facets       u32  of a sweep over one segment: facets that are counted (layout/facet-counts.ts)
 *   132 facetsEnd    u32  where these end; the same: there are none
 *   136 isSigned     u32  1: the lists of the union that outlives queries tell bonuses
 *   140 moreCount    u32  lists of the union beside the outer and the inner one
 *   144 more         {entry u32, weight f32}[SWEEP_MORE_MAX]: they weigh more than these, largest weight first
 *   208 special      u32  of that union, the entry of its special documents (layout/list-union.ts); 0: there are none
 *   212 scale        f32  what all weights are multiplied by in the field of its lists
 *   216 outline      u32  of the outer list (layout/list-outline.ts); 0: it has none
 *   220 isAll        u32  1: no documents of other segments are among the best ones
 *   224 isFew        u32  1: no more documents match than are wanted, so that all of them enter
 *   228 hasPlaces    u32  of a sweep whose lists are joined, 1: what it takes to list bits is made (kernels/bit-lists.ts)
 *   232 touched      u32  what was read ahead of its time, summed up so that nothing takes the reading for useless
 *   236 shift        u32  1: the documents of the chunk that all clauses match were listed before any was scored, so that the first clause
 *                         is read as a second one is
 *   240 part         u32  PART_*: which documents of the chunk these are
 *   244 only         u32  of a sweep over one segment: 1 + the only chunk that is read until more are asked for, ONLY_READ once it was; 0: all
 *                         are
 *   248 isBegun      u32  1: what the best documents reach was looked at, which is done once
 *
 *   row, a segment
 *     0 segment      u32  its address
 *     4 entries      u32  address of its postings entries
 *     8 maxDoc       u32
 *    12 live         u32  address of its live docs; 0: no document is deleted
 *    16 orderBase    u32  order of its first document among those of all segments
 *    20 prefixEntries  u32  address of the first entry of prefix postings, which follow those of terms
 *    24 column       u32  address of the column by which equal scores are in order; 0: there is none
 *    28 passing      u32  by chunk, u32: address of a bitset of the documents of the chunk that may match, deleted ones or
 *                         not; 0: all may
 *    32 losses       u32  what the only list that is read has of deleted documents (layout/losses.ts); 0: it is not known, or the
 *                         sweep has more clauses
 */

export const SWEEP_SCRATCH = 0;
export const SWEEP_TOP = 4;
export const SWEEP_MATCH_ALL = 8;
export const SWEEP_PLANS = 12;
export const SWEEP_PLAN_BYTES = 16;
export const SWEEP_CLAUSE_COUNT = 20;
export const SWEEP_ROWS = 24;
export const SWEEP_ROW_COUNT = 28;
export const SWEEP_RANGES = 32;
export const SWEEP_HEAP = 36;
export const SWEEP_HEAP_END = 40;
export const SWEEP_FOUND = 44;
export const SWEEP_STEPS = 48;
export const SWEEP_CHUNK_COUNT = 52;
export const SWEEP_CHUNK = 56;
export const SWEEP_CLAUSE = 60;
export const SWEEP_COUNT = 64;
export const SWEEP_FIRST_COUNT = 68;
export const SWEEP_ROW = 72;
export const SWEEP_OUTER = 76;
export const SWEEP_OUTER_WEIGHT = 80;
export const SWEEP_INNER = 84;
export const SWEEP_INNER_WEIGHT = 88;
export const SWEEP_PHRASES = 92;
export const SWEEP_JOINED = 96;
export const SWEEP_JOINED_END = 100;
export const SWEEP_IS_JOINED = 104;
export const SWEEP_BLOCKS = 108;
export const SWEEP_JUDGE = 112;
export const SWEEP_TYPED = 116;
export const SWEEP_COMPLETED = 120;
export const SWEEP_BETTER = 124;
export const SWEEP_FACETS = 128;
export const SWEEP_FACETS_END = 132;
export const SWEEP_IS_SIGNED = 136;
export const SWEEP_MORE_COUNT = 140;
export const SWEEP_MORE = 144;
export const SWEEP_MORE_MAX = 8;
export const SWEEP_SPECIAL = 208;
export const SWEEP_SCALE = 212;
export const SWEEP_OUTLINE = 216;
export const SWEEP_IS_ALL = 220;
export const SWEEP_IS_FEW = 224;
export const SWEEP_HAS_PLACES = 228;
export const SWEEP_TOUCHED = 232;
export const SWEEP_SHIFT = 236;
export const SWEEP_PART = 240;
export const SWEEP_ONLY = 244;
export const SWEEP_IS_BEGUN = 248;
export const SWEEP_BYTES = 256;

/** All of a chunk; the documents that may score most; what is left then. */
export const PART_WHOLE = 0;
export const PART_FIRST = 1;
export const PART_REST = 2;

export const ONLY_READ = 0x7fffffff;

export const ROW_SEGMENT = 0;
export const ROW_ENTRIES = 4;
export const ROW_MAX_DOC = 8;
export const ROW_LIVE = 12;
export const ROW_ORDER_BASE = 16;
export const ROW_PREFIX_ENTRIES = 20;
export const ROW_COLUMN = 24;
export const ROW_PASSING = 28;
export const ROW_LOSSES = 32;
export const ROW_BYTES = 36;

/** What runSweep of kernels/sweep.ts returns. */
export const SWEEP_DONE = 0;
/** The steps were used up: it wants to be called again. */
export const SWEEP_STOPPED = 1;
/** The heap has no room for the plans of a segment. */
export const SWEEP_NO_ROOM = 2;
