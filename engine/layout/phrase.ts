/**
 * A phrase over some segments of an arena, as kernels match it. Written by query/match/phrase-record.ts, read by
 * kernels/phrases.ts. Pointers are absolute; tokens are in the order typed.
 *
 *     0 tokenCount  u32  at least 1
 *     4 fieldCount  u32  queried fields
 *     8 fieldMap    u32  u8[256]: schema field -> queried field 0..fieldCount-1, PLAN_NO_FIELD where not queried
 *    12 lut         u32  f32[fieldCount][256]: tf part of each impact
 *    16 scales      u32  f32[tokenCount][fieldCount]: boost * idf of each token
 *    20 order       u32  u32[tokenCount]: the tokens in the order in which their scores add up, the rarest first
 *    24 terms       u32  by segment, by token: u32 first of its entries, u32 end of them; the same when it has none
 *    28 cursors     u32  by queried field, by token: layout/phrase-cursor.ts
 *    32 scratch     u32  the thread's scratch area (layout/scratch.ts)
 *   written per segment
 *    36 isHeld      u32  1: some queried field holds all tokens; 0: no document has the phrase
 *   written per chunk
 *    40 steps       u32  what the last call took, in steps of some nanoseconds
 *    44 field       u32  the queried field being looked at
 *    48 next        u32  its next candidate; PHRASE_NONE: its candidates are not listed yet
 *    52 left        u32  its candidates
 *    56 last        u32  the document in it of which positions were read last
 *    60 found       u32  documents that were found by now
 */

export const PHRASE_TOKEN_COUNT = 0;
export const PHRASE_FIELD_COUNT = 4;
export const PHRASE_FIELD_MAP = 8;
export const PHRASE_LUT = 12;
export const PHRASE_SCALES = 16;
export const PHRASE_ORDER = 20;
export const PHRASE_TERMS = 24;
export const PHRASE_CURSORS = 28;
export const PHRASE_SCRATCH = 32;
export const PHRASE_IS_HELD = 36;
export const PHRASE_STEPS = 40;
export const PHRASE_FIELD = 44;
export const PHRASE_NEXT = 48;
export const PHRASE_LEFT = 52;
export const PHRASE_LAST = 56;
export const PHRASE_FOUND = 60;
export const PHRASE_BYTES = 64;

/** No candidate: of PHRASE_NEXT. */
export const PHRASE_NONE = 0xffffffff;
/** What matching a chunk returns when it has taken PHRASE_STEPS_MAX steps and is not through. */
export const PHRASE_AGAIN = 0xffffffff;
export const PHRASE_STEPS_MAX = 1 << 16;

export const PHRASE_TERM_BYTES = 8;
