/**
 * Tokens as kernels/ascii-tokens.ts leaves them and postings/term-interner.ts takes them: one record behind the other, in
 * 32-bit words. Most tokens have at most eight bytes: two of them are compared, or copied, without a loop.
 *
 *   HASH    of what follows: kernels/ascii-tokens.ts and postings/term-interner.ts compute the same
 *   LENGTH  bytes of the token, 1..TOKEN_BYTES_MAX
 *   BYTES   its UTF-8, and zeros up to a multiple of eight bytes
 *
 * And the memory that the kernel works in, a small one of the thread that indexes: absolute addresses.
 *
 *   TEXT    a part of a body, and bytes of any content behind it that may be read with it
 *   VALUE   a value that is no part of one
 *   FOLDED  the value being cut, in lower case
 *   RECORDS its tokens
 */

export const TOKEN_HASH_WORD = 0;
export const TOKEN_LENGTH_WORD = 1;
export const TOKEN_BYTES_WORD = 2;
/** Code points of a token: what follows is cut off. */
export const TOKEN_LENGTH_MAX = 64;

/** Bytes of a body that are copied at once. */
export const TOKENS_TEXT_BYTES = 262144;
/** A longer value is cut elsewhere. */
export const TOKENS_VALUE_MAX = 32768;
/** Bytes that the kernel takes at a time. */
export const TOKENS_BLOCK = 64;

export const TOKENS_TEXT = 1024;
export const TOKENS_VALUE = TOKENS_TEXT + TOKENS_TEXT_BYTES + TOKENS_BLOCK;
export const TOKENS_FOLDED = TOKENS_VALUE + TOKENS_VALUE_MAX + TOKENS_BLOCK;
export const TOKENS_RECORDS = TOKENS_FOLDED + TOKENS_VALUE_MAX + TOKENS_BLOCK;
/** A token of one byte and what separates it from the next take a record of four words; no other takes more for its bytes. */
export const TOKENS_END = TOKENS_RECORDS + 8 * TOKENS_VALUE_MAX + 64;
export const TOKENS_PAGES = 16;

/**
 * How the length of a token, and then its words, zeros included, enter the hash: h = (h ^ word) * TOKEN_HASH_FACTOR,
 * h ^= h >>> TOKEN_HASH_SHIFT.
 */
export const TOKEN_HASH_FACTOR = 0x9e3779b1;
export const TOKEN_HASH_SHIFT = 15;
