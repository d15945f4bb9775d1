/**
 * Query lists and latency figures: order, limits, forgetting, and the edges of the histogram.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LatencyRecorder } from '../../src/analytics/latency.js';
import { SearchAnalytics } from '../../src/analytics/search-analytics.js';
import { TopQueries } from '../../src/analytics/top-queries.js';

const names = (queries: { query: string }[]): string[] => queries.map((entry) => entry.query);

test('queries are listed by count, then last seen, then text', () => {
  const queries = new TopQueries();
  for (const [query, now] of [
    ['b', 1],
    ['a', 1],
    ['c', 2],
    ['d', 0],
    ['d', 0],
  ] as const)
    queries.record('x', query, 1, 5, now);
  assert.deepEqual(names(queries.top(null, 10)), ['d', 'c', 'a', 'b']);
  assert.deepEqual(names(queries.top(null, 2)), ['d', 'c']);
});

test('the same text in two collections is two entries', () => {
  const queries = new TopQueries();
  queries.record('x', 'a', 1, 5, 1);
  queries.record('y', 'a', 1, 5, 2);
  queries.record('y', 'a', 1, 5, 3);
  assert.deepEqual(
    queries.top(null, 10).map((entry) => [entry.collection, entry.count]),
    [
      ['y', 2],
      ['x', 1],
    ],
  );
  assert.deepEqual(queries.top('x', 10).length, 1);
});

test('an entry holds the counts, the last result count, the mean latency and the last time', () => {
  const queries = new TopQueries();
  queries.record('x', 'a', 0, 1000, 10);
  queries.record('x', 'a', 5, 2001, 20);
  assert.deepEqual(queries.top('x', 1), [
    {
      query: 'a',
      collection: 'x',
      count: 2,
      zero_result_count: 1,
      last_result_count: 5,
      avg_latency_ms: 1.501,
      last_seen: 20,
    },
  ]);
});

test('queries without results are listed by how often they had none', () => {
  const queries = new TopQueries();
  for (const [query, found] of [
    ['a', 0],
    ['a', 0],
    ['b', 0],
    ['c', 1],
    ['b', 1],
    ['b', 1],
  ] as const) {
    queries.record('x', query, found, 1, 1);
  }
  assert.deepEqual(names(queries.zeroResults(null, 10)), ['a', 'b']);
});

test('beyond its capacity one query gives way for each new one, the least asked first', () => {
  const queries = new TopQueries(3);
  for (const query of ['a', 'a', 'b', 'c', 'd']) queries.record('x', query, 1, 1, 1);
  assert.deepEqual(names(queries.top(null, 10)), ['a', 'c', 'd']);
  assert.deepEqual([queries.tracked, queries.dropped], [3, 1]);
  assert.equal(queries.top(null, 10).find((entry) => entry.query === 'd')?.count, 1);
});

test('a query that is no Unicode is one entry, counted and forgotten like others', () => {
  const queries = new TopQueries(3);
  for (let i = 0; i < 50; i++) queries.record('x', i % 2 === 0 ? '\ud800x' : '\udc00x', 1, 5, i);
  queries.record('x', 'a', 1, 5, 99);
  assert.deepEqual(
    queries.top(null, 10).map(({ query, count }) => [query, count]),
    [
      ['\ufffdx', 50],
      ['a', 1],
    ],
  );
  assert.deepEqual([queries.tracked, queries.dropped], [2, 0]);
  queries.forget('x');
  assert.equal(queries.tracked, 0);
});

test('a deleted collection is forgotten and leaves room', () => {
  const queries = new TopQueries(3);
  for (const [collection, query] of [
    ['x', 'a'],
    ['x', 'b'],
    ['y', 'c'],
  ] as const)
    queries.record(collection, query, 1, 1, 1);
  queries.forget('x');
  queries.forget('none');
  assert.deepEqual([queries.tracked, queries.dropped], [1, 0]);
  queries.record('x', 'a', 1, 1, 1);
  assert.deepEqual(names(queries.top('x', 10)), ['a']);
});

test('what does not exist any more is forgotten, and nothing else', () => {
  const queries = new TopQueries(5);
  for (const collection of ['x', 'y', 'z']) queries.record(collection, 'a', 1, 1, 1);
  queries.forgetGone((collection) => collection === 'y');
  assert.deepEqual(
    queries.top(null, 10).map(({ collection }) => collection),
    ['y'],
  );
  assert.equal(queries.tracked, 1);
});

test('blank queries count in the latency figures only, and text is trimmed', () => {
  const analytics = new SearchAnalytics();
  for (const q of ['', '  ', ' a ', 'a']) analytics.record('x', q, 1, 1000);
  assert.deepEqual(
    analytics.top(null, 10).queries.map((entry) => [entry.query, entry.count]),
    [['a', 2]],
  );
  const latency = analytics.latency();
  assert.deepEqual([latency.count, latency.total_searches, latency.mean_ms], [4, 4, 1]);
});

test('percentiles are within 1 % and never above the maximum', () => {
  const recorder = new LatencyRecorder();
  for (let us = 1; us <= 100_000; us++) recorder.record(us);
  const { p50_ms, p95_ms, p99_ms, max_ms, mean_ms } = recorder.figures();
  for (const [got, exact] of [
    [p50_ms, 50],
    [p95_ms, 95],
    [p99_ms, 99],
  ] as const) {
    assert.ok(Math.abs(got - exact) <= exact * 0.01, `${got} for ${exact}`);
  }
  assert.deepEqual([max_ms, mean_ms], [100, 50.001]);
});

test('no searches: zeros; a very long one counts as an hour', () => {
  const recorder = new LatencyRecorder();
  assert.deepEqual(recorder.figures(), { count: 0, mean_ms: 0, p50_ms: 0, p95_ms: 0, p99_ms: 0, max_ms: 0 });
  recorder.record(0);
  recorder.record(1e12);
  assert.equal(recorder.figures().max_ms, 3_600_000);
});
