/**
 * sabre backup and sabre restore from outside: of a server that goes on writing, repeated, damaged, and refused.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectJson } from '../support/expect.js';
import { SHOP, shopSchema, titleSchema } from '../support/fixtures.js';
import {
  makeDataDir,
  type RunResult,
  runMain,
  type Server,
  type ServerOptions,
  startServer,
} from '../support/server.js';

interface Scene {
  readonly server: Server;
  /** A temporary folder beside the server's data. */
  readonly folder: string;
}

async function withServer(act: (scene: Scene) => Promise<void>, options: ServerOptions = {}): Promise<void> {
  const server = await startServer(options);
  const folder = await makeDataDir();
  try {
    await act({ server, folder });
  } finally {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill({ client }: Server): Promise<void> {
  await client.create(shopSchema('shop'));
  await client.create(titleSchema('books'));
  for (const document of SHOP) await client.indexAll('shop', [document]);
  await client.indexAll('books', [{ id: '1', title: 'one' }]);
  await client.remove('shop', 'mat');
}

async function untilOneSegment({ client }: Server, name: string): Promise<void> {
  for (const untilMs = performance.now() + 60_000; (await client.view(name)).num_segments > 1; await sleep(50))
    assert.ok(performance.now() < untilMs, 'at rest its segments become one');
}

const backUp = ({ port, dataDir }: Server, destination: string, ...more: readonly string[]): Promise<RunResult> =>
  runMain(['backup', destination, '--data-dir', dataDir, '--url', `http://127.0.0.1:${port}`, ...more]);

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name !== 'LOCK').sort();

/** Everything that searches and fetches tell of the shop and the books. */
async function answersOf({ client }: Server): Promise<unknown[]> {
  const searches = ['wireless', 'mouse', 'metres', 'm', '*'].map((q) =>
    client.search('shop', { q, facet: 'brand,price,tags', limit: 100 }),
  );
  const { hits, found, facets } = await client.search('books', { q: '*', limit: 100 });
  const ids = ['mouse', 'keyboard', 'cable', 'gaming-mouse', 'mat', 'empty'];
  const documents = ids.map(async (id) => {
    const { status, text } = await client.get(`/collections/shop/documents/${id}`);
    return [id, status, text];
  });
  const shop = (await Promise.all(searches)).map((search) => [search.found, search.hits, search.facets]);
  return [shop, found, hits, facets, await Promise.all(documents), (await client.view('shop')).num_documents];
}

function assertRefused({ code, stdout, stderr }: RunResult, message: RegExp): void {
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, message);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
}

test('a restored backup answers as the server did when it was asked for it', () =>
  withServer(async ({ server, folder }) => {
    await fill(server);
    const answers = await answersOf(server);
    const backup = join(folder, 'backup');
    const made = await backUp(server, backup);
    assert.deepEqual([made.code, made.stderr], [0, '']);
    assert.match(
      made.stdout,
      /^snapshot 1 of \S+Z, 2 collections: \d+ files copied \(\d+ k?B\), 0 reused \(0 B\), 0 removed\n$/,
    );
    await server.client.drop('shop');
    const dataDir = join(folder, 'restored');
    const restored = await runMain(['restore', backup, '--data-dir', dataDir]);
    assert.deepEqual([restored.code, restored.stderr], [0, '']);
    assert.match(restored.stdout, /^snapshot 1 of \S+Z, 2 collections: \d+ files copied .*; start with: sabre serve/);
    const other = await startServer({ dataDir });
    try {
      assert.deepEqual(await answersOf(other), answers);
      await other.client.indexAll('books', [{ id: '2', title: 'two' }]);
      await other.kill();
      await other.start();
      assert.equal((await other.client.view('books')).num_documents, 2);
    } finally {
      await other.dispose();
    }
  }));

test('a backup during writes holds everything acknowledged before it, and is one moment', () =>
  withServer(async ({ server, folder }) => {
    const { client } = server;
    await client.create(titleSchema('first'));
    await client.create(titleSchema('second'));
    let acknowledged = 0;
    let isOver = false;
    const write = async (): Promise<void> => {
      // The first collection is always as far as the second, or one ahead.
      for (let id = 1; !isOver; id++) {
        await client.indexAll('first', [{ id: `${id}`, title: `document ${id}` }]);
        await client.indexAll('second', [{ id: `${id}`, title: `document ${id}` }]);
        acknowledged = id;
      }
    };
    const writing = write();
    const backup = join(folder, 'backup');
    for (let times = 0; times < 4; times++) {
      const before = acknowledged;
      const made = await backUp(server, backup);
      assert.equal(made.code, 0, made.stderr);
      const dataDir = join(folder, `restored${times}`);
      assert.equal((await runMain(['restore', backup, '--data-dir', dataDir])).code, 0);
      const other = await startServer({ dataDir });
      try {
        const first = (await other.client.view('first')).num_documents;
        const second = (await other.client.view('second')).num_documents;
        assert.ok(second >= before && first - second >= 0 && first - second <= 1, `${before} ${first} ${second}`);
      } finally {
        await other.dispose();
      }
    }
    isOver = true;
    await writing;
  }));

test('a backup of one server’s folder with the address of another is refused', () =>
  withServer(({ server, folder }) =>
    withServer(async ({ server: other }) => {
      await fill(server);
      await fill(other);
      assert.equal((await backUp(server, join(folder, 'first'))).code, 0);
      await server.client.indexAll('books', [{ id: 'acknowledged', title: 'one more' }]);
      // Its numbers are as large, and larger.
      for (let snapshot = 1; snapshot <= 3; snapshot++) {
        const backup = join(folder, `backup${snapshot}`);
        const made = await backUp(server, backup, '--url', `http://127.0.0.1:${other.port}`);
        assertRefused(
          made,
          /has written snapshot \d, and .* has 1 \(before: 1\): expected the server of this data directory/,
        );
        await assert.rejects(readdir(backup), /ENOENT/);
      }
    }),
  ));

test('a second backup copies only the files that are new', () =>
  withServer(async ({ server, folder }) => {
    await fill(server);
    const padding = randomBytes(300_000).toString('base64');
    await server.client.indexAll('books', [{ id: 'large', title: 'large', padding }]);
    // What is one segment already is not written again for the sake of a small one, however long this takes.
    await untilOneSegment(server, 'books');
    const backup = join(folder, 'backup');
    assert.equal((await backUp(server, backup)).code, 0);
    const before = await filesOf(backup);
    await server.client.indexAll('books', [{ id: '2', title: 'two' }]);
    const { code, stdout } = await backUp(server, backup);
    const after = await filesOf(backup);
    const fresh = after.filter((name) => !before.includes(name)).length;
    const kept = after.filter((name) => name !== 'MANIFEST' && before.includes(name)).length;
    assert.equal(code, 0);
    assert.ok(fresh > 0 && kept > 0);
    assert.match(
      stdout,
      new RegExp(`: ${fresh} files? copied .*, ${kept} reused .*, ${before.length - kept - 1} removed`),
    );
    assert.match((await runMain(['verify', backup])).stdout, /: no problem\n$/);
  }));

test('without a server the last snapshot is copied when --no-snapshot says so', () =>
  withServer(
    async ({ server, folder }) => {
      await fill(server);
      expectJson(await server.client.request('POST', '/snapshot'));
      await server.client.indexAll('books', [{ id: '2', title: 'two' }]);
      await server.stop();
      const backup = join(folder, 'backup');
      assertRefused(await backUp(server, backup), /^backup: nobody answers at http:.*--url.*--no-snapshot/);
      assert.deepEqual(await filesOf(folder), []);
      const { code, stdout } = await backUp(server, backup, '--no-snapshot');
      assert.equal(code, 0);
      assert.match(stdout, /^snapshot 1 of .*\nnot in it: \d+ B of the log, written after that snapshot\n$/);
    },
    { args: ['--snapshot-on-stop', 'false'] },
  ));

test('a damaged source, another data directory and a wrong server are refused with one line', () =>
  withServer(async ({ server, folder }) => {
    await fill(server);
    const backup = join(folder, 'backup');
    await backUp(server, backup);
    const dataDir = await makeDataDir();
    const other = await startServer({ dataDir });
    try {
      await other.client.create(titleSchema('books'));
      assertRefused(await backUp(other, backup), /^backup: .*got a backup of another/);
      for (let times = 0; times < 3; times++) {
        await server.client.indexAll('books', [{ id: `${times}`, title: 'again' }]);
        expectJson(await server.client.request('POST', '/snapshot'));
      }
      const url = ['--url', `http://127.0.0.1:${server.port}`];
      const wrong = await runMain(['backup', join(folder, 'wrong'), '--data-dir', dataDir, ...url]);
      assertRefused(wrong, /^backup: .*expected the server of this data directory/);
    } finally {
      await other.dispose();
      await rm(dataDir, { recursive: true, force: true });
    }
    const old = await filesOf(backup);
    await server.client.indexAll('books', [{ id: 'x', title: 'x' }]);
    await server.stop();
    const fresh = (await filesOf(server.dataDir)).find((name) => name.endsWith('.seg') && !old.includes(name)) ?? '';
    const path = join(server.dataDir, fresh);
    const bytes = await readFile(path);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    await writeFile(path, bytes);
    assertRefused(
      await backUp(server, backup, '--no-snapshot'),
      new RegExp(`^backup: .*${fresh}: damaged content.*expected 0x`),
    );
    assert.deepEqual(await filesOf(backup), old);
    assert.match((await runMain(['verify', backup])).stdout, /: no problem\n$/);
  }));

test('a restore needs a folder for it, an empty one', () =>
  withServer(async ({ server, folder }) => {
    await fill(server);
    const backup = join(folder, 'backup');
    await backUp(server, backup);
    const missing = await runMain(['restore', backup]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /--data-dir/);
    assertRefused(
      await runMain(['restore', backup, '--data-dir', server.dataDir]),
      /^restore: .*a new or empty folder/,
    );
    const byVariable = await runMain(['restore', backup], { SABRE_DATA_DIR: join(folder, 'restored') });
    assert.equal(byVariable.code, 0, byVariable.stderr);
  }));
