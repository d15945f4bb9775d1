/**
 * HTTP itself: methods, paths, keys, bodies, connections, clients that misbehave.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openSocket } from '../support/raw-socket.js';
import { errorCode, startServer, withServer } from './test-server.js';

const post = (head: string): string => `POST /collections/books/documents HTTP/1.1\r\nHost: x\r\n${head}\r\n`;
const GET = 'GET /collections HTTP/1.1\r\nHost: x\r\n\r\n';

withServer('unknown paths are 404 with the error body', {}, async ({ get, send }) => {
  for (const path of [
    '//',
    '/nope',
    '/collections/a/b',
    '/collections//search',
    '/collections/a/documents/b/c',
    '/Health',
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, 404, path);
    assert.equal(errorCode(answer), 'not_found');
  }
  assert.equal((await send('POST', '/nope', { body: 'x'.repeat(1000) })).status, 404);
});

withServer('a wrong method is 405 with Allow', {}, async ({ send }) => {
  const cases = {
    '/collections': 'GET, HEAD, POST',
    '/collections/a': 'GET, HEAD, PATCH, DELETE',
    '/health': 'GET, HEAD',
  };
  for (const [path, allow] of Object.entries(cases)) {
    for (const method of ['PUT', 'OPTIONS']) {
      const answer = await send(method, path);
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.allow, allow);
      assert.equal(errorCode(answer), 'method_not_allowed');
    }
  }
  assert.equal((await send('PUT', '/collections/a/documents')).headers.allow, 'GET, HEAD, POST, DELETE');
});

withServer('a trailing slash is ignored', {}, async ({ get, send }) => {
  for (const path of ['/collections/', '/collections/books/', '/collections/books/search/?q=a', '/health/']) {
    assert.equal((await get(path)).status, 200, path);
  }
  assert.equal((await send('POST', '/collections/books/documents/', { body: '{}' })).status, 200);
});

withServer('HEAD answers like GET without the body, and the connection stays usable', {}, async ({ raw, send }) => {
  const head = 'HEAD /collections HTTP/1.1\r\nHost: x\r\n\r\n';
  const { text, isClosed } = await raw(head + GET);
  const [headPart = '', ...rest] = text.split('\r\n\r\n');
  assert.match(headPart, /^HTTP\/1\.1 200 OK/);
  const length = Number(/content-length: (\d+)/i.exec(headPart)?.[1]);
  assert.match(rest[0] ?? '', /^HTTP\/1\.1 200 OK/);
  assert.equal(rest[1]?.length, length);
  assert.equal(isClosed, false);
  assert.equal((await send('HEAD', '/collections/books/search?limit=x')).status, 400);
  assert.equal((await send('HEAD', '/collections/books/documents/1')).headers['content-length'], '10');
});

withServer('a client may send requests ahead while answers come at once', {}, async ({ raw }) => {
  const { text } = await raw(GET + GET + GET);
  assert.equal(text.split('HTTP/1.1 200 OK').length - 1, 3);
});

withServer("every answer carries a request id: the client's when it is sane", {}, async ({ get }) => {
  const id = async (sent: string) =>
    (await get('/nope', { headers: { 'x-request-id': sent } })).headers['x-request-id'];
  assert.equal(await id('abc-123'), 'abc-123');
  assert.notEqual(await id('a b'), 'a b');
  assert.notEqual(await id('x'.repeat(129)), 'x'.repeat(129));
  const [first, second] = [await get('/health'), await get('/health')];
  assert.ok(first.headers['x-request-id']);
  assert.notEqual(first.headers['x-request-id'], second.headers['x-request-id']);
});

const ADMIN = { 'x-service-api-key': 'admin-key' };
const SEARCH = { 'x-service-api-key': 'search-key' };

withServer('keys decide who may do what', { adminKey: 'admin-key', searchKey: 'search-key' }, async ({ get, send }) => {
  for (const path of ['/collections', '/collections/books/search', '/metrics', '/analytics/top', '/nope']) {
    assert.equal(errorCode(await get(path)), 'unauthorized', path);
    const wrong = await get(path, { headers: { 'x-service-api-key': 'admin-kez' } });
    assert.equal(wrong.status, 401);
    assert.notEqual((await get(path, { headers: SEARCH })).status, 401);
    assert.notEqual((await get(path, { headers: ADMIN })).status, 401);
  }
  for (const path of ['/health', '/ready', '/docs', '/openapi.json']) assert.equal((await get(path)).status, 200, path);
  assert.equal((await send('PUT', '/health')).status, 405);
  assert.equal((await send('PUT', '/collections')).status, 401);
  assert.equal((await get('/nope', { headers: SEARCH })).status, 404);
  const forbidden = await send('POST', '/collections', { headers: SEARCH, body: 'not json' });
  assert.equal(forbidden.status, 403);
  assert.equal(errorCode(forbidden), 'forbidden');
  assert.equal(errorCode(await send('DELETE', '/collections/none', { headers: SEARCH })), 'forbidden');
  assert.equal(errorCode(await send('POST', '/collections', { body: 'not json' })), 'unauthorized');
  assert.equal(errorCode(await send('POST', '/collections', { headers: ADMIN, body: 'not json' })), 'invalid_json');
});

withServer(
  'a search key alone turns authentication on, and nobody may write',
  { searchKey: 'search-key' },
  async ({ get, send }) => {
    assert.equal((await get('/collections')).status, 401);
    assert.equal((await get('/collections', { headers: SEARCH })).status, 200);
    assert.equal((await send('DELETE', '/collections/books', { headers: SEARCH })).status, 403);
    assert.equal((await send('DELETE', '/collections/books', { headers: ADMIN })).status, 401);
  },
);

withServer('an admin key alone is needed for everything', { adminKey: 'admin-key' }, async ({ get }) => {
  assert.equal((await get('/collections')).status, 401);
  assert.equal((await get('/collections', { headers: ADMIN })).status, 200);
});

withServer('a key is decided on before the body arrives', { adminKey: 'admin-key' }, async ({ raw }) => {
  const { text } = await raw(post('Content-Length: 50000\r\n'));
  assert.match(text, /^HTTP\/1\.1 401/);
});

withServer('without CORS no such header is sent', {}, async ({ get }) => {
  const answer = await get('/health', { headers: { origin: 'https://a.example' } });
  assert.equal(answer.headers['access-control-allow-origin'], undefined);
  assert.equal(answer.headers.vary, undefined);
});

const PREFLIGHT = { origin: 'https://a.example', 'access-control-request-method': 'POST' };

withServer(
  'listed origins get CORS headers, errors included, and a preflight needs no key',
  { corsOrigins: ['https://a.example'], adminKey: 'admin-key' },
  async ({ get, send }) => {
    const preflight = await send('OPTIONS', '/collections', { headers: PREFLIGHT });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], 'https://a.example');
    assert.match(
      String(preflight.headers['access-control-allow-headers']),
      /x-service-api-key, authorization, content-type/,
    );
    assert.match(String(preflight.headers['access-control-allow-methods']), /DELETE/);
    const refused = await get('/collections', { headers: { origin: 'https://a.example' } });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['access-control-allow-origin'], 'https://a.example');
    assert.equal(refused.headers.vary, 'origin');
    const other = await get('/health', { headers: { origin: 'https://b.example' } });
    assert.equal(other.headers['access-control-allow-origin'], undefined);
  },
);

withServer('* allows every origin', { corsOrigins: ['*'] }, async ({ get }) => {
  const answer = await get('/health', { headers: { origin: 'https://b.example' } });
  assert.equal(answer.headers['access-control-allow-origin'], '*');
});

withServer('a URL of 60 KiB works, a head beyond 64 KiB is 431', {}, async ({ get, engine }) => {
  const q = 'a'.repeat(60 * 1024);
  assert.equal((await get(`/collections/books/search?q=${q}`)).status, 200);
  assert.equal(engine.searches.at(-1)?.q, q);
  assert.equal((await get(`/collections/books/search?q=${q}${q}`)).status, 431);
});

withServer('a head of 98 headers works, and one more is 431, however short they are', {}, async ({ raw }) => {
  const head = (count: number): string =>
    `GET /health HTTP/1.1\r\nHost: x\r\n${Array.from({ length: count - 1 }, (_, i) => `a${i}: b\r\n`).join('')}\r\n`;
  assert.match((await raw(head(98))).text, /^HTTP\/1.1 200 /);
  assert.match((await raw(head(99))).text, /^HTTP\/1.1 431 /);
});

withServer(
  'bytes above 127 at either end of a header are cut off by the library, and not those within',
  { adminKey: 'admin' },
  async ({ raw }) => {
    const head = (key: string): Buffer =>
      Buffer.from(`GET /collections HTTP/1.1\r\nHost: x\r\nx-service-api-key: ${key}\r\n\r\n`, 'latin1');
    for (const key of ['admin', 'admin\xff', '\x80admin']) assert.match((await raw(head(key))).text, /^HTTP\/1.1 200 /);
    for (const key of ['ad\xffmin', 'admin\x7f']) assert.match((await raw(head(key))).text, /^HTTP\/1.1 401 /);
  },
);

withServer(
  'raw UTF-8 in a URL is read as such, and raw bytes that are none are refused',
  {},
  async ({ raw, engine }) => {
    const line = (bytes: Buffer) =>
      Buffer.concat([
        Buffer.from('GET /collections/books/search?q='),
        bytes,
        Buffer.from(' HTTP/1.1\r\nHost: x\r\n\r\n'),
      ]);
    assert.match((await raw(line(Buffer.from('é')))).text, /^HTTP\/1\.1 200/);
    assert.equal(engine.searches.at(-1)?.q, 'é');
    assert.match((await raw(line(Buffer.from([0xff])))).text, /^HTTP\/1\.1 400[\s\S]*invalid_query/);
    const path = (id: Buffer | string): Buffer =>
      Buffer.concat([
        Buffer.from('GET /collections/books/documents/'),
        Buffer.from(id),
        Buffer.from(' HTTP/1.1\r\nHost: x\r\n\r\n'),
      ]);
    assert.match((await raw(path(Buffer.from([0xff])))).text, /^HTTP\/1\.1 400[\s\S]*path: expected UTF-8/);
    assert.equal(engine.fetches.length, 0);
    for (const [sent, id] of [
      ['é', 'é'],
      ['%EF%BF%BD', '\ufffd'],
    ]) {
      assert.match((await raw(path(sent))).text, /^HTTP\/1\.1 200/);
      assert.equal(engine.fetches.at(-1)?.id, id);
    }
  },
);

withServer('Accept may stand in several lines', {}, async ({ raw, engine }) => {
  const head =
    'GET /collections/books/search HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nAccept: application/msgpack\r\n\r\n';
  assert.match((await raw(head)).text, /^HTTP\/1\.1 200[\s\S]*content-type: application\/msgpack/i);
  assert.equal(engine.searches.at(-1)?.format, 'msgpack');
});

test('requests wait for an engine that recovers; probes tell the two states apart', async () => {
  const server = await startServer({}, { isRecovering: true });
  const ready = await server.get('/ready');
  assert.equal(ready.status, 503);
  assert.match(ready.text, /recovering/);
  const search = server.get('/collections/books/search?q=a');
  const batch = server.send('POST', '/collections/books/documents', { body: '{}' });
  const health = server.get('/health');
  await sleep(30);
  assert.equal(server.engine.searches.length, 0);
  server.gate.open(server.engine, 30);
  assert.equal((await search).status, 200);
  assert.equal((await batch).status, 200);
  assert.equal(JSON.parse((await health).text).num_collections, 1);
  assert.equal((await server.get('/ready')).status, 200);
  server.stop();
});

test('draining finishes what is under way, tells so, and takes no new connection', async () => {
  const server = await startServer();
  server.engine.searchDelayMs = 80;
  await server.get('/health');
  const search = server.get('/collections/books/search');
  await sleep(20);
  server.gate.startDraining();
  const drained = server.server.drain(1000);
  await assert.rejects(server.get('/ready'), /ECONNREFUSED/);
  const answer = await search;
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.connection, 'close');
  await drained;
  server.stop();
});

test('the last answer is sent though the server closes when it is given, and may be waited for again', async () => {
  const server = await startServer();
  const socket = await openSocket(server.port);
  const body = '{"name":';
  socket.write(`POST /collections HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n{"name`);
  // It has come by the time that a later request on another connection is answered.
  await server.get('/health');
  const drained = server.server.drain(10_000);
  socket.write('":');
  await drained;
  server.server.close();
  const answer = await socket.next();
  assert.equal(answer?.status, 400);
  socket.destroy();
  await server.server.drain(1000);
  server.stop();
});

test('draining gives up after its time', async () => {
  const server = await startServer();
  server.engine.searchDelayMs = 300;
  const search = server.get('/collections/books/search').catch((error: Error) => error);
  await sleep(20);
  await server.server.drain(50);
  server.stop();
  assert.ok((await search) instanceof Error);
});

test('two servers cannot share a port', async () => {
  const first = await startServer();
  await assert.rejects(startServer({ port: first.port }), /in use/);
  first.stop();
});

test('requests are logged at debug level with their route, and slow searches always; a key never is', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const server = await startServer({ adminKey: 'admin-key', slowQueryMs: 0.1 }, { logger });
  await server.get('/collections/books/search?q=private', { headers: { ...ADMIN, 'x-request-id': 'id-1' } });
  await server.get('/collections', { headers: { 'x-service-api-key': 'wrong-key' } });
  // A slow search is asked for its reading once more before its line is written.
  const isThere = (): boolean => lines.some((line) => line.includes('slow search'));
  for (const deadline = Date.now() + 10_000; !isThere() && Date.now() < deadline; ) await sleep(5);
  server.stop();
  const parsed = lines.map((line) => JSON.parse(line));
  const slow = parsed.find(({ msg }) => msg === 'slow search');
  const [search, refused] = parsed.filter(({ msg }) => msg === 'request');
  assert.deepEqual(
    [search.id, search.method, search.route, search.status],
    ['id-1', 'GET', '/collections/{name}/search', 200],
  );
  assert.equal(typeof search.ms, 'number');
  assert.deepEqual([slow.msg, slow.id, slow.q, slow.ms], ['slow search', 'id-1', 'private', 0.214]);
  assert.equal(refused.status, 401);
  assert.doesNotMatch(lines.join(''), /admin-key|wrong-key/);
});
