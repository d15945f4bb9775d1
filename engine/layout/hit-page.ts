/**
 * The hits of a page whose documents are shown whole, or their ids alone, in scratch memory. Laid out by query/hit-page.ts, written as JSON by
 * kernels/hit-page.ts.
 *
 *     0 bytes    u32  of the JSON that was written
 *     4 touched  u32  a sum of bytes that were read ahead, which tells nothing
 *     8          u64  -
 *    16 hits     HIT_BYTES each
 *
 *   hit
 *     0 segment  u32  address of its segment
 *     4 end      u32  where that ends
 *     8 store    u32  address of the segment's document store, or of its id table
 *    12 doc      u32
 *    16 score    f32
 *    20 row      u32  where the row of the document or id begins, and
 *    24 rowEnd   u32  ends; both are 0 when they do not lie in the segment
 */

export const HIT_PAGE_BYTES = 0;
export const HIT_PAGE_TOUCHED = 4;
export const HIT_PAGE_HITS = 16;

export const HIT_BYTES = 28;
export const HIT_SEGMENT = 0;
export const HIT_END = 4;
export const HIT_STORE = 8;
export const HIT_DOC = 12;
export const HIT_SCORE = 16;
export const HIT_ROW = 20;
export const HIT_ROW_END = 24;
