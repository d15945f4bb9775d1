/**
 * A list of a sweep in which no clause reads more than one list of a field of the segment being read (layout/sweep.ts): a
 * record for each clause, in the order of the query, and field, JOINED_BYTES each. Room for them is made by
 * query/match/sweep.ts; kernels/joined-lists.ts writes them. Pointers are absolute.
 *
 *     0 entry        u32  the entry of the list in the segment; 0: the clause has none in the field
 *     4 next         u32  ENTRY_KIND_CHUNKED: the directory entry of the chunk being read or a later one
 *     8 end          u32  where its directory ends
 *    12 weight       f32  what the scores of impacts are multiplied by
 *    16 table        u32  f32[256]: score of each impact
 *    20 bounds       u32  f32[256]: the largest score of any impact up to each
 *    24 data         u32  of the chunk, which is sparse or ranked
 *    28 count        u32  its postings; 0: the list has none in the chunk
 *    32 flag         u32  0, or PLAN_ITEM_RANKED
 *    36 chunkBound   f32  no posting of the chunk scores more
 *    40 bound        f32  no posting of any segment of the sweep scores more
 *    44 place        u32  its place among the records by falling bound
 *    48 least        u32  see leastImpact() of kernels/joined-scores.ts: what it found last, and for which threshold, table,
 *    52 leastAbove   f32  weight and place that was
 *    56 leastTable   u32
 *    60 leastWeight  f32
 *    64 leastPlace   u32
 *    68 isRequired   u32  1: of the documents of the chunk only those can enter that the list has
 *    72 at           u32  of a sparse chunk: the posting that blocks of documents have been read up to
 *    76 short        48 bytes: the data of a list that has no chunks, as that of a sparse one
 */

export const JOINED_ENTRY = 0;
export const JOINED_NEXT = 4;
export const JOINED_END = 8;
export const JOINED_WEIGHT = 12;
export const JOINED_TABLE = 16;
export const JOINED_BOUNDS = 20;
export const JOINED_DATA = 24;
export const JOINED_COUNT = 28;
export const JOINED_FLAG = 32;
export const JOINED_CHUNK_BOUND = 36;
export const JOINED_BOUND = 40;
export const JOINED_PLACE = 44;
export const JOINED_LEAST = 48;
export const JOINED_LEAST_ABOVE = 52;
export const JOINED_LEAST_TABLE = 56;
export const JOINED_LEAST_WEIGHT = 60;
export const JOINED_LEAST_PLACE = 64;
export const JOINED_IS_REQUIRED = 68;
export const JOINED_AT = 72;
export const JOINED_SHORT = 76;
export const JOINED_BYTES = 128;
/** Where there would be more records, lists are not joined. */
export const JOINED_LISTS_MAX = 16;
