/**
 * A hash of two words for tables that live no longer than their thread: by secret factors and from secret seeds, so that nobody can choose
 * numbers, of which every bit is the client's, or values that all fall into one slot. Used by the tables of query/facets/ and
 * query/distinct/.
 */
import { HASH_KEY, HASH_SEED } from './hash-seed.js';

const SEED_LO = HASH_KEY.low | 0;
const SEED_HI = HASH_KEY.high | 0;
const FACTOR_LO = HASH_SEED | 1;
const FACTOR_HI = Math.imul(HASH_SEED ^ HASH_KEY.low, 0x9e3779b1) | 1;

/**
 * 32 bits, signed. The two are multiplied and folded by themselves, differently: a difference of one that survives its factor, as that of
 * the highest bit does, is made good by none of the other.
 */
export function hashWords(lo: number, hi: number): number {
  const a = Math.imul(lo ^ SEED_LO, FACTOR_LO);
  const b = Math.imul(hi ^ SEED_HI, FACTOR_HI);
  const hash = Math.imul(a ^ (a >>> 15) ^ ((b << 11) | (b >>> 21)) ^ (b >>> 13), 0x2c1b3c6d);
  return hash ^ (hash >>> 15);
}
