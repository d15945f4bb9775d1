/**
 * HalfSipHash-1-3: a keyed hash of byte strings that nobody who does not know the key can make collide, however long they are (Aumasson
 * and Bernstein, "SipHash: a fast short-input PRF", 2012; the variant of 32-bit words in its reference code, with the rounds that hash
 * tables take). Used by values/value-interner.ts and documents/id-hash.ts: values and ids are as long as a client likes, and seeds do not help the
 * multiplicative hashes, of which pairs of differences cancel whatever the seed is.
 */

const INIT_2 = 0x6c796765;
const INIT_3 = 0x74656462;

/** Of bytes[start..end) under the key (key0, key1), as an unsigned 32-bit number. */
export function halfSipHash(key0: number, key1: number, bytes: Uint8Array, start: number, end: number): number {
  let v0 = key0 | 0;
  let v1 = key1 | 0;
  let v2 = key0 ^ INIT_2;
  let v3 = key1 ^ INIT_3;
  const words = (end - start) >> 2;
  // One turn for each word, one for the bytes that are left and the length, and three that mix what there is.
  for (let turn = 0; turn <= words + 3; turn++) {
    let word = 0;
    const pos = start + 4 * turn;
    if (turn < words) {
      word = bytes[pos] | (bytes[pos + 1] << 8) | (bytes[pos + 2] << 16) | (bytes[pos + 3] << 24);
    } else if (turn === words) {
      word = (end - start) << 24;
      for (let i = pos; i < end; i++) word |= bytes[i] << (8 * (i - pos));
    } else if (turn === words + 1) {
      v2 ^= 0xff;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  return (v1 ^ v3) >>> 0;
}
