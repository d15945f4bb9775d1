/**
 * How times grow, by the fits that perf/scale.ts prints.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitCost, fitExponent, simulateReaders } from '../../perf/scale-model.js';

const near = (got: number, expected: number): void =>
  assert.ok(Math.abs(got - expected) < 1e-9, `${got} for ${expected}`);

test('the exponent is that of the power that the times follow', () => {
  const sizes = [1, 2, 4, 8, 16];
  for (const exponent of [0, 0.5, 1]) {
    near(
      fitExponent(
        sizes,
        sizes.map((size) => 3 * size ** exponent),
      ),
      exponent,
    );
  }
});

test('a query costs something once and something for each chunk, never less than nothing', () => {
  const { fixed, perChunk } = fitCost([1, 2, 4], [7, 9, 13]);
  near(fixed, 5);
  near(perChunk, 2);
  assert.deepEqual(fitCost([1, 2, 4], [3, 2, 1]), { fixed: 1, perChunk: 0 });
  assert.equal(fitCost([1, 2, 4], [1, 3, 9]).fixed, 0);
});

test('readers share chunks, of which the longest row decides', () => {
  const cost = { fixed: 5, perChunk: 2 };
  assert.equal(simulateReaders(cost, [1, 1, 1, 1, 0.5], 1), 14);
  assert.equal(simulateReaders(cost, [1, 1, 1, 1, 0.5], 2), 10);
  assert.equal(simulateReaders(cost, [1, 1, 1, 1, 0.5], 16), 7);
});
