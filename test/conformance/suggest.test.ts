/**
 * Suggestions over HTTP: completion, correction, counts, order, parameters.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Params } from '../support/client.js';
import { expectError, expectJson } from '../support/expect.js';
import { freshName, makeShop } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { SuggestResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);
const texts = async (q: string, params = {}): Promise<string[]> =>
  (await client.suggest(shop, { q, ...params })).suggestions.map(({ text }) => text);

test('a response has exactly the keys of the interface', async () => {
  const response = expectJson<SuggestResponse>(await client.suggestReply(shop, { q: 'mou' }));
  assert.deepEqual(Object.keys(response).sort(), ['search_time_ms', 'suggestions']);
  assert.ok(response.search_time_ms >= 0);
  assert.deepEqual(response.suggestions, [{ text: 'mouse', count: 3, typos: 0 }]);
});

test('completions come by count, then alphabetically, the term itself included', async () => {
  assert.deepEqual((await client.suggest(shop, { q: 'w' })).suggestions, [
    { text: 'wireless', count: 3, typos: 0 },
    { text: 'wired', count: 1, typos: 0 },
    { text: 'with', count: 1, typos: 0 },
  ]);
  assert.deepEqual(await texts('mouse'), ['mouse']);
});

test('the last token is completed, whatever comes before', async () => {
  assert.deepEqual(await texts('gaming mou'), ['mouse']);
  assert.deepEqual(await texts('zzz mou'), ['mouse']);
  assert.deepEqual(await texts('MOÛ'), ['mouse']);
});

test('an empty or blank q has no suggestions', async () => {
  for (const q of ['', ' ', '!?', '*']) assert.deepEqual(await texts(q), []);
  assert.deepEqual(expectJson<SuggestResponse>(await client.get(`/collections/${shop}/suggest`)).suggestions, []);
});

test('mistyped prefixes and whole words are corrected, after all completions', async () => {
  assert.deepEqual((await client.suggest(shop, { q: 'moues' })).suggestions, [{ text: 'mouse', count: 3, typos: 1 }]);
  const { suggestions } = await client.suggest(shop, { q: 'wirels' });
  assert.deepEqual(suggestions, [{ text: 'wireless', count: 3, typos: 1 }]);
  assert.deepEqual(await texts('moues', { typo_tolerance: false }), []);
  assert.deepEqual(await texts('mue'), [], 'too short for a typo');
});

test('corrections of one and of two edits are ordered by count alone', async () => {
  const name = freshName();
  await client.create({ name, fields: [{ name: 'title', type: 'text' }] });
  const words = ['keyboarx', 'keyboary', 'keyboary', 'keyboaxx', 'keyboaxx', 'keyboaxx', 'keyboard'];
  await client.indexAll(
    name,
    words.map((title, i) => ({ id: `${i}`, title })),
  );
  const { suggestions } = await client.suggest(name, { q: 'keyboard', limit: 50 });
  assert.deepEqual(suggestions.slice(0, 1), [{ text: 'keyboard', count: 1, typos: 0 }]);
  assert.deepEqual(
    suggestions.slice(1).map(({ text }) => text),
    ['keyboaxx', 'keyboary', 'keyboarx'],
  );
});

test('count is of live documents, a document once however many fields hold the term', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ],
  });
  const documents = [
    { id: '1', a: 'term term', b: 'term' },
    { id: '2', a: 'term' },
    { id: '3', b: 'term' },
    { id: '4', a: 'x' },
  ];
  for (const document of documents) await client.indexAll(name, [document]);
  const count = async (params = {}): Promise<number | undefined> =>
    (await client.suggest(name, { q: 'ter', ...params })).suggestions[0]?.count;
  assert.equal(await count(), 3);
  assert.equal(await count({ query_by: 'a' }), 2);
  await client.remove(name, '1');
  assert.equal(await count(), 2);
  await client.indexAll(name, [{ id: '2', a: 'other' }]);
  assert.equal(await count(), 1);
  await client.remove(name, '3');
  assert.equal(await count(), undefined, 'a term without a live document is none');
});

test('limit is 1 to 50, 5 by default', async () => {
  const name = freshName();
  await client.create({ name, fields: [{ name: 'title', type: 'text' }] });
  await client.indexAll(
    name,
    Array.from({ length: 60 }, (_, i) => ({ id: `${i}`, title: `word${String(i).padStart(2, '0')}` })),
  );
  const count = async (params = {}): Promise<number> =>
    (await client.suggest(name, { q: 'word', ...params })).suggestions.length;
  assert.equal(await count(), 5);
  assert.equal(await count({ limit: 1 }), 1);
  assert.equal(await count({ limit: 50 }), 50);
  for (const limit of ['0', '51', '-1', 'x', '1.5', '']) {
    expectError(await client.suggestReply(name, { q: 'word', limit }), 400, 'invalid_query', /limit/);
  }
});

test('bad parameters are refused', async () => {
  const bad: Params[] = [{ query_by: 'brand' }, { query_by: 'nothing' }, { query_by: '' }, { typo_tolerance: 'x' }];
  for (const params of [...bad, { query_by: 'note' }]) {
    expectError(await client.suggestReply(shop, { q: 'mou', ...params }), 400, 'invalid_query');
  }
  expectError(await client.suggestReply(shop, { q: 'x'.repeat(4097) }), 400, 'invalid_query');
});

test('terms are given as they are indexed: folded', async () => {
  const name = freshName();
  await client.create({ name, fields: [{ name: 'title', type: 'text' }] });
  await client.indexAll(name, [{ id: '1', title: 'Crème 東京' }]);
  assert.deepEqual((await client.suggest(name, { q: 'CRÈ' })).suggestions, [{ text: 'creme', count: 1, typos: 0 }]);
  assert.deepEqual((await client.suggest(name, { q: '東' })).suggestions, [{ text: '東', count: 1, typos: 0 }]);
});
