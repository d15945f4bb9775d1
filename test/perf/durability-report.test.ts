/**
 * How passes over the queries before a stop and after a start are compared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MixTimes, type Passes, startRows } from '../../perf/durability-report.js';

/** A pass of one kind of query, each of which took `ms`. */
const passOf = (ms: number): MixTimes[] => {
  const times = Array.from({ length: 20 }, () => ms);
  return [{ name: 'suggest', times: { server: times, client: times } }];
};

const passesOf = (first: number, ...judged: readonly number[]): Passes => ({
  first: passOf(first),
  judged: judged.map(passOf),
});

const suggestRow = (before: Passes, passes: Passes) => {
  const memory = { rss: 1, anonymous: 1, file: 1 };
  const rows = startRows('start', { readySeconds: 1, firstAnswerSeconds: 1, memory, passes }, before);
  return rows.find(({ what }) => what === 'start: p95, suggest');
};

test('medians of the passes are compared, and the noise before the stop is told', () => {
  const row = suggestRow(passesOf(90, 3, 2, 1), passesOf(80, 5, 1, 2.2));
  assert.equal(row?.holds, true);
  assert.equal(row.bound, '<= 1.20 x');
  assert.equal(row.got, '1.10 x (2.20 / 2.00 ms; noise 0.50 to 1.50; second pass 2.50, first 40.00)');
});

test('a median beyond the bound is missed, whatever a single pass says', () => {
  assert.equal(suggestRow(passesOf(9, 2, 2, 2), passesOf(9, 2, 2.6, 2.6))?.holds, false);
});
