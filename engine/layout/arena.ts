/**
 * The map of one arena: 4 GiB of shared WebAssembly memory that never grows.
 *
 *   0                      64 KiB, unused: address 0 means "none", and the compiler's static data would lie here
 *   ARENA_SCRATCH          one scratch area a thread (layout/scratch.ts), SCRATCH_BYTES each
 *   after the last scratch regions of segments and live-docs bitmaps, REGION_ALIGN aligned, handed out by
 *                          memory/region-allocator.ts
 */

export const ARENA_PAGES = 65536;
export const ARENA_SCRATCH = 0x10000;
export const REGION_ALIGN = 4096;
/** Sections of a segment start at multiples of this. */
export const SECTION_ALIGN = 64;
