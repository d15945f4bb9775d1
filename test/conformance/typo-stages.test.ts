/**
 * Corrections in two stages: unknown words at once, known ones while few documents are found.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Params } from '../support/client.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const server = await startServer();
after(() => server.dispose());
const { client } = server;

/** A collection with these titles, each its own id. */
async function collectionOf(titles: readonly string[]): Promise<string> {
  const name = freshName();
  await client.create(titleSchema(name));
  await client.indexAll(
    name,
    titles.map((title) => ({ id: title, title })),
  );
  return name;
}

/** The ids of the hits, sorted. */
async function found(name: string, q: string, params: Params = {}): Promise<string[]> {
  return (await client.ids(name, { q, ...params })).sort();
}

test('a last token that no term begins with is at once taken for a mistyped prefix', async () => {
  const name = await collectionOf(['wireless mouse', 'wireless keyboard']);
  assert.deepEqual(await found(name, 'wirels'), ['wireless keyboard', 'wireless mouse']);
  assert.deepEqual(await found(name, 'wireless keyba'), ['wireless keyboard']);
  assert.deepEqual(await found(name, 'wireless kyboa'), ['wireless keyboard']);
  assert.deepEqual(await found(name, 'wireless kyboa', { typo_threshold: 0 }), ['wireless keyboard']);
  assert.deepEqual(await found(name, 'kyboa zzz', { match_mode: 'any', prefix: false }), []);
  assert.deepEqual(await found(name, 'zzz kyboa', { match_mode: 'any' }), ['wireless keyboard']);
  assert.deepEqual(await found(name, 'wirels', { prefix: false }), []);
  assert.deepEqual(await found(name, 'wirels', { typo_tolerance: false }), []);
  assert.deepEqual(await found(name, 'wirels mouse'), [], 'only the last token');
});

test('a last token that a term begins with is taken for a mistyped prefix only when nothing is found', async () => {
  const name = await collectionOf(['wirelsq', 'wireless mouse', 'cordless mouse']);
  assert.deepEqual(await found(name, 'wirels', { typo_threshold: 0 }), ['wirelsq']);
  assert.deepEqual(await found(name, 'wirels'), ['wirelsq'], 'one is found');
  assert.deepEqual(await found(name, 'mouse wirels'), ['wireless mouse'], 'none is found without');
  assert.deepEqual(await found(name, 'mouse wirels', { typo_threshold: 0 }), []);
  assert.deepEqual(await found(name, 'mouse wirels', { typo_tolerance: false }), []);
  assert.deepEqual(await found(name, 'mouse wirels', { prefix: false }), []);
  const explained = await client.search(name, { q: 'mouse wirels', explain: true });
  assert.match(JSON.stringify(explained), /"kind":"mistyped_prefix"/);
});

test('a known word is corrected only while fewer documents than typo_threshold are found', async () => {
  const name = await collectionOf(['star wars', 'wars', 'was it', 'war']);
  const countOf = async (q: string, more: Params = {}): Promise<number> =>
    (await client.search(name, { q, prefix: false, ...more })).found;
  assert.equal(await countOf('wars', { typo_threshold: 0 }), 2);
  assert.equal(await countOf('wars', { typo_threshold: 2 }), 2);
  assert.equal(await countOf('wars', { typo_threshold: 3 }), 4);
  assert.equal(await countOf('wars'), 4, '10 unless the request says');
  assert.equal(await countOf('wars', { typo_threshold: 3, limit: 0 }), 4, 'whatever the page');
  assert.equal(await countOf('wars', { typo_threshold: 3, typo_tolerance: false }), 2);
  assert.equal(await countOf('wasr', { typo_threshold: 0 }), 4, 'an unknown word always');
  const { hits } = await client.search(name, { q: 'wars', prefix: false });
  assert.deepEqual(hits.map(({ document }) => document.id).slice(0, 2), ['wars', 'star wars']);
});

test('the filter and what is excluded count before typo_threshold', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'int', filter: true },
    ],
  });
  await client.indexAll(
    name,
    ['wars', 'wars', 'was', 'was'].map((title, n) => ({ id: `${n}`, title: `${title} w${n}`, n })),
  );
  const ids = (params: Params): Promise<string[]> =>
    client.ids(name, { q: 'wars', prefix: false, typo_threshold: 2, ...params });
  assert.deepEqual(await ids({}), ['0', '1']);
  assert.deepEqual(await ids({ filter: 'n:>0' }), ['1', '2', '3']);
  assert.deepEqual(await ids({ q: 'wars -w0' }), ['1', '2', '3']);
});
