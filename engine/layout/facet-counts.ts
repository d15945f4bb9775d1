/**
 * A facet of a sweep over one segment: a column that has the field, and where its values are counted. Laid out by
 * query/facets/facet-collector.ts, used by kernels/sweep-facets.ts. Pointers are absolute.
 *
 *     0 column      u32  the column in the segment
 *     4 counts      u32  u32[]: how often each code was counted (kernels/facets.ts)
 *     8 codeCount   u32  codes there are
 */

export const FACET_COLUMN = 0;
export const FACET_COUNTS = 4;
export const FACET_CODE_COUNT = 8;
export const FACET_BYTES = 12;
