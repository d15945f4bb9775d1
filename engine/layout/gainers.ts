/**
 * The documents of a segment that get a bonus for the only token of a query, in scratch memory that outlives queries. Made by
 * query/bonuses/gainers.ts and kernels/gainers.ts, read by the latter.
 *
 *   state, while they are looked for; pointers are absolute
 *     0 segment    u32  address of the segment
 *     4 entries    u32  address of its postings entries
 *     8 maxDoc     u32
 *    12 fieldMap   u32  u8[256]: schema field -> queried field, PLAN_NO_FIELD where not queried
 *    16 whole      u32  the impact of a term that is all its field has
 *    20 begins     u32  bitsets of all chunks: documents of which a field begins with the token
 *    24 wholes     u32  bitsets of all chunks: documents of which a field is the token
 *
 *   gainers
 *     0 count      u32
 *     4 documents  u32[count], ascending: document << 2 | GAINS_*
 */

export const GAINERS_STATE_SEGMENT = 0;
export const GAINERS_STATE_ENTRIES = 4;
export const GAINERS_STATE_MAX_DOC = 8;
export const GAINERS_STATE_FIELD_MAP = 12;
export const GAINERS_STATE_WHOLE = 16;
export const GAINERS_STATE_BEGINS = 20;
export const GAINERS_STATE_WHOLES = 24;
export const GAINERS_STATE_BYTES = 32;

export const GAINERS_DOCS = 4;
export const GAINERS_DOC_SHIFT = 2;
/** It begins with the token; it is the token; it may hold so many terms for it that bonuses do not look at all. */
export const GAINS_BEGINS = 1;
export const GAINS_WHOLE = 2;
export const GAINS_UNKNOWN = 3;
