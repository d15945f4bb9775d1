/**
 * Parameters that nobody knows: ignored and named in a header, refused with `strict`, on every endpoint and every HTTP thread.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, jsonOf, type Reply } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { startServer } from '../support/server.js';

const THREADS = 2;
const server = await startServer({ args: ['--http-threads', `${THREADS}`] });
const { client } = server;
after(() => server.dispose());

await client.create({ name: 'books', fields: [{ name: 'title', type: 'text', filter: true }] });
await client.indexAll('books', [{ id: '1', title: 'rose' }]);

/** What `path` is answered over new connections, of which each thread gets one. */
async function onEach(path: string, ask = (each: Client): Promise<Reply> => each.get(path)): Promise<Reply[]> {
  const clients = Array.from({ length: THREADS }, () => new Client(server.port));
  const replies = await Promise.all(clients.map(ask));
  for (const each of clients) each.close();
  return replies;
}

const warning = (names: string): string => `299 sabre "unknown parameters are ignored: ${names}"`;
const PATHS = [
  '/collections/books/search?q=rose',
  '/collections/books/suggest?q=ro',
  '/collections/books/documents/1?include_fields=id',
  '/collections/books/documents?filter=title:rose',
  '/collections/books?',
  '/collections?',
  '/analytics/top?limit=1',
  '/metrics?',
  '/health?',
];

test('a parameter that is not known is named, and changes nothing else', async () => {
  for (const path of PATHS) {
    for (const reply of await onEach(path)) assert.equal(expectStatus(reply, 200).headers['warning'], undefined, path);
    // Twice, as searches are remembered.
    for (const reply of [
      ...(await onEach(`${path}&limt=5&x&strict=0`)),
      ...(await onEach(`${path}&limt=5&x&strict=0`)),
    ])
      assert.equal(expectStatus(reply, 200).headers['warning'], warning('limt, x'), path);
  }
});

test('with strict it is refused by its name, and nothing is done', async () => {
  for (const path of PATHS) {
    for (const reply of await onEach(`${path}&strict=true`))
      assert.equal(expectStatus(reply, 200).headers['warning'], undefined);
    for (const reply of await onEach(`${path}&limt=5&strict=true`))
      expectError(reply, 400, 'invalid_query', /^query parameter "limt": expected a known one, as strict is true$/);
    expectError(await client.get(`${path}&strict=maybe`), 400, 'invalid_query', /"strict": expected true, false/);
    expectError(await client.get(`${path}&strict=1&strict=1`), 400, 'invalid_query', /"strict": expected once/);
  }
  const before = await client.view('books');
  const document = { id: '2', title: 'lily' };
  const refused = await client.post('/collections/books/documents?acton=create&strict=true', document);
  expectError(refused, 400, 'invalid_query', /"acton"/);
  expectError(await client.delete('/collections/books?forse=1&strict=1'), 400, 'invalid_query', /"forse"/);
  assert.deepEqual(await client.view('books'), before);
});

test('an answer that is an error names them, too', async () => {
  const reply = await client.get('/collections/books/search?limit=1000&limt=5');
  expectError(reply, 400, 'invalid_query', /"limit"/);
  assert.equal(reply.headers['warning'], warning('limt'));
});

test('names say what they are whatever they consist of, and neither many nor long ones make a long header', async () => {
  const odd = encodeURIComponent('a",\r\nset-cookie: x\\%é😀');
  const named = (await client.get(`/health?${odd}=1`)).headers;
  assert.equal(named['warning'], warning('a%22%2C%0D%0Aset-cookie:%20x%5C%25%C3%A9%F0%9F%98%80'));
  assert.equal(named['set-cookie'], undefined);
  const many = Array.from({ length: 5000 }, (_, i) => `p${i}`).join('&');
  const { warning: ofMany } = (await client.get(`/health?${many}`)).headers;
  assert.equal(ofMany, warning('p0, p1, p2, p3, p4, p5, p6, p7 and 4992 more'));
  const long = await client.get(`/health?${encodeURIComponent('😀'.repeat(1000))}`);
  assert.ok((long.headers['warning'] ?? '').length < 400);
});

test('bodies of searches are no different', async () => {
  const path = '/collections/books/search';
  for (let turn = 0; turn < 2; turn++) {
    for (const reply of await onEach(path, (each) => each.post(`${path}?y=2`, { q: 'rose', limt: 5, collection: 'x' })))
      assert.equal(expectStatus(reply, 200).headers['warning'], warning('y, limt, collection'));
    assert.equal((await client.post(path, { q: 'rose', strict: true })).headers['warning'], undefined);
  }
  const message = /^request body "limt": expected a known one, as strict is true$/;
  expectError(await client.post(path, { q: 'rose', limt: 5, strict: true }), 400, 'invalid_query', message);
  expectError(await client.post(path, { q: 'rose', limt: 5, strict: '1' }), 400, 'invalid_query', message);
  expectError(await client.post(`${path}?strict=true`, { q: 'rose', limt: 5 }), 400, 'invalid_query', message);
  expectError(await client.post(path, { q: 'rose', strict: 'maybe' }), 400, 'invalid_query', /"strict": expected true/);
  const long = { q: 'rose', filter: `title:${'x'.repeat(400)}`, limt: 5 };
  assert.equal((await client.post(path, long)).headers['warning'], warning('limt'));
});

test('of many searches each is strict by itself, or all are', async () => {
  const loose = { collection: 'books', q: 'rose', limt: 5 };
  const searches = [loose, { ...loose, strict: true }, { collection: 'books', q: 'rose' }];
  const reply = expectStatus(await client.post('/multi-search', { searches, seaches: 1 }), 200);
  assert.equal(reply.headers['warning'], warning('seaches, searches[0].limt'));
  const fault = {
    error: {
      code: 'invalid_query',
      message: 'request body "searches[1].limt": expected a known one, as strict is true',
    },
  };
  const { results } = jsonOf<{ results: { found?: number }[] }>(reply);
  assert.deepEqual([results[0].found, results[1], results[2].found], [1, fault, 1]);
  const all = await client.post('/multi-search', { searches, strict: true });
  assert.equal(all.headers['warning'], undefined);
  assert.deepEqual(
    jsonOf<{ results: { found?: number }[] }>(all).results.map(({ found }) => found),
    [undefined, undefined, 1],
  );
  const refused = await client.post('/multi-search', { searches, seaches: 1, strict: true });
  expectError(refused, 400, 'invalid_query', /^request body "seaches": expected a known one/);
});

test('the description has the parameter on every endpoint', async () => {
  const { paths } = jsonOf<{ paths: Record<string, Record<string, { parameters: { name: string }[] }>> }>(
    await client.get('/openapi.json'),
  );
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    assert.equal(operation.parameters.filter(({ name }) => name === 'strict').length, 1);
});
