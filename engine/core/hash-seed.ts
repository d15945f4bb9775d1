/**
 * What the hashes of this process begin with: random, so that nobody can choose words, values or ids which all fall into one
 * slot (Crosby and Wallach, "Denial of Service via Algorithmic Complexity Attacks", 2003). Used by postings/term-interner.ts and, for
 * its kernel, by text/ascii-tokenizer.ts, by hash-words.ts, values/value-interner.ts and documents/id-hash.ts.
 */
import { randomInt } from 'node:crypto';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** A key of half-sip-hash.ts, of two times 32 bits; both 0: none. */
export interface HashKey {
  readonly low: number;
  readonly high: number;
}

const SHARED_KEY = 'sabre hash key';

const random = (): number => randomInt(1, 2 ** 32);

/** The key of the thread that started this one, so that all threads find what one of them has written; else a new one. */
function sharedKey(): HashKey {
  const inherited = getEnvironmentData(SHARED_KEY);
  if (Array.isArray(inherited)) return { low: Number(inherited[0]), high: Number(inherited[1]) };
  const key = { low: random(), high: random() };
  setEnvironmentData(SHARED_KEY, [key.low, key.high]);
  return key;
}

/** 32 bits: for words and numbers, which are short. */
export const HASH_SEED = random();
/** For what is as long as a client likes. The same in all threads of a process that started each other. */
export const HASH_KEY: HashKey = sharedKey();
