/**
 * HTTP itself: methods, paths, pipelining, keep-alive, long heads, request ids, and connections that misbehave.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, makeShop, titleSchema } from '../support/fixtures.js';
import { openSocket, rawGet } from '../support/raw-socket.js';
import { HAS_FRONT_THREADS, startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client, port } = server;
after(() => server.dispose());

const shop = await makeShop(client);
const JSON_TYPE = 'application/json; charset=utf-8';

const GET_PATHS = [
  ...[
    '/collections',
    `/collections/${shop}`,
    `/collections/${shop}/documents/mouse`,
    `/collections/${shop}/search?q=mouse`,
  ],
  ...[
    `/collections/${shop}/suggest?q=m`,
    '/health',
    '/ready',
    '/analytics/top',
    '/analytics/zero-results',
    '/analytics/latency',
  ],
];

test('JSON is announced as application/json; charset=utf-8', async () => {
  for (const path of GET_PATHS) assert.equal((await client.get(path)).headers['content-type'], JSON_TYPE, path);
});

test('HEAD answers like GET without the body', async () => {
  for (const path of [...GET_PATHS, '/metrics', '/nothing', '/collections/nowhere']) {
    const [head, get] = [await client.request('HEAD', path), await client.get(path)];
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, '', path);
    assert.equal(head.headers['content-type'], get.headers['content-type'], path);
  }
});

test('HEAD leaves a keep-alive connection usable', async () => {
  const socket = await openSocket(port);
  const answered = (count: number): Promise<boolean> =>
    socket.waitFor(() => (socket.received.match(/HTTP\/1\.1 200/g) ?? []).length === count);
  socket.write('HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.ok(await answered(1));
  socket.write(rawGet('/ready'));
  assert.ok(await answered(2));
  socket.destroy();
});

test('a trailing slash is ignored', async () => {
  for (const path of [
    '/collections/',
    `/collections/${shop}/`,
    `/collections/${shop}/search/?q=mouse`,
    '/health/',
    '/analytics/top/',
  ]) {
    expectStatus(await client.get(path), 200);
  }
  const name = freshName();
  expectStatus(await client.post('/collections/', titleSchema(name)), 201);
  expectStatus(await client.post(`/collections/${name}/documents/`, { id: '1' }), 200);
  expectStatus(await client.delete(`/collections/${name}/documents/1/`), 204);
  expectStatus(await client.delete(`/collections/${name}/`), 204);
});

test('an unknown route is not_found', async () => {
  for (const path of [
    '/nothing',
    '/collection',
    `/collections/${shop}/nothing`,
    `/collections/${shop}/documents/mouse/x`,
    '/analytics',
  ]) {
    expectError(await client.get(path), 404, 'not_found');
    expectError(await client.post(path, '{}'), 404, 'not_found');
  }
});

const ALLOWED: [string, string[]][] = [
  ['/collections', ['GET', 'HEAD', 'POST']],
  [`/collections/${shop}`, ['GET', 'HEAD', 'PATCH', 'DELETE']],
  [`/collections/${shop}/documents`, ['GET', 'HEAD', 'POST', 'DELETE']],
  [`/collections/${shop}/documents/mouse`, ['GET', 'HEAD', 'PATCH', 'DELETE']],
  [`/collections/${shop}/search`, ['GET', 'HEAD', 'POST']],
  [`/collections/${shop}/suggest`, ['GET', 'HEAD']],
  ['/health', ['GET', 'HEAD']],
  ['/ready', ['GET', 'HEAD']],
  ['/metrics', ['GET', 'HEAD']],
  ['/analytics/top', ['GET', 'HEAD']],
  ['/analytics/zero-results', ['GET', 'HEAD']],
  ['/analytics/latency', ['GET', 'HEAD']],
];

test('a known path with another method is 405 with Allow', async () => {
  for (const [path, allowed] of ALLOWED) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      if (allowed.includes(method)) continue;
      const reply = await client.request(method, path, { body: '{}' });
      expectError(reply, 405, 'method_not_allowed');
      const listed = String(reply.headers['allow'])
        .split(/, */)
        .filter((name) => name !== 'OPTIONS');
      assert.deepEqual(listed.sort(), [...allowed].sort(), `${method} ${path}`);
    }
  }
});

test('a request id is echoed, or made, on every status', async () => {
  for (const [method, path] of [
    ['GET', '/health'],
    ['GET', '/nothing'],
    ['PUT', '/collections'],
    ['DELETE', '/collections/nowhere'],
  ] as const) {
    const echoed = await client.request(method, path, { headers: { 'x-request-id': 'my-id_1.2' } });
    assert.equal(echoed.headers['x-request-id'], 'my-id_1.2', path);
    const [one, two] = [await client.request(method, path), await client.request(method, path)];
    assert.match(String(one.headers['x-request-id']), /\S{8,}/);
    assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id']);
  }
  const search = await client.get(`/collections/${shop}/search?q=mouse`, { 'x-request-id': 'abc' });
  assert.equal(search.headers['x-request-id'], 'abc');
});

test('pipelined requests that need no thread are answered all and in order', async () => {
  const socket = await openSocket(port);
  const ids = Array.from({ length: 20 }, (_, i) => `p${i}`);
  socket.write(ids.map((id) => rawGet(id.endsWith('5') ? '/nothing' : '/health', { 'x-request-id': id })).join(''));
  for (const id of ids) {
    const response = await socket.next(5000);
    if (response === null && HAS_FRONT_THREADS) break;
    assert.equal(/x-request-id: *(\S+)/i.exec(response?.head ?? '')?.[1], id);
  }
  socket.destroy();
});

test('pipelined searches are answered in order, or the connection ends: never out of order, never stuck', async () => {
  const socket = await openSocket(port);
  const ids = ['mouse', 'cable', 'nowhere', 'mat'].flatMap((id) => [id, `s-${id}`]);
  const path = (id: string): string => (id.startsWith('s-') ? 'search?q=mouse' : `documents/${id}`);
  socket.write(ids.map((id) => rawGet(`/collections/${shop}/${path(id)}`, { 'x-request-id': id })).join(''));
  const answered: (string | undefined)[] = [];
  for (;;) {
    const response = await socket.next(5000);
    if (response === null) break;
    answered.push(/x-request-id: *(\S+)/i.exec(response.head)?.[1]);
    if (answered.length === ids.length) break;
  }
  assert.deepEqual(answered, ids.slice(0, answered.length));
  if (answered.length < ids.length) assert.ok(socket.isClosed, 'the rest hangs');
  socket.destroy();
  expectStatus(await client.get('/health'), 200);
});

test('pipelined writes are done in order as far as they are done', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  const socket = await openSocket(port);
  const bodies = Array.from({ length: 5 }, (_, i) => `{"id":"same","title":"version${i}"}`);
  const head = `POST /collections/${name}/documents HTTP/1.1\r\nHost: x\r\nContent-Length: `;
  socket.write(bodies.map((body) => `${head}${body.length}\r\n\r\n${body}`).join(''));
  let answered = 0;
  while (answered < bodies.length && (await socket.next(5000)) !== null) answered++;
  if (answered < bodies.length) assert.ok(socket.isClosed, 'the rest hangs');
  socket.destroy();
  const documents = (await client.search(name, {})).hits.map(({ document }) => document['title']);
  assert.ok(documents.length <= 1);
  if (answered > 0) assert.ok(Number(/\d/.exec(String(documents[0]))?.[0]) >= answered - 1);
});

test('reads that come at once on many connections each get their own answer, whoever goes away meanwhile', async () => {
  const read = (path: string): string => `/collections/${shop}/${path}`;
  const paths = ['documents/mouse', 'documents/mat', 'search?q=mouse', 'search?q=cable', 'suggest?q=m'].map(read);
  const timeless = (body: string): string => body.replace(/"search_time_ms":[\d.]+/, '');
  const alone = new Map<string, string>();
  for (const path of paths) alone.set(path, timeless((await client.get(path)).text));
  const sockets = await Promise.all(Array.from({ length: 48 }, () => openSocket(port)));
  for (let round = 0; round < 20; round++) {
    const goes = await openSocket(port);
    for (const [i, socket] of sockets.entries()) {
      socket.write(rawGet(paths[(i + round) % paths.length] as string, { 'x-request-id': `${round}-${i}` }));
      if (i === 20) goes.write(rawGet(paths[2] as string));
      if (i === 30) goes.destroy();
    }
    for (const [i, socket] of sockets.entries()) {
      const response = await socket.next(5000);
      assert.equal(response?.status, 200);
      assert.equal(/x-request-id: *(\S+)/i.exec(response?.head ?? '')?.[1], `${round}-${i}`);
      assert.equal(timeless(response?.body ?? ''), alone.get(paths[(i + round) % paths.length] as string));
    }
  }
  for (const socket of sockets) socket.destroy();
});

test('one connection serves many requests', async () => {
  const socket = await openSocket(port);
  for (let i = 0; i < 50; i++) {
    socket.write(rawGet(i % 2 === 0 ? '/health' : `/collections/${shop}/search?q=mouse`));
    assert.equal((await socket.next(5000))?.status, 200);
  }
  socket.destroy();
});

test('a request may come byte by byte', async () => {
  const socket = await openSocket(port);
  for (const byte of rawGet('/health')) socket.write(byte);
  assert.equal((await socket.next(5000))?.status, 200);
  const body = '{"id":"slow","title":"x"}';
  const name = freshName();
  await client.create(titleSchema(name));
  const post = `POST /collections/${name}/documents HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const byte of post) {
    socket.write(byte);
    await sleep(0);
  }
  assert.equal((await socket.next(5000))?.status, 200);
  socket.destroy();
});

test('a chunked body is a body', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  const socket = await openSocket(port);
  const head = `POST /collections/${name}/documents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(`${head}9\r\n{"id":"c"\r\n1\r\n}\r\n0\r\n\r\n`);
  assert.equal((await socket.next(5000))?.status, 200);
  assert.deepEqual(await client.ids(name, {}), ['c']);
  socket.destroy();
});

test('a URL of 60 KiB works', async () => {
  const padding = 'x'.repeat(60 * 1024 - 200);
  const response = expectJson<SearchResponse>(
    await client.get(`/collections/${shop}/search?q=cable&padding=${padding}`),
  );
  assert.equal(response.found, 1);
});

test('a head beyond the limit is refused, and others go on', async () => {
  const socket = await openSocket(port);
  socket.write(rawGet('/health', { 'x-long': 'y'.repeat(80_000) }));
  const response = await socket.next(3000);
  assert.ok(response === null || response.status === 431 || response.status === 400, `status ${response?.status}`);
  socket.destroy();
  expectStatus(await client.get('/health'), 200);
});

test('bytes that are no HTTP close their connection alone', async () => {
  for (const bytes of [
    'GARBAGE\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /health\r\n\r\n',
    '\r\n\r\n\r\n',
    '{}',
  ]) {
    const socket = await openSocket(port);
    socket.write(bytes);
    await sleep(20);
    socket.destroy();
  }
  expectStatus(await client.get('/health'), 200);
});

test('a bad Content-Length is refused or closes the connection, never hangs another', async () => {
  for (const length of ['-1', 'x', '1e3', '99999999999999999999999']) {
    const socket = await openSocket(port);
    socket.write(`POST /collections HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n{}`);
    const response = await socket.next(1500);
    assert.ok(response === null || response.status >= 400, `${length}: ${response?.status}`);
    socket.destroy();
  }
  expectStatus(await client.get('/health'), 200);
});

test('a request aborted in its body changes nothing', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  for (let i = 0; i < 10; i++) {
    const socket = await openSocket(port);
    const body = '{"id":"never","title":"x"}';
    socket.write(`POST /collections/${name}/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n${body}`);
    await sleep(5);
    socket.destroy();
  }
  assert.equal((await client.view(name)).num_documents, 0);
});

test('clients that leave before their answer harm nobody', async () => {
  const searches = Array.from({ length: 50 }, async (_, i) => {
    const socket = await openSocket(port);
    socket.write(rawGet(`/collections/${shop}/search?q=mouse&offset=${i}`));
    if (i % 2 === 0) await sleep(i % 7);
    socket.destroy();
  });
  await Promise.all(searches);
  assert.equal((await client.search(shop, { q: 'mouse' })).found, 3);
});

test('a path with malformed percent-encoding is a client error', async () => {
  for (const path of [
    '/collections/%',
    '/collections/%zz',
    '/collections/%FF',
    `/collections/${shop}/documents/%`,
    `/collections/${shop}/documents/%C3`,
  ]) {
    const reply = await client.get(path);
    assert.ok(reply.status === 400 || reply.status === 404, `${path}: ${reply.status}`);
    assert.ok(JSON.parse(reply.text).error.code);
  }
});

test('an encoded collection name is the name', async () => {
  const encoded = shop.replace('s', '%73');
  assert.equal(expectJson<{ name: string }>(await client.get(`/collections/${encoded}`)).name, shop);
});
