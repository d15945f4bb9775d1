/**
 * The hash of a document id. Stored in segments, so changing it means a new format version.
 */

const C1 = 0xcc9e2d51 | 0;
const C2 = 0x1b873593;

/**
 * MurmurHash3_x86_32 with seed 0 of bytes[start..end), as an unsigned 32-bit number.
 *
 * A caller that looks for one id in several segments hashes it once and calls findHashed on each.
 * Source: Austin Appleby, https://github.com/aappleby/smhasher (public domain algorithm).
 */
export function hashId(bytes: Uint8Array, start: number, end: number): number {
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
