/**
 * What a query leaves out by a dash, what it gains by saying a word twice, and how many words it may have.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Params } from '../support/client.js';
import { closeTo, expectError, expectStatus } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const PLAIN = { typo_tolerance: false, prefix: false };

const SHOES = [
  { id: '1', title: 'red shoes', note: 'soft', color: 'red' },
  { id: '2', title: 'blue shoes', note: 'deep red laces', color: 'blue' },
  { id: '3', title: 'shoes', note: ['red, deep', 'laces'], color: 'none' },
  { id: '4', title: 'reddish shoes', color: 'red' },
  { id: '5', title: 'a hat', color: 'red' },
];

async function shoes(): Promise<string> {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'note', type: 'text' },
      { name: 'color', type: 'keyword', facet: true, sort: true },
    ],
  });
  await client.indexAll(name, SHOES);
  return name;
}

test('a word behind a dash is in no queried field of a hit, exactly as it is written', async () => {
  const name = await shoes();
  const ids = async (q: string, more: Params = {}): Promise<string[]> =>
    (await client.ids(name, { q, ...PLAIN, ...more })).sort();
  assert.deepEqual(await ids('shoes -red'), ['4']);
  assert.deepEqual(await ids('-red shoes'), ['4']);
  assert.deepEqual(await ids('shoes -red', { query_by: 'title' }), ['2', '3', '4']);
  assert.deepEqual(await ids('shoes -RÉD'), ['4'], 'analysed like any text');
  assert.deepEqual(await ids('shoes -redd', { prefix: true, typo_tolerance: true }), ['1', '2', '3', '4']);
  assert.deepEqual(await ids('shoes -blue -soft'), ['3', '4']);
  assert.deepEqual(await ids('shoes hat -red', { match_mode: 'any' }), ['4', '5']);
  assert.deepEqual(await ids('shoes - red'), ['1', '2', '3'], 'a dash that stands alone');
  assert.deepEqual(await ids('shoes-red'), ['1', '2', '3'], 'a dash within a word');
});

test('a phrase behind a dash, or a word of several tokens, is left out where its tokens stand together', async () => {
  const name = await shoes();
  const ids = async (q: string, more: Params = {}): Promise<string[]> =>
    (await client.ids(name, { q, ...PLAIN, ...more })).sort();
  assert.deepEqual(await ids('shoes -"deep red"'), ['1', '3', '4']);
  assert.deepEqual(await ids('shoes -"red deep"'), ['1', '2', '4']);
  assert.deepEqual(await ids('shoes -deep-red'), ['1', '3', '4']);
  assert.deepEqual(await ids('shoes -"deep laces"'), ['1', '2', '3', '4'], 'not across the values of an array');
  assert.deepEqual(
    await ids('shoes -"deep red'),
    ['2', '3'],
    'an unclosed quote is text, and so is the dash before it',
  );
});

test('without other text every document matches but those, with filter, facets, sort and pages', async () => {
  const name = await shoes();
  const { found, hits, facets } = await client.search(name, { q: '-red', facet: 'color' });
  assert.equal(found, 2);
  assert.deepEqual(
    hits.map(({ document, text_match }) => [document.id, text_match]),
    [
      ['4', 0],
      ['5', 0],
    ],
  );
  assert.deepEqual(facets, { color: { red: 2 } });
  assert.deepEqual(await client.ids(name, { q: '* -red' }), ['4', '5']);
  assert.equal((await client.search(name, { q: '-red', limit: 0 })).found, 2);
  assert.deepEqual(await client.ids(name, { q: '-red', limit: 1, offset: 1 }), ['5']);
  assert.deepEqual(await client.ids(name, { q: '-hat', filter: 'color:red', sort: 'color:asc' }), ['1', '4']);
  assert.deepEqual(await client.ids(name, { q: '-nowhere', filter: 'color:blue' }), ['2']);
  assert.deepEqual(await client.ids(name, { q: '-"deep red" -"red shoes"', facet: 'color' }), ['3', '4', '5']);
});

test('deleted and replaced documents neither match nor exclude', async () => {
  const name = await shoes();
  expectStatus(await client.delete(`/collections/${name}/documents/4`), 204);
  await client.indexAll(name, [{ id: '1', title: 'green shoes' }]);
  assert.deepEqual(await client.ids(name, { q: 'shoes -red', ...PLAIN }), ['1']);
  assert.deepEqual(await client.ids(name, { q: '-red' }), ['5', '1']);
});

test('a word typed again counts again', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  await client.indexAll(name, [{ id: '1', title: 'new york new york' }, { id: '2', title: 'old york' }, { id: '3' }]);
  const score = async (q: string): Promise<number> =>
    (await client.search(name, { q, ranking: 'bm25', ...PLAIN })).hits[0]?.text_match ?? 0;
  const [york, newer, phrase] = [await score('york'), await score('new'), await score('"new york"')];
  assert.ok(closeTo(await score('york york york'), 3 * york));
  assert.ok(closeTo(await score('new york new'), 2 * newer + york));
  assert.ok(closeTo(await score('"new york" new "new york"'), 2 * phrase + newer));
  assert.deepEqual(
    await client.ids(name, { q: 'york york york', ...PLAIN }),
    await client.ids(name, { q: 'york', ...PLAIN }),
  );
  assert.ok(closeTo(await score('york york -old'), 2 * york), 'beside an exclusion too');
});

/** So many different tokens. */
const tokens = (count: number): string => Array.from({ length: count }, (_, i) => `t${i}`).join(' ');

test('64 distinct tokens are served however often they are typed, 65 are refused', async () => {
  const name = await shoes();
  const search = (q: string, more: Params = {}) => client.searchReply(name, { q, ...more });
  expectStatus(await search(`${tokens(64)} ${tokens(64)} "${tokens(63)}" -t63`), 200);
  expectError(await search(tokens(65)), 400, 'invalid_query', /^q: expected at most 64 distinct tokens, got 65/);
  expectError(await search(`${tokens(63)} -"u v"`), 400, 'invalid_query', /64 distinct tokens, got 65/);
  for (const match_mode of ['all', 'any']) {
    const refused = /^q: expected at most 64 tokens in phrases and exclusions, got 65/;
    expectError(await search(`"${tokens(65)}"`, { match_mode }), 400, 'invalid_query', refused);
    expectError(await search(`-"${tokens(64)}" -u`, { match_mode }), 400, 'invalid_query', refused);
  }
});

test('of more tokens, of which any may match, the 64 rarest are taken', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  const often = Array.from({ length: 5 }, (_, i) => ({ id: `often${i}`, title: 'often' }));
  await client.indexAll(name, [...often, { id: 'twice1', title: 'twice' }, { id: 'twice2', title: 'twice t5' }]);
  const ids = (q: string): Promise<string[]> => client.ids(name, { q, match_mode: 'any', ...PLAIN });
  assert.deepEqual(await ids(`often twice ${tokens(62)}`), ['twice2', 'twice1', ...often.map(({ id }) => id)]);
  assert.deepEqual(await ids(`often twice ${tokens(63)}`), ['twice2', 'twice1']);
  assert.deepEqual(await ids(`often twice ${tokens(64)}`), ['twice2'], 'of equal ones those typed first');
  assert.deepEqual(
    await ids(`t5 ${tokens(63)} ${tokens(63)} often twice`),
    ['twice2', 'twice1'],
    'distinct ones count',
  );
  assert.deepEqual(
    await ids(`"often" ${tokens(500)} -t5`),
    often.map(({ id }) => id),
    'phrases and exclusions stay',
  );
});
