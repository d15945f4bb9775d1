/**
 * POST search: what a JSON object asks is what a query string asks, and every fault is named with its place in the body.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import fc from 'fast-check';
import * as arbitrary from '../engine/arbitraries.js';
import { checkHistories, compareSearch, paramsOf } from '../engine/harness.js';
import { Client, jsonOf } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { makeShop } from '../support/fixtures.js';
import { parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);
const path = `/collections/${shop}/search`;

const essence = (response: SearchResponse): object => ({ ...response, search_time_ms: 0 });
const asked = async (body: unknown): Promise<object> => essence(expectJson(await client.post(path, body)));
const got = async (query: string): Promise<object> => essence(expectJson(await client.get(`${path}?${query}`)));

test('an object asks what a query string asks', async () => {
  assert.deepEqual(await asked({}), await got(''));
  assert.deepEqual(await asked({ q: 'wireless' }), await got('q=wireless'));
  const all = {
    ...{
      q: 'wireless mouse',
      query_by: ['title', 'description'],
      filter: 'price:<6000',
      sort: ['price:asc', 'tags:desc'],
    },
    ...{ facet: ['brand', 'tags'], limit: 3, offset: 1, prefix: false, typo_tolerance: true, match_mode: 'ANY' },
    ...{ typo_threshold: 0, ranking: 'bm25', highlight: ['title'], highlight_open: '<i>', highlight_close: '</i>' },
    ...{ snippet_tokens: 3, explain: true, explain_id: 'mat', include_fields: ['id', 'title'], exclude_fields: ['id'] },
  };
  const query =
    'q=wireless+mouse&query_by=title,description&filter=price:<6000&sort=price:asc,tags:desc&facet=brand,tags&limit=3&offset=1' +
    '&prefix=false&typo_tolerance=true&match_mode=any&typo_threshold=0&ranking=bm25&highlight=title&highlight_open=<i>' +
    '&highlight_close=</i>&snippet_tokens=3&explain=true&explain_id=mat&include_fields=id,title&exclude_fields=id';
  assert.deepEqual(await asked(all), await got(query.replaceAll('<', '%3C').replaceAll('>', '%3E')));
});

test('values may be spelled as in a query string, null is not given, unknown keys are ignored', async () => {
  const expected = await got('q=mous&limit=2&prefix=true&typo_tolerance=false&query_by=title');
  const spelled = { q: 'mous', limit: '2', prefix: 'TRUE', typo_tolerance: 0, query_by: 'title', facet: null };
  assert.deepEqual(
    await asked({ ...spelled, sort: [], facet: [], highlight: [], exclude_fields: [], page: 7 }),
    expected,
  );
  assert.deepEqual(await asked({ ...spelled, filter: null, prefix: 1, typo_tolerance: 'False', limit: 2.0 }), expected);
});

test('random searches by both ways are answered the same', async () => {
  const query = fc.record({ request: arbitrary.request, limit: fc.nat({ max: 20 }), offset: fc.nat({ max: 5 }) });
  const flat = query.map(({ request, ...page }) => ({ ...request, page }));
  await checkHistories(server, { query: flat, queries: 6, runs: 12 }, async (loaded, { page, ...request }) => {
    await compareSearch(loaded, request);
    const { query_by, facet } = request;
    const body = {
      ...paramsOf(request),
      ...page,
      ...(query_by !== undefined && { query_by }),
      ...(facet && { facet }),
    };
    const reply = await client.post(`/collections/${loaded.name}/search`, body);
    const expected = await client.search(loaded.name, { ...paramsOf(request), ...page });
    assert.deepEqual(essence(jsonOf(expectStatus(reply, 200))), essence(expected));
  });
});

test('a fault names its place in the body, what was expected and what came', async () => {
  const cases: [body: unknown, message: RegExp][] = [
    [{ limit: 251 }, /^request body "limit": expected at most 250, got 251$/],
    [{ limit: -1 }, /^request body "limit": expected a whole number, 0 or more, got -1$/],
    [{ limit: 1.5 }, /"limit": expected a whole number.* got 1\.5/],
    [{ limit: 'ten' }, /"limit": expected a whole number.* got "ten"/],
    [{ limit: true }, /"limit": .* got true/],
    [{ offset: [1] }, /"offset": .* got an array/],
    [{ offset: 9995 }, /^request body, offset \+ limit: expected at most 10000, got 9995 \+ 10$/],
    [{ offset: 1e300 }, /"offset": expected at most 10000/],
    [{ q: 7 }, /^request body "q": expected a string, got 7$/],
    [{ q: ['a'] }, /"q": expected a string, got an array/],
    [{ filter: { price: 1 } }, /"filter": expected a string, got an object/],
    [{ filter: 'price:<' }, /filter: .* position/],
    [{ query_by: ['title', 7] }, /"query_by\[1\]": expected a string, got 7/],
    [{ query_by: ['title', null] }, /"query_by\[1\]": expected a string, got null/],
    [{ query_by: ['title,description'] }, /"query_by\[0\]": expected one element without a comma/],
    [{ query_by: [] }, /"query_by": expected at least one element, got an empty array/],
    [{ include_fields: [] }, /"include_fields": expected at least one element/],
    [{ query_by: ['none'] }, /query_by: .* unknown field "none"/],
    [{ facet: true }, /"facet": expected an array of strings, or a string, got true/],
    [{ prefix: 'yes' }, /"prefix": expected true or false, got "yes"/],
    [{ prefix: 2 }, /"prefix": expected true or false, got 2/],
    [{ match_mode: 'some' }, /request body "match_mode": expected "all" or "any", got "some"/],
    [{ ranking: 1 }, /"ranking": expected a string, got 1/],
    [{ snippet_tokens: 201 }, /"snippet_tokens": expected at most 200, got 201/],
    [{ q: 'x'.repeat(4097) }, /q: expected at most 4096 bytes, got 4097/],
    [{ filter: `brand:=${'x'.repeat(20_000)}` }, /filter: expected at most 16384 bytes/],
  ];
  for (const [body, message] of cases) expectError(await client.post(path, body), 400, 'invalid_query', message);
});

test('a body that is no object is invalid_json', async () => {
  for (const body of ['', ' ', '[]', '[{}]', '7', '"q"', 'null', '{', '{"q":}', Buffer.from([0x7b, 0xff, 0x7d])])
    expectError(await client.post(path, body), 400, 'invalid_json', /^request body: expected/);
  expectError(await client.post('/collections/none/search', {}), 404, 'collection_not_found');
});

test('a body that nests deeply, or repeats itself, harms nobody', async () => {
  const nested = (levels: number): string => `{"limit":0,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expectStatus(await client.post(path, nested(63)), 200);
  for (const levels of [64, 500_000])
    expectError(
      await client.post(path, nested(levels)),
      400,
      'invalid_json',
      /^request body: expected at most 64 levels/,
    );
  const quoted = JSON.stringify({ q: `mouse ${'['.repeat(100)}\\"${'{'.repeat(100)}"`, x: '[\\' });
  expectStatus(await client.post(path, quoted), 200);
  expectStatus(await client.post(path, `{"limit":0,"x":[${'[],{},'.repeat(100)}[]]}`), 200);
  expectError(await client.post(path, '['.repeat(1_000_000)), 400, 'invalid_json');
  const repeated = `{${Array.from({ length: 50_000 }, () => '"q":"mouse"').join(',')}}`;
  assert.deepEqual(await asked({ q: 'mouse' }), essence(expectJson(await client.post(path, repeated))));
  for (const key of ['__proto__', 'constructor', 'toString'])
    assert.deepEqual(
      essence(expectJson(await client.post(path, `{"q":"mouse","${key}":{"limit":1}}`))),
      await asked({ q: 'mouse' }),
    );
});

test('a body may take a mebibyte, and its texts 64 KiB', async () => {
  const padded = `{"q":"mouse"${' '.repeat(1024 * 1024 - 13)}}`;
  assert.equal(padded.length, 1024 * 1024);
  expectStatus(await client.post(path, padded), 200);
  expectError(await client.post(path, `${padded} `), 413, 'payload_too_large', /1048576/);
  const names = Array.from({ length: 200 }, (_, i) => `${'n'.repeat(300)}${i}`);
  expectStatus(await client.post(path, { include_fields: names }), 200);
  expectError(await client.post(path, { filter: 'x'.repeat(65_537) }), 413, 'payload_too_large', /65536 bytes in all/);
});

test('answers come as MessagePack to who accepts that', async () => {
  const reply = await client.post(path, { q: 'mouse' }, { accept: 'application/msgpack' });
  assert.equal(reply.headers['content-type'], 'application/msgpack');
  assert.deepEqual(essence(decode(reply.bytes) as SearchResponse), await got('q=mouse'));
  assert.match(String(reply.headers['server-timing']), /^search;dur=/);
});

test('a search is counted as one by GET is, and its body is not kept', async () => {
  const total = async (name: string): Promise<number> =>
    parseMetrics((await client.get('/metrics')).text)
      .samples.filter((sample) => sample.name === name)
      .reduce((sum, { value }) => sum + value, 0);
  const before = await total('sabre_search_requests_total');
  for (let i = 0; i < 7; i++) await client.post(path, { q: 'counted by body' });
  assert.equal((await total('sabre_search_requests_total')) - before, 7);
  assert.match((await client.get(`/analytics/top?collection=${shop}`)).text, /"query":"counted by body".*?"count":7,/);
  assert.equal(await total('sabre_http_body_bytes_in_flight'), 0);
});

test('the search key suffices, and no key does not', async () => {
  const closed = await startServer({ args: ['--search-key', 'search', '--admin-key', 'admin'], key: 'admin' });
  try {
    const name = await makeShop(closed.client);
    const search = new Client(closed.port, 'search');
    assert.equal(jsonOf<SearchResponse>(await search.post(`/collections/${name}/search`, { q: 'mouse' })).found, 3);
    search.close();
    const nobody = new Client(closed.port);
    expectError(await nobody.post(`/collections/${name}/search`, '{'), 401, 'unauthorized');
    nobody.close();
  } finally {
    await closed.dispose();
  }
});
