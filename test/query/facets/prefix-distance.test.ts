/** The distance to a word or its prefixes against the full dynamic programme of the oracle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distanceToPrefix } from '../../../engine/query/facets/prefix-distance.js';
import { editDistance, prefixDistance } from '../../oracle/edit-distance.js';

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 }),
  fc.string({ unit: fc.constantFrom('a', 'é', '東', '😀'), maxLength: 64 }),
);
const pointsOf = (text: string): Int32Array => Int32Array.from([...text], (char) => char.codePointAt(0) ?? 0);

test('distances up to the bound are those of the oracle, and others are above it', () => {
  const property = fc.property(word, word, fc.boolean(), fc.nat(2), (typed, other, isPrefix, most) => {
    const expected = (isPrefix ? prefixDistance : editDistance)(typed, other);
    const points = pointsOf(other);
    const actual = distanceToPrefix(pointsOf(typed), points, points.length, isPrefix, most);
    if (expected <= most) assert.equal(actual, expected);
    else assert.ok(actual > most, `${actual}`);
  });
  fc.assert(property, { numRuns: 3000 });
});
