/**
 * /metrics: the text format is parsed strictly, and the figures follow what was done.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectStatus } from '../support/expect.js';
import { makeShop, SHOP } from '../support/fixtures.js';
import { noProcessMemory } from '../support/process-memory.js';
import { findSamples, type Metrics, metricValue, parseMetrics } from '../support/prometheus.js';
import { openSocket } from '../support/raw-socket.js';
import { startServer } from '../support/server.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);

async function scrape(): Promise<Metrics> {
  const reply = expectStatus(await client.get('/metrics'), 200);
  assert.match(String(reply.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  return parseMetrics(reply.text);
}

const DURABILITY = [
  ...['wal_bytes', 'wal_syncs_total', 'snapshots_total', 'snapshot_failures_total', 'snapshot_running'],
  ...['snapshot_last_timestamp_seconds', 'snapshot_last_duration_seconds', 'snapshot_bytes', 'mapped_bytes'],
  ...['file_mapping', 'verified_bytes_total', 'damaged_collections', 'recovery_duration_seconds', 'merge_running'],
];

test('the exposition is well formed, and every own metric has help and the prefix', async () => {
  const { types, helps } = await scrape();
  assert.ok(types.size > 10);
  for (const name of types.keys()) assert.ok((helps.get(name) ?? '').length > 0, `${name} has no help`);
  const own = [...types.keys()].filter((name) => name.startsWith('sabre_'));
  assert.ok(own.length >= 10, own.join(' '));
  for (const name of DURABILITY) assert.ok(own.includes(`sabre_${name}`), name);
});

test('uptime and collections are gauges of now', async () => {
  const metrics = await scrape();
  assert.ok(metricValue(metrics, 'sabre_uptime_seconds') >= 0);
  assert.equal(metricValue(metrics, 'sabre_collections'), 1);
  assert.equal(metricValue(metrics, 'sabre_collection_documents', { collection: shop }), SHOP.length);
  assert.ok(metricValue(metrics, 'sabre_collection_segments', { collection: shop }) >= 1);
  assert.ok(metricValue(metrics, 'sabre_collection_bytes', { collection: shop }) > 0);
  assert.ok(metricValue(metrics, 'sabre_wal_bytes') > 0);
});

test('memory of the process is that of now, not of the last commit', async (t) => {
  if (noProcessMemory !== '') {
    t.diagnostic(`NOT RUN: ${noProcessMemory}`);
    return;
  }
  const anonymous = async (): Promise<number> => metricValue(await scrape(), 'sabre_process_anonymous_bytes');
  const before = await anonymous();
  const half = 24 << 20;
  const socket = await openSocket(server.port);
  socket.write(`POST /collections/${shop}/documents HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * half}\r\n\r\n`);
  socket.write(Buffer.alloc(half, ' '));
  let after = before;
  for (let again = 0; again < 100 && after - before < half / 2; again++) {
    await sleep(100);
    after = await anonymous();
  }
  socket.destroy();
  assert.ok(after - before >= half / 2, `${after} bytes, ${before} before`);
});

test('searches are counted and timed in a cumulative histogram', async () => {
  const before = metricValue(await scrape(), 'sabre_search_requests_total');
  for (let i = 0; i < 7; i++) await client.search(shop, { q: 'mouse' });
  const metrics = await scrape();
  assert.equal(metricValue(metrics, 'sabre_search_requests_total') - before, 7);
  assert.equal(metrics.types.get('sabre_search_duration_seconds'), 'histogram');
  const buckets = findSamples(metrics, 'sabre_search_duration_seconds_bucket');
  const counts = buckets.map(({ value }) => value);
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => a - b),
    'buckets are cumulative',
  );
  assert.equal(buckets.at(-1)?.labels['le'], '+Inf');
  assert.equal(buckets.at(-1)?.value, metricValue(metrics, 'sabre_search_duration_seconds_count'));
  assert.ok(metricValue(metrics, 'sabre_search_duration_seconds_sum') > 0);
});

test('requests are counted by route template, method and status, never by raw path', async () => {
  await client.get(`/collections/${shop}/documents/mouse`);
  await client.get('/collections/secretname/documents/secretid');
  await client.get('/secretpath');
  const metrics = await scrape();
  const text = JSON.stringify(metrics.samples);
  assert.doesNotMatch(text, /secret/, 'a raw path would make one series a request');
  const byRoute = metrics.samples.filter(({ name, labels }) => name.startsWith('sabre_http_') && 'route' in labels);
  assert.ok(byRoute.length > 0);
  for (const { labels } of byRoute.filter(({ name }) => name.endsWith('_total'))) {
    assert.match(labels['method'] ?? '', /^[A-Z]+$/);
    assert.match(labels['status'] ?? '', /^\d{3}$/);
  }
});

test('the defaults of Node are there', async () => {
  const names = [...(await scrape()).types.keys()];
  assert.ok(names.some((name) => name.includes('nodejs_eventloop_lag')));
  assert.ok(names.some((name) => name.includes('process_resident_memory_bytes')));
});

test('a deleted collection leaves no series', async () => {
  await client.drop(shop);
  const metrics = await scrape();
  assert.equal(metricValue(metrics, 'sabre_collections'), 0);
  assert.deepEqual(findSamples(metrics, 'sabre_collection_documents', { collection: shop }), []);
});
