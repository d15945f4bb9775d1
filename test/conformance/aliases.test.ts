/**
 * Aliases over HTTP: they stand wherever a collection name does, are switched in one step, keep their collection from being deleted,
 * and outlive a crash, a snapshot and a restore.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, jsonOf, type Reply } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { expectOutlives } from '../support/outlives.js';
import { startServer } from '../support/server.js';

const server = await startServer();
after(() => server.dispose());
const { client } = server;

const put = (alias: string, body: unknown, to = client): Promise<Reply> =>
  to.request('PUT', `/aliases/${alias}`, {
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
const point = async (alias: string, collection: string, to = client): Promise<void> => {
  assert.deepEqual(expectJson(await put(alias, { collection }, to)), { name: alias, collection });
};
const aliases = async (to = client): Promise<unknown> => expectJson(await to.get('/aliases'));

/** A collection with one document, whose title is its name; returns the name. */
async function titled(name = freshName('books'), to = client): Promise<string> {
  await to.create(titleSchema(name));
  await to.indexAll(name, [{ id: '1', title: `all of ${name}` }]);
  return name;
}

test('an alias is set, read, listed, pointed elsewhere and deleted; the collections are listed as ever', async () => {
  const one = await titled();
  const two = await titled();
  const [b, a] = [freshName('shop'), freshName('Shop')];
  await point(b, one);
  await point(a, one);
  assert.deepEqual(expectJson(await client.get(`/aliases/${b}`)), { name: b, collection: one });
  const both = [
    { name: a, collection: one },
    { name: b, collection: one },
  ];
  assert.deepEqual(await aliases(), both, 'ordered by name');
  expectStatus(await put(b, { name: b, collection: two }), 200);
  assert.deepEqual(expectJson(await client.get(`/aliases/${b}/`)), { name: b, collection: two });
  const names = jsonOf<{ name: string }[]>(await client.get('/collections')).map(({ name }) => name);
  assert.deepEqual(names, [one, two].sort());
  for (const alias of [a, b]) {
    assert.equal(expectStatus(await client.delete(`/aliases/${alias}`), 204).text, '');
    for (const reply of [await client.delete(`/aliases/${alias}`), await client.get(`/aliases/${alias}`)])
      expectError(reply, 404, 'alias_not_found', new RegExp(alias));
    expectError(await client.get(`/collections/${alias}`), 404, 'collection_not_found');
  }
  assert.deepEqual(await aliases(), []);
  assert.equal((await client.view(one)).num_documents, 1);
});

test('an alias stands wherever the name of a collection does', async () => {
  const own = await titled();
  const alias = freshName('shop');
  await point(alias, own);
  const at = `/collections/${alias}`;
  assert.equal((await client.view(alias)).name, own);
  assert.deepEqual(await client.view(alias), await client.view(own));
  await client.indexAll(alias, [{ id: '2', title: 'one more' }]);
  assert.deepEqual(await client.ids(own, { q: 'more' }), ['2'], 'written through the alias');
  const patched = await client.request('PATCH', `${at}/documents/2`, { body: '{"title":"one less"}' });
  assert.deepEqual(expectJson(patched), { id: '2', title: 'one less' });
  assert.equal(expectStatus(await client.get(`${at}/documents/2`), 200).text, '{"id":"2","title":"one less"}');
  assert.deepEqual(await client.ids(alias, { q: 'less' }), ['2']);
  const posted = await client.post(`${at}/search`, { q: 'less' });
  assert.equal(expectJson<{ found: number }>(posted).found, 1);
  const searches = [alias, own, 'none'].map((collection) => ({ collection, q: 'less' }));
  const { results } = expectJson<{ results: { found?: number }[] }>(await client.post('/multi-search', { searches }));
  assert.deepEqual(
    results.map(({ found = -1 }) => found),
    [1, 1, -1],
  );
  assert.equal((await client.suggest(alias, { q: 'le' })).suggestions.length, 1);
  assert.equal(
    expectStatus(await client.get(`${at}/documents`), 200)
      .text.trim()
      .split('\n').length,
    2,
  );
  expectStatus(await client.request('PUT', `${at}/synonyms/x`, { body: '{"synonyms":["less","fewer"]}' }), 200);
  assert.deepEqual(await client.ids(own, { q: 'fewer' }), ['2']);
  expectStatus(await client.request('PUT', `${at}/stop-words`, { body: '{"words":["all"]}' }), 200);
  assert.deepEqual(expectJson(await client.get(`/collections/${own}/stop-words`)), { words: ['all'] });
  const changed = await client.request('PATCH', at, { body: '{"fields":[{"name":"kind","type":"keyword"}]}' });
  assert.equal(expectJson<{ name: string }>(changed).name, own);
  assert.equal((await client.view(own)).fields.length, 2);
  assert.deepEqual(expectJson(await client.delete(`${at}/documents?filter=id:=2`)), { num_deleted: 1 });
  await client.remove(alias, '1');
  assert.equal((await client.view(own)).num_documents, 0);
  const top = expectJson<{ queries: { query: string }[] }>(await client.get(`/analytics/top?collection=${alias}`));
  assert.deepEqual(
    top.queries.map(({ query }) => query),
    ['less'],
    'searches count for the name that was asked',
  );
  expectStatus(await client.delete(`/aliases/${alias}`), 204);
});

test('a collection that has aliases is deleted with force=true alone, and they with it', async () => {
  const own = await titled();
  const [first, second] = [freshName('shop'), freshName('shop')];
  await point(first, own);
  const refused = async (name: string, message: RegExp): Promise<void> => {
    for (const query of ['', '?force=false'])
      expectError(await client.delete(`/collections/${name}${query}`), 409, 'collection_has_aliases', message);
  };
  await refused(own, new RegExp(`^the alias "${first}" would`));
  await point(second, own);
  await refused(second, new RegExp(`^the alias "${first}" and 1 more would`));
  expectError(await client.delete(`/collections/${own}?force=maybe`), 400, 'invalid_query');
  assert.equal((await client.view(first)).num_documents, 1);
  expectStatus(await client.delete(`/collections/${own}?force=true`), 204);
  for (const name of [own, first, second])
    expectError(await client.get(`/collections/${name}`), 404, 'collection_not_found');
  assert.deepEqual(await aliases(), []);
  const free = await titled(second);
  expectStatus(await client.delete(`/collections/${free}?force=1`), 204);
});

test('a name stands for one thing: collections and aliases do not share names, and no alias points to an alias', async () => {
  const own = await titled();
  const other = await titled();
  const alias = freshName('shop');
  await point(alias, own);
  expectError(await put(other, { collection: own }), 409, 'collection_exists', new RegExp(other));
  expectError(await put(own, { collection: own }), 409, 'collection_exists');
  expectError(await client.post('/collections', titleSchema(alias)), 409, 'collection_exists', /is an alias/);
  expectError(await put('next', { collection: alias }), 404, 'collection_not_found', /is an alias/);
  expectError(await put(alias, { collection: alias }), 404, 'collection_not_found');
  expectError(await put(alias, { collection: 'nowhere' }), 404, 'collection_not_found', /nowhere/);
  assert.deepEqual(await aliases(), [{ name: alias, collection: own }]);
  expectStatus(await client.delete(`/aliases/${alias}`), 204);
  await client.create(titleSchema(alias));
  expectError(await client.delete(`/aliases/${alias}`), 404, 'alias_not_found');
  expectStatus(await client.delete(`/collections/${alias}`), 204);
});

test('what cannot be an alias is refused, and the alias is as it was', async () => {
  const own = await titled();
  const alias = freshName('shop');
  await point(alias, own);
  for (const name of ['1a', 'a%20b', 'caf%C3%A9', 'a%2Fb', '_a', 'id', 'x'.repeat(65)])
    expectError(await put(name, { collection: own }), 400, 'invalid_alias', /^name of the alias: /);
  expectError(await put('%ff', { collection: own }), 400, 'invalid_query');
  for (const [body, code, message] of [
    [{}, 'invalid_alias', /alias "collection": expected a string, got nothing/],
    [{ collection: 7 }, 'invalid_alias', /alias "collection": expected a string, got 7/],
    [{ collection: null }, 'invalid_alias', /alias "collection": expected a string, got null/],
    [{ collection: own, weight: 1 }, 'invalid_alias', /"weight": expected no such key, got 1/],
    [{ collection: own, name: 'other' }, 'invalid_alias', /"name": expected ".+" as in the path, or none, got "other"/],
    [[], 'invalid_alias', /expected an object, got an array/],
    ['"x"', 'invalid_alias', /expected an object, got a string/],
    ['null', 'invalid_alias', /expected an object, got null/],
    ['', 'invalid_json', /got nothing/],
    ['{"collection":', 'invalid_json', /syntax error/],
    [Buffer.from([0x22, 0xff, 0x22]), 'invalid_json', /UTF-8/],
  ] as const)
    expectError(await put(alias, body), 400, code, message);
  expectError(await put(alias, `{"collection":"${'x'.repeat(5000)}"}`), 413, 'payload_too_large');
  for (const method of ['POST', 'PATCH'])
    expectError(await client.request(method, `/aliases/${alias}`), 405, 'method_not_allowed');
  expectError(await client.post('/aliases', { name: 'x', collection: own }), 405, 'method_not_allowed');
  assert.deepEqual(await aliases(), [{ name: alias, collection: own }]);
  expectStatus(await client.delete(`/aliases/${alias}`), 204);
});

test('while an alias is switched to and fro, each search finds one of its collections, and what was acknowledged', async () => {
  const pair = [await titled(), await titled()];
  const alias = freshName('shop');
  await point(alias, pair[0]);
  let isOver = false;
  const searching = Array.from({ length: 8 }, async () => {
    const own = new Client(server.port);
    let count = 0;
    for (; !isOver; count++) {
      const { hits } = await own.search(alias, { q: 'all' });
      assert.ok(pair.some((name) => hits[0].document['title'] === `all of ${name}`));
    }
    own.close();
    return count;
  });
  try {
    for (let round = 1; round <= 100; round++) {
      const now = pair[round % 2];
      await point(alias, now);
      const { hits } = await client.search(alias, { q: 'all' });
      assert.equal(hits[0].document['title'], `all of ${now}`);
      if (round % 10 === 0) await sleep(1);
    }
  } finally {
    isOver = true;
  }
  assert.ok(Math.min(...(await Promise.all(searching))) > 0);
});

test('a new collection takes the place of the old one without a failed search', async () => {
  const alias = freshName('shop');
  let old = await titled();
  await point(alias, old);
  let isOver = false;
  const searching = Array.from({ length: 4 }, async () => {
    const own = new Client(server.port);
    while (!isOver) assert.equal((await own.search(alias, { q: 'all of' })).found, 1);
    own.close();
  });
  try {
    for (let round = 0; round < 15; round++) {
      const next = await titled();
      await point(alias, next);
      await client.drop(old);
      old = next;
    }
  } finally {
    isOver = true;
    await Promise.all(searching);
  }
});

test('what was acknowledged outlives a crash, a snapshot, a restart, and comes back from a backup', () =>
  expectOutlives(
    async (at) => {
      for (const name of ['one', 'two', 'three']) await titled(name, at);
      await point('shop', 'one', at);
      await point('shop', 'two', at);
      await point('other', 'one', at);
      await point('gone', 'one', at);
      await point('third', 'three', at);
      expectStatus(await at.delete('/aliases/gone'), 204);
      expectStatus(await at.delete('/collections/three?force=true'), 204);
    },
    async (at) => {
      await point('shop', 'one', at);
      await point('last', 'two', at);
      expectStatus(await at.delete('/aliases/other'), 204);
    },
    async (at) => [
      await aliases(at),
      jsonOf<{ name: string }[]>(await at.get('/collections')).map(({ name }) => name),
      await at.search('shop', { q: 'all' }).then(({ hits }) => hits.map(({ document }) => document)),
    ],
  ));

test('reading takes either key, changing the admin key', async () => {
  const own = await startServer({
    args: ['--admin-key', 'admin-key-1', '--search-key', 'search-key-1'],
    key: 'admin-key-1',
  });
  const reader = new Client(own.port, 'search-key-1');
  try {
    await own.client.create(titleSchema('films'));
    expectError(await put('shop', { collection: 'films' }, reader), 403, 'forbidden');
    await point('shop', 'films', own.client);
    assert.deepEqual(expectJson(await reader.get('/aliases/shop')), { name: 'shop', collection: 'films' });
    assert.deepEqual(await aliases(reader), [{ name: 'shop', collection: 'films' }]);
    assert.equal((await reader.search('shop', { q: 'x' })).found, 0);
    expectError(await reader.delete('/aliases/shop'), 403, 'forbidden');
  } finally {
    reader.close();
    await own.dispose();
  }
});
