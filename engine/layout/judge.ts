/**
 * What the only token of a query gives the documents of its own list in bonuses, told while the list is read, in scratch memory.
 * Laid out by query/match/sweep.ts once a sweep, used by kernels/judged-list.ts.
 *
 *     0 page        u32  documents up to the end of the page
 *     4 count       u32  scores so far, at most page
 *     8 wholeImpact u32  the impact of a term that is all its field has
 *    12 completed   u32  1: a document may get a bonus for a completion of the token
 *    16 isRelated   u32  1: a related term may be another than a completion
 *    20 scores      f32[page]: the best ones, bonuses included, falling
 */

export const JUDGE_PAGE = 0;
export const JUDGE_COUNT = 4;
export const JUDGE_WHOLE_IMPACT = 8;
export const JUDGE_COMPLETED = 12;
export const JUDGE_IS_RELATED = 16;
export const JUDGE_SCORES = 20;
