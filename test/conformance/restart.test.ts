/**
 * Restarts: what was acknowledged is there afterwards, after a stop and after kill -9.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError, expectStatus } from '../support/expect.js';
import { freshName, SHOP, shopSchema, titleSchema } from '../support/fixtures.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { openSocket } from '../support/raw-socket.js';
import { type Server, startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';

async function fill(server: Server): Promise<{ shop: string; plain: string; gone: string }> {
  const { client } = server;
  const shop = freshName('shop');
  const plain = freshName('plain');
  const gone = freshName('gone');
  await client.create({ ...shopSchema(shop), default_sorting_field: 'price', typo_tolerance: { max_typos: 1 } });
  await client.create(titleSchema(gone));
  await client.indexAll(gone, [{ id: '1', title: 'x' }]);
  await client.create(shopSchema(plain));
  await client.indexAll(plain, SHOP);
  await client.indexAll(shop, SHOP);
  await client.indexAll(shop, [{ ...SHOP[0], id: 'mouse', title: 'Wireless trackball' }]);
  await client.remove(shop, 'mat');
  await client.drop(gone);
  return { shop, plain, gone };
}

/** Everything of an answer but its time, and the scores: those count a deleted document until its segment is rewritten. */
function contentOf({ search_time_ms: _, ...answer }: SearchResponse): object {
  return { ...answer, hits: answer.hits.map(({ text_match: __, ...hit }) => hit) };
}

const signals = { 'a stop': 'stop', 'kill -9': 'kill' } as const;

for (const [what, end] of Object.entries(signals)) {
  test(`after ${what} everything acknowledged is there and nothing deleted returns`, async () => {
    const server = await startServer();
    try {
      const { client } = server;
      const { shop, plain, gone } = await fill(server);
      const view = await client.view(shop);
      const before = await client.search(shop, { q: 'wireless', facet: 'brand,price', sort: '_text_match:desc' });
      const scored = await client.search(plain, { q: 'wireless' });
      const bytes = (await client.get(`/collections/${shop}/documents/keyboard`)).text;
      for (let round = 0; round < 2; round++) {
        await server[end]();
        await server.start();
        const { num_segments: _, ...rest } = await client.view(shop);
        const { num_segments: __, ...expected } = view;
        assert.deepEqual(rest, expected, 'the schema, the count and the time of creation');
        const now = await client.search(shop, { q: 'wireless', facet: 'brand,price', sort: '_text_match:desc' });
        assert.deepEqual(contentOf(now), contentOf(before));
        const scoredNow = await client.search(plain, { q: 'wireless' });
        assert.deepEqual({ ...scoredNow, search_time_ms: 0 }, { ...scored, search_time_ms: 0 }, 'scores too');
        assert.equal((await client.get(`/collections/${shop}/documents/keyboard`)).text, bytes);
        expectError(await client.get(`/collections/${shop}/documents/mat`), 404, 'document_not_found');
        expectError(await client.get(`/collections/${gone}`), 404, 'collection_not_found');
        await client.indexAll(shop, [{ id: `round${round}`, title: 'after restart' }]);
        await client.remove(shop, `round${round}`);
      }
    } finally {
      await server.dispose();
    }
  });
}

test('a request in flight at SIGTERM is answered', async () => {
  const server = await startServer();
  const { client } = server;
  await client.create(titleSchema('flight'));
  const batch = Array.from({ length: 2000 }, (_, i) => ({ id: `${i}`, title: `document number ${i}` }));
  const pending = client.post('/collections/flight/documents', batch).then(
    (reply) => reply.status,
    () => 'refused' as const,
  );
  const first = client.get('/health');
  expectStatus(await first, 200);
  process.kill(server.pid, 'SIGTERM');
  const outcome = await pending;
  await server.stop();
  await server.start();
  const { num_documents } = await client.view('flight');
  if (outcome === 200) assert.equal(num_documents, 2000, 'acknowledged and kept');
  else assert.ok(num_documents === 0 || num_documents === 2000, 'not half applied');
  await server.dispose();
});

test('a second signal kills a server that still drains, and loses nothing', async () => {
  // However slow the machine: the server drains until the second signal.
  const server = await startServer({ args: ['--drain-timeout-ms', '600000', '--body-rate-min', '0'] });
  const inFlight = async (): Promise<number> =>
    metricValue(parseMetrics((await server.client.get('/metrics')).text), 'sabre_http_requests_in_flight');
  await server.client.create(titleSchema('twice'));
  expectStatus(await server.client.post('/collections/twice/documents', { id: 'a', title: 'x' }), 200);
  const before = await inFlight();
  const unfinished = await openSocket(server.port);
  unfinished.write('POST /collections/twice/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{');
  while ((await inFlight()) === before);
  process.kill(server.pid, 'SIGTERM');
  while ((await server.client.get('/ready').catch(() => null))?.status === 200);
  // Closer together they would count as one signal.
  await sleep(600);
  assert.deepEqual(await server.stop(), { code: null, signal: 'SIGKILL' });
  unfinished.destroy();
  await server.start();
  assert.equal((await server.client.view('twice')).num_documents, 1);
  await server.dispose();
});

test('writes acknowledged one after the other all survive kill -9 in the midst of more', async () => {
  const server = await startServer();
  const { client } = server;
  await client.create(titleSchema('crash'));
  const acknowledged: string[] = [];
  let running = true;
  const writer = (async () => {
    for (let i = 0; running; i++) {
      const reply = await client.post('/collections/crash/documents', { id: `${i}`, title: 'x' }).catch(() => null);
      if (reply?.status === 200) acknowledged.push(`${i}`);
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await server.kill();
  running = false;
  await writer;
  await server.start();
  assert.ok(acknowledged.length > 0);
  for (const id of acknowledged) expectStatus(await client.get(`/collections/crash/documents/${id}`), 200);
  const { num_documents } = await client.view('crash');
  assert.ok(num_documents === acknowledged.length || num_documents === acknowledged.length + 1);
  await server.dispose();
});
