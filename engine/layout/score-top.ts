/**
 * The best documents of a query in order of falling score, in scratch memory (SCRATCH_SCORE_TOP). Begun and filled by
 * kernels/score-top.ts, read by query/sort/score-top.ts, which takes it along into the arena of the next segment.
 *
 *   offset bytes field     type    meaning
 *        0     4 size      u32     documents wanted, at most TOP_SIZE_MAX
 *        4     4 capacity  u32     keys that there is room for: size + the larger of it and TOP_SLACK_MIN
 *        8     4 count     u32     keys in use
 *       12     4 score     f32     what a document has to reach to enter; -1 while all enter, Infinity when none is wanted
 *       16    16 bound     key     what a document's key has to exceed; 0 while all enter
 *       32     4 random    u32     state of the generator that picks pivots
 *       48    16 keys      key[capacity], in no order
 *
 * A key is a 128-bit number, low half first: the larger one is the better document, and no two are alike. `order` is the
 * document's place among those of all segments presented, in order of insertion.
 *
 *   bits 97-127  the score: the bits of a 32-bit float >= 0 without its sign
 *   bits 32-96   0
 *   bits  0-31   ~order
 */

export const TOP_SIZE = 0;
export const TOP_CAPACITY = 4;
export const TOP_COUNT = 8;
export const TOP_SCORE = 12;
export const TOP_BOUND = 16;
export const TOP_RANDOM = 32;
export const TOP_KEYS = 48;

export const TOP_KEY_BYTES = 16;
/** Where the halves of a key lie in it, and by how much the score is shifted in the high one. */
export const TOP_KEY_LOW = 0;
export const TOP_KEY_HIGH = 8;
export const TOP_KEY_SCORE_SHIFT = 33;

export const TOP_SIZE_MAX = 10000;
/** Room beyond twice what small sizes want: selections come seldom enough. */
export const TOP_SLACK_MIN = 64;
