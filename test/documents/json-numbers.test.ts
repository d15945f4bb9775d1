/** Exact number parsing against BigInt and Number. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  INT64_FRACTION,
  INT64_OK,
  INT64_RANGE,
  INT64_UNSIGNED,
  NumberParser,
} from '../../engine/documents/json-numbers.js';
import { numberLiteral } from './json-text.js';

const parser = new NumberParser();
const INT64_MIN = -(1n << 63n);
const UINT64_END = 1n << 64n;

/** The integer that `text` spells, or null when it spells a fraction. */
function naiveInteger(text: string): bigint | null {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const mantissa = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const power = Number(exponent) - fraction.length;
  if (power >= 0) return mantissa * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return mantissa % divisor === 0n ? mantissa / divisor : null;
}

function check(text: string): void {
  // Surrounded by digits, which must not be read.
  const bytes = new TextEncoder().encode(`77${text}77`);
  const outcome = parser.int64(bytes, 2, bytes.length - 2);
  const value = (BigInt(parser.hi) << 32n) | BigInt(parser.lo >>> 0);
  const expected = naiveInteger(text);
  if (expected === null) assert.equal(outcome, INT64_FRACTION, text);
  else if (expected < INT64_MIN || expected >= UINT64_END) assert.equal(outcome, INT64_RANGE, text);
  else assert.equal(outcome, expected >= -INT64_MIN ? INT64_UNSIGNED : INT64_OK, text);
  if (outcome === INT64_OK) assert.equal(value, expected, text);
  if (outcome === INT64_UNSIGNED) assert.equal(BigInt.asUintN(64, value), expected, text);
  assert.ok(Object.is(parser.float64(bytes, 2, bytes.length - 2), Number(text)), text);
}

test('every spelling of a number gives the same integer as BigInt and the same double as Number', () => {
  fc.assert(fc.property(numberLiteral, check), { numRuns: 3000 });
});

test('integers around the powers of two are exact', () => {
  const near = fc.tuple(fc.nat(65), fc.integer({ min: -3, max: 3 }), fc.constantFrom(1n, -1n));
  fc.assert(
    fc.property(near, ([power, offset, sign]) => {
      const text = String(((1n << BigInt(power)) + BigInt(offset)) * sign);
      check(text);
      check(`${text}.000`);
      check(`${text}0e-1`);
    }),
    { numRuns: 500 },
  );
});

test('what a double prints is read back as the same double', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => check(JSON.stringify(value))),
    { numRuns: 2000 },
  );
});
