/**
 * POST /multi-search: each search is answered as it would be alone, in order, and fails alone.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import fc from 'fast-check';
import * as arbitrary from '../engine/arbitraries.js';
import { checkHistories, paramsOf } from '../engine/harness.js';
import { Client, jsonOf } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, makeShop, titleSchema } from '../support/fixtures.js';
import { parseMetrics } from '../support/prometheus.js';
import { openSocket } from '../support/raw-socket.js';
import { startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

type Result = SearchResponse & { error?: { code: string; message: string } };

const shop = await makeShop(client);
const other = freshName('other');
await client.create(titleSchema(other));
await client.indexAll(
  other,
  Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, title: `mouse number ${i}` })),
);

const essence = (result: Result): object => ('found' in result ? { ...result, search_time_ms: 0 } : result);

async function askAll(searches: readonly unknown[], by = client): Promise<Result[]> {
  const reply = expectStatus(await by.post('/multi-search', { searches }), 200);
  const body = jsonOf<{ results: Result[] }>(reply);
  assert.deepEqual(Object.keys(body), ['results']);
  assert.equal(body.results.length, searches.length);
  return body.results;
}

test('results come in the order of the searches, each as it is alone', async () => {
  const searches = [
    { collection: shop, q: 'mouse', facet: ['brand'] },
    { collection: other, q: 'mouse', limit: 3, offset: 2 },
    { collection: shop, filter: 'price:>3000', sort: 'price:desc', include_fields: ['id'] },
    { collection: other, q: 'nmber 7', explain: true },
    { collection: shop, q: 'mouse', facet: ['brand'] },
  ];
  // From the second time on it is known what each takes.
  for (let time = 0; time < 4; time++) {
    const results = await askAll(searches);
    for (const [i, { collection, ...body }] of searches.entries()) {
      const alone = expectJson<Result>(await client.post(`/collections/${collection}/search`, body));
      assert.deepEqual(essence(results[i] as Result), essence(alone), `${i}`);
    }
  }
});

test('each result has the bytes that the search has alone', async () => {
  const searches = [
    { collection: shop, q: 'mouse', facet: ['brand'], highlight: 'title' },
    { collection: other, q: 'number', limit: 20, include_fields: 'id' },
    { collection: other, q: '"mouse number" 7', explain: true },
  ];
  const timeless = (text: string): string => text.replaceAll(/"search_time_ms":[\d.eE+-]+/g, '');
  const alone: string[] = [];
  for (const { collection, ...body } of searches)
    alone.push(timeless((await client.post(`/collections/${collection}/search`, body)).text));
  for (let time = 0; time < 4; time++) {
    const { text } = expectStatus(await client.post('/multi-search', { searches }), 200);
    assert.equal(timeless(text), `{"results":[${alone.join(',')}]}`);
  }
});

test('what was asked before is answered anew', async () => {
  const changing = freshName('changing');
  const body = { searches: [{ collection: changing, q: 'mouse' }] };
  const ask = async () => jsonOf<{ results: Result[] }>(expectStatus(await client.post('/multi-search', body), 200));
  assert.equal((await ask()).results[0]?.error?.code, 'collection_not_found');
  await client.create(titleSchema(changing));
  for (let i = 0; i < 5; i++) {
    assert.equal((await ask()).results[0]?.found, i);
    await client.indexAll(changing, [{ id: `${i}`, title: 'mouse' }]);
  }
  const strict = await client.post('/multi-search?strict=true&x=1', body);
  expectError(strict, 400, 'invalid_query', /"x"/);
});

test('random searches are answered as they are alone', async () => {
  const query = fc.array(fc.record({ request: arbitrary.request, limit: fc.nat({ max: 9 }) }), {
    minLength: 1,
    maxLength: 12,
  });
  await checkHistories(
    server,
    { query: query.map((all) => ({ q: '', all })), queries: 4, runs: 12 },
    async (loaded, { all }) => {
      const { name: collection } = loaded;
      const bodies = all.map(({ request: { query_by: _, ...request }, limit }) => ({ ...paramsOf(request), limit }));
      const results = await askAll(bodies.map((body) => ({ collection, ...body })));
      for (const [i, body] of bodies.entries())
        assert.deepEqual(essence(results[i] as Result), essence(await client.search(collection, body)));
    },
  );
});

test('a search that fails has its error in its place, and the others their results', async () => {
  const searches = [
    { collection: shop, q: 'mouse' },
    { collection: 'nowhere', q: 'mouse' },
    { q: 'mouse' },
    { collection: 7 },
    { collection: shop, limit: 251 },
    { collection: shop, query_by: ['title', 1] },
    { collection: shop, offset: 9999 },
    { collection: shop, filter: 'price:<' },
    'mouse',
    null,
    { collection: shop, include_fields: ['x'.repeat(70_000)] },
    { collection: other, q: 'mouse' },
  ];
  const expected: (readonly [string, RegExp] | number)[] = [
    3,
    ['collection_not_found', /nowhere/],
    ['invalid_query', /^request body "searches\[2\]\.collection": expected the name of a collection, got nothing$/],
    ['invalid_query', /^request body "searches\[3\]\.collection": .* got 7$/],
    ['invalid_query', /^request body "searches\[4\]\.limit": expected at most 250, got 251$/],
    ['invalid_query', /^request body "searches\[5\]\.query_by\[1\]": expected a string, got 1$/],
    ['invalid_query', /^request body "searches\[6\]", offset \+ limit: expected at most 10000, got 9999 \+ 10$/],
    ['invalid_query', /^filter: .* position/],
    ['invalid_query', /^request body "searches\[8\]": expected an object, got "mouse"$/],
    ['invalid_query', /^request body "searches\[9\]": expected an object, got null$/],
    ['payload_too_large', /^request body "searches\[10\]": expected at most 65536 bytes/],
    30,
  ];
  const results = await askAll(searches);
  for (const [i, want] of expected.entries()) {
    const result = results[i] as Result;
    if (typeof want === 'number') {
      assert.equal(result.found, want, `${i}`);
      continue;
    }
    assert.deepEqual(Object.keys(result), ['error'], `${i}`);
    assert.deepEqual(Object.keys(result.error ?? {}), ['code', 'message']);
    assert.equal(result.error?.code, want[0]);
    assert.match(result.error?.message ?? '', want[1]);
  }
});

test('1 to 50 searches are taken, and a body that is something else is refused as a whole', async () => {
  const one = { collection: shop, q: 'mouse' };
  for (const count of [1, 50]) {
    const results = await askAll(Array.from({ length: count }, () => one));
    assert.ok(results.every(({ found }) => found === 3));
  }
  const path = '/multi-search';
  for (const count of [0, 51]) {
    const searches = Array.from({ length: count }, () => one);
    const message = new RegExp(`^request body "searches": expected 1 to 50 searches, got ${count}$`);
    expectError(await client.post(path, { searches }), 400, 'invalid_query', message);
  }
  for (const searches of [undefined, null, {}, 'x', 7])
    expectError(await client.post(path, { searches }), 400, 'invalid_query', /"searches": expected an array/);
  for (const body of ['', '[]', '7', '{', 'null'])
    expectError(await client.post(path, body), 400, 'invalid_json', /^request body: expected/);
  expectError(await client.get(path), 405, 'method_not_allowed', /POST/);
  expectError(await client.post(path, `{"searches":[${' '.repeat(1024 * 1024)}]}`), 413, 'payload_too_large');
});

test('answers come as MessagePack to who accepts that, errors included', async () => {
  const searches = [{ collection: shop, q: 'mouse' }, { collection: 'nowhere' }, { collection: other, limit: 1 }];
  const reply = await client.post('/multi-search', { searches }, { accept: 'application/msgpack' });
  assert.equal(reply.headers['content-type'], 'application/msgpack');
  assert.match(String(reply.headers['server-timing']), /^search;dur=[\d.]+$/);
  const { results } = decode(reply.bytes) as { results: Result[] };
  assert.deepEqual(results.map(essence), (await askAll(searches)).map(essence));
});

test('each search is counted where a search alone is', async () => {
  const total = async (name: string): Promise<number> =>
    parseMetrics((await client.get('/metrics')).text)
      .samples.filter((sample) => sample.name === name)
      .reduce((sum, { value }) => sum + value, 0);
  const before = await total('sabre_search_requests_total');
  const searches = [
    ...Array.from({ length: 4 }, () => ({ collection: shop, q: 'counted together' })),
    ...Array.from({ length: 2 }, () => ({ collection: other, q: 'counted together' })),
    { collection: 'nowhere', q: 'counted together' },
    { collection: shop, q: 'counted together', limit: 'x' },
  ];
  await askAll(searches);
  const top = (collection: string) => client.get(`/analytics/top?collection=${collection}`);
  assert.match((await top(shop)).text, /"query":"counted together".*?"count":4,/);
  assert.match((await top(other)).text, /"query":"counted together".*?"count":2,/);
  assert.equal((await total('sabre_search_requests_total')) - before, 7, 'but for the one that could not be read');
  assert.equal(await total('sabre_http_body_bytes_in_flight'), 0);
  assert.equal(await total('sabre_http_unsent_bytes'), 0);
});

test('results that are too long together are refused, and no memory is kept', async () => {
  const large = freshName('large');
  await client.create(titleSchema(large));
  const body = 'lorem ipsum '.repeat(40_000);
  for (let i = 0; i < 10; i++) await client.indexAll(large, [{ id: `${i}`, title: 'word', body }]);
  const search = { collection: large, q: 'word' };
  const results = await askAll([search, search, search]);
  for (const { hits } of results) assert.equal(hits.length, 10);
  const many = { searches: Array.from({ length: 20 }, () => search) };
  expectError(await client.post('/multi-search', many), 413, 'payload_too_large', /67108864 bytes together/);
  const small = await askAll(many.searches.map((each) => ({ ...each, include_fields: 'id' })));
  assert.ok(small.every(({ hits }) => hits.length === 10));
  const { samples } = parseMetrics((await client.get('/metrics')).text);
  for (const name of ['sabre_http_unsent_bytes', 'sabre_answer_bytes'])
    assert.equal(samples.find((sample) => sample.name === name)?.value, 0, name);
});

test('fifty of the worst searches keep nobody else out, and those of a client that leaves are given up', async () => {
  const worst = freshName('worst');
  await client.create({
    name: worst,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'int', sort: true, facet: true },
    ],
  });
  const word = (i: number): string => (i * 7919).toString(36).padStart(5, 'q');
  for (let batch = 0; batch < 10; batch++) {
    const documents = Array.from({ length: 5000 }, (_, i) => {
      const n = batch * 5000 + i;
      return { id: `${n}`, title: `${word(n)} ${word(n % 300)} ${word(n % 17)} common`, n };
    });
    await client.indexAll(worst, documents);
  }
  const q = Array.from({ length: 60 }, (_, i) => `${word(i * 3)}x`).join(' ');
  const search = { collection: worst, q, match_mode: 'any', facet: 'n', sort: 'n:asc,_text_match:desc', limit: 250 };
  const searches = Array.from({ length: 50 }, (_, i) => ({ ...search, offset: i }));
  const leaver = await openSocket(server.port);
  const body = JSON.stringify({ searches });
  leaver.write(`POST /multi-search HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  let isOver = false;
  const results = askAll(searches).finally(() => {
    isOver = true;
  });
  for (let i = 0; i < 20; i++) assert.equal((await client.search(shop, { q: 'mouse' })).found, 3);
  assert.equal(isOver, false, 'none of them had to wait for all of those');
  leaver.destroy();
  for (const result of await results) {
    if (result.error === undefined) assert.ok(result.found > 0);
    else assert.match(result.error.code, /^(overloaded|query_timeout)$/);
  }
  assert.equal((await client.search(shop, { q: 'mouse' })).found, 3);
});

test('the search key suffices, and no key does not', async () => {
  const closed = await startServer({ args: ['--search-key', 'search', '--admin-key', 'admin'], key: 'admin' });
  try {
    const name = await makeShop(closed.client);
    const search = new Client(closed.port, 'search');
    const [result] = await askAll([{ collection: name, q: 'mouse' }], search);
    assert.equal(result?.found, 3);
    search.close();
    const nobody = new Client(closed.port);
    expectError(await nobody.post('/multi-search', '{'), 401, 'unauthorized');
    nobody.close();
  } finally {
    await closed.dispose();
  }
});
