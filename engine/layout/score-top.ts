/**
 * The best documents of a query by score, by a column of numbers, or by both, in scratch memory (SCRATCH_SCORE_TOP). Begun
 * and filled by kernels/score-top.ts, read by query/sort/score-top.ts, which takes it along into the arena of the next
 * segment.
 *
 *   offset bytes field     type    meaning
 *        0     4 size      u32     documents wanted, at most TOP_SIZE_MAX
 *        4     4 capacity  u32     keys that there is room for: size + the larger of it and TOP_SLACK_MIN
 *        8     4 count     u32     keys in use
 *       12     4 score     f32     what a document has to reach to enter; -1 while all enter, and where the score does not
 *                                  come first; Infinity when none is wanted
 *       16    16 bound     key     what a document's key has to exceed; 0 while all enter
 *       32     4 random    u32     state of the generator that picks pivots
 *       36     4 keyKind   u32     TOP_KEY_*
 *
 *     The column, when the order has one, of the segment being collected:
 *       40     4 orderBase u32     order of the segment's first document
 *       44     4 width     u32     bytes per code; 0: no document of the segment has the field
 *       48     4 codes     u32     absolute, as the next two
 *       52     4 starts    u32     0: single-valued
 *       56     4 present   u32     0: all documents have the field
 *       60     4 last      u32     1: the largest of several values counts, 0: the smallest
 *       64     8 base      u64     code 0 as an unsigned number
 *       72     8 flip      u64     what turns base + code into a value of which the larger is better
 *
 *     What of the documents kept can be asked for, where bonuses order the best of them again (query/bonuses/page-bound.ts):
 *       80     4 page      u32     documents up to the end of the page, all that is asked for; 0: all that are kept are
 *       84     4 share     f32     documents that score less than this share of the page's last one cannot be on the page,
 *       88     4 wholeShare f32    but with this share of it, if they score
 *       92     4 whole     f32     at least this
 *       96     4 nextLook  u32     with as many keys in use it is looked at again what the page's last one scores
 *
 *      112    16 keys      key[capacity], in no order
 *
 * A key is a 128-bit number, low half first: the larger one is the better document, and no two are alike. From the highest
 * bit down:
 *
 *   TOP_KEY_SCORE, TOP_KEY_SCORE_COLUMN   score 31, present 1, value 64, ~(order, verdict) 32
 *   TOP_KEY_COLUMN_SCORE                  present 1, value 64, score 31, ~(order, verdict) 32
 *   TOP_KEY_COLUMN                        present 1, value 64, ~(order, verdict) 32, score 31
 *
 * score: the bits of a 32-bit float >= 0 without its sign. present: 1 if the document has a value. order, 30 bits: its place among
 * the documents of all segments presented, in order of insertion. verdict, 2 bits below: TOP_VERDICT_*. In TOP_KEY_SCORE
 * present and value are 0.
 */

export const TOP_SIZE = 0;
export const TOP_CAPACITY = 4;
export const TOP_COUNT = 8;
export const TOP_SCORE = 12;
export const TOP_BOUND = 16;
export const TOP_RANDOM = 32;
export const TOP_KEY_KIND = 36;
export const TOP_ORDER_BASE = 40;
export const TOP_WIDTH = 44;
export const TOP_CODES = 48;
export const TOP_STARTS = 52;
export const TOP_PRESENT = 56;
export const TOP_LAST = 60;
export const TOP_BASE = 64;
export const TOP_FLIP = 72;
export const TOP_PAGE = 80;
export const TOP_SHARE = 84;
export const TOP_WHOLE_SHARE = 88;
export const TOP_WHOLE = 92;
export const TOP_NEXT_LOOK = 96;
export const TOP_KEYS = 112;

export const TOP_KEY_SCORE = 0;
export const TOP_KEY_SCORE_COLUMN = 1;
export const TOP_KEY_COLUMN_SCORE = 2;
export const TOP_KEY_COLUMN = 3;

export const TOP_KEY_BYTES = 16;
/** Where the halves of a key lie in it, and by how much a score in front is shifted in the high one. */
export const TOP_KEY_LOW = 0;
export const TOP_KEY_HIGH = 8;
export const TOP_KEY_SCORE_SHIFT = 33;
/** Bits of the verdict below those of the order. */
export const TOP_VERDICT_BITS = 2;
/** Orders are smaller. */
export const TOP_ORDERS_MAX = 1073741824;

/** What is known of the bonuses of a document: nothing; else 1 more than the VERDICT_* of layout/occurrences.ts. */
export const TOP_VERDICT_UNKNOWN = 0;
export const TOP_VERDICT_NONE = 1;
export const TOP_VERDICT_BEGINS = 2;
export const TOP_VERDICT_WHOLE = 3;

export const TOP_SIZE_MAX = 10000;
/** Room beyond twice what small sizes want: selections come seldom enough. */
export const TOP_SLACK_MIN = 64;
