/**
 * Keys of numbers: order, round trips, exact decimal text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareKeys,
  floatKeyHi,
  floatKeyLo,
  floatOfKey,
  formatIntKey,
  intKeyHi,
  intKeyLo,
  intOfKey,
} from '../../engine/values/number-keys.js';

const FLOATS = [
  -Number.MAX_VALUE,
  -1e300,
  -2,
  -1.5,
  -1,
  -Number.MIN_VALUE,
  0,
  Number.MIN_VALUE,
  1e-300,
  0.1,
  1,
  1.0000000000000002,
  2 ** 53,
  Number.MAX_VALUE,
];

test('keys of floats order as the floats do', () => {
  for (let i = 1; i < FLOATS.length; i++) {
    const [a, b] = [FLOATS[i - 1], FLOATS[i]];
    assert.ok(compareKeys(floatKeyHi(a), floatKeyLo(a), floatKeyHi(b), floatKeyLo(b)) < 0, `${a} < ${b}`);
  }
});

test('a float comes back from its key, and -0 as 0', () => {
  for (const value of FLOATS) assert.ok(Object.is(floatOfKey(floatKeyHi(value), floatKeyLo(value)), value));
  assert.ok(Object.is(floatOfKey(floatKeyHi(-0), floatKeyLo(-0)), 0));
});

test('a safe integer comes back from its key', () => {
  for (const value of [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53) + 1]) {
    assert.equal(intOfKey(intKeyHi(value), intKeyLo(value)), value);
    assert.equal(formatIntKey(intKeyHi(value), intKeyLo(value)), String(value));
  }
});

test('keys beyond the safe integers are shown exactly', () => {
  for (const value of [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, -(2n ** 53n) - 1n]) {
    assert.equal(formatIntKey(Number(value >> 32n), Number(value & 0xffffffffn)), value.toString());
  }
});
