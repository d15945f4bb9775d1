/**
 * Stop words over HTTP: what queries drop, what they keep, and what is refused.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Reply } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const server = await startServer();
after(() => server.dispose());
const { client } = server;

const pathOf = (collection: string): string => `/collections/${collection}/stop-words`;
const put = (collection: string, body: unknown): Promise<Reply> =>
  client.request('PUT', pathOf(collection), { body: typeof body === 'string' ? body : JSON.stringify(body) });

async function books(): Promise<string> {
  const name = freshName('books');
  await client.create(titleSchema(name));
  await client.indexAll(name, [
    { id: 'history', title: 'history of the world' },
    { id: 'world', title: 'world history' },
    { id: 'the', title: 'the the' },
    { id: 'who', title: 'who is who' },
  ]);
  return name;
}

const ids = async (collection: string, q: string, more = {}): Promise<string[]> =>
  (await client.ids(collection, { q, prefix: false, typo_tolerance: false, limit: 100, ...more })).sort();

test('stop words are dropped where other words are left, and only there', async () => {
  const name = await books();
  assert.deepEqual(await ids(name, 'the history of the world'), ['history']);
  assert.deepEqual(expectJson(await put(name, { words: ['the', 'Of'] })), { words: ['the', 'Of'] });
  assert.deepEqual(await ids(name, 'the history of the world'), ['history', 'world']);
  assert.deepEqual(await ids(name, 'THE history'), ['history', 'world']);
  assert.deepEqual(await ids(name, 'the'), ['history', 'the']);
  assert.deepEqual(await ids(name, 'of the'), ['history'], 'nothing else is left, so nothing is dropped');
  assert.deepEqual(await ids(name, 'the history', { match_mode: 'any' }), ['history', 'world']);
});

test('they are never dropped from phrases and exclusions', async () => {
  const name = await books();
  await put(name, { words: ['the', 'of'] });
  assert.deepEqual(await ids(name, '"the world"'), ['history']);
  assert.deepEqual(await ids(name, '"the world" history'), ['history']);
  assert.deepEqual(await ids(name, 'history -the'), ['world']);
  assert.deepEqual(await ids(name, 'the "world history"'), ['world'], 'a phrase is something left');
});

test('a stop word that ends the query is not completed', async () => {
  const name = await books();
  await client.indexAll(name, [{ id: 'old', title: 'old history' }]);
  assert.deepEqual(await ids(name, 'history w', { prefix: true }), ['history', 'world']);
  await put(name, { words: ['w'] });
  assert.deepEqual(await ids(name, 'history w', { prefix: true }), ['history', 'old', 'world']);
  assert.deepEqual(await ids(name, 'w', { prefix: true }), ['history', 'who', 'world']);
});

test('a stop word inside of words that have synonyms is not dropped from them', async () => {
  const name = await books();
  await put(name, { language: 'english' });
  const path = `/collections/${name}/synonyms/x`;
  expectStatus(await client.request('PUT', path, { body: '{"root":"who is who","synonyms":["history"]}' }), 200);
  assert.deepEqual(await ids(name, 'who is who world'), ['history', 'world']);
});

test('the words of a language are those of Snowball', async () => {
  const name = await books();
  assert.deepEqual(expectJson(await put(name, { language: 'english' })), { language: 'english' });
  assert.deepEqual(expectJson(await client.get(pathOf(name))), { language: 'english' });
  assert.deepEqual(await ids(name, "the history's of the world"), ['history', 'world']);
  assert.deepEqual(await ids(name, 'who is who'), ['who']);
  expectJson(await put(name, { language: 'german' }));
  assert.deepEqual(await ids(name, 'the world'), ['history']);
  assert.deepEqual(await ids(name, 'die world'), ['history', 'world']);
  expectStatus(await client.delete(pathOf(name)), 204);
  assert.deepEqual(await ids(name, 'die world'), []);
});

test('a list replaces the one before, and none is 404', async () => {
  const name = await books();
  for (const reply of [await client.get(pathOf(name)), await client.delete(pathOf(name))])
    expectError(reply, 404, 'stop_words_not_found');
  expectJson(await put(name, { words: ['the'] }));
  expectJson(await put(name, { words: ['of'] }));
  assert.deepEqual(expectJson(await client.get(pathOf(name))), { words: ['of'] });
  assert.deepEqual(await ids(name, 'the world history'), ['history']);
  expectStatus(await client.delete(pathOf(name)), 204);
  expectError(await client.get(pathOf(name)), 404, 'stop_words_not_found');
  expectError(await client.get(pathOf('nowhere')), 404, 'collection_not_found', /"nowhere"/);
});

for (const [what, body, code, message] of [
  ['neither', {}, 'invalid_stop_words', /expected either words or a language, got neither/],
  [
    'both',
    { words: ['a'], language: 'english' },
    'invalid_stop_words',
    /expected either words or a language, got both/,
  ],
  [
    'an unknown language',
    { language: 'klingon' },
    'invalid_stop_words',
    /^language: expected one of danish, .*, got "klingon"$/,
  ],
  ['no words', { words: [] }, 'invalid_stop_words', /^words: expected at least one, got an empty array/],
  [
    'two words in one',
    { words: ['a', "don't"] },
    'invalid_stop_words',
    /^words\[1\]: expected one word, got "don't", which are 2$/,
  ],
  ['10,001 words', { words: Array(10_001).fill('a') }, 'invalid_stop_words', /expected at most 10000, got 10001/],
  ['another type', { words: 'the' }, 'invalid_stop_words', /"words": expected an array, got "the"/],
  ['an array', ['the'], 'invalid_stop_words', /expected an object, got an array/],
  ['no JSON', 'the', 'invalid_json', /syntax error/],
  ['too much', `{"words":["${'x'.repeat(1024 * 1024)}"]}`, 'payload_too_large', /at most 1048576 bytes/],
] as const) {
  test(`stop words with ${what} are refused, and those of before stay`, async () => {
    const name = await books();
    await put(name, { words: ['of'] });
    expectError(await put(name, body), code === 'payload_too_large' ? 413 : 400, code, message);
    assert.deepEqual(expectJson(await client.get(pathOf(name))), { words: ['of'] });
  });
}

test('10,000 words are taken', async () => {
  const name = await books();
  expectStatus(await put(name, { words: Array.from({ length: 10_000 }, (_, i) => `stop${i}`) }), 200);
  assert.deepEqual(await ids(name, 'stop9999 world'), ['history', 'world']);
});
