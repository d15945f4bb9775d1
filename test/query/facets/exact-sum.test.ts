/** Sums of numbers are exact in any order, and quotients are rounded once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FLOAT_SUM_EXPONENT, FloatSum, KeySum, nearestDouble } from '../../../engine/query/facets/exact-sum.js';
import { statsOracle } from '../../oracle/facet.js';

const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    0,
    0.1,
    -0.1,
    1e16,
    -1e16,
    5e-324,
    -5e-324,
    2 ** -1022,
    1e308,
    -1e308,
    Number.MAX_VALUE,
    2 ** -1074 * 3,
  ),
  fc.integer({ min: -1000, max: 1000 }).map((n) => n / 8),
);
const counted = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(value, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 20 });
const repeated = <T>(pairs: readonly (readonly [T, number])[]): T[] =>
  pairs.flatMap(([value, count]) => new Array<T>(count).fill(value));
const shown = (value: number): string => (Number.isFinite(value) ? String(value) : 'null');

test('the sum and the average of doubles are the nearest doubles', () => {
  const sums = new FloatSum();
  const property = fc.property(counted(double), (pairs) => {
    for (const [value, count] of pairs) sums.add(value, count);
    const sum = sums.take();
    const values = repeated(pairs);
    const expected = statsOracle(values.map((value) => value + 0));
    assert.equal(
      `"sum":${shown(nearestDouble(sum, 1, FLOAT_SUM_EXPONENT))},"avg":${shown(nearestDouble(sum, values.length, FLOAT_SUM_EXPONENT))}}`,
      expected.slice(expected.indexOf('"sum"')).replaceAll(/:-0(?=[,}])/g, ':0'),
    );
  });
  fc.assert(property, { numRuns: 400 });
});

test('sums of 64-bit integers have all their digits', () => {
  const sums = new KeySum();
  const property = fc.property(counted(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (pairs) => {
    for (const [value, count] of pairs) sums.add(Number(value >> 32n), Number(value & 0xffffffffn), count);
    const sum = sums.take();
    const values = repeated(pairs);
    assert.equal(
      sum,
      values.reduce((a, b) => a + b),
    );
    const expected = statsOracle(values);
    assert.equal(`"avg":${nearestDouble(sum, values.length)}}`, expected.slice(expected.indexOf('"avg"')));
  });
  fc.assert(property, { numRuns: 400 });
});

test('counts may be as large as collections are', () => {
  const sums = new KeySum();
  sums.add(0x7fffffff, 0xffffffff, 2 ** 31);
  sums.add(-0x80000000, 0, 2 ** 31);
  assert.equal(sums.take(), -(2n ** 31n));
  const floats = new FloatSum();
  floats.add(Number.MAX_VALUE, 2 ** 31);
  floats.add(-Number.MAX_VALUE, 2 ** 31);
  floats.add(5e-324, 2 ** 31);
  assert.equal(nearestDouble(floats.take(), 1, FLOAT_SUM_EXPONENT), 5e-324 * 2 ** 31);
});

test('a tie goes to the even double', () => {
  assert.equal(nearestDouble(2n ** 53n + 1n, 1), 2 ** 53);
  assert.equal(nearestDouble(2n ** 53n + 3n, 1), 2 ** 53 + 4);
  assert.equal(nearestDouble(2n ** 54n + 2n, 2), 2 ** 53);
  assert.equal(nearestDouble(3n, 2, FLOAT_SUM_EXPONENT), 2 * 5e-324);
  assert.equal(nearestDouble(-1n, 2, FLOAT_SUM_EXPONENT), -0);
  assert.equal(nearestDouble(1n, 3), 1 / 3);
});
