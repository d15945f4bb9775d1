/**
 * facet_limit, facet_sort, facet_stats and facet_query: their spellings, bounds and the exact text of their answers.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, makeShop } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);
const search = `/collections/${shop}/search`;

const facetsOf = (text: string): string => /"facets":(.*?),"search_time_ms"/.exec(text)?.[1] ?? 'none';
const asked = async (query: string, path = search): Promise<string> =>
  facetsOf(expectStatus(await client.get(`${path}?${query}`), 200).text);

test('without the parameters a response is what it was', async () => {
  assert.equal(await asked('facet=brand&limit=0'), '{"brand":{"Logitech":2,"Anker":1,"Razer":1,"logitech":1}}');
  assert.equal(await asked('limit=0'), 'null');
  assert.equal(
    await asked('facet=brand&facet_limit=100&facet_sort=COUNT&facet_stats=false'),
    await asked('facet=brand'),
  );
});

test('facet_limit shows as many values, facet_sort=value the first of them', async () => {
  assert.equal(
    await asked('facet=brand,tags&facet_limit=2'),
    '{"brand":{"Logitech":2,"Anker":1},"tags":{"office":2,"wireless":2}}',
  );
  assert.equal(await asked('facet=brand&facet_limit=0'), '{"brand":{}}');
  assert.equal(await asked('facet=tags&facet_sort=value&facet_limit=3'), '{"tags":{"cable":1,"gaming":1,"office":2}}');
  assert.equal(await asked('facet=rating&facet_sort=Value'), '{"rating":{"-1":1,"4.1":1,"4.5":2,"4.9":1}}');
  assert.equal(await asked('facet=price&facet_sort=value&facet_limit=2'), '{"price":{"999":2,"2999":1}}');
  const many = freshName('many');
  await client.create({ name: many, fields: [{ name: 'title', type: 'text', facet: true }] });
  const names = Array.from({ length: 1200 }, (_, i) => `v${String(i).padStart(4, '0')}`);
  await client.indexAll(
    many,
    names.map((title) => ({ id: title, title })),
  );
  const { facets } = await client.search(many, { facet: 'title', facet_limit: 1000, limit: 0 });
  assert.deepEqual(Object.keys(facets?.['title'] ?? {}), names.slice(0, 1000));
});

test('facet_stats tells the least, largest, sum and average of each facet of numbers', async () => {
  assert.equal(
    await asked('facet=rating,brand,price,made,in_stock&facet_limit=0&facet_stats=true'),
    '{"rating":{},"brand":{},"price":{},"made":{},"in_stock":{}},"facet_stats":{' +
      '"rating":{"min":-1,"max":4.9,"sum":17,"avg":3.4},' +
      '"price":{"min":999,"max":6999,"sum":22994,"avg":3832.3333333333335},' +
      `"made":{"min":1685577600000,"max":1709244000000,"sum":${1685577600000 + 1704067200000 + 1705312800000 + 1709244000000},"avg":1701050400000}}`,
  );
  const none = '{"min":null,"max":null,"sum":0,"avg":null}';
  assert.equal(await asked('q=nothing&facet=price&facet_stats=1'), `{"price":{}},"facet_stats":{"price":${none}}`);
  assert.equal(await asked('facet=brand&facet_limit=0&facet_stats=1'), '{"brand":{}},"facet_stats":{}');
  assert.equal(await asked('facet_stats=true'), 'null,"facet_stats":null');
});

test('sums of 64-bit integers are exact, also beyond 64 bits, and those of floats are rounded once', async () => {
  const name = freshName('exact');
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'int', facet: true },
      { name: 'x', type: 'float', facet: true },
    ],
  });
  const most = '9223372036854775807';
  const batch = (rows: readonly string[]) => client.post(`/collections/${name}/documents`, `[${rows.join(',')}]`);
  expectStatus(await batch([`{"id":"1","n":${most},"x":0.1}`, `{"id":"2","n":[${most},${most},-1],"x":0.2}`]), 200);
  expectStatus(
    await batch([`{"id":"3","n":9007199254740993,"x":1e300}`, '{"id":"4","x":-1e300}', '{"id":"5","x":0.3}']),
    200,
  );
  const path = `/collections/${name}/search`;
  const sum = 2n * 9223372036854775807n - 1n + 9007199254740993n;
  assert.equal(
    await asked('facet=n,x&facet_limit=0&facet_stats=true', path),
    `{"n":{},"x":{}},"facet_stats":{"n":{"min":-1,"max":${most},"sum":${sum},"avg":${BigInt(Number(sum) / 4)}},` +
      `"x":{"min":-1e+300,"max":1e+300,"sum":0.6,"avg":0.12}}`,
  );
  const packed = await client.get(`${path}?facet=n&facet_limit=0&facet_stats=true`, { accept: 'application/msgpack' });
  const { facet_stats } = decode(packed.bytes, { useBigInt64: true }) as { facet_stats: { n: object } };
  assert.deepEqual(facet_stats.n, { min: -1, max: BigInt(most), sum: Number(sum), avg: BigInt(Number(sum) / 4) });
  expectStatus(await batch(['{"id":"6","x":1.7e308}', '{"id":"7","x":1.6e308}', '{"id":"3"}', '{"id":"4"}']), 200);
  assert.match(
    await asked('facet=x&facet_limit=0&facet_stats=true', path),
    /"max":1\.7e\+308,"sum":null,"avg":6\.6e\+307/,
  );
});

test('facet_query shows values that begin with a text, as words are compared', async () => {
  assert.equal(await asked('facet=brand&facet_query=brand:LO'), '{"brand":{"Logitech":2,"logitech":1}}');
  assert.equal(
    await asked('facet=brand,tags&facet_query=brand:an&facet_limit=1'),
    '{"brand":{"Anker":1},"tags":{"office":2}}',
  );
  assert.equal(await asked('facet=brand&facet_query=brand:'), await asked('facet=brand'));
  assert.equal(await asked('facet=brand&facet_query=brand:zzz'), '{"brand":{}}');
  assert.equal(await asked('q=cable&facet=brand&facet_query=brand:lo'), '{"brand":{}}', 'of matches alone');
});

test('facet_query corrects what no value begins with, as far as the length of the word allows', async () => {
  assert.equal(await asked('facet=brand&facet_query=brand:logj'), '{"brand":{"Logitech":2,"logitech":1}}');
  assert.equal(await asked('facet=brand&facet_query=brand:lgoitech'), '{"brand":{"Logitech":2,"logitech":1}}');
  assert.equal(await asked('facet=brand&facet_query=brand:lx'), '{"brand":{}}', 'too short');
  assert.equal(await asked('facet=brand&facet_query=brand:logj&typo_tolerance=false'), '{"brand":{}}');
});

test('a body has them typed', async () => {
  const body = {
    facet: ['brand', 'price'],
    facet_limit: 1,
    facet_sort: 'value',
    facet_stats: true,
    facet_query: 'brand:l',
  };
  const { text } = expectStatus(await client.post(search, { ...body, limit: 0 }), 200);
  assert.equal(
    facetsOf(text),
    '{"brand":{"Logitech":2},"price":{"999":2}},"facet_stats":{"price":{"min":999,"max":6999,"sum":22994,"avg":3832.3333333333335}}',
  );
});

test('what is wrong is refused and named', async () => {
  const cases: [query: string, message: RegExp][] = [
    ['facet_limit=1001', /"facet_limit": expected at most 1000, got 1001/],
    ['facet_limit=-1', /"facet_limit"/],
    ['facet_limit=ten', /"facet_limit"/],
    ['facet_limit=', /"facet_limit"/],
    ['facet_sort=up', /"facet_sort": expected "count" or "value", got "up"/],
    ['facet_sort=', /"facet_sort"/],
    ['facet_stats=yes', /"facet_stats": expected true, false, 1 or 0/],
    ['facet=brand&facet_query=lo', /^facet_query: expected field:text, got "lo"$/],
    ['facet=brand&facet_query=', /^facet_query: expected field:text, got ""$/],
    [
      'facet=brand&facet_query=tags:lo',
      /^facet_query: expected one of the fields of facet \(brand\) before the colon, got "tags"$/,
    ],
    ['facet_query=brand:lo', /^facet_query: expected facet to name its field, got no facet$/],
    [
      'facet=price&facet_query=price:9',
      /^facet_query: expected a field of type keyword or text, got "price" of type int$/,
    ],
    [
      `facet=brand&facet_query=brand:${'x'.repeat(4097)}`,
      /^facet_query: expected a text of at most 4096 bytes, got 4097$/,
    ],
    [
      `facet=brand&facet_query=brand:${Array.from({ length: 65 }, (_, i) => `t${i}`).join('+')}`,
      /at most 64 tokens, got 65/,
    ],
  ];
  for (const [query, message] of cases)
    expectError(await client.get(`${search}?${query}`), 400, 'invalid_query', message);
});

test('found and the hits do not depend on them', async () => {
  const essence = ({ found, hits }: SearchResponse): unknown => ({ found, hits });
  const plain = expectJson<SearchResponse>(await client.get(`${search}?q=mouse&facet=brand`));
  const query = 'q=mouse&facet=brand&facet_query=brand:ra&facet_limit=0&facet_stats=1&facet_sort=value';
  assert.deepEqual(essence(expectJson(await client.get(`${search}?${query}`))), essence(plain));
});
