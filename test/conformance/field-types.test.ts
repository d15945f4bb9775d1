/**
 * Values against field types: what each type takes, what it refuses, and exactness at the edges.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectStatus } from '../support/expect.js';
import { freshName } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { BatchReport } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const name = freshName();
await client.create({
  name,
  fields: [
    { name: 'title', type: 'text', filter: true },
    { name: 'kw', type: 'keyword', facet: true, sort: true },
    { name: 'n', type: 'int', facet: true, sort: true },
    { name: 'x', type: 'float', facet: true, sort: true },
    { name: 'b', type: 'bool', facet: true, sort: true },
    { name: 'd', type: 'date', facet: true, sort: true },
  ],
});

/** Indexes `{"id":...,"<field>":<json>}` with the value spelled as given. */
async function indexRaw(field: string, json: string): Promise<BatchReport['results'][number]> {
  const reply = await client.post(`/collections/${name}/documents`, `{"id":"t","${field}":${json}}`);
  const [result] = (JSON.parse(expectStatus(reply, 200).text) as BatchReport).results;
  assert.ok(result);
  return result;
}

const ACCEPTED: Record<string, string[]> = {
  title: ['"text"', '""', '["a","b"]', '[]', 'null', '"\\u0000"', `"${'x'.repeat(70_000)}"`],
  kw: ['"k"', '""', '["a","a"]', '[]', 'null', '"\\ud83d\\ude00"'],
  n: ['0', '-1', '5.0', '-0', '1e3', '9223372036854775807', '-9223372036854775808', '[1,2]', '[]', 'null'],
  x: ['0', '-1.5', '1e308', '5e-324', '123456789012345678901234567890', '[0.1,2]', '[]', 'null'],
  b: ['true', 'false', '[true,false]', '[]', 'null'],
  d: [
    ...['"2024-02-29"', '"2024-01-01T00:00:00Z"', '"2024-01-01t00:00:00z"', '"2024-01-01 00:00:00"'],
    ...['"2024-01-01T00:00:00"', '"2024-01-01T00:00:00.123456+05:30"', '"1969-12-31T23:59:59-00:00"', '0', '-1'],
    ...['1704067200000', '["2024-01-01",5]', '[]', 'null'],
  ],
};

const REFUSED: Record<string, string[]> = {
  title: ['1', 'true', '{}', '["a",1]', '[["a"]]', '[{}]'],
  kw: ['1', 'false', '{"a":1}', '["a",true]', '[["a"]]'],
  n: ['"1"', '1.5', 'true', '9223372036854775808', '-9223372036854775809', '1e30', '[1,"2"]', '[[1]]', '{}', '""'],
  x: ['"1.5"', 'true', '1e309', '[1,"a"]', '[[1]]', '{}'],
  b: ['1', '0', '"true"', '[true,1]', '{}'],
  d: [
    ...['"yesterday"', '""', '"2024-13-01"', '"2023-02-29"', '"2024-01-32"', '"2024-01-01T24:01:00Z"', '"01/02/2024"'],
    ...['"2024-1-1"', '"2024-01-01T00:00:00+25:00"', '1.5', 'true', '{}', '["2024-01-01","x"]'],
  ],
};

for (const [field, values] of Object.entries(ACCEPTED)) {
  test(`field ${field} takes every value of its type`, async () => {
    for (const value of values) {
      const result = await indexRaw(field, value);
      assert.equal(result.error, null, `${value.slice(0, 60)}: ${result.error}`);
    }
  });
}

for (const [field, values] of Object.entries(REFUSED)) {
  test(`field ${field} refuses values of other types and names itself`, async () => {
    for (const value of values) {
      const result = await indexRaw(field, value);
      assert.equal(result.success, false, `${value} was taken`);
      assert.equal(result.code, 'invalid_document');
      assert.match(result.error ?? '', new RegExp(`\\b${field}\\b`));
    }
  });
}

test('an undeclared field takes anything, is returned and is not searched', async () => {
  await client.indexAll(name, [{ id: 'u', other: { a: [1, [2]] }, title: 'undeclaredtest', more: 'hiddenword' }]);
  assert.equal((await client.search(name, { q: 'hiddenword', typo_tolerance: false })).found, 0);
  const [hit] = (await client.search(name, { q: 'undeclaredtest' })).hits;
  assert.deepEqual(hit?.document['other'], { a: [1, [2]] });
  await client.remove(name, 'u');
});

test('a field with optional: false fails a document that lacks it or has null', async () => {
  const own = freshName();
  const required = { name: 'n', type: 'int', optional: false } as const;
  await client.create({ name: own, fields: [{ name: 'title', type: 'text' }, required] });
  const report = await client.index(own, [{ id: '1' }, { id: '2', n: null }, { id: '3', n: 0 }]);
  assert.deepEqual(
    report.results.map(({ success }) => success),
    [false, false, true],
  );
  assert.match(report.results[0]?.error ?? '', /\bn\b/);
});

test('64-bit integers are exact in filter, sort and facet', async () => {
  const own = freshName();
  const n = { name: 'n', type: 'int', facet: true, sort: true } as const;
  await client.create({ name: own, fields: [{ name: 'title', type: 'text' }, n] });
  const values = [
    '9007199254740993',
    '9007199254740992',
    '9223372036854775807',
    '-9223372036854775808',
    '9007199254740994',
  ];
  const batch = values.map((value, i) => `{"id":"${i}","n":${value}}`).join(',');
  expectStatus(await client.post(`/collections/${own}/documents`, `[${batch}]`), 200);
  assert.deepEqual(await client.ids(own, { sort: 'n:asc' }), ['3', '1', '0', '4', '2']);
  assert.deepEqual(await client.ids(own, { filter: 'n:9007199254740993' }), ['0']);
  assert.deepEqual(await client.ids(own, { filter: 'n:>9007199254740993', sort: 'n:asc' }), ['4', '2']);
  assert.deepEqual(await client.ids(own, { filter: 'n:=[9007199254740992,9223372036854775807]', sort: 'n:asc' }), [
    '1',
    '2',
  ]);
  assert.deepEqual(await client.ids(own, { filter: 'n:<=-9223372036854775808' }), ['3']);
  const { facets } = await client.search(own, { facet: 'n' });
  assert.deepEqual(Object.keys(facets?.['n'] ?? {}).sort(), [...values].sort());
});

test('5.0 in an int field is the integer 5', async () => {
  const own = freshName();
  const n = { name: 'n', type: 'int', facet: true } as const;
  await client.create({ name: own, fields: [{ name: 'title', type: 'text' }, n] });
  expectStatus(
    await client.post(`/collections/${own}/documents`, '[{"id":"a","n":5.0},{"id":"b","n":5},{"id":"c","n":0.5e1}]'),
    200,
  );
  assert.equal((await client.search(own, { filter: 'n:5' })).found, 3);
  assert.deepEqual((await client.search(own, { facet: 'n' })).facets, { n: { '5': 3 } });
});

test('spellings of one instant are one date, shown in facets as epoch milliseconds', async () => {
  const own = freshName();
  const d = { name: 'd', type: 'date', facet: true, sort: true } as const;
  await client.create({ name: own, fields: [{ name: 'title', type: 'text' }, d] });
  const spellings = [
    '2024-01-01',
    '2024-01-01T00:00:00Z',
    '2024-01-01 00:00:00',
    '2024-01-01T01:00:00+01:00',
    1_704_067_200_000,
  ];
  await client.indexAll(own, [
    ...spellings.map((value, i) => ({ id: `${i}`, d: value })),
    { id: 'later', d: '2024-01-01T00:00:00.001Z' },
  ]);
  const response = await client.search(own, { filter: 'd:2024-01-01', facet: 'd' });
  assert.equal(response.found, spellings.length);
  assert.deepEqual(response.facets, { d: { '1704067200000': spellings.length } });
  assert.deepEqual(await client.ids(own, { filter: 'd:>2024-01-01T00:00:00Z' }), ['later']);
});

test('an array counts as one document with each of its values', async () => {
  const own = freshName();
  const kw = { name: 'kw', type: 'keyword', facet: true } as const;
  await client.create({ name: own, fields: [{ name: 'title', type: 'text' }, kw] });
  await client.indexAll(own, [{ id: '1', title: ['red wine', 'white bread'], kw: ['a', 'b', 'a'] }]);
  assert.deepEqual((await client.search(own, { q: 'white', facet: 'kw' })).facets, { kw: { a: 1, b: 1 } });
  assert.equal((await client.search(own, { q: '"wine white"' })).found, 0, 'values are not adjacent');
  assert.equal((await client.search(own, { q: '"white bread"' })).found, 1);
});

test('a value above 1,024 bytes of a text field is searched and stored, not filtered, sorted or counted', async () => {
  const own = freshName();
  const body = { name: 'body', type: 'text', facet: true, filter: true, sort: true } as const;
  await client.create({ name: own, fields: [body] });
  const fits = `a ${'word '.repeat(204)}é`;
  const longer = `${'long '.repeat(204)}abcé`;
  assert.deepEqual(
    [fits, longer].map((text) => Buffer.byteLength(text)),
    [1024, 1025],
  );
  await client.indexAll(own, [
    { id: 'both', body: [longer, 'short'] },
    { id: 'longer', body: longer },
    { id: 'fits', body: fits },
  ]);
  const response = await client.search(own, { q: 'long', facet: 'body' });
  assert.equal(response.found, 2);
  assert.deepEqual(response.hits.find(({ document }) => document.id === 'longer')?.document['body'], longer);
  assert.deepEqual(response.facets, { body: { short: 1 } });
  assert.deepEqual((await client.search(own, { facet: 'body' })).facets, { body: { [fits]: 1, short: 1 } });
  assert.deepEqual(await client.ids(own, { sort: 'body:asc' }), ['fits', 'both', 'longer']);
  assert.deepEqual(await client.ids(own, { filter: `body:='${fits}'` }), ['fits']);
  assert.deepEqual(await client.ids(own, { filter: `body:='${longer}'` }), []);
  assert.deepEqual((await client.ids(own, { filter: 'body:!=x' })).sort(), ['both', 'fits']);
});
