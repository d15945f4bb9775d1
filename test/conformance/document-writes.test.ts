/**
 * Batches that only create or only replace, merge patches of documents, and deletions by filter.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { jsonOf } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, makeShop, SHOP, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { BatchReport } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

async function fresh(): Promise<string> {
  const name = freshName('writes');
  const schema = titleSchema(name);
  await client.create({ ...schema, fields: [...schema.fields, { name: 'n', type: 'int', filter: true }] });
  return name;
}

const post = async (name: string, documents: unknown, query = ''): Promise<BatchReport> =>
  expectJson(await client.post(`/collections/${name}/documents${query}`, documents));

const patch = (name: string, id: string, body: unknown, headers = {}) =>
  client.request('PATCH', `/collections/${name}/documents/${encodeURIComponent(id)}`, {
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers,
  });

const stored = async (name: string, id: string): Promise<string> =>
  expectStatus(await client.get(`/collections/${name}/documents/${id}`), 200).text;

const codes = ({ results }: BatchReport): (string | null)[] => results.map(({ code }) => code);

test('action=create takes new documents, and of equal ids in a batch the first', async () => {
  const name = await fresh();
  await client.indexAll(name, [{ id: '1', title: 'one' }]);
  const documents = [
    { id: '1', title: 'again' },
    { id: '2', title: 'two' },
    { id: '2', title: 'twice' },
    { id: '3', n: 'bad' },
    { id: 3, title: 'three' },
  ];
  const report = await post(name, documents, '?action=create');
  assert.deepEqual(codes(report), ['document_exists', null, 'document_exists', 'invalid_document', null]);
  assert.deepEqual([report.num_indexed, report.num_failed], [2, 3]);
  assert.deepEqual(report.results[0], {
    success: false,
    id: '1',
    error: 'a document with the id "1" is there already; action=create takes new ones',
    code: 'document_exists',
  });
  assert.equal(await stored(name, '1'), '{"id":"1","title":"one"}');
  assert.equal(await stored(name, '2'), '{"id":"2","title":"two"}');
  await client.remove(name, '2');
  assert.equal(
    (await post(name, [{ id: '2', title: 'new' }], '?action=CREATE')).num_indexed,
    1,
    'a deleted id is free',
  );
});

test('action=update replaces what is there, and nothing else comes in', async () => {
  const name = await fresh();
  await client.indexAll(name, [{ id: '1', title: 'one', n: 1 }]);
  const lines = '{"id":"2","title":"two"}\n{"id":"1","title":"uno"}\n{"id":"1","title":"eins"}';
  const reply = await client.post(`/collections/${name}/documents?action=update`, lines, {
    'content-type': 'application/x-ndjson',
  });
  const report = expectJson<BatchReport>(reply);
  assert.deepEqual(codes(report), ['document_not_found', null, null]);
  assert.equal(await stored(name, '1'), '{"id":"1","title":"eins"}');
  assert.equal((await client.search(name, { q: '' })).found, 1);
  assert.equal((await post(name, { id: '9' }, '?action=upsert')).num_indexed, 1);
});

test('what such batches took is there after kill -9, and what they refused is not', async () => {
  const own = await startServer();
  try {
    const name = freshName('killed');
    await own.client.create(titleSchema(name));
    const path = `/collections/${name}/documents`;
    await own.client.indexAll(name, [
      { id: 'a', title: 'first' },
      { id: 'b', title: 'second' },
    ]);
    await own.client.post(`${path}?action=create`, [
      { id: 'a', title: 'no' },
      { id: 'c', title: 'yes' },
    ]);
    await own.client.post(`${path}?action=update`, [
      { id: 'z', title: 'no' },
      { id: 'b', title: 'yes' },
    ]);
    await own.client.request('PATCH', `${path}/a`, { body: '{"more":1}' });
    await own.client.delete(`${path}?filter=id:=c`);
    await own.kill();
    await own.start();
    const texts: string[] = [];
    for (const id of ['a', 'b', 'c', 'z']) texts.push((await own.client.get(`${path}/${id}`)).text);
    assert.equal(texts[0], '{"id":"a","title":"first","more":1}');
    assert.equal(texts[1], '{"id":"b","title":"yes"}');
    for (const text of texts.slice(2)) assert.match(text, /document_not_found/u);
  } finally {
    await own.dispose();
  }
});

test('a merge patch changes fields, removes those that are null, and answers with the document', async () => {
  const name = await fresh();
  await client.post(`/collections/${name}/documents`, '{"id": "a/1", "title":"red shoes","n":12,"x":{"y":1,"z":2.50}}');
  const reply = await patch(name, 'a/1', '{"n":13,"x":{"y":null},"new":"value"}');
  assert.equal(expectStatus(reply, 200).text, '{"id": "a/1", "title":"red shoes","n":13,"x":{"z":2.50},"new":"value"}');
  assert.equal(await stored(name, 'a%2F1'), reply.text);
  assert.equal((await client.search(name, { q: 'shoes', filter: 'n:=13' })).found, 1);
  assert.equal((await client.search(name, { q: '', filter: 'n:=12' })).found, 0);
  expectStatus(await patch(name, 'a/1', { title: null, id: 'a/1' }), 200);
  assert.match(expectStatus(await patch(name, 'a/1', '\ufeff {"n":14}'), 200).text, /"n":14,/u);
  assert.equal((await client.search(name, { q: 'shoes' })).found, 0);
  const packed = Buffer.from([0x81, 0xa1, 0x6e, 0x05]);
  const answer = await patch(name, 'a/1', packed, { 'content-type': 'application/msgpack' });
  assert.equal(jsonOf<{ n: number }>(answer).n, 5);
});

test('a patch that cannot be is refused, and changes nothing', async () => {
  const name = await fresh();
  await client.indexAll(name, [{ id: '7', title: 'seven' }]);
  const before = await stored(name, '7');
  const cases: readonly (readonly [unknown, string, RegExp])[] = [
    ['{', 'invalid_json', /JSON/u],
    ['[{"a":1}]', 'invalid_json', /^request body: expected an object, the merge patch; got an array$/u],
    [' [1, 2]', 'invalid_json', /^request body: expected an object, the merge patch; got an array$/u],
    ['\ufeff"x"', 'invalid_json', /^request body: expected an object, the merge patch; got byte 0x22$/u],
    ['\ufeff\ufeff{"n":1}', 'invalid_json', /^request body: expected an object, the merge patch; got byte 0xef$/u],
    ['"x"', 'invalid_json', /object/u],
    [{ n: 'many' }, 'invalid_document', /^field "n": expected an integer/u],
    [{ id: '8' }, 'invalid_document', /^field "id": expected "7", which a patch cannot change; got "8"$/u],
    [{ id: null }, 'invalid_document', /^id: expected a string/u],
    [
      { id: 7 },
      'invalid_document',
      /^field "id": expected "7" as a string, which a patch cannot change; got a number$/u,
    ],
    ['{"n":1,"i\\u0064" : 7}', 'invalid_document', /^field "id": expected "7" as a string/u],
  ];
  for (const [body, code, message] of cases) {
    const reply = await patch(name, '7', body);
    expectError(reply, 400, code);
    assert.match(jsonOf<{ error: { message: string } }>(reply).error.message, message);
  }
  assert.equal(await stored(name, '7'), before);
  expectError(await patch(name, '8', {}), 404, 'document_not_found');
  expectError(await patch('nowhere', '7', {}), 404, 'collection_not_found');
});

test('a patch may name the id as it is, an integer as an integer', async () => {
  const name = await fresh();
  await client.post(`/collections/${name}/documents`, '[{"id":12,"title":"x"},{"title":"y","id":"13"}]');
  assert.equal(expectStatus(await patch(name, '12', { id: 12, n: 1 }), 200).text, '{"id":12,"title":"x","n":1}');
  assert.equal(expectStatus(await patch(name, '13', { id: '13', n: 1 }), 200).text, '{"title":"y","id":"13","n":1}');
  const reply = await patch(name, '12', { id: '12', n: 2 });
  expectError(reply, 400, 'invalid_document', /^field "id": expected "12" as an integer, which .* got a string$/);
  assert.equal(await stored(name, '12'), '{"id":12,"title":"x","n":1}');
});

test('patches of one document at once are all there', async () => {
  const name = await fresh();
  await client.indexAll(name, [{ id: 'x', title: 'x' }]);
  const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
  const replies = await Promise.all(keys.map((key) => patch(name, 'x', { [key]: 1 })));
  for (const reply of replies) expectStatus(reply, 200);
  const document = JSON.parse(await stored(name, 'x')) as object;
  assert.deepEqual(Object.keys(document).sort(), ['id', 'title', ...keys].sort());
});

test('a deletion by filter deletes what passes it, and says how many', async () => {
  const name = await makeShop(client);
  const remove = (filter: string) =>
    client.delete(`/collections/${name}/documents?filter=${encodeURIComponent(filter)}`);
  assert.deepEqual(expectJson(await remove('price:>100000')), { num_deleted: 0 });
  const { hits } = await client.search(name, { q: '', filter: 'price:<3000 || id:=empty' });
  assert.ok(hits.length > 2);
  assert.deepEqual(expectJson(await remove('price:<3000 || id:=empty')), { num_deleted: hits.length });
  assert.equal((await client.search(name, { q: '' })).found, SHOP.length - hits.length);
  for (const { document } of hits)
    expectError(await client.get(`/collections/${name}/documents/${document.id}`), 404, 'document_not_found');
  assert.deepEqual(expectJson(await remove('price:<3000 || id:=empty')), { num_deleted: 0 });
});

test('a deletion by filter that says nothing, or nonsense, is refused', async () => {
  const name = await makeShop(client);
  for (const query of ['', '?filter=', '?filter=%20', '?filter=color:=red', '?filter=price:<', '?filter=title:=x']) {
    const reply = await client.delete(`/collections/${name}/documents${query}`);
    expectError(reply, 400, 'invalid_query');
    assert.match(jsonOf<{ error: { message: string } }>(reply).error.message, /filter/u);
  }
  expectError(await client.delete('/collections/nowhere/documents?filter=id:=1'), 404, 'collection_not_found');
  expectError(await client.post(`/collections/${name}/documents?action=insert`, '{}'), 400, 'invalid_query');
  assert.equal((await client.search(name, { q: '' })).found, SHOP.length);
});

test('deletions by filter beside upserts lose no document that was written later', async () => {
  const name = await fresh();
  let isOver = false;
  const latest = new Map<string, number>();
  const write = async (writer: number): Promise<void> => {
    for (let round = 1; !isOver; round++) {
      const batch = Array.from({ length: 10 }, (_, i) => ({
        id: `${writer}-${i}`,
        title: 'w',
        n: (round * 10 + i) % 50,
      }));
      await client.indexAll(name, batch);
      for (const { id, n } of batch) latest.set(id, n);
    }
  };
  const deleting = async (): Promise<void> => {
    for (let round = 0; round < 25; round++)
      expectStatus(await client.delete(`/collections/${name}/documents?filter=n:<25`), 200);
    isOver = true;
  };
  await Promise.all([write(0), write(1), deleting()]);
  // What was written last with a number that no deletion takes is there.
  for (const [id, n] of latest) if (n >= 25) assert.equal(JSON.parse(await stored(name, id)).n, n);
  const { num_deleted } = expectJson<{ num_deleted: number }>(
    await client.delete(`/collections/${name}/documents?filter=n:>=0`),
  );
  assert.ok(num_deleted <= latest.size);
  assert.equal((await client.search(name, { q: '' })).found, 0);
});

test('a patch makes no document that is too large to be answered, and makes one smaller', async () => {
  const name = await fresh();
  const half = 'x'.repeat(68 << 20);
  assert.equal((await post(name, { id: '1', title: 'one', half })).num_indexed, 1);
  expectError(
    await patch(name, '1', JSON.stringify({ other: half })),
    413,
    'payload_too_large',
    /^the patched document: at most 134217728 bytes expected, got \d+$/u,
  );
  assert.equal((await stored(name, '1')).length, JSON.stringify({ id: '1', title: 'one', half }).length);
  expectStatus(await patch(name, '1', { half: null, n: 5 }), 200);
  assert.equal(await stored(name, '1'), '{"id":"1","title":"one","n":5}');
});
