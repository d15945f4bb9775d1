/**
 * A damaged record of the log from outside: the collection that it belongs to is refused and named, over restarts and
 * snapshots, until it is dropped; the others are served.
 */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { titleSchema } from '../support/fixtures.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { runMain, type Server, startServer } from '../support/server.js';
import { type WalFramePlace, walFrames } from '../support/wal-frames.js';

/** Neither an end nor the clock writes a snapshot. */
const ARGS = ['--snapshot-on-stop', 'false', '--snapshot-interval-s', '0'];
const MESSAGE =
  /wal-\d{6}\.log: damaged payload of record \d+, of collection \d+, checksum at offset \d+: expected 0x[0-9a-f]{8}, got 0x[0-9a-f]{8}/;

interface Damaged {
  readonly file: string;
  readonly frame: WalFramePlace;
}

/** Changes one bit in the middle of the payload of the record that contains `text`. */
async function damageRecord(dataDir: string, text: string): Promise<Damaged> {
  for (const file of (await readdir(dataDir)).filter((name) => name.endsWith('.log'))) {
    const bytes = await readFile(join(dataDir, file));
    const frame = walFrames(bytes).find(({ payload, end }) => bytes.subarray(payload, end).includes(text));
    if (frame === undefined) continue;
    const middle = (frame.payload + frame.end) >> 1;
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 4, middle);
    await writeFile(join(dataDir, file), bytes);
    return { file, frame };
  }
  return assert.fail(`no record contains ${text}`);
}

async function withServer(act: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer({ args: ARGS });
  try {
    await act(server);
  } finally {
    await server.dispose();
  }
}

/** "books" is damaged and refused; "films" has `films` documents, and takes and finds more. */
async function checkServed({ client }: Server, { file, frame }: Damaged, films: number): Promise<void> {
  for (const [method, path, body] of [
    ['GET', '/collections/books', undefined],
    ['GET', '/collections/books/search?q=one', undefined],
    ['GET', '/collections/books/suggest?q=on', undefined],
    ['GET', '/collections/books/documents/1', undefined],
    ['DELETE', '/collections/books/documents/1', undefined],
    ['POST', '/collections/books/documents', '{"id":"new","title":"new"}'],
  ] as const) {
    const response = await client.request(method, path, { body });
    expectError(response, 500, 'corrupt_data', MESSAGE);
    assert.ok(
      response.text.includes(`${file}: `) && response.text.includes(`at offset ${frame.start}:`),
      response.text,
    );
  }
  expectError(await client.post('/collections', titleSchema('books')), 409, 'collection_exists');
  const names = expectJson<{ name: string }[]>(await client.get('/collections')).map(({ name }) => name);
  assert.deepEqual(names, ['books', 'films']);
  expectStatus(await client.get('/ready'), 200);
  assert.equal((await client.view('films')).num_documents, films);
  assert.equal((await client.search('films', { q: 'film' })).found, films);
  const metrics = parseMetrics(expectStatus(await client.get('/metrics'), 200).text);
  assert.equal(metricValue(metrics, 'sabre_damaged_collections'), 1);
}

for (const isInSnapshot of [true, false]) {
  const which = isInSnapshot ? 'of a collection that a snapshot names' : 'of a collection newer than any snapshot';
  test(`a damaged record ${which} refuses it alone until it is dropped`, () =>
    withServer(async (server) => {
      const { client } = server;
      for (const name of ['books', 'films']) await client.create(titleSchema(name));
      await client.indexAll('books', [{ id: '1', title: 'one' }]);
      if (isInSnapshot) expectStatus(await client.request('POST', '/snapshot'), 200);
      await client.indexAll('films', [{ id: '1', title: 'film one' }]);
      await client.indexAll('books', [{ id: '2', title: 'two, here' }]);
      await client.indexAll('films', [{ id: '2', title: 'film two' }]);
      await client.indexAll('books', [{ id: '3', title: 'three' }]);
      await server.stop();
      const damaged = await damageRecord(server.dataDir, 'two, here');

      const verified = await runMain(['verify', server.dataDir]);
      assert.notEqual(verified.code, 0);
      assert.match(verified.stdout + verified.stderr, new RegExp(`${MESSAGE.source}.*"books"`));

      await server.start();
      await checkServed(server, damaged, 2);
      await client.indexAll('films', [{ id: '3', title: 'film three' }]);
      await server.restart();
      await checkServed(server, damaged, 3);
      expectStatus(await client.request('POST', '/snapshot'), 200);
      await client.indexAll('films', [{ id: '4', title: 'film four' }]);
      await server.kill();
      await server.start();
      await checkServed(server, damaged, 4);

      // The snapshot lacks what "books" has in the log alone.
      const from = ['--data-dir', server.dataDir, '--url', `http://127.0.0.1:${server.port}`];
      const backup = await runMain(['backup', `${server.dataDir}-backup`, ...from]);
      assert.notEqual(backup.code, 0);
      assert.match(backup.stderr, /books.*refused as damaged/);

      expectStatus(await client.request('DELETE', '/collections/books'), 204);
      expectError(await client.get('/collections/books'), 404, 'collection_not_found');
      await client.create(titleSchema('books'));
      await client.indexAll('books', [{ id: '9', title: 'one again' }]);
      await server.restart();
      assert.equal((await client.search('books', { q: 'again' })).found, 1);
      assert.equal((await client.view('books')).num_documents, 1);
      expectStatus(await client.request('POST', '/snapshot'), 200);
      const sound = await runMain(['verify', server.dataDir]);
      assert.equal(sound.code, 0, sound.stdout + sound.stderr);
    }));
}

test('a damaged record that created a collection keeps the server from starting, and says why', () =>
  withServer(async (server) => {
    for (const name of ['books', 'films']) await server.client.create(titleSchema(name));
    await server.client.indexAll('films', [{ id: '1', title: 'film one' }]);
    await server.stop();
    const { file } = await damageRecord(server.dataDir, 'books');
    const before = await readFile(join(server.dataDir, file));
    const { code, stdout, stderr } = await runMain(['--data-dir', server.dataDir, '--listen', '127.0.0.1:0']);
    assert.notEqual(code, 0);
    assert.match(
      stdout + stderr,
      new RegExp(`${file}: damaged payload of record 1.*it creates or deletes a collection`),
    );
    assert.deepEqual(await readFile(join(server.dataDir, file)), before);
  }));
