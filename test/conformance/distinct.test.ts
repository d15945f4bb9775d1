/**
 * distinct: one hit for each value of a field, over the wire.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, makeShop } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { Hit, SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

type Grouped = Hit & { distinct_count: number };

const shop = await makeShop(client);
const search = `/collections/${shop}/search`;
const shown = async (query: string): Promise<[unknown, number][]> =>
  (expectJson<SearchResponse>(await client.get(`${search}?${query}`)).hits as Grouped[]).map(
    ({ document, distinct_count }) => [document.id, distinct_count],
  );

test('the best document of each value is a hit, with how many matches have the value', async () => {
  assert.deepEqual(await shown('distinct=brand'), [
    ['mouse', 2],
    ['cable', 1],
    ['gaming-mouse', 1],
    ['mat', 1],
    ['empty', 1],
  ]);
  assert.deepEqual(await shown('distinct=brand&q=wireless&sort=price:desc'), [
    ['gaming-mouse', 1],
    ['keyboard', 2],
  ]);
  assert.deepEqual(await shown('distinct=in_stock&filter=price:%3E0'), [
    ['mouse', 3],
    ['keyboard', 2],
  ]);
});

test('found counts groups, facets count documents', async () => {
  const response = expectJson<SearchResponse>(
    await client.get(`${search}?distinct=brand&facet=brand,in_stock&limit=1`),
  );
  assert.equal(response.found, 5);
  assert.deepEqual(response.facets, {
    brand: { Logitech: 2, Anker: 1, Razer: 1, logitech: 1 },
    in_stock: { true: 3, false: 2 },
  });
  const counted = expectJson<SearchResponse>(await client.get(`${search}?distinct=brand&limit=0`));
  assert.deepEqual([counted.found, counted.hits, counted.facets], [5, [], null]);
});

test('a document with several values is of its least one, one without stands for itself', async () => {
  const name = freshName('several');
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'tag', type: 'keyword', facet: true },
    ],
  });
  await client.indexAll(name, [
    { id: '1', title: 'a', tag: ['x', 'b'] },
    { id: '2', title: 'a', tag: 'b' },
    { id: '3', title: 'a' },
    { id: '4', title: 'a', tag: ['x'] },
    { id: '5', title: 'a', tag: [] },
  ]);
  const { found, hits } = await client.search(name, { q: 'a', distinct: 'tag' });
  assert.equal(found, 4);
  assert.deepEqual(
    (hits as Grouped[]).map(({ document, distinct_count }) => [document.id, distinct_count]),
    [
      ['1', 2],
      ['3', 1],
      ['4', 1],
      ['5', 1],
    ],
  );
});

test('pages of groups neither skip nor repeat, and go as far as those of documents', async () => {
  const name = freshName('pages');
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'group', type: 'int', sort: true },
    ],
  });
  const documents = Array.from({ length: 9000 }, (_, i) => ({ id: `${i}`, title: 'item', group: i % 1500 }));
  await client.indexAll(name, documents);
  const seen: unknown[] = [];
  for (let offset = 0; offset < 1500; offset += 250) {
    const { found, hits } = await client.search(name, { q: 'item', distinct: 'group', offset, limit: 250 });
    assert.equal(found, 1500);
    for (const { document, distinct_count } of hits as Grouped[]) {
      assert.equal(distinct_count, 6);
      seen.push(document['group']);
    }
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 1500 }, (_, i) => i),
  );
  const beyond = await client.search(name, { q: 'item', distinct: 'group', offset: 1500 });
  assert.deepEqual(beyond.hits, []);
});

test('highlights, fields, bodies and many searches go together with it', async () => {
  const body = { q: 'wireless', distinct: 'brand', highlight: ['title'], include_fields: ['id'] };
  const { text } = expectStatus(await client.post(search, body), 200);
  assert.match(
    text,
    /^\{"found":2,"found_is_exact":true,"hits":\[\{"document":\{"id":"mouse"\},"text_match":[\d.]+,"distinct_count":2,"highlight":/,
  );
  const reply = await client.post('/multi-search', { searches: [{ collection: shop, ...body }] });
  assert.deepEqual(
    { ...expectJson<{ results: SearchResponse[] }>(reply).results[0], search_time_ms: 0 },
    { ...JSON.parse(text), search_time_ms: 0 },
  );
});

test('what is wrong is refused and named', async () => {
  const cases: [query: string, message: RegExp][] = [
    ['distinct=', /^distinct: expected a field with "facet" or "sort" \(brand, tags, price, .*\), got a blank name$/],
    ['distinct=nothing', /^distinct: expected a field .* got the unknown field "nothing"$/],
    ['distinct=title', /^distinct: expected a field .* got "title" with neither$/],
    ['distinct=note', /got "note" with neither/],
    ['distinct=brand,tags', /got the unknown field "brand,tags"/],
    ['distinct=id', /got the unknown field "id"/],
    ['distinct=brand&explain=true', /^distinct: expected no explain beside it, got both$/],
    ['distinct=brand&explain_id=mat', /expected no explain_id beside it/],
    ['distinct=brand&distinct=tags', /once/],
  ];
  for (const [query, message] of cases)
    expectError(await client.get(`${search}?${query}`), 400, 'invalid_query', message);
});
