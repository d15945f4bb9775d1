/**
 * What the hashes of a thread that are kept nowhere begin with: random, so that nobody can choose words which all fall into one
 * slot (Crosby and Wallach, "Denial of Service via Algorithmic Complexity Attacks", 2003). Used by postings/term-interner.ts and,
 * for its kernel, by text/ascii-tokenizer.ts.
 */
import { randomInt } from 'node:crypto';

/** 32 bits. */
export const HASH_SEED = randomInt(2 ** 32);
