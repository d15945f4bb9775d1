/**
 * The keyed hash: the published values, and that all bytes, the length and the key tell.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { halfSipHash } from '../../engine/core/half-sip-hash.js';

/** Of the bytes 0, 1, 2 and so on, as many as their index, under the key 0 to 7: the vectors of HalfSipHash-1-3 in Linux (siphash_kunit.c). */
const PUBLISHED = [
  0x5814c896, 0xe7e864ca, 0xbc4b0e30, 0x01539939, 0x7e059ea6, 0x88e3d89b, 0xa0080b65, 0x9d38d9d6, 0x577999b1,
  0xc839caed, 0xe4fa32cf, 0x959246ee, 0x6b28096c, 0x66dd9cd6, 0x16658a7c, 0xd0257b04, 0x8b31d501, 0x2b1cd04b,
  0x06712339, 0x522aca67,
];

test('gives the published values, wherever the bytes lie', () => {
  for (const [length, hash] of PUBLISHED.entries())
    for (const shift of [0, 1, 6]) {
      const bytes = new Uint8Array(shift + length + 9).fill(0xee);
      for (let i = 0; i < length; i++) bytes[shift + i] = i;
      assert.equal(halfSipHash(0x03020100, 0x07060504, bytes, shift, shift + length), hash, `${length} bytes`);
    }
});

test('texts that differ in a byte, in length or by zeros at their end have other hashes, and so has another key', () => {
  const hash = (bytes: readonly number[], low = 1, high = 2): number =>
    halfSipHash(low, high, Uint8Array.from(bytes), 0, bytes.length);
  const byte = fc.integer({ min: 0, max: 255 });
  let same = 0;
  fc.assert(
    fc.property(fc.array(byte, { minLength: 1, maxLength: 300 }), fc.nat(), fc.nat({ max: 7 }), (bytes, at, bit) => {
      const own = hash(bytes);
      const other = [...bytes];
      other[at % bytes.length] ^= 1 << bit;
      const others = [
        hash(other),
        hash([...bytes, 0]),
        hash(bytes.slice(1)),
        hash(bytes, 3),
        hash(bytes, 1, 0x80000002),
      ];
      same += others.filter((one) => one === own).length;
    }),
    { numRuns: 500 },
  );
  assert.ok(same <= 1, `${same} of 2,500 are the same: one in a million runs has one, if the hash is any good`);
});
