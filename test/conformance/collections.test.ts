/**
 * Collections over HTTP: creation, listing, views, deletion, and every schema that must be refused.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { jsonOf } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, SHOP, shopSchema, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { CollectionView, SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const TITLE = { name: 'title', type: 'text' };
const DEFAULTS = { facet: false, filter: false, sort: false, index: true, optional: true, boost: null };
const DEFAULT_TYPOS = { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 };

test('a created collection is answered with 201 and the whole view, defaults filled in', async () => {
  const name = freshName();
  const before = Date.now();
  const reply = await client.post('/collections', titleSchema(name));
  const view = expectJson<CollectionView>(reply, 201);
  const { created_at, ...rest } = view;
  assert.ok(Number.isInteger(created_at) && created_at >= before - 1000 && created_at <= Date.now() + 1000);
  assert.deepEqual(rest, {
    name,
    fields: [{ ...TITLE, ...DEFAULTS }],
    typo_tolerance: DEFAULT_TYPOS,
    default_sorting_field: null,
    num_documents: 0,
    num_segments: 0,
  });
  assert.deepEqual(expectJson(await client.get(`/collections/${name}`)), view, 'GET shows what POST answered');
});

test('what was declared is shown as declared', async () => {
  const name = freshName();
  const typo_tolerance = { enabled: false, one_typo_min_len: 3, two_typo_min_len: 5, max_typos: 1 };
  const full = {
    name: 'n',
    type: 'int',
    facet: true,
    filter: true,
    sort: true,
    index: false,
    optional: false,
    boost: 1.5,
  };
  const view = expectJson<CollectionView>(
    await client.post('/collections', { name, fields: [TITLE, full], typo_tolerance, default_sorting_field: 'n' }),
    201,
  );
  assert.deepEqual(view.fields[1], full);
  assert.deepEqual(view.typo_tolerance, typo_tolerance);
  assert.equal(view.default_sorting_field, 'n');
});

test('a language for word forms is shown only when given, and its errors say what is known', async () => {
  const name = freshName();
  const title = { ...TITLE, ...DEFAULTS };
  const fields = [
    { ...title, stem: 'english' },
    { ...title, name: 'plain' },
    { ...title, name: 'null', stem: null },
  ];
  const view = expectJson<CollectionView>(await client.post('/collections', { name, fields }), 201);
  assert.deepEqual(view.fields, [fields[0], fields[1], { ...title, name: 'null' }]);
  const again = { ...view, name: freshName() };
  assert.deepEqual(expectJson<CollectionView>(await client.post('/collections', again), 201).fields, view.fields);
  for (const [field, message] of [
    [{ stem: 'klingon' }, /"fields\[0\]\.stem": expected .*"english" or .*, got "klingon"/],
    [{ stem: 3 }, /"fields\[0\]\.stem": expected .*, got 3/],
    [{ stem: 'english', index: false }, /fields\[0\]\.stem: .*index: false/],
    [{ stem: 'english', type: 'keyword' }, /fields\[0\]\.stem: .*type keyword/],
  ] as const) {
    const reply = await client.post('/collections', { name: freshName(), fields: [{ ...title, ...field }, TITLE] });
    expectError(reply, 400, 'invalid_schema', message);
  }
  const documents = [
    { id: '1', title: 'connected houses' },
    { id: '2', plain: 'connected houses' },
  ];
  expectStatus(await client.post(`/collections/${name}/documents`, documents), 200);
  const found = expectJson<SearchResponse>(await client.get(`/collections/${name}/search?q=house+connection`));
  assert.deepEqual(
    found.hits.map(({ document }) => document.id),
    ['1'],
  );
});

test('any subset of typo_tolerance keys is taken and the others keep their defaults', async () => {
  const subsets = [{}, { enabled: false }, { max_typos: 0 }, { one_typo_min_len: 2 }, { two_typo_min_len: 64 }];
  for (const typo_tolerance of subsets) {
    const name = freshName();
    const view = expectJson<CollectionView>(
      await client.post('/collections', { ...titleSchema(name), typo_tolerance }),
      201,
    );
    assert.deepEqual(view.typo_tolerance, { ...DEFAULT_TYPOS, ...typo_tolerance });
  }
});

test('null for an optional key means not given', async () => {
  const nulls = { facet: null, filter: null, sort: null, index: null, optional: null, boost: null };
  const body = {
    name: freshName(),
    fields: [{ ...TITLE, ...nulls }],
    typo_tolerance: null,
    default_sorting_field: null,
  };
  const view = expectJson<CollectionView>(await client.post('/collections', body), 201);
  assert.deepEqual(view.fields, [{ ...TITLE, ...DEFAULTS }]);
  assert.deepEqual(view.typo_tolerance, DEFAULT_TYPOS);
});

test('a view posted back under another name makes the same collection, its statistics ignored', async () => {
  const source = freshName();
  await client.create({ ...shopSchema(source), default_sorting_field: 'price' });
  await client.indexAll(source, SHOP);
  const view = await client.view(source);
  const copy = expectJson<CollectionView>(await client.post('/collections', { ...view, name: freshName() }), 201);
  assert.deepEqual(copy.fields, view.fields);
  assert.equal(copy.default_sorting_field, 'price');
  assert.equal(copy.num_documents, 0);
  assert.equal(copy.num_segments, 0);
  assert.ok(copy.created_at >= view.created_at);
});

test('names of 1 to 64 letters, digits, - and _ that begin with a letter are taken', async () => {
  for (const name of ['a', 'Z9', 'a-b_c', `n${'x'.repeat(63)}`]) {
    expectStatus(await client.post('/collections', { name, fields: [{ name, type: 'text' }] }), 201);
    assert.equal((await client.view(name)).name, name);
    await client.drop(name);
  }
});

const BAD_NAMES: unknown[] = [
  ...['', '1a', '-a', '_a', 'a b', 'a/b', 'a.b', 'é', 'a\u0000', `n${'x'.repeat(64)}`],
  ...[7, null, true, ['a'], { a: 1 }],
];

test('any other collection name is refused and named', async () => {
  for (const name of BAD_NAMES) {
    expectError(await client.post('/collections', { name, fields: [TITLE] }), 400, 'invalid_schema', /name/);
  }
});

test('any other field name is refused', async () => {
  for (const name of [...BAD_NAMES, 'id', '_x']) {
    const body = { name: freshName(), fields: [TITLE, { name, type: 'int' }] };
    expectError(await client.post('/collections', body), 400, 'invalid_schema');
  }
});

const field = (extra: object): object => ({ fields: [TITLE, { name: 'x', type: 'int', ...extra }] });
const typos = (typo_tolerance: unknown): object => ({ fields: [TITLE], typo_tolerance });

const BAD_SCHEMAS: [string, object, RegExp][] = [
  ['no fields key', {}, /fields/],
  ['fields null', { fields: null }, /fields/],
  ['fields no array', { fields: { title: 'text' } }, /fields/],
  ['empty fields', { fields: [] }, /field/],
  ['a field that is no object', { fields: [TITLE, 'x'] }, /field/],
  ['a field that is null', { fields: [TITLE, null] }, /field/],
  ['a field without name', { fields: [TITLE, { type: 'int' }] }, /name/],
  ['a field without type', { fields: [TITLE, { name: 'x' }] }, /type/],
  ['an unknown type', field({ type: 'string' }), /string/],
  ['a type of another case', field({ type: 'INT' }), /INT/],
  ['an unknown field key', field({ store: true }), /store/],
  ['a flag that is no bool', field({ facet: 'yes' }), /facet/],
  ['a flag that is a number', field({ sort: 1 }), /sort/],
  ['duplicate field names', { fields: [TITLE, TITLE] }, /title/],
  ['no text field', { fields: [{ name: 'x', type: 'keyword' }] }, /text/],
  ['no indexed text field', { fields: [{ name: 'x', type: 'text', index: false }] }, /text/],
  ['a negative boost', field({ boost: -0.1 }), /boost/],
  ['a boost that is text', field({ boost: '2' }), /boost/],
  ['an unknown key', { fields: [TITLE], shards: 3 }, /shards/],
  ['typo_tolerance no object', typos(true), /typo_tolerance/],
  ['typo_tolerance an array', typos([]), /typo_tolerance/],
  ['an unknown typo_tolerance key', typos({ min_len: 3 }), /min_len/],
  ['enabled no bool', typos({ enabled: 1 }), /enabled/],
  ['a minimum length of 0', typos({ one_typo_min_len: 0 }), /one_typo_min_len/],
  ['a minimum length of 65', typos({ two_typo_min_len: 65 }), /two_typo_min_len/],
  ['a fractional minimum length', typos({ one_typo_min_len: 3.5 }), /one_typo_min_len/],
  ['two below one', typos({ one_typo_min_len: 6, two_typo_min_len: 5 }), /two_typo_min_len/],
  ['two below the default one', typos({ two_typo_min_len: 3 }), /two_typo_min_len/],
  ['three typos', typos({ max_typos: 3 }), /max_typos/],
  ['minus one typos', typos({ max_typos: -1 }), /max_typos/],
  ['an unknown default sorting field', { fields: [TITLE], default_sorting_field: 'x' }, /default_sorting_field|x/],
  ['a default sorting field without sort', { ...field({}), default_sorting_field: 'x' }, /sort/],
  [
    'a default sorting field that is a number',
    { ...field({ sort: true }), default_sorting_field: 1 },
    /default_sorting_field/,
  ],
];

for (const [what, body, message] of BAD_SCHEMAS) {
  test(`a schema with ${what} is refused`, async () => {
    const name = freshName();
    expectError(await client.post('/collections', { name, ...body }), 400, 'invalid_schema', message);
    expectError(await client.get(`/collections/${name}`), 404, 'collection_not_found');
  });
}

test('a body that is JSON but no object is an invalid schema', async () => {
  for (const body of ['[]', '"x"', '1', 'null', 'true']) {
    expectError(await client.post('/collections', body), 400, 'invalid_schema');
  }
});

test('a body that is no JSON is invalid_json', async () => {
  for (const body of ['', ' ', '{', '{"name":"a",}', "{'name':'a'}", '{"name":"a"} x', 'NaN']) {
    expectError(await client.post('/collections', body), 400, 'invalid_json');
  }
  expectError(await client.post('/collections', Buffer.from([0x22, 0xff, 0xfe, 0x22])), 400, 'invalid_json');
});

test('a boost of 0, an integer and a fraction are shown as given', async () => {
  for (const boost of [0, 3, 0.25]) {
    const view = await client.create({ name: freshName(), fields: [{ name: 'title', type: 'text', boost }] });
    assert.equal(view.fields[0]?.boost, boost);
  }
});

test('a name that is taken is 409, and the first collection stays', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  await client.indexAll(name, [{ id: '1', title: 'x' }]);
  expectError(await client.post('/collections', shopSchema(name)), 409, 'collection_exists', new RegExp(name));
  assert.equal((await client.view(name)).num_documents, 1);
});

test('of many creations of one name at once exactly one wins', async () => {
  const name = freshName();
  const replies = await Promise.all(Array.from({ length: 8 }, () => client.post('/collections', titleSchema(name))));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array<number>(7).fill(409)]);
});

test('the list is ordered by name and holds whole views', async () => {
  const names = ['b', 'a', 'B', 'a-1', 'a_1', 'A2'].map((name) => `${name}-${freshName('list')}`);
  for (const name of names) await client.create(titleSchema(name));
  const list = expectJson<CollectionView[]>(await client.get('/collections'));
  const listed = list.map(({ name }) => name);
  assert.deepEqual(listed, [...listed].sort());
  for (const name of names)
    assert.deepEqual(
      list.find((view) => view.name === name),
      await client.view(name),
    );
});

test('statistics follow the documents', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  await client.indexAll(name, [{ id: '1' }, { id: '2' }, { id: '2' }]);
  const view = await client.view(name);
  assert.equal(view.num_documents, 2);
  assert.ok(view.num_segments >= 1);
  await client.remove(name, '1');
  assert.equal((await client.view(name)).num_documents, 1);
});

test('an unknown collection is collection_not_found on every endpoint', async () => {
  const gone = '/collections/nowhere';
  for (const path of ['', '/search?q=x', '/suggest?q=x', '/documents/1']) {
    expectError(await client.get(gone + path), 404, 'collection_not_found', /nowhere/);
  }
  expectError(await client.post(`${gone}/documents`, { id: '1' }), 404, 'collection_not_found', /nowhere/);
  expectError(await client.delete(`${gone}/documents/1`), 404, 'collection_not_found', /nowhere/);
  expectError(await client.delete(gone), 404, 'collection_not_found', /nowhere/);
});

test('a deleted collection is gone with its documents, and its name starts afresh', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  await client.indexAll(name, [{ id: '1', title: 'x' }]);
  const reply = expectStatus(await client.delete(`/collections/${name}`), 204);
  assert.equal(reply.text, '');
  for (const path of ['', '/search?q=x', '/documents/1']) {
    expectError(await client.get(`/collections/${name}${path}`), 404, 'collection_not_found');
  }
  assert.ok(!jsonOf<CollectionView[]>(await client.get('/collections')).some((view) => view.name === name));
  await client.create({ name, fields: [{ name: 'other', type: 'text' }] });
  assert.equal((await client.search(name, { q: 'x' })).found, 0);
  expectError(await client.get(`/collections/${name}/documents/1`), 404, 'document_not_found');
});

test('names are case-sensitive', async () => {
  const name = freshName('Case');
  await client.create(titleSchema(name));
  expectError(await client.get(`/collections/${name.toLowerCase()}`), 404, 'collection_not_found');
});

test('a long list comes in chunks and shows every collection as it is shown alone', async () => {
  const names = Array.from({ length: 120 }, () => freshName('long'));
  for (const name of names) {
    const fields = Array.from({ length: 20 }, (_, index) => ({ name: `${name}_field_${index}`, type: 'text' }));
    expectStatus(await client.post('/collections', { name, fields }), 201);
  }
  const reply = await client.get('/collections');
  const views = expectJson<CollectionView[]>(reply);
  assert.ok(reply.bytes.length > 200_000, `${reply.bytes.length} bytes`);
  assert.equal(reply.headers['transfer-encoding'], 'chunked');
  assert.equal(reply.text, JSON.stringify(views));
  const listed = views.map(({ name }) => name);
  assert.deepEqual(listed, [...listed].sort());
  for (const name of names) {
    const alone = expectJson<CollectionView>(await client.get(`/collections/${name}`));
    assert.deepEqual(
      views.find((view) => view.name === name),
      alone,
    );
  }
  const head = await client.request('HEAD', '/collections');
  assert.deepEqual([head.status, head.text], [200, '']);
});
