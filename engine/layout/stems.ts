/**
 * The bytes of a segment's stem index: from a stem to the terms that have it, for one language. Written by
 * terms/stem-index-writer.ts, read by terms/stem-index.ts. Little-endian. Fields of the same language share one, of the
 * terms that any of them holds.
 *
 *   header, 64-byte aligned
 *   offset bytes field        type  meaning
 *        0     4 bucketCount  u32   a power of two, at least memberCount
 *        4     4 memberCount  u32   terms that are not their own stem
 *        8       starts       u32[bucketCount + 1]  first member of each bucket, and memberCount
 *       then     members      u32[memberCount]
 *
 * The bucket of a term is the low bits of the hash of its stem: FNV-1a over its UTF-8 bytes, then h ^ (h >>> 15). The low 31
 * bits of a member are the term's ordinal; bit 31 is set in the first of those that share a stem. Members of a bucket are
 * in order of stem, then ordinal. A term that is its own stem is found in the dictionary. What the stem of a term is
 * follows from engine/text/generated/: other programs mean a new format version.
 */

export const STEMS_HEADER_BYTES = 8;
export const STEMS_BUCKET_COUNT = 0;
export const STEMS_MEMBER_COUNT = 4;

/** The ordinal in a member. */
export const STEMS_ORD_MASK = 0x7fffffff;
/** Shift of the bit in a member that marks the first term of a stem. */
export const STEMS_FIRST_SHIFT = 31;
