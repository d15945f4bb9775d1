/**
 * Sort expressions and facets: keys, directions, missing and multiple values, counts and their limits.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectError } from '../support/expect.js';
import { freshName, makeShop } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);
const sorted = (sort: string, q = ''): Promise<string[]> => client.ids(shop, { q, sort });

test('numbers sort both ways, ties by insertion, missing values last', async () => {
  assert.deepEqual(await sorted('price:asc'), ['cable', 'mat', 'mouse', 'keyboard', 'gaming-mouse', 'empty']);
  assert.deepEqual(await sorted('price:desc'), ['gaming-mouse', 'keyboard', 'mouse', 'cable', 'mat', 'empty']);
  assert.deepEqual(await sorted('rating:asc'), ['mat', 'keyboard', 'mouse', 'gaming-mouse', 'cable', 'empty']);
});

test('dates, booleans and keywords sort', async () => {
  assert.deepEqual(await sorted('made:asc'), ['keyboard', 'cable', 'mouse', 'gaming-mouse', 'mat', 'empty']);
  assert.deepEqual(await sorted('in_stock:desc'), ['mouse', 'cable', 'gaming-mouse', 'keyboard', 'mat', 'empty']);
  assert.deepEqual(await sorted('in_stock:asc'), ['keyboard', 'mat', 'mouse', 'cable', 'gaming-mouse', 'empty']);
  assert.deepEqual(
    await sorted('tags:asc'),
    ['cable', 'gaming-mouse', 'mouse', 'keyboard', 'mat', 'empty'],
    'the smallest value',
  );
  assert.deepEqual(
    await sorted('tags:desc'),
    ['mouse', 'keyboard', 'gaming-mouse', 'cable', 'mat', 'empty'],
    'the largest value',
  );
});

test('further keys break ties, and directions may be of any case', async () => {
  assert.deepEqual(await sorted('in_stock:DESC,price:Asc'), [
    'cable',
    'mouse',
    'gaming-mouse',
    'mat',
    'keyboard',
    'empty',
  ]);
  assert.deepEqual(await sorted(' rating:desc , price:desc '), [
    'cable',
    'gaming-mouse',
    'mouse',
    'keyboard',
    'mat',
    'empty',
  ]);
});

test('_text_match is a key like any other', async () => {
  const byRelevance = await client.ids(shop, { q: 'wireless mouse', match_mode: 'any' });
  assert.deepEqual(
    await client.ids(shop, { q: 'wireless mouse', match_mode: 'any', sort: '_text_match:desc' }),
    byRelevance,
  );
  const worstFirst = await client.search(shop, { q: 'wireless mouse', match_mode: 'any', sort: '_text_match:asc' });
  const scores = worstFirst.hits.map(({ text_match }) => text_match);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => a - b),
  );
  const mixed = await client.ids(shop, { q: 'mouse', sort: 'in_stock:asc,_text_match:desc' });
  assert.equal(mixed[0], 'mat');
});

test('keywords sort by code points, also beyond the basic plane', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'k', type: 'keyword', sort: true },
    ],
  });
  const values = ['b', 'B', 'a', '', 'é', 'z', '\uffee', '😀', 'aa', 'a b'];
  await client.indexAll(
    name,
    values.map((k) => ({ id: `x${k}`, k })),
  );
  const byBytes = [...values].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map((k) => `x${k}`);
  assert.deepEqual(await client.ids(name, { sort: 'k:asc' }), byBytes);
  assert.deepEqual(await client.ids(name, { sort: 'k:desc' }), [...byBytes].reverse());
});

test('the text of every hit is scored also when something else sorts', async () => {
  const { hits } = await client.search(shop, { q: 'mouse', sort: 'price:asc' });
  assert.ok(hits.every(({ text_match }) => text_match > 0));
});

test('eight keys are served, nine are refused, and so is a field twice', async () => {
  const name = freshName();
  const numbers = Array.from({ length: 9 }, (_, i) => ({ name: `n${i}`, type: 'int' as const, sort: true }));
  await client.create({ name, fields: [{ name: 'title', type: 'text' }, ...numbers] });
  await client.indexAll(name, [
    { id: 'b', n7: 1 },
    { id: 'a', n7: 0 },
  ]);
  const keys = numbers.map(({ name: key }) => `${key}:asc`);
  assert.deepEqual(await client.ids(name, { sort: keys.slice(0, 8).join(',') }), ['a', 'b']);
  expectError(await client.searchReply(name, { sort: keys.join(',') }), 400, 'invalid_query', /8|sort/);
  expectError(await client.searchReply(name, { sort: '_text_match:asc,_text_match:desc' }), 400, 'invalid_query');
});

test('an explicit sort is tie-broken by the default sorting field descending', async () => {
  const name = freshName();
  const number = { type: 'int' as const, sort: true };
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'a', ...number },
    { name: 'b', ...number },
  ];
  await client.create({ name, fields, default_sorting_field: 'b' });
  await client.indexAll(name, [
    { id: '1', a: 1, b: 1 },
    { id: '2', a: 1, b: 2 },
    { id: '3', a: 0, b: 0 },
    { id: '4', a: 1 },
  ]);
  assert.deepEqual(await client.ids(name, { sort: 'a:asc' }), ['3', '2', '1', '4']);
});

test('the default sorting field breaks ties also of its own ascending order over many values', async () => {
  const name = freshName();
  const n = { name: 'n', type: 'int' as const, sort: true };
  await client.create({ name, fields: [{ name: 'title', type: 'text' }, n], default_sorting_field: 'n' });
  await client.indexAll(name, [
    { id: 'low', n: [1] },
    { id: 'high', n: [1, 9] },
  ]);
  assert.deepEqual(
    await client.ids(name, { sort: 'n:asc' }),
    ['high', 'low'],
    'equal smallest values, then the largest',
  );
});

test('facets count every match, each document once per value', async () => {
  const response = await client.search(shop, { facet: 'brand,tags', limit: 1 });
  assert.deepEqual(response.facets, {
    brand: { Logitech: 2, Anker: 1, Razer: 1, logitech: 1 },
    tags: { office: 2, wireless: 2, cable: 1, gaming: 1, typing: 1 },
  });
  assert.deepEqual(
    Object.keys(response.facets?.['brand'] ?? {}),
    ['Logitech', 'Anker', 'Razer', 'logitech'],
    'by count, then value',
  );
});

test('facets of numbers, booleans and dates spell their values', async () => {
  const { facets } = await client.search(shop, { facet: 'price,rating,in_stock,made' });
  assert.deepEqual(facets?.['price'], { '999': 2, '2999': 1, '4999': 1, '5999': 1, '6999': 1 });
  assert.deepEqual(facets?.['rating'], { '4.5': 2, '-1': 1, '4.1': 1, '4.9': 1 });
  assert.deepEqual(facets?.['in_stock'], { true: 3, false: 2 });
  const dates = ['2024-01-15T10:00:00Z', '2023-06-01', '2024-01-01', '2024-02-29T22:00:00Z'].map((date) =>
    String(Date.parse(date)),
  );
  assert.deepEqual(Object.keys(facets?.['made'] ?? {}).sort(), dates.sort());
});

test('facets follow the text and the filter', async () => {
  const { facets } = await client.search(shop, { q: 'mouse', filter: 'in_stock:true', facet: 'brand' });
  assert.deepEqual(facets, { brand: { Logitech: 1, Razer: 1 } });
  assert.deepEqual((await client.search(shop, { q: 'nothinglikeit', facet: 'brand' })).facets, { brand: {} });
});

test('a facet shows the 100 most frequent values, equal counts by value', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'k', type: 'keyword', facet: true },
    ],
  });
  const value = (i: number): string => `v${String(i).padStart(3, '0')}`;
  const documents = Array.from({ length: 250 }, (_, i) => ({ id: `${i}`, k: value(249 - i) }));
  await client.indexAll(name, [...documents, ...documents.slice(0, 30).map(({ id, k }) => ({ id: `again-${id}`, k }))]);
  const { facets } = await client.search(name, { facet: 'k' });
  const frequent = Array.from({ length: 30 }, (_, i) => value(220 + i));
  const rest = Array.from({ length: 70 }, (_, i) => value(i));
  assert.deepEqual(Object.keys(facets?.['k'] ?? {}), [...frequent, ...rest]);
});

test('facets sent blank are none, one named twice shows once or is refused', async () => {
  assert.equal((await client.search(shop, { facet: '' })).facets, null);
  const reply = await client.searchReply(shop, { facet: 'brand,brand' });
  if (reply.status === 200) assert.deepEqual(Object.keys(JSON.parse(reply.text).facets), ['brand']);
  else expectError(reply, 400, 'invalid_query');
});

test('facet values with quotes, control characters and emoji are valid JSON keys', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'k', type: 'keyword', facet: true },
    ],
  });
  const values = ['"', '\\', '\n\u0001', '😀', '', 'a/b', '\u2028', '__proto__'];
  await client.indexAll(
    name,
    values.map((k, i) => ({ id: `${i}`, k })),
  );
  const facets = (await client.search(name, { facet: 'k' })).facets?.['k'] ?? {};
  assert.deepEqual(
    Object.entries(facets).filter(([, count]) => count !== 1),
    [],
  );
  assert.deepEqual(Object.keys(facets).sort(), values.sort());
});

test('a text field may be searched by word, and sorted, counted and filtered by whole value', async () => {
  const name = freshName();
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'brand', type: 'text' as const, facet: true, sort: true },
  ];
  await client.create({ name, fields, default_sorting_field: 'brand' });
  await client.indexAll(name, [
    { id: '1', title: 'mouse', brand: 'Acme Tools' },
    { id: '2', title: 'mouse', brand: ['acme', 'Initech'] },
    { id: '3', title: 'mouse' },
    { id: '4', title: 'mouse', brand: 'Acme Tools' },
  ]);
  const { found, facets } = await client.search(name, { q: 'acme', facet: 'brand' });
  assert.equal(found, 3);
  assert.deepEqual(Object.entries(facets?.['brand'] ?? {}), [
    ['Acme Tools', 2],
    ['Initech', 1],
    ['acme', 1],
  ]);
  assert.deepEqual(await client.ids(name, { sort: 'brand:asc' }), ['1', '4', '2', '3']);
  assert.deepEqual(await client.ids(name, {}), ['2', '1', '4', '3'], 'by the default sorting field, descending');
  assert.deepEqual(await client.ids(name, { filter: "brand:='Acme Tools'" }), ['1', '4']);
  assert.deepEqual(await client.ids(name, { filter: 'brand:=acme' }), ['2'], 'case matters');
  assert.deepEqual(await client.ids(name, { filter: 'brand:!=acme' }), ['1', '4'], 'documents with the field');
});
