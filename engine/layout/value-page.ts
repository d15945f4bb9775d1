/**
 * Values of a keyword column and how many documents have each, in scratch memory. Laid out by query/facets/value-page.ts, written as JSON by
 * kernels/value-page.ts.
 *
 *     0 bytes    u32  of the JSON that was written
 *     4 touched  u32  a sum of bytes that were read ahead, which tells nothing
 *     8 entries  VALUE_BYTES each: {code u32, count u32}
 */

export const VALUE_PAGE_BYTES = 0;
export const VALUE_PAGE_TOUCHED = 4;
export const VALUE_PAGE_ENTRIES = 8;

export const VALUE_BYTES = 8;
export const VALUE_CODE = 0;
export const VALUE_COUNT = 4;
