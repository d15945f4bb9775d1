/**
 * Snapshots from outside: asked for over HTTP and on the command line, written at a stop, and what a start makes of them
 * when a file is damaged.
 */
import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { SHOP, shopSchema, titleSchema } from '../support/fixtures.js';
import { type Metrics, metricValue, parseMetrics } from '../support/prometheus.js';
import { runMain, type Server, type ServerOptions, startServer } from '../support/server.js';

interface Snapshot {
  readonly snapshot: number;
  readonly sequence: number;
  readonly collections: number;
  readonly segments: number;
  readonly files_written: number;
  readonly bytes_written: number;
  readonly took_ms: number;
}

const KEYS = ['bytes_written', 'collections', 'files_written', 'segments', 'sequence', 'snapshot', 'took_ms'];

async function withServer(options: ServerOptions, act: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer(options);
  try {
    await act(server);
  } finally {
    await server.dispose();
  }
}

const takeSnapshot = async ({ client }: Server): Promise<Snapshot> =>
  expectJson<Snapshot>(await client.request('POST', '/snapshot'));

const scrape = async ({ client }: Server): Promise<Metrics> =>
  parseMetrics(expectStatus(await client.get('/metrics'), 200).text);

async function fill({ client }: Server): Promise<void> {
  await client.create(shopSchema('shop'));
  await client.create(titleSchema('books'));
  await client.indexAll('shop', SHOP);
  await client.indexAll('books', [{ id: '1', title: 'one' }]);
  await client.remove('shop', 'mat');
}

/** Names of the files of `kind` in the data directory, sorted. */
async function filesOf({ dataDir }: Server, kind: RegExp): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => kind.test(name)).sort();
}

/** Bytes of the files of `kind` together. */
async function bytesOf(server: Server, kind: RegExp): Promise<number> {
  const names = await filesOf(server, kind);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(server.dataDir, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Waits until the metric has `value`: the figures of the engine follow what it does at a distance. */
async function untilMetric(server: Server, name: string, value: number): Promise<void> {
  for (const deadlineMs = Date.now() + 30_000; ; ) {
    const got = metricValue(await scrape(server), name);
    if (got === value) return;
    assert.ok(Date.now() < deadlineMs, `${name}: expected ${value}, got ${got}`);
    await sleep(20);
  }
}

/** Changes one byte of a segment file: of its header, which every start checks, or of the rest. */
async function damage(path: string, place: 'header' | 'content'): Promise<void> {
  const bytes = await readFile(path);
  const index = place === 'header' ? 40 : Math.floor(bytes.length / 2);
  bytes[index] = (bytes[index] ?? 0) ^ 0x55;
  await writeFile(path, bytes);
}

test('a snapshot is on disk when it is answered, and holds everything acknowledged before', () =>
  withServer({ args: ['--snapshot-on-stop', 'false'] }, async (server) => {
    const { client } = server;
    await fill(server);
    const before = await client.search('shop', { q: 'wireless', facet: 'brand,price' });
    const report = await takeSnapshot(server);
    assert.deepEqual(Object.keys(report).sort(), KEYS);
    assert.equal(report.collections, 2);
    assert.ok(report.segments >= 2 && report.files_written >= 3 && report.bytes_written > 0, JSON.stringify(report));
    assert.equal((await filesOf(server, /^segment-\d{6}\.seg$/)).length, report.segments);
    assert.deepEqual(await filesOf(server, /^MANIFEST/), ['MANIFEST']);
    await client.indexAll('shop', [{ id: 'later', title: 'wireless, after the snapshot' }]);
    await client.remove('shop', 'cable');
    await server.kill();
    await server.start();
    const after = await client.search('shop', { q: 'wireless', facet: 'brand,price' });
    assert.equal(after.found, before.found + 1);
    for (const id of ['mat', 'cable']) {
      expectError(await client.get(`/collections/shop/documents/${id}`), 404, 'document_not_found');
    }
    assert.equal((await client.view('books')).num_documents, 1);
  }));

test('a snapshot drops the log before it, and a second one writes no segment again', () =>
  withServer({}, async (server) => {
    await fill(server);
    const walBytes = metricValue(await scrape(server), 'sabre_wal_bytes');
    const first = await takeSnapshot(server);
    assert.ok(metricValue(await scrape(server), 'sabre_wal_bytes') < walBytes);
    const second = await takeSnapshot(server);
    assert.ok(second.snapshot >= first.snapshot);
    assert.equal(second.segments, first.segments);
    assert.ok(second.files_written <= 1, `only the manifest: ${second.files_written}`);
    await server.client.indexAll('books', [{ id: '2', title: 'two' }]);
    const third = await takeSnapshot(server);
    assert.ok(third.snapshot > first.snapshot && third.sequence > first.sequence);
  }));

test('several who ask at a time are all answered', () =>
  withServer({}, async (server) => {
    await fill(server);
    const reports = await Promise.all(Array.from({ length: 5 }, () => takeSnapshot(server)));
    assert.ok(reports.every(({ collections }) => collections === 2));
  }));

test('metrics tell of snapshots and of the start', () =>
  withServer({}, async (server) => {
    const before = await scrape(server);
    assert.equal(metricValue(before, 'sabre_snapshots_total'), 0);
    assert.ok(metricValue(before, 'sabre_recovery_duration_seconds') > 0);
    await fill(server);
    const startedS = Date.now() / 1000;
    await takeSnapshot(server);
    const metrics = await scrape(server);
    assert.equal(metricValue(metrics, 'sabre_snapshots_total'), 1);
    assert.equal(metricValue(metrics, 'sabre_snapshot_failures_total'), 0);
    assert.equal(metricValue(metrics, 'sabre_snapshot_running'), 0);
    assert.ok(metricValue(metrics, 'sabre_snapshot_last_timestamp_seconds') >= startedS - 1);
    assert.ok(metricValue(metrics, 'sabre_snapshot_last_duration_seconds') > 0);
    assert.ok(metricValue(metrics, 'sabre_snapshot_bytes') >= (await bytesOf(server, /\.seg$/)));
    assert.equal(metricValue(metrics, 'sabre_damaged_collections'), 0);
  }));

test('a stop writes a snapshot unless told not to', async () => {
  for (const [value, expected] of [
    ['true', 2],
    ['false', 0],
  ] as const) {
    await withServer({ args: ['--snapshot-on-stop', value] }, async (server) => {
      await fill(server);
      assert.deepEqual(await server.stop(), { code: 0, signal: null });
      assert.equal((await filesOf(server, /\.seg$/)).length, expected);
      await server.start();
      assert.equal((await server.client.view('shop')).num_documents, SHOP.length - 1);
    });
  }
});

test('--map-files chooses how segments come into memory, and answers are the same', () =>
  withServer({ args: ['--map-files', 'false'] }, async (server) => {
    await fill(server);
    const { hits } = await server.client.search('shop', { q: 'wireless' });
    await server.restart();
    assert.equal(metricValue(await scrape(server), 'sabre_file_mapping', { kind: 'read' }), 1);
    assert.equal(metricValue(await scrape(server), 'sabre_mapped_bytes'), 0);
    assert.deepEqual((await server.client.search('shop', { q: 'wireless' })).hits, hits);
  }));

test('the snapshot command prints one line, or the answer as JSON, and fails with a message', () =>
  withServer({ args: ['--admin-key', 'admin', '--search-key', 'search'], key: 'admin' }, async (server) => {
    await fill(server);
    const url = ['--url', `http://127.0.0.1:${server.port}`];
    const line = await runMain(['snapshot', ...url, '--key', 'admin']);
    assert.equal(line.code, 0, line.stderr);
    assert.match(line.stdout, /^snapshot \d+: \d+ files, \d+ [kM]?B written in \d+\.\d\d s\n$/);
    const json = await runMain(['snapshot', ...url, '--json'], { SABRE_ADMIN_KEY: 'admin' });
    assert.deepEqual(Object.keys(JSON.parse(json.stdout)).sort(), KEYS);
    for (const [key, message] of [
      [[], /^snapshot: .*401 unauthorized.*--key/],
      [['--key', 'search'], /^snapshot: .*403 forbidden.*admin key/],
    ] as const) {
      const refused = await runMain(['snapshot', ...url, ...key]);
      assert.deepEqual([refused.code, refused.stdout], [1, '']);
      assert.match(refused.stderr, message);
      assert.equal(refused.stderr.trim().split('\n').length, 1, refused.stderr);
    }
    expectError(await server.client.request('GET', '/snapshot'), 405, 'method_not_allowed');
  }));

/** Stops `server`, damages the first segment file, which is the shop's, and starts again. */
async function restartDamaged(server: Server, place: 'header' | 'content'): Promise<void> {
  await server.client.create(shopSchema('shop'));
  await server.client.indexAll('shop', SHOP);
  await takeSnapshot(server);
  await server.client.create(titleSchema('books'));
  await server.client.indexAll('books', [{ id: '1', title: 'one' }]);
  await server.stop();
  const [first] = await filesOf(server, /\.seg$/);
  assert.ok(first !== undefined);
  await damage(join(server.dataDir, first), place);
  await server.start();
}

test('a damaged collection is refused and named, the others are served, and a deletion makes room again', () =>
  withServer({}, async (server) => {
    const { client } = server;
    await restartDamaged(server, 'header');
    for (const [method, path, body] of [
      ['GET', '/collections/shop', undefined],
      ['GET', '/collections/shop/search?q=mouse', undefined],
      ['GET', '/collections/shop/suggest?q=mo', undefined],
      ['GET', '/collections/shop/documents/mouse', undefined],
      ['DELETE', '/collections/shop/documents/mouse', undefined],
      ['POST', '/collections/shop/documents', '{"id":"new","title":"new"}'],
    ] as const) {
      expectError(await client.request(method, path, { body }), 500, 'corrupt_data', /shop|\.seg/);
    }
    expectError(await client.post('/collections', shopSchema('shop')), 409, 'collection_exists');
    const names = expectJson<{ name: string }[]>(await client.get('/collections')).map(({ name }) => name);
    assert.deepEqual(names, ['books', 'shop']);
    expectStatus(await client.get('/ready'), 200);
    assert.equal((await client.search('books', { q: 'one' })).found, 1);
    assert.equal(metricValue(await scrape(server), 'sabre_damaged_collections'), 1);
    await takeSnapshot(server);
    await server.restart();
    expectError(await client.get('/collections/shop'), 500, 'corrupt_data');
    expectStatus(await client.request('DELETE', '/collections/shop'), 204);
    expectError(await client.get('/collections/shop'), 404, 'collection_not_found');
    await untilMetric(server, 'sabre_damaged_collections', 0);
    await client.create(shopSchema('shop'));
    await client.indexAll('shop', SHOP);
    await server.restart();
    assert.equal((await client.view('shop')).num_documents, SHOP.length);
  }));

test('--verify open finds damage that no header shows before it serves', () =>
  withServer({ args: ['--verify', 'open'] }, async (server) => {
    await restartDamaged(server, 'content');
    expectError(await server.client.get('/collections/shop'), 500, 'corrupt_data');
    assert.equal((await server.client.view('books')).num_documents, 1);
  }));

test('--verify background finds it while it serves', () =>
  withServer({ args: ['--verify', 'background'] }, async (server) => {
    await restartDamaged(server, 'content');
    await untilMetric(server, 'sabre_damaged_collections', 1);
    expectError(await server.client.get('/collections/shop'), 500, 'corrupt_data');
    expectError(await server.client.get('/collections/shop/search?q=mouse'), 500, 'corrupt_data');
    assert.equal((await server.client.search('books', { q: 'one' })).found, 1);
    await untilMetric(server, 'sabre_verified_bytes_total', await bytesOf(server, /\.seg$/));
  }));
