/**
 * What a list of at least OUTLINED_POSTINGS_MIN postings holds, told without these: how many documents have each impact, of how
 * many the field begins with the token, and where such ones are. A segment has outlines of its own lists, written by
 * postings/outline-writer.ts; of others, kernels/list-outline.ts makes some in scratch memory that outlives queries, for
 * query/expand/list-outlines.ts. Read by kernels/foreseen-page.ts.
 *
 * It comes with an entry as a union does (layout/list-union.ts), of which ENTRY_POSITIONS is UNION_OUTLINE and ENTRY_LIST the offset
 * of the outline, modulo 2^32.
 *
 *     0 classCount   u32
 *     4 groups       u32  offset of the groups within the outline
 *     8 classes, a record for each impact that postings have, falling:
 *       0 impact     u32
 *       4 all        u32  postings
 *       8 may        u32  those of which the field may begin with the token
 *      12 does       u32  those of which it surely does
 *       champions  (layout/champions.ts), up to the groups; none in an outline that an earlier program wrote
 *       groups, a record for each 16 blocks of each chunk as in the list:
 *       0 maxima     u8[16]  largest impact of postings of which the field may begin so, but is more than the token; 0: there is none
 *      16 wholes     u16  bit i is set if block i has postings with the impact of a term that is all its field has
 *
 * In a segment, before its entries:
 *     outlined   u32[count]  numbers of the entries that have an outline, ascending
 *     stand-ins  the entries that outlines come with, ENTRY_BYTES each, in the same order, at a multiple of 64
 *     outlines   4-byte aligned
 */

/** What a shorter list holds is counted each time. */
export const OUTLINED_POSTINGS_MIN = 257;

export const OUTLINE_CLASS_COUNT = 0;
export const OUTLINE_GROUPS = 4;
export const OUTLINE_CLASSES = 8;
export const OUTLINE_CLASS_BYTES = 16;
export const OUTLINE_CLASS_IMPACT = 0;
export const OUTLINE_CLASS_ALL = 4;
export const OUTLINE_CLASS_MAY = 8;
export const OUTLINE_CLASS_DOES = 12;
export const OUTLINE_GROUP_BLOCKS = 16;
export const OUTLINE_GROUP_BYTES = 18;
export const OUTLINE_GROUP_WHOLES = 16;
