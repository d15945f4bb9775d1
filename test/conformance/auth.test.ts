/**
 * Keys: which of them each endpoint accepts, what a wrong one is answered, and what is public.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { titleSchema } from '../support/fixtures.js';
import { openSocket } from '../support/raw-socket.js';
import { makeDataDir, type Server, startServer } from '../support/server.js';

const ADMIN = 'admin-key-0123456789';
const SEARCH = 'search-key-0123456789';
const both = await startServer({ args: ['--admin-key', ADMIN, '--search-key', SEARCH], key: ADMIN });
after(() => both.dispose());

const admin = both.client;
const reader = new Client(both.port, SEARCH);
const stranger = new Client(both.port);
after(() => {
  reader.close();
  stranger.close();
});

await admin.create(titleSchema('books'));
await admin.indexAll('books', [{ id: '1', title: 'one' }]);

const READS = [
  ...['/collections', '/collections/books', '/collections/books/documents/1', '/collections/books/search?q=one'],
  ...['/collections/books/suggest?q=o', '/metrics', '/analytics/top', '/analytics/zero-results', '/analytics/latency'],
];

const WRITES: [string, string, string][] = [
  ['POST', '/collections', JSON.stringify(titleSchema('other'))],
  ['DELETE', '/collections/other', ''],
  ['POST', '/collections/books/documents', '{"id":"2"}'],
  ['DELETE', '/collections/books/documents/2', ''],
  ['PATCH', '/collections/books/documents/1', '{}'],
  ['PATCH', '/collections/books', '{}'],
  ['DELETE', '/collections/books/documents?filter=id:=none', ''],
  ['POST', '/snapshot', ''],
];

test('reads take the admin key or the search key', async () => {
  for (const path of READS) {
    expectStatus(await admin.get(path), 200);
    expectStatus(await reader.get(path), 200);
  }
});

test('reads without a key, with a wrong one or an empty one are 401', async () => {
  for (const path of READS) {
    expectError(await stranger.get(path), 401, 'unauthorized', /x-service-api-key.*no key/);
    for (const key of ['wrong', '', `${ADMIN}x`, ADMIN.slice(1), ADMIN.toUpperCase(), `${ADMIN},${SEARCH}`]) {
      expectError(await stranger.get(path, { 'x-service-api-key': key }), 401, 'unauthorized');
    }
  }
});

test('a key may come as a bearer token; the header of its own comes first', async () => {
  for (const path of READS)
    for (const authorization of [`Bearer ${ADMIN}`, `bearer  ${SEARCH}`, `BEARER ${SEARCH} `])
      expectStatus(await stranger.get(path, { authorization }), 200);
  for (const authorization of ['Bearer', 'Bearer ', 'Bearer wrong', SEARCH, `Basic ${SEARCH}`, `Bearer${SEARCH}`])
    expectError(await stranger.get('/collections', { authorization }), 401, 'unauthorized');
  const headers = { 'x-service-api-key': 'wrong', authorization: `Bearer ${ADMIN}` };
  expectError(await stranger.get('/collections', headers), 401, 'unauthorized');
  const forbidden = await stranger.delete('/collections/books', { authorization: `Bearer ${SEARCH}` });
  expectError(forbidden, 403, 'forbidden');
  expectStatus(await stranger.get('/collections/books', { authorization: `Bearer ${ADMIN}` }), 200);
});

test('writes take the admin key alone: 403 with the search key, 401 without', async () => {
  for (const [method, path, body] of WRITES) {
    expectError(await stranger.request(method, path, { body }), 401, 'unauthorized');
    expectError(await reader.request(method, path, { body }), 403, 'forbidden');
    const reply = await admin.request(method, path, { body });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  }
});

test('the key is judged before body, collection or schema', async () => {
  expectError(await reader.post('/collections', '{broken'), 403, 'forbidden');
  expectError(await stranger.post('/collections', '{broken'), 401, 'unauthorized');
  expectError(await reader.post('/collections/nowhere/documents', '{broken'), 403, 'forbidden');
  expectError(await reader.delete('/collections/nowhere'), 403, 'forbidden');
  expectError(await stranger.get('/collections/nowhere'), 401, 'unauthorized');
  expectError(await stranger.get('/collections/books/search?limit=x'), 401, 'unauthorized');
});

test('a refused write is answered before its body has come', async () => {
  const socket = await openSocket(both.port);
  const head = `POST /collections HTTP/1.1\r\nHost: x\r\nx-service-api-key: ${SEARCH}\r\nContent-Length: 100000\r\n\r\n`;
  socket.write(`${head}{"name":`);
  const response = await socket.next(5000);
  assert.equal(response?.status, 403);
  socket.destroy();
});

test('unknown paths need a key too', async () => {
  expectError(await stranger.get('/nothing/here'), 401, 'unauthorized');
  expectError(await admin.get('/nothing/here'), 404, 'not_found');
  expectError(await reader.get('/nothing/here'), 404, 'not_found');
});

test('/health and /ready are public', async () => {
  for (const path of ['/health', '/ready']) {
    expectStatus(await stranger.get(path), 200);
    expectStatus(await stranger.get(path, { 'x-service-api-key': 'wrong' }), 200);
  }
});

test('/docs and /openapi.json are public', async () => {
  for (const path of ['/docs', '/openapi.json']) expectStatus(await stranger.get(path), 200);
});

test('neither key appears in the log', async () => {
  assert.ok(!both.log.includes(ADMIN));
  assert.ok(!both.log.includes(SEARCH));
});

async function withServer(server: Promise<Server>, use: (server: Server) => Promise<void>): Promise<void> {
  const started = await server;
  try {
    await use(started);
  } finally {
    await started.dispose();
  }
}

test('the admin key alone turns authentication on', async () => {
  await withServer(startServer({ env: { SABRE_ADMIN_KEY: ADMIN }, key: ADMIN }), async ({ client, port }) => {
    expectStatus(await client.get('/collections'), 200);
    const anyone = new Client(port);
    expectError(await anyone.get('/collections'), 401, 'unauthorized');
    expectError(await anyone.post('/collections', titleSchema('a')), 401, 'unauthorized');
    expectError(await anyone.get('/collections', { 'x-service-api-key': '' }), 401, 'unauthorized');
    anyone.close();
  });
});

test('the search key alone turns authentication on, and then nobody writes', async () => {
  await withServer(startServer({ env: { SABRE_SEARCH_KEY: SEARCH }, key: SEARCH }), async ({ client, port }) => {
    expectStatus(await client.get('/collections'), 200);
    expectError(await client.post('/collections', titleSchema('a')), 403, 'forbidden');
    const anyone = new Client(port);
    expectError(await anyone.post('/collections', titleSchema('a')), 401, 'unauthorized');
    expectError(await anyone.post('/collections', titleSchema('a'), { 'x-service-api-key': '' }), 401, 'unauthorized');
    anyone.close();
  });
});

test('without keys everything is open, and the log warns', async () => {
  await withServer(startServer({ env: { SABRE_ADMIN_KEY: '', SABRE_SEARCH_KEY: '' } }), async (server) => {
    await server.client.create(titleSchema('open'));
    expectStatus(await server.client.get('/collections', { 'x-service-api-key': 'whatever' }), 200);
    assert.match(server.log, /warn|"level":40/i);
    assert.match(server.log, /key/i);
  });
});

test('keys can be read from files, a final line break not part of them', async () => {
  const folder = await makeDataDir();
  const file = join(folder, 'admin.key');
  await writeFile(file, `${ADMIN}\n`);
  await withServer(startServer({ args: ['--admin-key-file', file], key: ADMIN }), async ({ client, port }) => {
    expectStatus(await client.get('/collections'), 200);
    const anyone = new Client(port);
    expectError(await anyone.get('/collections'), 401, 'unauthorized');
    anyone.close();
  });
});
