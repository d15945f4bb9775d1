/**
 * The best documents of a query by BM25, of which bonuses say the final order, in scratch memory: how they score, what is
 * known of their bonuses, and what a document must reach to be on the page. Laid out by query/bonuses/bonus-window.ts once a
 * query, worked on by kernels/bonus-window.ts. A document's *rank* is its place here.
 *
 *     0 count       u32  documents, at most OCCURRENCE_DOCS_MAX
 *     4 first       u32  the best by BM25 have the ranks below this, in no order, and are measured before the others
 *     8 end         u32  documents up to the end of the page
 *    12 ordersTies  u32  1: documents of equal scores are in order of insertion; 0: not known here
 *    16 hasPairs    u32  1: the query has neighbouring slots
 *    20 round       u32  WINDOW_ROUND_*: the documents that are chosen next
 *    24 random      u32  state of the generator that picks pivots
 *    28 whole       f32  no value of a document that scores less by BM25 is what was typed
 *    32 margin      f64  documents with a score below that of the page's last one, times this, cannot be on it
 *    40 need        f64  the score that a document must reach to be on the page, going by what is known so far
 *    48 needPlace   u64  and with that score, where it must lie at the latest; all bits while places do not matter
 *       SCORES      f32[count]: by BM25
 *       PLACES      u64[count]: segment of the query << 32 | document
 *       NEARNESS    f64[count]: factors, 1 while not measured
 *       EXACTNESS   f64[count]
 *       STATES      u8[count]: bits WINDOW_MEASURED, WINDOW_DOUBTED; before it is begun also WINDOW_BEGINS, WINDOW_WHOLE_VALUE
 *       FINAL       f32[count]: scores with bonuses
 *       KEYS        of 16 bytes, as keys of layout/score-top.ts, while some are chosen
 */

export const WINDOW_COUNT = 0;
export const WINDOW_FIRST = 4;
export const WINDOW_END = 8;
export const WINDOW_ORDERS_TIES = 12;
export const WINDOW_HAS_PAIRS = 16;
export const WINDOW_ROUND = 20;
export const WINDOW_RANDOM = 24;
export const WINDOW_WHOLE = 28;
export const WINDOW_MARGIN = 32;
export const WINDOW_NEED = 40;
export const WINDOW_NEED_PLACE = 48;
export const WINDOW_SCORES = 64;
export const WINDOW_PLACES = WINDOW_SCORES + 4 * 256;
export const WINDOW_NEARNESS = WINDOW_PLACES + 8 * 256;
export const WINDOW_EXACTNESS = WINDOW_NEARNESS + 8 * 256;
export const WINDOW_STATES = WINDOW_EXACTNESS + 8 * 256;
export const WINDOW_FINAL = WINDOW_STATES + 256;
export const WINDOW_KEYS = WINDOW_FINAL + 4 * 256;
export const WINDOW_BYTES = WINDOW_KEYS + 16 * 256;

/** The first ones; the best of the others; the others; none is left but those in doubt, some of them first. */
export const WINDOW_ROUND_FIRST = 0;
export const WINDOW_ROUND_NEXT = 1;
export const WINDOW_ROUND_REST = 2;
export const WINDOW_ROUND_DOUBTS = 3;

/** In percent: how much more a document counts in which all tokens are next to each other, in order; the factors of exactness. */
export const NEARNESS_PERCENT = 80;
export const WHOLE_PERCENT = 150;
export const BEGINS_PERCENT = 115;

export const WINDOW_MEASURED = 1;
export const WINDOW_DOUBTED = 2;
/** Of a document whose bonuses were known when it was found: a value begins with what was typed, or is it. */
export const WINDOW_BEGINS = 4;
export const WINDOW_WHOLE_VALUE = 8;

/** A segment whose documents were presented: the order of its first one, and its index in the query. */
export const PRESENTED_BYTES = 8;
