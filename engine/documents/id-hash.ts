/**
 * The hash of a document id. Stored in segments, with its key; changing it means a new format version.
 */
import { halfSipHash } from '../core/half-sip-hash.js';
import type { HashKey } from '../core/hash-seed.js';

const C1 = 0xcc9e2d51 | 0;
const C2 = 0x1b873593;

/** Of bytes[start..end), as an unsigned 32-bit number: HalfSipHash-1-3 under `key`; without one, as earlier programs hashed. */
export function hashId({ low, high }: HashKey, bytes: Uint8Array, start: number, end: number): number {
  return (low | high) === 0 ? murmurHash(bytes, start, end) : halfSipHash(low, high, bytes, start, end);
}

/**
 * MurmurHash3_x86_32 with seed 0, of which anybody can make collisions.
 * Source: Austin Appleby, https://github.com/aappleby/smhasher (public domain algorithm).
 */
function murmurHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  let pos = start;
  for (; pos + 4 <= end; pos += 4) {
    const block = bytes[pos] | (bytes[pos + 1] << 8) | (bytes[pos + 2] << 16) | (bytes[pos + 3] << 24);
    hash ^= scramble(block);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = end - 1; i >= pos; i--) tail = (tail << 8) | bytes[i];
  hash ^= scramble(tail) ^ (end - start);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, C1);
  return Math.imul((mixed << 15) | (mixed >>> 17), C2);
}
