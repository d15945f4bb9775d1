/**
 * Documents over HTTP: indexing one, fetching it verbatim, replacing and deleting it, ids of every form.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { BatchReport } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const name = freshName();
await client.create({
  name,
  fields: [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'int', sort: true },
    { name: 'x', type: 'float' },
  ],
});
const documents = `/collections/${name}/documents`;

const fetchText = async (id: string): Promise<string> =>
  expectStatus(await client.get(`${documents}/${encodeURIComponent(id)}`), 200).text;

test('one document indexed is one result of the report', async () => {
  const report = expectJson<BatchReport>(await client.post(documents, { id: 'one', title: 'first' }));
  assert.deepEqual(report, {
    num_indexed: 1,
    num_failed: 0,
    results: [{ success: true, id: 'one', error: null, code: null }],
  });
});

test('one bad document is a report with a failure, still 200', async () => {
  const report = expectJson<BatchReport>(await client.post(documents, { id: 'bad', n: 'seven' }));
  const [result] = report.results;
  assert.deepEqual([report.num_indexed, report.num_failed, report.results.length], [0, 1, 1]);
  assert.deepEqual(Object.keys(result ?? {}).sort(), ['code', 'error', 'id', 'success']);
  assert.equal(result?.success, false);
  assert.equal(result?.id, 'bad');
  assert.equal(result?.code, 'invalid_document');
  assert.match(result?.error ?? '', /n\b/, 'the error names the field');
  expectError(await client.get(`${documents}/bad`), 404, 'document_not_found');
});

test('a fetch returns the very bytes that were sent: order, spelling and spaces', async () => {
  const bodies: [string, string][] = [
    ['v1', '{"x":1.50,"title":"a\\u00e9\\/b","id":"v1","n":5.0}'],
    ['v2', '{ "id" : "v2" ,\n\t"title" : "x" , "extra" : { "deep" : [ 1 , { "a" : null } ] } }'],
    ['v3', '{"id":"v3","x":1e2,"n":-0,"title":"\u2028 😀","unknown":12345678901234567890}'],
    ['v4', '{"id":"v4","10":1,"2":2,"title":""}'],
  ];
  for (const [id, body] of bodies) {
    const report = expectJson<BatchReport>(await client.post(documents, body));
    assert.equal(report.results[0]?.error, null);
    assert.equal(await fetchText(id), body);
  }
});

test('a hit carries the very bytes that were sent', async () => {
  const body = '{"id":"spaced",  "title":"verbatimhit", "x":2.500}';
  expectStatus(await client.post(documents, body), 200);
  const reply = await client.searchReply(name, { q: 'verbatimhit' });
  assert.ok(reply.text.includes(body), reply.text);
});

test('each document of a batch is fetched as it was sent, without the array around it', async () => {
  const parts = ['{"id":"p1", "title":"x"}', '{"title":"y","id":"p2" }', '{\n"id":"p3"}'];
  expectStatus(await client.post(documents, ` [ ${parts.join(' ,\n')} ]\n`), 200);
  for (const part of parts) assert.equal(await fetchText(/p\d/.exec(part)?.[0] ?? ''), part);
});

test('an integer id is kept verbatim and addressed by its decimal text', async () => {
  for (const [id, address] of [
    ['42', '42'],
    ['-7', '-7'],
    ['9007199254740993', '9007199254740993'],
  ]) {
    const report = expectJson<BatchReport>(await client.post(documents, `{"id":${id},"title":"numbered"}`));
    assert.equal(report.results[0]?.id, address);
    assert.equal(await fetchText(address ?? ''), `{"id":${id},"title":"numbered"}`);
  }
  expectStatus(await client.post(documents, '{"id":"42","title":"replaced"}'), 200);
  assert.equal(await fetchText('42'), '{"id":"42","title":"replaced"}', 'the integer and its text are one id');
});

test('ids of 1 to 256 bytes with any characters work in the path', async () => {
  const ids = [
    'a',
    'with space',
    'slash/es',
    'q?a=b&c',
    '100%',
    '%41',
    'ünï/東京😀',
    '+plus+',
    '.',
    '..',
    'x'.repeat(256),
  ];
  ids.push('é'.repeat(128), '"quoted\\"', 'tab\there', '#hash', 'a;b', ' ');
  for (const id of ids) {
    const report = await client.index(name, { id, title: 'pathid' });
    assert.deepEqual(report.results[0], { success: true, id, error: null, code: null });
    assert.equal(JSON.parse(await fetchText(id)).id, id);
  }
  assert.equal((await client.search(name, { q: 'pathid' })).found, ids.length);
  for (const id of ids) await client.remove(name, id);
  assert.equal((await client.search(name, { q: 'pathid' })).found, 0);
});

test('a missing, empty, too long or wrongly typed id fails that document', async () => {
  const bad = ['{"title":"x"}', '{"id":""}', '{"id":null}', '{"id":true}', '{"id":1.5}', '{"id":["a"]}', '{"id":{}}'];
  bad.push(JSON.stringify({ id: 'x'.repeat(257) }), JSON.stringify({ id: `${'é'.repeat(128)}x` }));
  const report = expectJson<BatchReport>(await client.post(documents, `[${bad.join(',')}]`));
  assert.equal(report.num_failed, bad.length);
  for (const { success, code, error } of report.results) {
    assert.equal(success, false);
    assert.equal(code, 'invalid_document');
    assert.match(error ?? '', /id/);
  }
  assert.equal(report.results[0]?.id, '', 'an id that cannot be read is empty');
});

test('indexing an id again replaces the whole document', async () => {
  await client.index(name, { id: 'up', title: 'oldword', n: 1 });
  await client.index(name, { id: 'up', title: 'newword' });
  assert.equal(await fetchText('up'), '{"id":"up","title":"newword"}');
  assert.equal((await client.search(name, { q: 'oldword' })).found, 0);
  assert.equal((await client.search(name, { q: 'newword' })).found, 1);
});

test('a failed replacement leaves the old document', async () => {
  await client.index(name, { id: 'keep', title: 'keptword' });
  await client.index(name, { id: 'keep', title: 5 });
  assert.equal(await fetchText('keep'), '{"id":"keep","title":"keptword"}');
  assert.equal((await client.search(name, { q: 'keptword' })).found, 1);
});

test('a deleted document is gone from fetch and search at once, and deleting it again is 404', async () => {
  await client.index(name, { id: 'gone', title: 'vanishing' });
  const reply = expectStatus(await client.delete(`${documents}/gone`), 204);
  assert.equal(reply.text, '');
  assert.equal((await client.search(name, { q: 'vanishing' })).found, 0);
  expectError(await client.get(`${documents}/gone`), 404, 'document_not_found', /gone/);
  expectError(await client.delete(`${documents}/gone`), 404, 'document_not_found', /gone/);
  await client.index(name, { id: 'gone', title: 'vanishing' });
  assert.equal((await client.search(name, { q: 'vanishing' })).found, 1, 'the id can be used again');
});

test('every acknowledged write is seen by the next request, one after the other', async () => {
  const own = freshName();
  await client.create(titleSchema(own));
  for (let i = 0; i < 60; i++) {
    await client.index(own, { id: String(i), title: `word${i}` });
    assert.equal((await client.search(own, { q: `word${i}`, prefix: false, typo_tolerance: false })).found, 1);
    if (i % 3 === 0) {
      await client.remove(own, String(i));
      assert.equal((await client.search(own, { q: `word${i}`, prefix: false, typo_tolerance: false })).found, 0);
    }
  }
  assert.equal((await client.view(own)).num_documents, 40);
});

test('a document of id alone is found by match-all', async () => {
  const own = freshName();
  await client.create(titleSchema(own));
  await client.indexAll(own, [{ id: 'bare' }]);
  assert.deepEqual(await client.ids(own, {}), ['bare']);
});

test('a document with a long text and many undeclared fields is kept whole', async () => {
  const extra = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]));
  const document = { id: 'big', title: 'lorem '.repeat(20_000).trim(), ...extra };
  const report = await client.index(name, document);
  assert.equal(report.num_indexed, 1);
  assert.deepEqual(JSON.parse(await fetchText('big')), document);
  assert.equal((await client.search(name, { q: 'lorem' })).found, 1);
});

test('text beyond the basic plane and escapes are searched as the characters they are', async () => {
  expectStatus(await client.post(documents, '{"id":"esc","title":"caf\\u00e9 \\ud835\\udcb3mark"}'), 200);
  assert.deepEqual(await client.ids(name, { q: 'cafe xmark' }), ['esc']);
});
