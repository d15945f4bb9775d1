/**
 * Compressed answers: what clients accept, from the size on that is configured, on every HTTP thread; exports page by page. What comes
 * out is to the byte what is sent plain.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { Client, type Reply } from '../support/client.js';
import { expectStatus } from '../support/expect.js';
import { startServer } from '../support/server.js';

const THREADS = 2;
const server = await startServer({ args: ['--http-threads', `${THREADS}`] });
const { client, port } = server;
after(() => server.dispose());

const DOCUMENTS = Array.from({ length: 12_000 }, (_, i) => ({
  id: `${i}`,
  title: `rose ${i % 97}`,
  pad: 'pad '.repeat(i % 60),
}));
await client.create({ name: 'books', fields: [{ name: 'title', type: 'text' }] });
await client.indexAll('books', DOCUMENTS);
const LONG = '/collections/books/search?q=rose&limit=250';
const SHORT = '/collections/books/search?q=rose&limit=1';
const EXPORT = '/collections/books/documents';

const plainOf = ({ headers, bytes }: Reply): string => {
  const encoding = headers['content-encoding'];
  const plain = encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
  return plain.toString().replace(/"search_time_ms":[\d.]+/, '');
};
const accepting = (coding: string, path = LONG, each = client): Promise<Reply> =>
  each.get(path, { 'accept-encoding': coding });

test('a large answer is compressed as the client accepts it, and is the same', async () => {
  const plain = expectStatus(await client.get(LONG), 200);
  assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'accept-encoding']);
  assert.ok(plain.bytes.length > 16_384);
  const wanted: readonly (readonly [string, string | undefined])[] = [
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'br'],
    ['gzip;q=0.2,br ; q=0.3', 'br'],
    ['*', 'gzip'],
    ['gzip;q=0, *', 'br'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, br;q=0', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity;q=0.5, gzip;q=0.4', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['deflate, zstd', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=-1', undefined],
    ['gzip;q=0.1234', undefined],
    ['gzip;level=1', undefined],
    ['gzip;q=x, br', 'br'],
    [',,;;=, gzip', 'gzip'],
    ['x'.repeat(10_000), undefined],
  ];
  for (const [accepted, encoding] of wanted) {
    const reply = expectStatus(await accepting(accepted), 200);
    assert.deepEqual([reply.headers['content-encoding'], reply.headers.vary], [encoding, 'accept-encoding'], accepted);
    assert.equal(Number(reply.headers['content-length']), reply.bytes.length);
    if (encoding !== undefined) assert.ok(reply.bytes.length < plain.bytes.length / 2);
    assert.equal(plainOf(reply), plainOf(plain));
  }
});

test('on each thread, by POST, in MessagePack, and for many searches', async () => {
  const clients = Array.from({ length: THREADS }, () => new Client(port));
  const body = { q: 'rose', limit: 250 };
  const coded = { 'accept-encoding': 'br' };
  for (const each of clients) {
    for (let turn = 0; turn < 3; turn++) {
      const asked: readonly (readonly [Reply, Reply])[] = [
        [await each.get(LONG), await each.get(LONG, coded)],
        [await each.post('/collections/books/search', body), await each.post('/collections/books/search', body, coded)],
        [await each.get('/openapi.json'), await each.get('/openapi.json', coded)],
      ];
      for (const [plain, packed] of asked) {
        assert.equal(packed.headers['content-encoding'], 'br');
        assert.equal(plainOf(packed), plainOf(plain));
        assert.equal(packed.headers.etag, plain.headers.etag);
      }
    }
    const accept = { accept: 'application/msgpack' };
    const packed = await each.get(LONG, { ...accept, ...coded });
    assert.equal(packed.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(packed.bytes).length, (await each.get(LONG, accept)).bytes.length);
    const many = await each.post('/multi-search', { searches: [{ collection: 'books', ...body }] }, coded);
    assert.match(brotliDecompressSync(many.bytes).toString(), /^\{"results":\[\{"found":12000,/);
    each.close();
  }
});

test('small answers, errors and answers without a body are plain', async () => {
  for (const path of [SHORT, '/health', '/collections/books', '/collections/none/search', `${LONG}&limit=x`]) {
    const { headers } = await accepting('gzip, br', path);
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined], path);
  }
  const tag = (await accepting('gzip')).headers.etag ?? '';
  const unchanged = await client.get(LONG, { 'accept-encoding': 'gzip', 'if-none-match': tag });
  assert.deepEqual([unchanged.status, unchanged.headers.vary, unchanged.bytes.length], [304, 'accept-encoding', 0]);
  const head = await client.request('HEAD', LONG, { headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual([head.headers['content-encoding'], head.bytes.length], ['gzip', 0]);
  assert.ok(Number(head.headers['content-length']) < 16_384 * 4);
});

test('many at a time are answered all, compressed or not', async () => {
  const expected = plainOf(await client.get(LONG));
  const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => accepting(i % 2 === 0 ? 'gzip' : 'br')));
  for (const reply of replies) assert.equal(plainOf(expectStatus(reply, 200)), expected);
  assert.ok(replies.some(({ headers }) => headers['content-encoding'] !== undefined));
});

test('a client that leaves while its answer is compressed harms nobody', async () => {
  for (let i = 0; i < 50; i++) {
    const outgoing = get({ port, path: LONG, headers: { 'accept-encoding': 'br' } });
    outgoing.on('error', () => {});
    await sleep(i % 5);
    outgoing.destroy();
  }
  assert.equal((await accepting('br')).status, 200);
});

test('an export is one gzip body, whole, filtered, of nothing, as lines and as an array', async () => {
  await client.create({ name: 'none', fields: [{ name: 'title', type: 'text', filter: true }] });
  for (const path of [EXPORT, `${EXPORT}?include_fields=id`, '/collections/none/documents']) {
    for (const accept of ['application/x-ndjson', 'application/json']) {
      const plain = expectStatus(await client.get(path, { accept }), 200);
      const packed = expectStatus(await client.get(path, { accept, 'accept-encoding': 'gzip' }), 200);
      const { headers } = packed;
      assert.deepEqual([headers['content-encoding'], headers.vary], ['gzip', 'accept, accept-encoding']);
      assert.equal(headers['content-type'], plain.headers['content-type']);
      assert.ok(gunzipSync(packed.bytes).equals(plain.bytes));
      if (plain.bytes.length > 100_000) assert.ok(packed.bytes.length < plain.bytes.length / 3);
    }
  }
  const head = await client.request('HEAD', EXPORT, { headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual([head.status, head.headers['content-encoding']], [200, 'gzip']);
  assert.equal((await accepting('br', EXPORT)).headers['content-encoding'], undefined);
});

test('an export that is read slowly, through any thread, is whole', async () => {
  const noise = Array.from({ length: 3000 }, (_, i) => ({
    id: `${i}`,
    pad: createHash('sha512').update(`${i}`).digest('base64').repeat(20),
  }));
  await client.create({ name: 'noise', fields: [{ name: 'title', type: 'text' }] });
  await client.indexAll('noise', noise);
  const path = '/collections/noise/documents';
  const { bytes } = await client.get(path);
  const slowly = (): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const headers = { 'accept-encoding': 'gzip' };
      const outgoing = get({ port, path, headers, agent: false }, async (incoming) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of incoming.pipe(createGunzip())) {
            chunks.push(chunk as Buffer);
            if (chunks.length % 20 === 0) await sleep(1);
          }
          resolve(Buffer.concat(chunks));
        } catch (error) {
          reject(error);
        }
      });
      outgoing.on('error', reject);
    });
  for (const read of await Promise.all([slowly(), slowly(), slowly(), slowly()])) assert.ok(read.equals(bytes));
});

test('the size is configured, and 0 compresses nothing', async () => {
  for (const [bytes, isPacked] of [
    ['1', true],
    ['0', false],
  ] as const) {
    const other = await startServer({ args: ['--compress-min-bytes', bytes] });
    await other.client.create({ name: 'books', fields: [{ name: 'title', type: 'text' }] });
    await other.client.indexAll('books', DOCUMENTS.slice(0, 300));
    for (const path of [LONG, EXPORT]) {
      const { headers } = await accepting('gzip', path, other.client);
      assert.equal(headers['content-encoding'], isPacked ? 'gzip' : undefined, `${bytes} ${path}`);
    }
    const tiny = await accepting('gzip', '/health', other.client);
    assert.equal(tiny.headers['content-encoding'], undefined, 'what does not become smaller is plain');
    assert.equal(tiny.headers.vary, isPacked ? 'accept-encoding' : undefined);
    await other.dispose();
  }
});
