/**
 * Query analytics: what is recorded, how lists are ordered and bounded, and the latency figures.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeParams, type Params } from '../support/client.js';
import { expectError, expectJson } from '../support/expect.js';
import { titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { LatencyResponse, QueriesResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

for (const name of ['books', 'films', 'gone']) {
  await client.create(titleSchema(name));
  await client.indexAll(name, [
    { id: '1', title: 'alpha' },
    { id: '2', title: 'alpha beta' },
  ]);
}

const top = async (params: Params = {}): Promise<QueriesResponse> =>
  expectJson(await client.get(`/analytics/top${encodeParams(params)}`));
const zero = async (params: Params = {}): Promise<QueriesResponse> =>
  expectJson(await client.get(`/analytics/zero-results${encodeParams(params)}`));
const latency = async (): Promise<LatencyResponse> => expectJson(await client.get('/analytics/latency'));
const texts = ({ queries }: QueriesResponse): string[] => queries.map(({ query }) => query);

test('a fresh server has recorded nothing', async () => {
  assert.deepEqual(await top(), { queries: [], tracked_queries: 0, dropped_queries: 0 });
  assert.deepEqual(await zero(), { queries: [], tracked_queries: 0, dropped_queries: 0 });
  const figures = await latency();
  assert.deepEqual(Object.keys(figures).sort(), [
    ...[
      'count',
      'max_ms',
      'mean_ms',
      'p50_ms',
      'p95_ms',
      'p99_ms',
      'queries_per_second',
      'total_searches',
      'uptime_seconds',
    ],
  ]);
  assert.deepEqual([figures.count, figures.total_searches, figures.max_ms, figures.mean_ms], [0, 0, 0, 0]);
});

test('searches are counted by trimmed text and collection', async () => {
  const before = Date.now();
  for (const q of ['alpha', ' alpha ', 'alpha', 'beta', 'nothinglike', 'nothinglike'])
    await client.search('books', { q });
  await client.search('films', { q: 'alpha' });
  const response = await top();
  assert.deepEqual(Object.keys(response).sort(), ['dropped_queries', 'queries', 'tracked_queries']);
  assert.deepEqual([response.tracked_queries, response.dropped_queries], [4, 0]);
  const [first] = response.queries;
  assert.deepEqual(Object.keys(first ?? {}).sort(), [
    ...['avg_latency_ms', 'collection', 'count', 'last_result_count', 'last_seen', 'query', 'zero_result_count'],
  ]);
  assert.deepEqual([first?.query, first?.collection, first?.count], ['alpha', 'books', 3]);
  assert.deepEqual([first?.zero_result_count, first?.last_result_count], [0, 2]);
  assert.ok((first?.avg_latency_ms ?? -1) >= 0);
  assert.ok(Number.isInteger(first?.last_seen) && (first?.last_seen ?? 0) >= before - 1000);
});

test('lists are ordered by count, then by the last time, and restricted to a collection', async () => {
  assert.deepEqual(texts(await top({ collection: 'books' })), ['alpha', 'nothinglike', 'beta']);
  assert.deepEqual(texts(await top({ collection: 'films' })), ['alpha']);
  assert.deepEqual((await top({ collection: 'films' })).tracked_queries, 4, 'over all collections');
  assert.deepEqual(texts(await top({ limit: 1 })), ['alpha']);
});

test('queries of zero results are listed apart', async () => {
  await client.search('books', { q: 'nope' });
  const { queries } = await zero();
  assert.deepEqual(
    queries.map(({ query, zero_result_count }) => [query, zero_result_count]),
    [
      ['nothinglike', 2],
      ['nope', 1],
    ],
  );
  assert.equal(queries[0]?.last_result_count, 0);
  assert.deepEqual(texts(await zero({ collection: 'films' })), []);
});

test('a query that finds again keeps its history', async () => {
  await client.search('films', { q: 'gamma' });
  await client.indexAll('films', [{ id: '3', title: 'gamma' }]);
  await client.search('films', { q: 'gamma' });
  const entry = (await zero({ collection: 'films' })).queries[0];
  assert.deepEqual(
    [entry?.query, entry?.count, entry?.zero_result_count, entry?.last_result_count],
    ['gamma', 2, 1, 1],
  );
});

test('suggestions, failed searches and blank queries are not listed, blank ones count in latency', async () => {
  const before = await latency();
  const tracked = (await top()).tracked_queries;
  await client.suggest('books', { q: 'suggested' });
  await client.searchReply('books', { q: 'failed', limit: 999 });
  await client.searchReply('nowhere', { q: 'unknown' });
  await client.search('books', { q: '' });
  await client.search('books', { q: '   ' });
  assert.equal((await top()).tracked_queries, tracked);
  const now = await latency();
  assert.equal(now.total_searches, before.total_searches + 2);
  assert.equal(now.count, now.total_searches);
});

test('pages and parameters do not split a query', async () => {
  const variants: Params[] = [{ offset: 1 }, { limit: 0 }, { prefix: false }];
  for (const params of variants) await client.search('books', { q: 'paged', ...params });
  assert.equal((await top({ collection: 'books' })).queries.find(({ query }) => query === 'paged')?.count, 3);
});

test('latency figures are in order', async () => {
  const { mean_ms, p50_ms, p95_ms, p99_ms, max_ms, uptime_seconds, queries_per_second } = await latency();
  assert.ok(p50_ms <= p95_ms && p95_ms <= p99_ms && p99_ms <= max_ms * 1.02, `${p50_ms} ${p95_ms} ${p99_ms} ${max_ms}`);
  assert.ok(mean_ms > 0 && mean_ms <= max_ms * 1.02);
  assert.ok(Number.isInteger(uptime_seconds));
  assert.ok(queries_per_second > 0 && Number.isFinite(queries_per_second));
});

test('limit is cut to 1 to 500, 20 by default; what is not a whole number is refused', async () => {
  for (let i = 0; i < 30; i++) await client.search('gone', { q: `query number ${i}` });
  assert.equal((await top()).queries.length, 20);
  const { tracked_queries } = await top();
  for (const limit of ['500', '501', '99999999999999999999999']) {
    assert.equal((await top({ limit })).queries.length, tracked_queries, limit);
  }
  assert.equal((await top({ limit: 0 })).queries.length, 1);
  for (const path of ['/analytics/top', '/analytics/zero-results']) {
    assert.equal((await client.get(`${path}?limit=0`)).status, 200);
    assert.equal((await client.get(`${path}?limit=501`)).status, 200);
    for (const limit of ['-1', 'x', '', '1.5', '1e2']) {
      expectError(await client.get(`${path}?limit=${limit}`), 400, 'invalid_query', /limit/);
    }
  }
});

test('a deleted collection is forgotten', async () => {
  const before = (await top()).tracked_queries;
  await client.drop('gone');
  const { queries, tracked_queries } = await top({ limit: 500 });
  assert.equal(tracked_queries, before - 30);
  assert.ok(queries.every(({ collection }) => collection !== 'gone'));
});

test('an unknown collection has no queries or is refused', async () => {
  const reply = await client.get('/analytics/top?collection=nowhere');
  if (reply.status === 200) assert.deepEqual(expectJson<QueriesResponse>(reply).queries, []);
  else expectError(reply, 404, 'collection_not_found');
});

test('analytics are gone after a restart', async () => {
  await server.restart();
  assert.deepEqual(await top(), { queries: [], tracked_queries: 0, dropped_queries: 0 });
  assert.equal((await latency()).count, 0);
});
