/**
 * The union of lists of one field of a segment while it is made, in scratch memory. Written by query/expand/make-union.ts and
 * kernels/list-union.ts. Pointers are absolute.
 *
 *   union
 *     0 segment      u32  address of the segment
 *     4 entries      u32  address of its postings entries
 *     8 maxDoc       u32
 *    12 field        u32  index into the schema's fields
 *    16 ranks        u32  u8[256]: by impact, its place in order of frequency (postings/impacts.ts); then u8[256]: by place, the
 *                         impact
 *    20 bits         u32  bitsets of all chunks, a bit a document: those of the union
 *    24 best         u32  u8[] by document: the best place of its impacts; undefined where it has no bit
 *
 * What is made of unions is lists as a segment has them (layout/postings.ts), but before it, in scratch memory, so that offsets
 * and numbers of entries are counted modulo 2^32. Those of one token in one field are told apart by the word ENTRY_POSITIONS:
 *   UNION_ALL     all documents, with impact 0 where a list of a larger weight, or the better one, scores
 *   UNION_BETTER  those of them that have a list of a larger weight, but a better impact here
 */

export const UNION_BYTES = 32;
export const UNION_SEGMENT = 0;
export const UNION_ENTRIES = 4;
export const UNION_MAX_DOC = 8;
export const UNION_FIELD = 12;
export const UNION_RANKS = 16;
export const UNION_BITS = 20;
export const UNION_BEST = 24;
export const UNION_RANKS_BYTES = 512;
export const UNION_ALL = 0;
export const UNION_BETTER = 1;
