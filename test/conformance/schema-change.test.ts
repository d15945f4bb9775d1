/**
 * Changes of schemas over HTTP: a changed collection answers as one that was created so, readers and writers go on meanwhile, and
 * what cannot be done is refused.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { jsonOf, type Params } from '../support/client.js';
import { expectError, expectJson } from '../support/expect.js';
import { freshName, SHOP, shopSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { CollectionView, SchemaInput } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const change = (name: string, body: unknown, query = '') =>
  client.request('PATCH', `/collections/${name}${query}`, { body: JSON.stringify(body) });

/** Asked of a changed collection, and of one created so. */
const SEARCHES: readonly Params[] = [
  { q: 'wireless mouse', facet: 'brand,tags' },
  { q: 'mous', explain: true },
  { q: '', filter: 'price:>1000', sort: 'price:asc' },
  { q: 'office mice', match_mode: 'any' },
  { q: '"quiet mouse"', highlight: 'title,description' },
  { q: 'razer', query_by: 'brand' },
  { q: '', facet: 'rating,made,stored', sort: 'rating:desc' },
  { q: 'top', query_by: 'note' },
];

/** All answers but for their times: the same status, and the same body. */
async function answers(name: string): Promise<unknown[]> {
  const given: unknown[] = [];
  for (const params of SEARCHES) {
    const { status, text } = await client.searchReply(name, params);
    const body = JSON.parse(text.replaceAll(name, 'NAME')) as Record<string, unknown>;
    given.push({ status, ...body, search_time_ms: 0 });
  }
  const suggestions = await client.suggest(name, { q: 'wir' });
  return [...given, { ...suggestions, search_time_ms: 0 }];
}

const MISSING = 'field "stored": expected a value, since the field is declared with optional: false; got none';

const CHANGES: Readonly<Record<string, object>> = {
  'a boost, a ranking and typo settings': {
    fields: [{ name: 'description', boost: 4 }],
    ranking: 'bm25',
    typo_tolerance: { enabled: false },
  },
  'columns that were not there': {
    fields: [
      { name: 'stored', facet: true },
      { name: 'brand', filter: true, sort: true },
    ],
  },
  'columns that go': {
    fields: [
      { name: 'rating', filter: false, sort: false, facet: false },
      { name: 'tags', facet: false },
    ],
  },
  'a field less': {
    fields: [
      { name: 'description', drop: true },
      { name: 'made', drop: true },
    ],
  },
  'word forms': {
    fields: [
      { name: 'title', stem: 'english' },
      { name: 'description', stem: 'english' },
    ],
  },
  'another searched field': {
    fields: [
      { name: 'note', index: true },
      { name: 'title', index: false },
    ],
  },
  'a default order': { default_sorting_field: 'price', near_ties: true },
};

for (const [what, body] of Object.entries(CHANGES)) {
  test(`with ${what} a changed collection answers as one that was created so`, async () => {
    const name = freshName('changed');
    await client.create(shopSchema(name));
    for (const document of SHOP) await client.indexAll(name, [document]);
    await client.remove(name, 'mat');
    await answers(name);
    const view = expectJson<CollectionView>(await change(name, body));
    assert.deepEqual(jsonOf(await client.get(`/collections/${name}`)), view);
    assert.equal('change' in view, false);
    const twin = freshName('twin');
    await client.create({ ...(view as unknown as SchemaInput), name: twin });
    for (const document of SHOP) if (document.id !== 'mat') await client.indexAll(twin, [document]);
    assert.deepEqual(await answers(name), await answers(twin));
    // And so it goes on, over a restart of nothing: the next documents are read under the new schema.
    for (const one of [name, twin])
      await client.indexAll(one, [{ id: 'more', title: 'One more wireless mouse', stored: 'y' }]);
    assert.deepEqual(await answers(name), await answers(twin));
  });
}

test('a changed schema is there after a stop and after kill -9', async () => {
  const own = await startServer();
  try {
    const name = freshName('kept');
    await own.client.create(shopSchema(name));
    await own.client.indexAll(name, SHOP);
    const body = JSON.stringify({
      fields: [
        { name: 'stored', facet: true },
        { name: 'note', drop: true },
      ],
    });
    const view = expectJson<CollectionView>(await own.client.request('PATCH', `/collections/${name}`, { body }));
    for (const end of ['kill', 'stop'] as const) {
      await own[end]();
      await own.start();
      const found = await own.client.view(name);
      assert.deepEqual({ ...found, num_segments: 0 }, { ...view, num_segments: 0 });
      assert.deepEqual((await own.client.search(name, { q: 'mouse', facet: 'stored' })).facets, { stored: { x: 1 } });
    }
  } finally {
    await own.dispose();
  }
});

test('documents that do not fit are counted by a dry run, and refuse the change', async () => {
  const name = freshName('misfits');
  await client.create(shopSchema(name));
  await client.indexAll(name, SHOP);
  const body = { fields: [{ name: 'stored', optional: false, facet: true }] };
  const before = await answers(name);
  const check = expectJson<{ documents: number; misfits: number; first: { id: string; message: string }[] }>(
    await change(name, body, '?dry_run=true'),
  );
  assert.equal(check.documents, 6);
  assert.equal(check.misfits, 5);
  assert.deepEqual(check.first[0], { id: 'keyboard', message: MISSING });
  const refused = await change(name, body);
  expectError(refused, 400, 'invalid_document');
  assert.match(
    refused.text,
    /documents do not fit the changed schema, which is not in force: document \\"keyboard\\": /u,
  );
  assert.deepEqual(await answers(name), before);
  const told = jsonOf<{ error: { message: string } }>(refused);
  assert.deepEqual((await client.view(name)).change, { state: 'refused', documents: 0, message: told.error.message });
  expectJson(await change(name, {}));
  assert.equal((await client.view(name)).change, undefined, 'the next change takes its place');
  const fits = { fields: [{ name: 'stored', facet: true }] };
  const looked = expectJson<{ misfits: number }>(await change(name, fits, '?dry_run=true'));
  assert.equal(looked.misfits, 0);
  assert.deepEqual(await answers(name), before, 'a dry run changes nothing');
});

test('what is no change of a schema is refused, with the place that is wrong', async () => {
  const name = freshName('bad');
  await client.create(shopSchema(name));
  const cases: readonly (readonly [unknown, string, RegExp])[] = [
    ['{', 'invalid_json', /JSON/u],
    [[], 'invalid_schema', /^change: /u],
    [
      { fields: [{ name: 'brand', type: 'int' }] },
      'invalid_schema',
      /^fields\[0\]\.type: expected keyword, which cannot change/u,
    ],
    [
      { fields: [{ name: 'nothing', drop: true }] },
      'invalid_schema',
      /^fields\[0\]\.name: there is no field "nothing" to drop$/u,
    ],
    [{ fields: [{ name: 'brand', color: 1 }] }, 'invalid_schema', /fields\[0\]\.color/u],
    [{ name: 'other' }, 'invalid_schema', /name/u],
  ];
  for (const [body, code, message] of cases) {
    const reply = await client.request('PATCH', `/collections/${name}`, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expectError(reply, 400, code);
    assert.match(jsonOf<{ error: { message: string } }>(reply).error.message, message);
  }
  expectError(await change('nowhere', {}), 404, 'collection_not_found');
  expectError(await change(name, {}, '?dry_run=perhaps'), 400, 'invalid_query');
  assert.deepEqual(expectJson(await change(name, {})), await client.view(name), 'nothing to change is no fault');
});
