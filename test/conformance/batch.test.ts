/**
 * Batches: independent documents, reports entry by entry, and bodies that are no batch at all.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectError, expectJson } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { BatchReport } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

async function makeCollection(): Promise<{ name: string; path: string }> {
  const name = freshName();
  await client.create(titleSchema(name));
  return { name, path: `/collections/${name}/documents` };
}

test('an empty batch is 200 with zeros', async () => {
  const { path } = await makeCollection();
  assert.deepEqual(expectJson(await client.post(path, '[]')), { num_indexed: 0, num_failed: 0, results: [] });
  assert.deepEqual(expectJson(await client.post(path, ' [ \n ] ')), { num_indexed: 0, num_failed: 0, results: [] });
});

test('a failure of one document does not fail the others, and results keep the order', async () => {
  const { name, path } = await makeCollection();
  const batch = [
    { id: 'a', title: 'x' },
    { title: 'no id' },
    { id: 'b', title: 5 },
    'text',
    null,
    [],
    7,
    { id: 'c', title: 'x' },
  ];
  const report = expectJson<BatchReport>(await client.post(path, batch));
  assert.equal(report.num_indexed, 2);
  assert.equal(report.num_failed, 6);
  assert.deepEqual(
    report.results.map(({ success, id, code }) => [success, id, code]),
    [
      [true, 'a', null],
      ...[[false, '', 'invalid_document']],
      [false, 'b', 'invalid_document'],
      ...Array.from({ length: 4 }, () => [false, '', 'invalid_document']),
      [true, 'c', null],
    ],
  );
  for (const result of report.results) assert.deepEqual(Object.keys(result).sort(), ['code', 'error', 'id', 'success']);
  assert.deepEqual((await client.ids(name, {})).sort(), ['a', 'c']);
});

test('a batch in which every document fails is 200', async () => {
  const { path } = await makeCollection();
  const report = expectJson<BatchReport>(await client.post(path, [{}, {}, {}]));
  assert.deepEqual([report.num_indexed, report.num_failed, report.results.length], [0, 3, 3]);
});

test('of documents with one id the last wins, and each has its result', async () => {
  const { name, path } = await makeCollection();
  const batch = [
    { id: 'a', title: 'one' },
    { id: 'b', title: 'x' },
    { id: 'a', title: 'two' },
    { id: 'a', title: 7 },
  ];
  const report = expectJson<BatchReport>(await client.post(path, batch));
  assert.deepEqual([report.num_indexed, report.num_failed, report.results.length], [3, 1, 4]);
  assert.deepEqual(expectJson(await client.get(`${path}/a`)), { id: 'a', title: 'two' });
  assert.equal((await client.view(name)).num_documents, 2);
  assert.equal((await client.search(name, { q: 'one', typo_tolerance: false })).found, 0);
});

test('a body that is neither object nor array is invalid_json', async () => {
  const { path } = await makeCollection();
  for (const body of ['1', '"x"', 'true', 'null']) expectError(await client.post(path, body), 400, 'invalid_json');
});

test('a body that is no JSON is refused whole, with the place of the error, and nothing is indexed', async () => {
  const { name, path } = await makeCollection();
  const bodies = [
    '',
    '   ',
    '{',
    '[{"id":"a"}',
    '[{"id":"a"},]',
    '[{"id":"a"}] x',
    '{"id":"a"}{"id":"b"}',
    '[{"id":"a"},{"id":"b"',
  ];
  bodies.push('[{"id":"a"},{"id":\'b\'}]', '[{"id":"a"},{"id":"b\n"}]', '[{"id":"a","x":01}]', '[{"id":"a","x":1.}]');
  bodies.push('[{"id":"a","x":tru}]', '[{"id":"a","x":"\\x"}]', '[{"id":"a","x":"\\u12"}]', '[{"id":"a" "x":1}]');
  for (const body of bodies) expectError(await client.post(path, body), 400, 'invalid_json');
  assert.equal((await client.view(name)).num_documents, 0);
});

test('broken UTF-8 is refused as invalid_json', async () => {
  const { name, path } = await makeCollection();
  const broken = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];
  for (const bytes of broken) {
    const body = Buffer.concat([Buffer.from('{"id":"a","title":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expectError(await client.post(path, body), 400, 'invalid_json');
  }
  assert.equal((await client.view(name)).num_documents, 0);
});

test('thousands of documents in one batch are all reported and all found', async () => {
  const { name } = await makeCollection();
  const batch = Array.from({ length: 5000 }, (_, i) => ({ id: `d${i}`, title: `common word${i % 50}` }));
  const report = await client.index(name, batch);
  assert.equal(report.num_indexed, 5000);
  assert.deepEqual(
    report.results.map(({ id }) => id),
    batch.map(({ id }) => id),
  );
  assert.equal((await client.search(name, { q: 'common' })).found, 5000);
  assert.equal((await client.search(name, { q: 'word7', prefix: false, typo_tolerance: false })).found, 100);
});

test('a document with escapes in its keys is read by the key it spells', async () => {
  const { name, path } = await makeCollection();
  const report = expectJson<BatchReport>(await client.post(path, '{"\\u0069d":"esc","t\\u0069tle":"escapedkey"}'));
  assert.equal(report.results[0]?.id, 'esc');
  assert.deepEqual(await client.ids(name, { q: 'escapedkey' }), ['esc']);
});

test('the content type of a JSON body does not matter', async () => {
  const { name, path } = await makeCollection();
  for (const type of [
    'text/plain',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'nonsense',
  ]) {
    const reply = await client.post(path, [{ id: type, title: 'typed' }], { 'content-type': type });
    assert.equal(expectJson<BatchReport>(reply).num_indexed, 1, type);
  }
  assert.equal((await client.search(name, { q: 'typed' })).found, 4);
});

test('a batch has a bound in every format, and beyond it none of its documents is taken', async () => {
  const { name, path } = await makeCollection();
  const bound = 262_144;
  const msgpack = (count: number): Buffer => {
    const body = Buffer.alloc(5 + count, 0x80);
    body[0] = 0xdd;
    body.writeUInt32BE(count, 1);
    return body;
  };
  const first = '{"id":1,"title":"x"}';
  const formats: readonly (readonly [type: string, (count: number) => string | Buffer])[] = [
    ['application/json', (count) => `[${first}${',{}'.repeat(count - 1)}]`],
    ['application/x-ndjson', (count) => `${first}${'\n{}'.repeat(count - 1)}`],
    ['application/msgpack', msgpack],
  ];
  for (const [type, bodyOf] of formats) {
    const refused = await client.post(path, bodyOf(bound + 1), { 'content-type': type });
    expectError(refused, 413, 'payload_too_large', /at most 262144 documents/);
  }
  assert.deepEqual(await client.ids(name, {}), []);
  const taken = expectJson<BatchReport>(await client.post(path, `[${first}${',{}'.repeat(bound - 1)}]`));
  assert.deepEqual([taken.num_indexed, taken.num_failed], [1, bound - 1]);
  assert.deepEqual(await client.ids(name, {}), ['1']);
});
