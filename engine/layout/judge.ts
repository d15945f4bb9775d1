/**
 * What the only token of a query gives the documents of its own list in bonuses, told while the list is read, in scratch memory.
 * Laid out by query/match/sweep.ts once a sweep, used by kernels/judged-list.ts.
 *
 *     0 page        u32  documents up to the end of the page
 *     4 count       u32  scores so far, at most page
 *     8 wholeImpact u32  the impact of a term that is all its field has
 *    12 completed   u32  1: a document may get a bonus for a completion of the token
 *    16 isRelated   u32  1: a related term may be another than a completion
 *    20 isForeseen  u32  1: what a document on the page scores at least is known before lists are read (kernels/foreseen-page.ts)
 *    24 final       f32  what it has to exceed, bonuses included, if that is so
 *    28 mayMin      u32  of documents whose field begins with the token, the smallest impact that exceeds it; 256: none does
 *    32 plainMin    u32  of documents that get no bonus, the smallest impact that does
 *    36 wholeMin    u32  wholeImpact, if that exceeds it with its bonus; else 256
 *    40 tieImpact   u32  the impact of the last document that gets bonuses, 0: all of it do, or none,
 *    44 tieOrder    u32  and its order
 *    48 scores      f32[page]: the best ones, bonuses included, falling
 */

export const JUDGE_PAGE = 0;
export const JUDGE_COUNT = 4;
export const JUDGE_WHOLE_IMPACT = 8;
export const JUDGE_COMPLETED = 12;
export const JUDGE_IS_RELATED = 16;
export const JUDGE_IS_FORESEEN = 20;
export const JUDGE_FINAL = 24;
export const JUDGE_MAY_MIN = 28;
export const JUDGE_PLAIN_MIN = 32;
export const JUDGE_WHOLE_MIN = 36;
export const JUDGE_TIE_IMPACT = 40;
export const JUDGE_TIE_ORDER = 44;
export const JUDGE_SCORES = 48;
