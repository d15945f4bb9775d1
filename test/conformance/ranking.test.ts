/**
 * Bonuses for nearness and exactness over HTTP: who ranks first, and how a request or a collection does without them.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { jsonOf } from '../support/client.js';
import { expectError } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { CollectionView, SchemaInput } from '../support/wire.js';

const server = await startServer();
after(() => server.dispose());
const { client } = server;

const TITLES = ['Disco Godfather', 'The Godfather Part II', 'The Godfather', 'My Part in the Disco'];

async function collectionOf(extra: Partial<SchemaInput> = {}): Promise<string> {
  const name = freshName();
  await client.create({ ...titleSchema(name), ...extra });
  await client.indexAll(
    name,
    TITLES.map((title) => ({ id: title, title })),
  );
  return name;
}

test('what was typed as a whole comes first, what begins so next', async () => {
  const name = await collectionOf();
  const [first, second] = await client.ids(name, { q: 'the godfather' });
  assert.deepEqual([first, second], ['The Godfather', 'The Godfather Part II']);
  assert.equal((await client.ids(name, { q: 'disco godfather' }))[0], 'Disco Godfather');
  assert.equal((await client.ids(name, { q: 'the godfahter' }))[0], 'The Godfather', 'a correction counts, too');
});

test('a request or a collection does without bonuses', async () => {
  const [best, plain] = [await collectionOf(), await collectionOf({ ranking: 'bm25' })];
  const score = async (name: string, ranking?: string): Promise<number> => {
    const params = { q: 'the godfather', ...(ranking !== undefined && { ranking }) };
    const { hits } = await client.search(name, params);
    return Math.fround(hits.find(({ document }) => document.id === 'The Godfather')?.text_match ?? 0);
  };
  const bm25 = await score(plain);
  assert.ok(bm25 > 0);
  assert.equal(await score(best, 'bm25'), bm25);
  assert.equal(await score(best), Math.fround(bm25 * 2.7));
  assert.equal(await score(plain, 'BEST'), Math.fround(bm25 * 2.7));
  expectError(await client.get(`/collections/${best}/search?q=a&ranking=tfidf`), 400, 'invalid_query', /ranking/);
});

test('a collection shows its ranking, and how it keeps documents, only when that was given', async () => {
  const field = { name: 'title', type: 'text', sort: true } as const;
  const plain = await client.create({ name: freshName(), fields: [field] });
  assert.ok(!('ranking' in plain) && !('near_ties' in plain) && !('compress_documents' in plain));
  const extra = {
    ranking: 'bm25',
    near_ties: true,
    default_sorting_field: 'title',
    compress_documents: false,
  } as const;
  const { name } = await client.create({ name: freshName(), fields: [field], ...extra });
  await client.indexAll(name, [{ id: '1', title: 'a' }]);
  const shown = await client.get(`/collections/${name}`);
  const { ranking, near_ties, compress_documents } = jsonOf<CollectionView>(shown);
  assert.deepEqual([ranking, near_ties, compress_documents], ['bm25', true, false]);
});
