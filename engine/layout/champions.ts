/**
 * The champions of a list: the postings that a short page shows, known without a block of it. Of each kind of postings those are kept
 * that come first by falling impact, and among equal impacts by document. They lie in the list's outline (layout/list-outline.ts),
 * between its classes and its groups; in one that an earlier program wrote nothing does. Written by postings/champion-picker.ts
 * and kernels/pick-champions.ts, read by kernels/champions.ts.
 *
 * (Manning, Raghavan & Schütze, "Introduction to information retrieval", section 7.1.3.)
 *
 *     0 counts    u8[3]  champions of each kind
 *     3 complete  u8     bit k is set if the list has no other postings of kind k
 *     4 least     u8[3]  of each kind, the smallest impact that a champion has; 0: there is none
 *     7 -         u8     0
 *     8 champions, of all kinds by rising document:
 *       0 doc       u32  in the segment
 *       4 signature u16
 *       6 impact    u8
 *       7 kind      u8
 */

/** The field may not begin with the token, which is not all of it. */
export const CHAMPION_PLAIN = 0;
/** The field may begin with the token, and is more than it. */
export const CHAMPION_BEGUN = 1;
/** The posting has the impact of a term that is all its field has. */
export const CHAMPION_WHOLE = 2;
export const CHAMPION_KINDS = 3;
/** Of each kind, at most. */
export const CHAMPIONS_MAX = 16;

export const CHAMPIONS_COUNTS = 0;
export const CHAMPIONS_COMPLETE = 3;
export const CHAMPIONS_LEAST = 4;
export const CHAMPIONS_FIRST = 8;
export const CHAMPION_BYTES = 8;
export const CHAMPION_DOC = 0;
export const CHAMPION_SIGNATURE = 4;
export const CHAMPION_IMPACT = 6;
export const CHAMPION_KIND = 7;
/** All of a list, at most. */
export const CHAMPIONS_BYTES_MAX = 392;
