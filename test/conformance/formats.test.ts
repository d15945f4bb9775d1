/**
 * Bodies other than JSON: newline-delimited documents, MessagePack in and out.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decode, encode } from '@msgpack/msgpack';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, makeShop, SHOP, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { BatchReport, SearchResponse, SuggestResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const NDJSON = { 'content-type': 'application/x-ndjson' };
const MSGPACK = { 'content-type': 'application/msgpack' };
const ACCEPT_MSGPACK = { accept: 'application/msgpack' };
const shop = await makeShop(client);

async function makeCollection(): Promise<{ name: string; path: string }> {
  const name = freshName();
  await client.create(titleSchema(name));
  return { name, path: `/collections/${name}/documents` };
}

test('newline-delimited JSON is one document a line, kept byte by byte', async () => {
  const { name, path } = await makeCollection();
  const lines = ['{"id":"a",  "title":"first line"}', '{"title":"second line","id":"b"}', '{"id":"c","x":1.0}'];
  const report = expectJson<BatchReport>(await client.post(path, `${lines.join('\n')}\n`, NDJSON));
  assert.deepEqual([report.num_indexed, report.num_failed], [3, 0]);
  for (const [i, id] of ['a', 'b', 'c'].entries()) assert.equal((await client.get(`${path}/${id}`)).text, lines[i]);
  assert.deepEqual((await client.ids(name, { q: 'line' })).sort(), ['a', 'b']);
});

test('newline-delimited JSON may end without a line break, have blank lines and CR LF', async () => {
  const { name, path } = await makeCollection();
  const body = '{"id":"a"}\r\n\r\n{"id":"b"}\n   \n{"id":"c"}';
  const report = expectJson<BatchReport>(await client.post(path, body, NDJSON));
  assert.equal(report.num_indexed, 3);
  assert.deepEqual(await client.ids(name, {}), ['a', 'b', 'c']);
});

test('the content type of newline-delimited JSON may carry parameters and any case', async () => {
  const { path } = await makeCollection();
  for (const type of ['application/x-ndjson; charset=utf-8', 'Application/X-NDJSON']) {
    const report = expectJson<BatchReport>(await client.post(path, '{"id":"a"}\n{"id":"b"}', { 'content-type': type }));
    assert.equal(report.num_indexed, 2, type);
  }
});

test('a bad line fails alone or the whole body is refused, but never in part silently', async () => {
  const { name, path } = await makeCollection();
  const reply = await client.post(path, '{"id":"a"}\n{broken\n{"id":"b"}\n[1]\n7\n', NDJSON);
  if (reply.status === 400) {
    expectError(reply, 400, 'invalid_json');
    assert.deepEqual(await client.ids(name, {}), []);
  } else {
    const report = expectJson<BatchReport>(reply);
    assert.deepEqual(
      report.results.map(({ success }) => success),
      [true, false, true, false, false],
    );
    assert.deepEqual(await client.ids(name, {}), ['a', 'b']);
  }
});

test('an empty newline-delimited body is an empty batch', async () => {
  const { path } = await makeCollection();
  for (const body of ['', '\n', '\n\n']) {
    assert.deepEqual(expectJson(await client.post(path, body, NDJSON)), { num_indexed: 0, num_failed: 0, results: [] });
  }
});

test('MessagePack documents are indexed like JSON ones, singly and as a batch', async () => {
  const { name, path } = await makeCollection();
  const one = Buffer.from(encode({ id: 'one', title: 'packed single', n: 1.5 }));
  assert.equal(expectJson<BatchReport>(await client.post(path, one, MSGPACK)).num_indexed, 1);
  const batch = Buffer.from(
    encode([{ id: 'two', title: 'packed batch' }, { title: 'no id' }, { id: 3, title: ['packed', 'list'] }]),
  );
  const report = expectJson<BatchReport>(await client.post(path, batch, MSGPACK));
  assert.deepEqual(
    report.results.map(({ success, id }) => [success, id]),
    [
      [true, 'two'],
      [false, ''],
      [true, '3'],
    ],
  );
  assert.deepEqual(await client.ids(name, { q: 'packed' }).then((ids) => ids.sort()), ['3', 'one', 'two']);
  assert.deepEqual(expectJson(await client.get(`${path}/one`)), { id: 'one', title: 'packed single', n: 1.5 });
});

test('64-bit integers survive MessagePack', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'int', filter: true },
    ],
  });
  const body = Buffer.from(
    encode(
      [
        { id: 'max', n: 9223372036854775807n },
        { id: 'min', n: -9223372036854775808n },
      ],
      { useBigInt64: true },
    ),
  );
  const report = expectJson<BatchReport>(await client.post(`/collections/${name}/documents`, body, MSGPACK));
  assert.equal(report.num_indexed, 2, JSON.stringify(report.results));
  assert.deepEqual(await client.ids(name, { filter: 'n:9223372036854775807' }), ['max']);
  assert.deepEqual(await client.ids(name, { filter: 'n:-9223372036854775808' }), ['min']);
});

test('bytes that are no MessagePack are refused', async () => {
  const { name, path } = await makeCollection();
  for (const bytes of [
    [],
    [0xc1],
    [0x92, 0x80],
    [0xdf, 0xff, 0xff, 0xff, 0xff],
    [0xdd, 0xff, 0xff, 0xff, 0xff],
    [0xdb, 0xff, 0xff, 0xff, 0xff],
    [0x01],
  ]) {
    const reply = await client.post(path, Buffer.from(bytes), MSGPACK);
    assert.equal(reply.status, 400, `${bytes}: ${reply.text}`);
  }
  assert.deepEqual(await client.ids(name, {}), []);
});

test('Accept: application/msgpack is honoured on search, suggest and document fetch', async () => {
  const search = await client.get(`/collections/${shop}/search?q=mouse&facet=brand`, ACCEPT_MSGPACK);
  expectStatus(search, 200);
  assert.match(String(search.headers['content-type']), /^application\/msgpack/);
  const packed = decode(search.bytes) as SearchResponse;
  const plain = await client.search(shop, { q: 'mouse', facet: 'brand' });
  assert.deepEqual({ ...packed, search_time_ms: 0 }, { ...plain, search_time_ms: 0 });

  const suggest = await client.get(`/collections/${shop}/suggest?q=mou`, ACCEPT_MSGPACK);
  const suggestions = (decode(suggest.bytes) as SuggestResponse).suggestions;
  assert.deepEqual(suggestions, (await client.suggest(shop, { q: 'mou' })).suggestions);

  const fetched = await client.get(`/collections/${shop}/documents/mouse`, ACCEPT_MSGPACK);
  assert.deepEqual(decode(fetched.bytes), SHOP[0]);
});

test('errors are JSON whatever is accepted', async () => {
  expectError(await client.get(`/collections/${shop}/documents/none`, ACCEPT_MSGPACK), 404, 'document_not_found');
  expectError(await client.get(`/collections/${shop}/search?limit=x`, ACCEPT_MSGPACK), 400, 'invalid_query');
});

test('other Accept values get JSON', async () => {
  for (const accept of ['*/*', 'application/json', 'text/html', 'nonsense']) {
    expectJson(await client.get(`/collections/${shop}/search?q=mouse`, { accept }));
  }
});
