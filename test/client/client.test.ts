/**
 * The TypeScript client against a real server: every endpoint, typed documents, errors, and its size.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createClient, SabreError } from '../../src/client/client.js';
import { PROJECT_ROOT } from '../support/project.js';
import { startServer } from '../support/server.js';

interface Product {
  readonly id: string;
  readonly title: string;
  readonly brand: string;
  readonly price: number;
}

const server = await startServer({
  args: ['--admin-key', 'admin', '--search-key', 'search', '--compress-min-bytes', '1'],
  key: 'admin',
});
after(() => server.dispose());
const url = `http://127.0.0.1:${server.port}`;
const client = createClient({ url, key: 'admin' });
const reader = createClient({ url: `${url}/`, key: async () => 'search' });

const PRODUCTS: readonly Product[] = [
  { id: '1', title: 'Wireless mouse', brand: 'Logitech', price: 25.5 },
  { id: '2', title: 'Wired keyboard', brand: 'Cherry', price: 49 },
  { id: 'a/b +%', title: 'Wireless headphones', brand: 'Anker', price: 30 },
];
let made = 0;

/** A collection of its own with the products. */
async function makeProducts() {
  const name = `products-${++made}`;
  await client.createCollection({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'brand', type: 'keyword', facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
    ],
  });
  const products = client.collection<Product>(name);
  assert.equal((await products.upsert(PRODUCTS)).num_indexed, PRODUCTS.length);
  return products;
}

/** The SabreError that `doing` ends with. */
async function errorOf(doing: Promise<unknown>): Promise<SabreError> {
  const error = await doing.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SabreError, String(error));
  return error;
}

test('a search by GET, and by POST, finds typed documents', async () => {
  const products = await makeProducts();
  const params = {
    q: 'wirless',
    query_by: ['title'],
    facet: ['brand', 'price'],
    facet_stats: true,
    highlight: 'title',
    sort: ['price:asc', '_text_match:desc'],
    filter: 'price:<40',
  } as const;
  for (const method of ['GET', 'POST'] as const) {
    const { found, hits, facets, facet_stats } = await products.search(params, { method });
    assert.equal(found, 2);
    assert.deepEqual(
      hits.map(({ document }) => document.brand),
      ['Logitech', 'Anker'],
    );
    assert.equal(hits[0]?.highlight?.['title']?.snippet, '<mark>Wireless</mark> mouse');
    assert.deepEqual(facets?.['brand'], { Anker: 1, Logitech: 1 });
    assert.equal(facet_stats?.['price']?.max, 30);
  }
  // Too long for a URL, so it is sent as a body by itself.
  const ids = Array.from({ length: 900 }, (_, at) => `no-such-${at}`);
  assert.equal((await products.search({ filter: `id:=[1,${ids.join(',')}]` })).found, 1);
  const shown = await products.search<Pick<Product, 'price'>>({ q: 'keyboard', include_fields: ['price'] });
  assert.deepEqual(shown.hits[0]?.document, { price: 49 });
});

test('an empty list is none, by GET as by POST, and refused where none would be all', async () => {
  const products = await makeProducts();
  const none = { sort: [], facet: [], highlight: [], exclude_fields: [] };
  for (const method of ['GET', 'POST'] as const) {
    assert.equal((await products.search(none, { method })).found, 3);
    for (const all of [{ include_fields: [] }, { query_by: [] }])
      assert.equal((await errorOf(products.search({ q: 'mouse', ...all }, { method }))).code, 'invalid_query');
  }
  assert.deepEqual(await products.fetch('1', { exclude_fields: [] }), PRODUCTS[0]);
  assert.equal((await errorOf(products.fetch('1', { include_fields: [] }))).code, 'invalid_query');
});

test('many searches answer each for itself', async () => {
  const products = await makeProducts();
  const [first, second] = await client.multiSearch<[Product, { name: string }]>([
    { collection: products.name, q: 'mouse', query_by: ['title'] },
    { collection: 'no-such', q: 'mouse' },
  ]);
  assert.ok(!('error' in first));
  assert.equal(first.hits[0]?.document.title, 'Wireless mouse');
  assert.ok('error' in second);
  assert.equal(second.error.code, 'collection_not_found');
});

test('documents are created, updated, patched, fetched and deleted', async () => {
  const products = await makeProducts();
  const [product] = PRODUCTS;
  assert.ok(product !== undefined);
  assert.equal((await products.create(product)).results[0]?.code, 'document_exists');
  assert.equal((await products.update({ ...product, id: 'new' })).results[0]?.code, 'document_not_found');
  assert.deepEqual(await products.patch('1', { price: 20 }), { ...product, price: 20 });
  assert.deepEqual(await products.fetch('a/b +%', { include_fields: ['price'] }), { price: 30 });
  await products.deleteDocument('a/b +%');
  assert.equal((await errorOf(products.fetch('a/b +%'))).code, 'document_not_found');
  assert.equal(await products.deleteWhere('price:>=30'), 1);
  assert.equal((await products.view()).num_documents, 1);
});

test('an id that a URL would fold away never reaches another path', async () => {
  const products = await makeProducts();
  for (const id of ['', '.', '..']) {
    await assert.rejects(async () => products.deleteDocument(id), { code: 'invalid_path' });
    await assert.rejects(async () => client.collection(id).delete(), { code: 'invalid_path' });
  }
  assert.equal((await products.view()).num_documents, 3);
});

test('a schema is changed, or only looked at', async () => {
  const products = await makeProducts();
  const change = {
    fields: [
      { name: 'brand', drop: true },
      { name: 'size', type: 'int', optional: false },
    ],
  } as const;
  const check = await products.checkChange(change);
  assert.equal(check.misfits, 3);
  assert.equal((await errorOf(products.change(change))).code, 'invalid_document');
  const view = await products.change({ fields: [{ name: 'size', type: 'int' }], ranking: 'bm25' });
  assert.equal(view.ranking, 'bm25');
  assert.deepEqual(
    view.fields.map(({ name }) => name),
    ['title', 'brand', 'price', 'size'],
  );
});

test('synonyms and stop words are set, shown and deleted', async () => {
  const products = await makeProducts();
  await products.setSynonym('cordless', { synonyms: ['cordless', 'wireless'] });
  assert.equal((await products.synonym('cordless')).synonyms.length, 2);
  assert.equal((await products.synonyms()).length, 1);
  assert.equal((await products.search({ q: 'cordless' })).found, 2);
  await products.deleteSynonym('cordless');
  assert.equal((await errorOf(products.synonym('cordless'))).code, 'synonym_not_found');
  await products.setStopWords({ words: ['the'] });
  assert.deepEqual(await products.stopWords(), { words: ['the'] });
  await products.deleteStopWords();
  assert.equal((await errorOf(products.stopWords())).code, 'stop_words_not_found');
});

test('an alias stands for its collection', async () => {
  const products = await makeProducts();
  const name = `shop-${made}`;
  assert.deepEqual(await client.setAlias(name, products.name), { name, collection: products.name });
  assert.equal((await client.alias(name)).collection, products.name);
  assert.ok((await client.aliases()).some((alias) => alias.name === name));
  assert.equal((await client.collection<Product>(name).search({ q: 'mouse' })).found, 1);
  assert.equal((await errorOf(products.delete())).code, 'collection_has_aliases');
  await client.deleteAlias(name);
  await client.setAlias(name, products.name);
  await products.delete({ force: true });
  assert.equal((await errorOf(client.alias(name))).code, 'alias_not_found');
});

test('suggestions, analytics, probes, metrics, snapshots and lists of collections', async () => {
  const products = await makeProducts();
  assert.equal((await products.suggest({ q: 'wire', limit: 1 })).suggestions[0]?.text, 'wireless');
  await products.search({ q: 'zzzzzzzz' });
  const { collection, limit } = { collection: products.name, limit: 5 };
  assert.equal((await client.zeroResultQueries({ collection, limit })).queries[0]?.query, 'zzzzzzzz');
  assert.equal((await client.topQueries({ collection })).queries[0]?.count, 1);
  assert.ok((await client.latency()).total_searches >= 1);
  assert.equal((await client.health()).ok, true);
  assert.deepEqual(await client.ready(), { ready: true });
  assert.match(await client.metrics(), /^sabre_collections \d/m);
  assert.ok((await client.snapshot()).collections >= 1);
  assert.ok((await client.collections()).some(({ name }) => name === products.name));
  const raw = await client.request('GET', `/collections/${products.name}/search`, { query: { q: 'mouse' } });
  assert.equal((raw as { found: number }).found, 1);
});

test('errors tell code, status, message and the id of the request', async () => {
  const products = await makeProducts();
  const refused = await errorOf(products.search({ limit: 251 }));
  assert.equal(refused.code, 'invalid_query');
  assert.equal(refused.status, 400);
  assert.match(refused.message, /limit/);
  assert.ok(refused.requestId !== null && refused.requestId.length > 0);
  assert.equal((await errorOf(reader.collection('x').delete())).code, 'forbidden');
  assert.equal((await errorOf(createClient({ url, key: 'wrong' }).collections())).code, 'unauthorized');
  assert.equal((await reader.collection<Product>(products.name).search({ q: 'mouse' })).found, 1);
});

test('a search that was asked before costs a 304 where answers are kept', async () => {
  const products = await makeProducts();
  const statuses: number[] = [];
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    statuses.push(response.status);
    return response;
  };
  const caching = createClient({ url, key: 'search', cachedSearches: 2, fetch: counting }).collection(products.name);
  for (let round = 0; round < 2; round++) assert.equal((await caching.search({ q: 'mouse' })).found, 1);
  assert.deepEqual(statuses, [200, 304]);
  await products.upsert({ id: '9', title: 'Mouse pad', brand: 'Anker', price: 5 });
  assert.equal((await caching.search({ q: 'mouse' })).found, 2);
  assert.deepEqual(statuses, [200, 304, 200]);
});

test('integers beyond 2^53 keep their digits with a parser and a writer of the caller', async () => {
  const digits = '9007199254740993';
  const marked = (text: string): string => text.replaceAll(/(?<="big":)(\d{16,})/g, '"$1n"');
  const exact = createClient({
    url,
    key: 'admin',
    parse: (text) =>
      JSON.parse(marked(text), (_, value) => (/^\d+n$/.test(value) ? BigInt(String(value).slice(0, -1)) : value)),
    stringify: (value) =>
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)).replaceAll(/"(\d+)n"/g, '$1'),
  });
  const name = `big-${++made}`;
  await exact.createCollection({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'big', type: 'int' },
    ],
  });
  const numbers = exact.collection<{ id: string; title: string; big: bigint }>(name);
  await numbers.upsert({ id: '1', title: 'one', big: BigInt(digits) });
  assert.equal((await numbers.fetch('1')).big, BigInt(digits));
  // JSON.parse alone rounds to the nearest double.
  assert.equal((await client.collection<{ big: number }>(name).fetch('1')).big, 9007199254740992);
});

test('minified and compressed it takes 5 KB at most', async () => {
  const { outputFiles } = await build({
    entryPoints: [`${PROJECT_ROOT}/dist/client/client.js`],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(10_000), { level: 9 }).length;
  assert.ok(bytes <= 5120, `${bytes} bytes`);
});
