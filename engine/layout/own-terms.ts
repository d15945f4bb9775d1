/**
 * What tells the bonuses of documents for the only token of a query over one field, of each segment, in scratch memory. Laid out by
 * query/bonuses/own-terms.ts once a query, read by kernels/own-terms.ts. Pointers are absolute.
 *
 *     a row for each segment of the query:
 *     0 segment      u32  address of the segment
 *     4 entry        u32  address of the entry of the only term that stands for all of the token; 0: it has none
 *     8 lengths      u32  address of the field's tokens by document
 *    12 lengthWidth  u32  bytes per length: 1, 2 or 4
 */

export const OWN_TERMS_ROW_BYTES = 16;
export const OWN_TERMS_SEGMENT = 0;
export const OWN_TERMS_ENTRY = 4;
export const OWN_TERMS_LENGTHS = 8;
export const OWN_TERMS_LENGTH_WIDTH = 12;
