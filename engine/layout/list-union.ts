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
 *                         impact; then u8[256]: by impact, 1 if its fields may hold more terms than bonuses look at
 *    20 bits         u32  bitsets of all chunks, a bit a document: those of the union
 *    24 best         u32  u8[] by document: the best place of its impacts; undefined where it has no bit
 *    28 begins       u32  bitsets of all chunks: documents of which the field begins with a term that stands for all of the token;
 *                         0: that is not told
 *    32 isUnsure     u32  1: a document may hold more of those terms than bonuses look at
 *
 * What is made of unions is lists as a segment has them (layout/postings.ts), but before it, in scratch memory, so that offsets
 * and numbers of entries are counted modulo 2^32. Those of one token in one field are told apart by the word ENTRY_POSITIONS:
 *   UNION_ALL     documents that have no list of a larger weight; that of the smallest weight all, with impact 0 where another
 *                 one scores
 *   UNION_BETTER  those of which a list of a smaller weight has a better impact than all of a larger one: special documents. Where the list
 *                 of the largest weight is the segment's own one, it has them too
 *   UNION_SPECIAL the special documents again, for whoever reads one list after the other: each with its impacts in all lists. There is
 *                 none beside a list of the segment's own
 *   UNION_OUTLINE no list, but what the only list of the token holds, one of a segment's own or a union (layout/list-outline.ts)
 *
 *   special
 *     0 count        u32
 *     4 weights      u8[8]  indexes of weights; 255: there are no more
 *    12 documents, ascending:
 *       0 doc        u32
 *       4 impacts    u8[8]  by weight; 0: no list of that weight has the document
 * Where `begins` is known that word names signatures instead, for UNION_ALL, at an even offset: 1 where the field begins so, with
 * SIGNATURE_BEYOND where bonuses may not look so far, 0 where it does not. They tell what all lists of the token do, but of
 * completions: these begin a field of one token, where the signature is 0 if nothing else does.
 */

export const UNION_BYTES = 48;
export const UNION_SEGMENT = 0;
export const UNION_ENTRIES = 4;
export const UNION_MAX_DOC = 8;
export const UNION_FIELD = 12;
export const UNION_RANKS = 16;
export const UNION_BITS = 20;
export const UNION_BEST = 24;
export const UNION_BEGINS = 28;
export const UNION_IS_UNSURE = 32;
export const UNION_RANKS_BYTES = 768;
export const UNION_ALL = 0;
export const UNION_BETTER = 1;
export const UNION_SPECIAL = 3;
export const UNION_OUTLINE = 5;

export const SPECIAL_COUNT = 0;
export const SPECIAL_WEIGHTS = 4;
export const SPECIAL_WEIGHTS_MAX = 8;
export const SPECIAL_DOCS = 12;
export const SPECIAL_DOC_BYTES = 12;
export const SPECIAL_IMPACTS = 4;
