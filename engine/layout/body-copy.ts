/**
 * The memory in which kernels read a body: a small one of each thread that indexes (memory/body-copy.ts). Addresses are
 * absolute.
 *
 *   TEXT     a part of a body, and bytes of any content behind it that may be read with it
 *   VALUE    a value that is no part of one, and such bytes
 *   FOLDED   the value being cut into tokens, in lower case
 *   RECORDS  its tokens (token-records.ts)
 *   MEMBERS  those of the object read last, MEMBERS_MAX of i32[MEMBER_WORDS]: offsets in the body
 */

/** Bytes of a body that are copied at once. */
export const COPY_TEXT_BYTES = 262144;
/** A longer value is cut into tokens elsewhere. */
export const TOKENS_VALUE_MAX = 32768;
/** Bytes that a kernel takes at a time. */
export const COPY_BLOCK = 64;
/** An object of more members is read elsewhere. */
export const MEMBERS_MAX = 512;

/** First byte of the key, and the quote that closes it. */
export const MEMBER_KEY = 0;
export const MEMBER_KEY_END = 1;
/** First byte of the value, its quote included; its end, of a string that of its text. */
export const MEMBER_VALUE = 2;
export const MEMBER_VALUE_END = 3;
/** MEMBER_* flags. */
export const MEMBER_FLAGS = 4;
/** Of a MEMBER_INTEGER: its halves. */
export const MEMBER_LOW = 5;
export const MEMBER_HIGH = 6;
export const MEMBER_WORDS = 7;

/** The key holds an escape. */
export const MEMBER_KEY_ESCAPED = 1;
/** The value is a string. */
export const MEMBER_STRING = 2;
/** And holds an escape. */
export const MEMBER_ESCAPED = 16;
/** The key is spelled as that of the same place in the object read before. */
export const MEMBER_SAME_KEY = 4;
/** The value is an integer of few digits, without fraction or exponent. */
export const MEMBER_INTEGER = 8;

export const COPY_TEXT = 1024;
export const COPY_VALUE = COPY_TEXT + COPY_TEXT_BYTES + COPY_BLOCK;
export const COPY_FOLDED = COPY_VALUE + TOKENS_VALUE_MAX + COPY_BLOCK;
export const COPY_RECORDS = COPY_FOLDED + TOKENS_VALUE_MAX + COPY_BLOCK;
/** A token of one byte and what separates it from the next take a record of four words; no other takes more for its bytes. */
export const COPY_MEMBERS = COPY_RECORDS + 8 * TOKENS_VALUE_MAX + 64;
export const COPY_END = COPY_MEMBERS + 4 * MEMBER_WORDS * MEMBERS_MAX;
/** What the kernels ask for at least. */
export const COPY_PAGES = 16;
