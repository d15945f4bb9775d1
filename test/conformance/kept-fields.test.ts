/**
 * include_fields and exclude_fields: what hits and fetched documents show, byte for byte.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import { Client } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { freshName, makeShop, SHOP } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const server = await startServer({ args: ['--search-key', 'search', '--admin-key', 'admin'], key: 'admin' });
const { client } = server;
after(() => server.dispose());

const name = freshName('kept');
await client.create({
  name,
  fields: [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'int', sort: true },
  ],
});
const SENT =
  '{ "id":"1", "title" : "one\\u0020rose",\n "n":12345678901234567890e-1, "x":{"title":[1.0, 2]} ,"t\\u0069n":""}';
await client.index(name, JSON.parse('[{"id":"0","title":"no match"}]'));
expectStatus(await client.post(`/collections/${name}/documents`, SENT), 200);

const documentPath = `/collections/${name}/documents/1`;
const shown = async (choice: string): Promise<string> => {
  const fetched = (await client.get(`${documentPath}?${choice}`)).text;
  const { text } = await client.get(`/collections/${name}/search?q=rose&${choice}`);
  assert.ok(text.includes(`"hits":[{"document":${fetched},"text_match":`), text);
  return fetched;
};

test('the fields that are kept have their bytes and their order', async () => {
  assert.equal(await shown(''), SENT);
  assert.equal(await shown('include_fields=n,title'), '{"title" : "one\\u0020rose","n":12345678901234567890e-1}');
  assert.equal(await shown('include_fields=x'), '{"x":{"title":[1.0, 2]}}');
  assert.equal(await shown('exclude_fields=x,%20n%20,id'), '{"title" : "one\\u0020rose","t\\u0069n":""}');
  assert.equal(await shown('include_fields=tin'), '{"t\\u0069n":""}', 'a key is what it says');
});

test('what is excluded is not shown though it is included, a star is every field, and unknown names show nothing', async () => {
  assert.equal(await shown('include_fields=id,n&exclude_fields=n'), '{"id":"1"}');
  assert.equal(await shown('include_fields=*&exclude_fields=x,title,n'), '{"id":"1","t\\u0069n":""}');
  assert.equal(await shown('exclude_fields=*'), '{}');
  assert.equal(await shown('include_fields=nothing,Title'), '{}');
  assert.equal(await shown('include_fields=id,id'), '{"id":"1"}');
});

test('MessagePack answers show the same', async () => {
  const accept = { accept: 'application/msgpack' };
  const reply = await client.get(`${documentPath}?include_fields=id,x`, accept);
  assert.deepEqual(decode(reply.bytes), { id: '1', x: { title: [1, 2] } });
  const found = await client.get(`/collections/${name}/search?q=rose&include_fields=id`, accept);
  assert.deepEqual((decode(found.bytes) as { hits: { document: object }[] }).hits[0]?.document, { id: '1' });
});

test('highlights and explanations do not need the fields to be shown', async () => {
  const response = await client.search(name, {
    ...{ q: 'rose', include_fields: 'id', highlight: 'title', explain: true },
  });
  const [hit] = response.hits as unknown as { document: object; highlight: object; explain: object }[];
  assert.deepEqual(hit?.document, { id: '1' });
  assert.deepEqual(Object.keys(hit?.highlight ?? {}), ['title']);
  assert.ok(hit?.explain);
});

test('blank names and too many names are refused with their place', async () => {
  for (const parameter of ['include_fields', 'exclude_fields']) {
    for (const value of ['', ',', 'a,', ',a', 'a,,b', '%20']) {
      for (const path of [documentPath, `/collections/${name}/search`]) {
        const reply = await client.get(`${path}?${parameter}=${value}`);
        expectError(reply, 400, 'invalid_query', new RegExp(`^${parameter}: expected names .* got a blank name`));
      }
    }
    const names = Array.from({ length: 256 }, (_, i) => `f${i}`).join(',');
    expectError(await client.get(`${documentPath}?${parameter}=${names}`), 400, 'invalid_query', /at most 255 .* 256/);
    expectError(await client.get(`${documentPath}?${parameter}=a&${parameter}=b`), 400, 'invalid_query', /once/);
  }
});

test('the search key suffices', async () => {
  const search = new Client(server.port, 'search');
  assert.equal((await search.get(`${documentPath}?include_fields=id`)).text, '{"id":"1"}');
  search.close();
});

test('a small choice of large documents is a small answer', async () => {
  const large = freshName('large');
  await client.create({ name: large, fields: [{ name: 'title', type: 'text' }] });
  const body = 'lorem ipsum dolor '.repeat(60_000);
  for (let i = 0; i < 12; i++) await client.indexAll(large, [{ id: `${i}`, title: 'word', body, end: i }]);
  const { text } = await client.get(`/collections/${large}/search?q=word&limit=12&include_fields=id,end`);
  assert.ok(text.length < 2000, `${text.length}`);
  const hits = (JSON.parse(text) as { hits: { document: object }[] }).hits.map(({ document }) => document);
  assert.deepEqual(
    hits,
    Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, end: i })),
  );
  const whole = await client.search(large, { q: 'word', limit: 12, exclude_fields: 'end' });
  assert.deepEqual(
    whole.hits.map(({ document }) => Object.keys(document)),
    Array.from({ length: 12 }, () => ['id', 'title', 'body']),
  );
});

test('every document of a shop shows what is asked for', async () => {
  const shop = await makeShop(client);
  const { hits } = await client.search(shop, { include_fields: 'title,id' });
  assert.deepEqual(
    hits.map(({ document }) => document),
    SHOP.map(({ id, title }) => (title === undefined ? { id } : { id, title })),
  );
});
