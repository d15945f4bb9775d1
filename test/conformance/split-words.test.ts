/**
 * Words written as one or as two, over HTTP: found in the stages of corrections, and never where typos are off.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Params } from '../support/client.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const server = await startServer();
after(() => server.dispose());
const { client } = server;

/** A search of a collection with these titles, each its own id: the ids of the hits, sorted. */
async function searchOf(titles: readonly string[]): Promise<(q: string, params?: Params) => Promise<string[]>> {
  const name = freshName();
  await client.create(titleSchema(name));
  await client.indexAll(
    name,
    titles.map((title) => ({ id: title, title })),
  );
  return async (q, params = {}) => (await client.ids(name, { q, ...params })).sort();
}

test('an unknown word is found as the two that it is made of, next to each other', async () => {
  const found = await searchOf(['Spider-Man', 'The amazing spider man', 'Man and spider', 'Superman']);
  const both = ['Spider-Man', 'The amazing spider man'];
  assert.deepEqual(await found('spiderman'), both);
  assert.deepEqual(await found('spiderman', { typo_threshold: 0 }), both);
  assert.deepEqual(await found('amazing spiderman'), ['The amazing spider man']);
  assert.deepEqual(await found('zzz spiderman', { match_mode: 'any' }), both);
  assert.deepEqual(await found('spiderman', { typo_tolerance: false }), []);
  assert.deepEqual(await found('"spiderman"'), [], 'a phrase is as typed');
  assert.deepEqual(await found('man -spiderman'), ['Man and spider', ...both], 'and so is what is excluded');
});

test('known words are split, and neighbours joined, while few documents are found', async () => {
  const found = await searchOf(['smartphone', 'smart phone', 'phone, smart', 'X-Men', 'xmen']);
  assert.deepEqual(await found('smartphone', { typo_threshold: 0 }), ['smartphone']);
  assert.deepEqual(await found('smartphone', { typo_threshold: 1 }), ['smartphone'], 'one is enough');
  assert.deepEqual(await found('smartphone'), ['smart phone', 'smartphone']);
  assert.deepEqual(await found('smart phone', { typo_threshold: 0 }), ['phone, smart', 'smart phone']);
  assert.deepEqual(await found('smart phone'), ['phone, smart', 'smart phone', 'smartphone']);
  assert.deepEqual(await found('x men'), ['X-Men', 'xmen']);
  assert.deepEqual(await found('x men', { typo_tolerance: false }), ['X-Men']);
});
