/**
 * Tokens as kernels/ascii-tokens.ts leaves them and postings/term-interner.ts takes them: one record behind the other, in
 * 32-bit words. Most tokens have at most eight bytes: two of them are compared, or copied, without a loop.
 *
 *   HASH    of what follows: kernels/ascii-tokens.ts and postings/term-interner.ts compute the same
 *   LENGTH  bytes of the token, 1..TOKEN_BYTES_MAX
 *   BYTES   its UTF-8, and zeros up to a multiple of eight bytes
 */

export const TOKEN_HASH_WORD = 0;
export const TOKEN_LENGTH_WORD = 1;
export const TOKEN_BYTES_WORD = 2;
/** Of a token: what follows is cut off. */
export const TOKEN_POINTS_MAX = 64;

/**
 * How the length of a token, then its words, zeros included, and at last 0 enter the hash, which begins with a seed (core/hash-seed.ts):
 * h = (h ^ word) * TOKEN_HASH_FACTOR, h ^= h >>> TOKEN_HASH_SHIFT.
 */
export const TOKEN_HASH_FACTOR = 0x5bd1e995;
export const TOKEN_HASH_SHIFT = 15;
