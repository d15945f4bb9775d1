/**
 * What each endpoint answers, over a real server and a fake engine.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EngineError } from '../../engine/index.js';
import { OPERATIONS } from '../../src/api/openapi/operations.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';
import { sharedBytes } from './fake-engine.js';
import { errorCode, startServer } from './test-server.js';

let server: Awaited<ReturnType<typeof startServer>>;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const SCHEMA = { name: 'films', fields: [{ name: 'title', type: 'text' }] };
const create = (body: unknown) =>
  server.send('POST', '/collections', { body: typeof body === 'string' ? body : JSON.stringify(body) });

/** What the engine was asked last, but for where it may keep how it was read. */
const lastSearch = (): unknown => {
  const { note, ...request } = server.engine.searches.at(-1) ?? SEARCH_DEFAULTS;
  assert.notEqual(note, null, 'a request that may come again has a note');
  return { ...request, note: null };
};

test('a search hands its parameters to the engine and its bytes to the client', async () => {
  server.engine.searchBody = sharedBytes('{"found":42}');
  const path =
    '/collections/books/search?q=hello+w%C3%B6rld&query_by=title,body&filter=price%3A%3C5&sort=price:asc&facet=brand' +
    '&limit=20&offset=40&prefix=FALSE&typo_tolerance=1&match_mode=ANY&unknown=1';
  const answer = await server.get(path);
  assert.equal(answer.status, 200);
  assert.equal(answer.text, '{"found":42}');
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['server-timing'], 'search;dur=0.214');
  assert.deepEqual(lastSearch(), {
    ...SEARCH_DEFAULTS,
    collection: 'books',
    q: 'hello wörld',
    queryBy: 'title,body',
    filter: 'price:<5',
    sort: 'price:asc',
    facet: 'brand',
    limit: 20,
    offset: 40,
    prefix: false,
    typoTolerance: true,
    matchMode: 'any',
  });
});

test('a search without parameters has the documented defaults', async () => {
  await server.get('/collections/books/search');
  assert.deepEqual(lastSearch(), { ...SEARCH_DEFAULTS, collection: 'books' });
});

for (const query of [
  'limit=251',
  'limit=-1',
  'limit=1.5',
  'limit=',
  'limit=99999999999999999999999',
  'limit=0x10',
  'limit=%2B5',
  'offset=10001',
  'offset=9991&limit=10',
  'offset=ten',
  'prefix=yes',
  'prefix=',
  'typo_tolerance=2',
  'match_mode=some',
  'match_mode=',
  'q=a&q=b',
  'q=%',
  'q=%2',
  'q=%zz',
  'q=%ff',
  'q=%C3',
  'other=%ff',
]) {
  test(`a search with ?${query} is an invalid_query`, async () => {
    const answer = await server.get(`/collections/books/search?${query}`);
    assert.equal(answer.status, 400);
    assert.equal(errorCode(answer), 'invalid_query');
  });
}

test('bounds are inclusive, and offset + limit may reach 10,000', async () => {
  for (const query of ['limit=0', 'limit=250', 'offset=9750&limit=250', 'offset=10000&limit=0', 'limit=010']) {
    assert.equal((await server.get(`/collections/books/search?${query}`)).status, 200, query);
  }
});

test('messages name the parameter, what was expected and what came', async () => {
  const answer = await server.get('/collections/books/search?limit=300');
  assert.match(answer.text, /query parameter \\"limit\\": expected at most 250, got 300/);
  const mode = await server.get('/collections/books/search?match_mode=some');
  assert.match(JSON.parse(mode.text).error.message, /"match_mode": expected "all" or "any", got "some"/);
});

test('an error of the engine keeps its code, and overloaded carries Retry-After', async () => {
  server.engine.searchError = new EngineError('overloaded', 'the read queue is full');
  const busy = await server.get('/collections/books/search');
  server.engine.searchError = new EngineError('collection_not_found', 'collection "x" does not exist');
  const missing = await server.get('/collections/x/search');
  server.engine.searchError = null;
  assert.equal(busy.status, 503);
  assert.equal(errorCode(busy), 'overloaded');
  assert.equal(busy.headers['retry-after'], '1');
  assert.equal(missing.status, 404);
  assert.equal(errorCode(missing), 'collection_not_found');
});

test('suggest has its own bounds and defaults', async () => {
  assert.equal((await server.get('/collections/books/suggest?q=wir')).status, 200);
  const expected = { collection: 'books', q: 'wir', queryBy: null, limit: 5, typoTolerance: null, format: 'json' };
  assert.deepEqual(server.engine.suggestions.at(-1), expected);
  assert.equal((await server.get('/collections/books/suggest?limit=50')).status, 200);
  for (const limit of ['0', '51', 'x']) {
    assert.equal(errorCode(await server.get(`/collections/books/suggest?limit=${limit}`)), 'invalid_query');
  }
});

test('Accept: application/msgpack is honoured on search, suggest and fetch', async () => {
  const headers = { accept: 'application/msgpack' };
  for (const path of ['/collections/books/search', '/collections/books/suggest', '/collections/books/documents/1']) {
    assert.equal((await server.get(path, { headers })).headers['content-type'], 'application/msgpack');
  }
  assert.equal(server.engine.searches.at(-1)?.format, 'msgpack');
  assert.equal(server.engine.fetches.at(-1)?.format, 'msgpack');
});

test('an id with encoded slashes, spaces and a plus reaches the engine decoded', async () => {
  const answer = await server.get('/collections/books/documents/a%2Fb%20c+d%C3%A9%25');
  assert.equal(answer.status, 200);
  assert.equal(server.engine.fetches.at(-1)?.id, 'a/b c+dé%');
  assert.equal((await server.send('DELETE', '/collections/books/documents/a%2Fb')).status, 204);
  assert.equal(server.engine.deleted.at(-1), 'books a/b');
  assert.equal(errorCode(await server.get('/collections/books/documents/%ff')), 'invalid_query');
});

test('a deletion answers 204 without a body, and 404 for what is not there', async () => {
  const done = await server.send('DELETE', '/collections/books/documents/1');
  assert.equal(done.status, 204);
  assert.equal(done.text, '');
  assert.equal(done.headers['content-length'], undefined);
  assert.equal((await server.send('DELETE', '/collections/books')).status, 204);
  assert.equal(errorCode(await server.send('DELETE', '/collections/books/documents/none')), 'document_not_found');
  assert.equal(errorCode(await server.send('DELETE', '/collections/none')), 'collection_not_found');
  assert.equal(errorCode(await server.get('/collections/books/documents/none')), 'document_not_found');
});

test('the bytes of a batch reach the engine as sent, whatever the content type but the two special ones', async () => {
  const types = { 'application/json': 'json', 'text/plain': 'json', 'application/X-NDJSON; charset=utf-8': 'ndjson' };
  for (const [type, format] of Object.entries({ ...types, 'application/msgpack': 'msgpack', '': 'json' })) {
    const body = Buffer.from([0x7b, 0x00, 0xff, 0x7d]);
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    const answer = await server.send('POST', '/collections/books/documents', { body, headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{"num_indexed":1}');
    assert.deepEqual(server.engine.batches.at(-1), { collection: 'books', bytes: body, format });
  }
});

test('a schema reaches the engine as sent; 201 with the view', async () => {
  const answer = await create(SCHEMA);
  assert.equal(answer.status, 201);
  assert.equal(JSON.parse(answer.text).name, 'films');
  assert.deepEqual(server.engine.created.at(-1), SCHEMA);
  assert.equal(errorCode(await create({ ...SCHEMA, name: 'books' })), 'collection_exists');
});

test('a view can be posted back: statistics are allowed and null means not given', async () => {
  const [view] = JSON.parse((await server.get('/collections')).text);
  assert.equal((await create({ ...view, name: 'copy' })).status, 201);
});

for (const [what, body, place] of [
  ['no name', { fields: [] }, 'schema "name": expected a string, got nothing'],
  ['fields that are no array', { name: 'a', fields: {} }, 'schema "fields": expected an array, got an object'],
  ['an array', [], 'schema'],
  ['an unknown type', { name: 'a', fields: [{ name: 'b', type: 'blob' }] }, 'schema "fields[0].type"'],
  ['an unknown key', { ...SCHEMA, shards: 3 }, 'schema "shards": expected no such key, got 3'],
  ['an unknown field key', { name: 'a', fields: [{ name: 'b', type: 'int', x: 1 }] }, 'schema "fields[0].x"'],
  ['a flag that is no boolean', { name: 'a', fields: [{ name: 'b', type: 'int', facet: 'yes' }] }, 'true or false'],
  ['an unknown tolerance key', { ...SCHEMA, typo_tolerance: { max: 1 } }, 'schema "typo_tolerance.max"'],
] as const) {
  test(`a schema with ${what} is an invalid_schema that says where`, async () => {
    const answer = await create(body);
    assert.equal(answer.status, 400);
    assert.equal(errorCode(answer), 'invalid_schema');
    assert.ok(JSON.parse(answer.text).error.message.includes(place), answer.text);
  });
}

test('a schema that is no JSON is an invalid_json', async () => {
  for (const body of ['', ' ', '{', '{"name":}', 'nul']) assert.equal(errorCode(await create(body)), 'invalid_json');
  const answer = await server.send('POST', '/collections', { body: Buffer.from([0x22, 0xff, 0x22]) });
  assert.equal(errorCode(answer), 'invalid_json');
});

test('a bug is a 500 that says nothing about the inside', async () => {
  const answer = await create({ ...SCHEMA, name: 'bug' });
  assert.equal(answer.status, 500);
  assert.equal(errorCode(answer), 'internal_error');
  assert.doesNotMatch(answer.text, /secret|at /);
});

test('collections are listed and got; a missing one is 404', async () => {
  assert.equal(JSON.parse((await server.get('/collections')).text).length, 1);
  assert.equal(JSON.parse((await server.get('/collections/books')).text).name, 'books');
  assert.equal(errorCode(await server.get('/collections/none')), 'collection_not_found');
});

test('health and readiness have their documented bodies', async () => {
  const health = JSON.parse((await server.get('/health')).text);
  assert.equal(Number.isInteger(health.uptime_seconds), true);
  assert.deepEqual(
    { ...health, uptime_seconds: 0 },
    { ok: true, version: '1.2.3', uptime_seconds: 0, num_collections: 1 },
  );
  assert.equal((await server.get('/ready')).status, 200);
});

test('metrics are in Prometheus form and count what happened', async () => {
  const before = await server.get('/metrics');
  assert.match(String(before.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  await server.get('/collections/books/search?q=x');
  const { text } = await server.get('/metrics');
  assert.match(
    text,
    /^sabre_http_requests_total\{route="\/collections\/\{name\}\/search",method="GET",status="200"\} \d+$/m,
  );
  assert.match(text, /^sabre_collection_documents\{collection="books"\} 1$/m);
  assert.match(text, /^sabre_reader_busy_seconds_total\{reader="0"\} 0\.5$/m);
  assert.match(text, /^sabre_search_duration_seconds_bucket\{le="0\.00025"\} \d+$/m);
  const count = (scrape: string): number => Number(/^sabre_search_requests_total (\d+)$/m.exec(scrape)?.[1]);
  assert.equal(count(text), count(before.text) + 1);
});

test('analytics list successful searches, and refuse a limit that is no number', async () => {
  server.engine.searchFound = 7;
  await server.get('/collections/books/search?q=++unique+query++');
  server.engine.searchFound = 0;
  const list = JSON.parse((await server.get('/analytics/top?limit=500&collection=books')).text);
  const entry = list.queries.find((each: { query: string }) => each.query === 'unique query');
  assert.equal(entry.last_result_count, 7);
  assert.equal(entry.count, 1);
  assert.equal(entry.avg_latency_ms, 0.214);
  assert.deepEqual(JSON.parse((await server.get('/analytics/top?collection=none')).text).queries, []);
  const zero = JSON.parse((await server.get('/analytics/zero-results')).text);
  assert.ok(zero.queries.every((each: { zero_result_count: number }) => each.zero_result_count > 0));
  for (const limit of ['-1', '', 'x']) {
    assert.equal(errorCode(await server.get(`/analytics/top?limit=${limit}`)), 'invalid_query');
  }
  const { versionOf } = server.engine;
  // As where another server of a cluster has deleted it.
  server.engine.versionOf = () => ({ collectionId: 0, version: 0 });
  assert.deepEqual(JSON.parse((await server.get('/analytics/top')).text).queries, []);
  server.engine.versionOf = versionOf;
  const latency = JSON.parse((await server.get('/analytics/latency')).text);
  assert.equal(latency.count, latency.total_searches);
  assert.equal(latency.p50_ms, 0.214);
});

test('/ leads to the page, or without it to the description: for who names HTML, else JSON', async () => {
  const { status, text, headers } = await server.get('/');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.deepEqual(JSON.parse(text), { name: 'sabre', version: '1.2.3', docs: '/docs', openapi: '/openapi.json' });
  const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
  const moved = await server.get('/', html);
  assert.deepEqual([moved.status, moved.headers.location], [302, '/ui']);
  const pageless = await startServer({ ui: false });
  const page = await pageless.get('/', html);
  pageless.stop();
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.match(page.text, /<a href="\/docs">/);
  assert.doesNotMatch(page.text, /<script|https?:\/\//);
  assert.equal(errorCode(await server.get('//')), 'not_found');
});

test('the description covers every endpoint, and the page needs nothing from elsewhere', async () => {
  const description = JSON.parse((await server.get('/openapi.json')).text);
  assert.equal(description.openapi, '3.1.0');
  assert.deepEqual(new Set(Object.keys(description.paths)), new Set(OPERATIONS.map(({ path }) => path)));
  const text = JSON.stringify(description);
  const { schemas } = description.components;
  for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) assert.ok(name in schemas, name);
  assert.doesNotMatch(text, /Default: |"const"|"schema":\{\}/, 'choices and defaults are written out');
  assert.deepEqual(schemas.Field.properties.index, {
    type: ['boolean', 'null'],
    default: true,
    description: 'text: searched',
  });
  const parameters = description.paths['/collections/{name}/search'].get.parameters as {
    name: string;
    schema: object;
  }[];
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
  assert.deepEqual(schemaOf('limit'), { type: 'integer', minimum: 0, maximum: 250, default: 10 });
  assert.deepEqual(schemaOf('match_mode'), { type: 'string', enum: ['all', 'any'], default: 'all' });
  const errorsOf = (path: string, method: string): Record<string, { description: string }> =>
    description.paths[path][method].responses;
  const search = errorsOf('/collections/{name}/search', 'get');
  assert.deepEqual(Object.keys(search), ['200', '304', '400', '401', '403', '404', '413', '429', '500', '503']);
  assert.match(search[503]?.description ?? '', /^- `query_timeout`: .+\n- `overloaded`: .+$/);
  const secured = (path: string, method: string): unknown => description.paths[path][method]['security'];
  assert.deepEqual(secured('/collections/{name}/search', 'get'), [{ api_key: [] }, { bearer: [] }]);
  assert.deepEqual(secured('/collections', 'post'), [{ api_key: [] }, { bearer: [] }]);
  assert.match(description.paths['/collections'].post.description, /admin key/);
  assert.deepEqual(secured('/health', 'get'), []);
  const { securitySchemes } = description.components;
  const { bearer, api_key: apiKey } = securitySchemes;
  assert.deepEqual([bearer.type, bearer.scheme], ['http', 'bearer']);
  assert.deepEqual([apiKey.type, apiKey.in, apiKey.name], ['apiKey', 'header', 'x-service-api-key']);
  const create = errorsOf('/collections', 'post');
  assert.deepEqual(Object.keys(create), [
    '201',
    '400',
    '401',
    '403',
    '408',
    '409',
    '413',
    '429',
    '500',
    '503',
    '504',
    '507',
  ]);
  const page = (await server.get('/docs')).text;
  assert.doesNotMatch(page, /https?:\/\//);
  assert.match(page, /<noscript>/);
});
