/**
 * The InstantSearch adapter against a real server: what widgets ask, translated, and the shape of answers.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { createClient } from '../../src/client/client.js';
import { createInstantSearch, type InstantSearchParams } from '../../src/client/instantsearch.js';
import { makeScopedKey } from '../../src/keys/scoped-key.js';
import { startServer } from '../support/server.js';

const server = await startServer({ args: ['--admin-key', 'admin', '--search-key', 'search'], key: 'admin' });
after(() => server.dispose());
const client = createClient({ url: `http://127.0.0.1:${server.port}`, key: 'admin' });
const adapter = createInstantSearch({ client });

await client.createCollection({
  name: 'products',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'notes', type: 'text' },
    { name: 'brand', type: 'keyword', facet: true },
    { name: 'price', type: 'float', facet: true, sort: true },
    { name: 'tags', type: 'keyword', filter: true },
  ],
});
await client.collection('products').upsert([
  { id: 1, title: 'Wireless mouse & pad', brand: 'Logitech', price: 25.5, tags: ['new', 'sale'] },
  { id: 2, title: 'Wired mouse', notes: ['a', 'a mouse too'], brand: 'Cherry', price: 49, tags: ['new'] },
  { id: 3, title: 'Keyboard', brand: 'Cherry', price: 10, tags: [] },
]);

async function ask(params: InstantSearchParams, indexName = 'products') {
  const { results } = await adapter.search([{ indexName, params }]);
  const [result] = results;
  assert.ok(result !== undefined);
  return result;
}
const idsOf = async (params: InstantSearchParams): Promise<string> =>
  (await ask(params)).hits.map(({ objectID }) => objectID).join();

test('an answer has the shape that InstantSearch reads', async () => {
  const { hits, processingTimeMS, ...rest } = await ask({
    query: 'mouse',
    hitsPerPage: 1,
    page: 1,
    facets: ['brand', 'price'],
    attributesToSnippet: ['title:1'],
  });
  assert.deepEqual(rest, {
    index: 'products',
    nbHits: 2,
    page: 1,
    nbPages: 2,
    hitsPerPage: 1,
    query: 'mouse',
    params: '',
    exhaustiveNbHits: true,
    exhaustiveFacetsCount: true,
    facets: { brand: { Cherry: 1, Logitech: 1 }, price: { '49': 1, '25.5': 1 } },
    facets_stats: { price: { min: 25.5, max: 49, avg: 37.25, sum: 74.5 } },
  });
  assert.ok(Number.isInteger(processingTimeMS));
  const [hit] = hits;
  assert.equal(hit?.objectID, '1');
  assert.deepEqual(hit._highlightResult?.['title'], {
    value: 'Wireless <em>mouse</em> & pad',
    matchLevel: 'full',
    matchedWords: ['mouse'],
    fullyHighlighted: false,
  });
  assert.deepEqual(hit._highlightResult?.['brand'], { value: 'Logitech', matchLevel: 'none', matchedWords: [] });
  assert.deepEqual(hit._snippetResult?.['title'], {
    value: '…<em>mouse</em>…',
    matchLevel: 'full',
    matchedWords: ['mouse'],
  });
});

test('values of an array are highlighted at their places', async () => {
  const { hits } = await ask({ query: 'mouse', highlightPreTag: '[', highlightPostTag: ']' });
  const notes = hits.find(({ objectID }) => objectID === '2')?._highlightResult?.['notes'];
  assert.ok(Array.isArray(notes));
  assert.deepEqual(
    notes.map(({ value }) => value),
    ['a', 'a [mouse] too'],
  );
});

test('filters, facets, numbers and tags are combined', async () => {
  assert.equal(await idsOf({ facetFilters: ['brand:Cherry'] }), '2,3');
  assert.equal(
    await idsOf({ facetFilters: [['brand:Cherry', 'brand:Logitech']], numericFilters: ['price>=20'] }),
    '1,2',
  );
  assert.equal(await idsOf({ facetFilters: ['brand:-Cherry'] }), '1');
  assert.equal(await idsOf({ numericFilters: ['price:10 TO 30'] }), '1,3');
  assert.equal(await idsOf({ numericFilters: [['price=10', 'price=49']] }), '2,3');
  assert.equal(await idsOf({ numericFilters: 'price>10,price<49' }), '1');
  assert.equal(await idsOf({ tagFilters: 'new,sale' }), '1');
  assert.equal(await idsOf({ tagFilters: [['new', 'sale']] }), '1,2');
  assert.equal(await idsOf({ filters: 'price:<20 || price:>40', facetFilters: ['brand:Cherry'] }), '2,3');
  await assert.rejects(idsOf({ facetFilters: ['brand'] }), TypeError);
  await assert.rejects(idsOf({ numericFilters: ['price around 5'] }), TypeError);
});

test('order, fields, distinct and words follow the request', async () => {
  const sorted = await ask({}, 'products/sort/price:asc');
  assert.deepEqual(
    sorted.hits.map(({ objectID }) => objectID),
    ['3', '1', '2'],
  );
  const [hit] = (await ask({ attributesToRetrieve: ['price'], attributesToHighlight: [] })).hits;
  assert.deepEqual(hit, { id: 1, price: 25.5, objectID: '1' });
  assert.equal((await ask({ distinct: 'brand' })).nbHits, 2);
  assert.equal((await ask({ distinct: true, attributeForDistinct: 'brand' })).nbHits, 2);
  assert.equal((await ask({ query: 'mou', queryType: 'prefixNone', typoTolerance: false })).nbHits, 0);
  assert.equal((await ask({ query: 'too', restrictSearchableAttributes: ['title'], typoTolerance: false })).nbHits, 0);
  assert.equal((await ask({ facets: '*' })).facets['brand']?.['Cherry'], 2);
  const beyond = await ask({ page: 600 });
  assert.deepEqual([beyond.hits.length, beyond.nbHits, beyond.nbPages], [0, 3, 1]);
});

test('facet values are searched by their beginning', async () => {
  const params = { facetName: 'brand', facetQuery: 'log', facetFilters: ['price:25.5'], query: 'mouse' };
  const [answer] = await adapter.searchForFacetValues([{ indexName: 'products', params }]);
  assert.deepEqual(answer?.facetHits, [{ value: 'Logitech', highlighted: '<em>Log</em>itech', count: 1 }]);
});

test('what the server refuses is thrown with its code', async () => {
  await assert.rejects(adapter.search([{ indexName: 'none' }]), { code: 'collection_not_found' });
  await assert.rejects(ask({ facets: ['title'] }), { code: 'invalid_query' });
});

test('a scoped key searches with what it may, and highlights what is named', async () => {
  const key = async (): Promise<string> => makeScopedKey('admin', { filter: 'brand:=Cherry' });
  const scoped = createClient({ url: `http://127.0.0.1:${server.port}`, key });
  for (const highlight of [undefined, ['title']]) {
    const limited = createInstantSearch({ client: scoped, ...(highlight && { highlight }) });
    const { results } = await limited.search([
      { indexName: 'products', params: { query: 'mouse', facets: ['brand'] } },
    ]);
    assert.deepEqual(results[0]?.facets, { brand: { Cherry: 1 } });
    const title = results[0]?.hits[0]?._highlightResult?.['title'];
    assert.ok(title !== undefined && 'value' in title);
    assert.equal(title.value, highlight ? 'Wired <em>mouse</em>' : 'Wired mouse');
  }
});

test('more than 50 searches take several requests', async () => {
  const requests = Array.from({ length: 51 }, (_, at) => ({ indexName: 'products', params: { hitsPerPage: at % 3 } }));
  const { results } = await adapter.search(requests);
  assert.equal(results.length, 51);
  assert.equal(results[50]?.hits.length, 2);
});

test('any value that a document holds is found by a facet filter of it, and by no other', async () => {
  await client.createCollection({
    name: 'values',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'value', type: 'keyword', facet: true },
    ],
  });
  const values = client.collection('values');
  const special = fc.string({
    unit: fc.constantFrom('"', "'", '\\', ',', ' ', '-', ':', '|', '&', ')', ']', '.', 'a', 'é', '\n', '<'),
  });
  // Alone surrogates cannot be sent as UTF-8, and a filter has no way to say that a value begins with \-.
  const text = fc
    .oneof(special, fc.string({ unit: 'grapheme' }))
    .filter((value) => value !== '' && !/\p{Surrogate}|^\\-/u.test(value));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 6 }), async (all) => {
      await values.deleteWhere('id:!=none');
      await values.upsert(all.map((value, at) => ({ id: String(at), title: 'x', value })));
      const requests = all.flatMap((value) => {
        // As the widgets write a value that begins with a minus.
        const filter = `value:${value.replace(/^-/, '\\-')}`;
        return [filter, `value:-${value}`].map((each) => ({ indexName: 'values', params: { facetFilters: [each] } }));
      });
      const { results } = await adapter.search(requests);
      for (const [at] of all.entries()) {
        assert.deepEqual(
          results[2 * at]?.hits.map(({ objectID }) => objectID),
          [String(at)],
        );
        assert.equal(results[2 * at + 1]?.nbHits, all.length - 1);
      }
    }),
    { numRuns: 60 },
  );
});

test('a field that is dropped, and an alias that points elsewhere, are found out by the next search', async () => {
  const fields = ['title', 'old'].map((name) => ({ name, type: 'text' as const }));
  await client.createCollection({ name: 'before', fields });
  await client.createCollection({ name: 'after', fields: [{ name: 'heading', type: 'text' }] });
  await client.collection('before').upsert({ id: '1', title: 'a mouse', old: 'x' });
  await client.collection('after').upsert({ id: '2', heading: 'a mouse' });
  await client.setAlias('shop', 'before');
  const asked: string[] = [];
  const watching = createClient({
    url: `http://127.0.0.1:${server.port}`,
    key: 'admin',
    fetch: (input, init) => {
      asked.push(new URL(String(input)).pathname);
      return fetch(input, init);
    },
  });
  const shop = createInstantSearch({ client: watching });
  const highlighted = async (): Promise<string[]> => {
    const { results } = await shop.search([{ indexName: 'shop', params: { query: 'mouse' } }]);
    const marked = Object.entries(results[0]?.hits[0]?._highlightResult ?? {});
    return marked.filter(([, mark]) => JSON.stringify(mark).includes('<em>')).map(([field]) => field);
  };
  assert.deepEqual(await highlighted(), ['title']);
  await client.collection('before').change({ fields: [{ name: 'old', drop: true }] });
  assert.deepEqual(await highlighted(), ['title']);
  await client.setAlias('shop', 'after');
  assert.deepEqual(await highlighted(), ['heading']);
  // What is refused for another reason is asked once more, and no more.
  asked.length = 0;
  await assert.rejects(shop.search([{ indexName: 'shop', params: { filters: 'none:=1' } }]), { code: 'invalid_query' });
  assert.deepEqual(asked, ['/multi-search', '/collections/shop', '/multi-search']);
});
