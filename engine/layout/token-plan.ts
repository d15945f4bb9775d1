/**
 * What one query token matches in one segment, laid out by chunk and field in scratch memory. Made by
 * query/match/token-plan.ts and kernels/token-plan.ts, read by kernels/scoring.ts. Pointers are absolute; 0 where not made yet.
 *
 *   plan
 *     0 segment     u32  address of the segment
 *     4 entries     u32  address of its postings entries
 *     8 fieldMap    u32  u8[256]: schema field -> queried field 0..fieldCount-1, PLAN_NO_FIELD where not queried
 *    12 fieldCount  u32  queried fields
 *    16 chunkLow    u32  chunks [chunkLow, chunkHigh) are laid out
 *    20 chunkHigh   u32
 *    24 ranges      u32  rangeCount ranges of entries: {low u32, high u32, weight index u32}
 *    28 rangeCount  u32
 *    32 itemStarts  u32  u32[buckets + 1]; bucket = (chunk - chunkLow) * fieldCount + field; bucket b ends at starts[b]
 *    36 items       u32  chunk lists: {data u32, count u32 | PLAN_ITEM_*, weight index u32}
 *    40 looseStarts u32  like itemStarts
 *    44 loose       u32  single postings: document % 65536 | impact << 16 | weight index << 24
 *    48 weights     u32  f32[PLAN_WEIGHTS_MAX]
 *    52 scales      u32  f32[fieldCount]: boost * idf of the token
 *    56 lut         u32  f32[fieldCount][256]: tf part of each impact
 *    60 spare       u32  256 KiB that kernels may fill while they score a chunk: a list u16[65536], then what
 *                       kernels/bitset-chunks.ts unpacks
 */

export const PLAN_BYTES = 64;
export const PLAN_SEGMENT = 0;
export const PLAN_ENTRIES = 4;
export const PLAN_FIELD_MAP = 8;
export const PLAN_FIELD_COUNT = 12;
export const PLAN_CHUNK_LOW = 16;
export const PLAN_CHUNK_HIGH = 20;
export const PLAN_RANGES = 24;
export const PLAN_RANGE_COUNT = 28;
export const PLAN_ITEM_STARTS = 32;
export const PLAN_ITEMS = 36;
export const PLAN_LOOSE_STARTS = 40;
export const PLAN_LOOSE = 44;
export const PLAN_WEIGHTS = 48;
export const PLAN_SCALES = 52;
export const PLAN_LUT = 56;
export const PLAN_SPARE = 60;

export const PLAN_RANGE_BYTES = 12;
export const PLAN_ITEM_BYTES = 12;
export const PLAN_ITEM_DATA = 0;
export const PLAN_ITEM_COUNT = 4;
export const PLAN_ITEM_WEIGHT = 8;
export const PLAN_ITEM_DENSE = 0x40000000;
export const PLAN_ITEM_BITSET = 0x20000000;
export const PLAN_ITEM_RANKED = 0x10000000;
/** What of the word is the count. */
export const PLAN_ITEM_COUNT_MASK = 0x1ffff;
export const PLAN_NO_FIELD = 255;
export const PLAN_WEIGHTS_MAX = 12;
/** The index of the weight of a term as typed. */
export const PLAN_WEIGHT_TYPED = 0;
/** And of a related one, as completions are. */
export const PLAN_WEIGHT_RELATED = 1;
/** A bit for each index of a weight of terms that stand for all of the token, and not for one that it begins: 0, 2, 3, 6 and 7. */
export const PLAN_WHOLE_WEIGHTS = 205;
