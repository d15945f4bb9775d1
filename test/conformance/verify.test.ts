/**
 * sabre verify and sabre inspect from outside: lines, JSON, exit statuses; on a live server's directory and a damaged one.
 */
import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectJson } from '../support/expect.js';
import { SHOP, shopSchema } from '../support/fixtures.js';
import { runMain, type Server, startServer } from '../support/server.js';

async function withServer(act: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer({ args: ['--snapshot-on-stop', 'false'] });
  try {
    await server.client.create(shopSchema('shop'));
    await server.client.indexAll('shop', SHOP);
    await server.client.remove('shop', 'mat');
    await act(server);
  } finally {
    await server.dispose();
  }
}

const snapshot = async ({ client }: Server): Promise<unknown> => expectJson(await client.request('POST', '/snapshot'));

const fileOf = async ({ dataDir }: Server, kind: RegExp): Promise<string> =>
  (await readdir(dataDir)).filter((name) => kind.test(name)).sort()[0] ?? '';

async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

test('nothing is found in the directory of a server that writes, merges and snapshots', () =>
  withServer(async (server) => {
    let isOver = false;
    const write = async (): Promise<void> => {
      for (let round = 0; !isOver; round++) {
        await server.client.indexAll('shop', [{ id: `${round}`, title: `wireless ${round}` }, { id: 'mouse' }]);
        if (round % 5 === 0) await snapshot(server);
      }
    };
    const writing = write();
    for (let times = 0; times < 8; times++) {
      const { code, stdout, stderr } = await runMain(['verify', server.dataDir, '--strict']);
      assert.deepEqual([code, stderr], [0, ''], stdout);
      assert.doesNotMatch(stdout, /^(damage|warning)/m);
    }
    isOver = true;
    await writing;
    const { stdout } = await runMain(['verify', server.dataDir]);
    assert.match(stdout, /^snapshot \d+, 1 collection: \d+ files, \d+ [kM]?B, \d+ log records? checked: no problem\n$/);
  }));

test('a flipped bit in any kind of file is one line that names it, and exit status 1', () =>
  withServer(async (server) => {
    await snapshot(server);
    await server.client.indexAll('shop', [{ id: 'a', title: 'a' }]);
    await server.client.indexAll('shop', [{ id: 'b', title: 'b' }]);
    await server.stop();
    for (const kind of [/^MANIFEST$/, /\.seg$/, /\.bits$/, /\.log$/]) {
      const name = await fileOf(server, kind);
      const path = join(server.dataDir, name);
      await flip(path, 35);
      const { code, stdout } = await runMain(['verify', server.dataDir]);
      await flip(path, 35);
      assert.equal(code, 1, stdout);
      const [first = ''] = stdout.split('\n');
      assert.match(first, /^damage: .* at offset \d+: expected .*, got /);
      assert.ok(first.includes(path), first);
      assert.match(stdout, /checked: \d damages?(, \d+ files? of no use)?\n$/);
    }
    assert.equal((await runMain(['verify', server.dataDir])).code, 0);
  }));

test('a torn tail is a warning, or a failure when --strict says so, and a start cuts it', () =>
  withServer(async (server) => {
    await server.stop();
    await appendFile(join(server.dataDir, await fileOf(server, /\.log$/)), 'torn');
    for (const [flags, status] of [
      [[], 0],
      [['--strict'], 1],
    ] as const) {
      const { code, stdout } = await runMain(['verify', server.dataDir, ...flags]);
      assert.equal(code, status);
      assert.match(
        stdout,
        /^warning: .*wal-\d+\.log: torn tail at offset \d+: .*4 bytes that are no record.*\n.*: 1 torn tail\n$/,
      );
    }
    await server.start();
    assert.equal((await server.client.view('shop')).num_documents, SHOP.length - 1);
    assert.match((await runMain(['verify', server.dataDir, '--strict'])).stdout, /: no problem\n$/);
  }));

test('--json has the same in one object', () =>
  withServer(async (server) => {
    await snapshot(server);
    await server.stop();
    const name = await fileOf(server, /\.seg$/);
    await flip(join(server.dataDir, name), 300);
    const { code, stdout } = await runMain(['verify', server.dataDir, '--json']);
    assert.equal(code, 1);
    const { problems, ...summary } = JSON.parse(stdout) as { problems: Record<string, unknown>[] };
    assert.deepEqual(Object.keys(summary), [
      'snapshot',
      'directory_id',
      'collections',
      'files',
      'bytes',
      'records',
      'damages',
      'torn_tails',
      'leftovers',
    ]);
    assert.equal(problems.length, 1);
    const { kind, file, offset } = problems[0] ?? {};
    assert.deepEqual([kind, file, offset], ['damage', join(server.dataDir, name), 128]);
  }));

test('a folder that is no data directory fails with one line', async () => {
  const { code, stdout, stderr } = await runMain(['verify', '/nowhere/at/all']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^verify: cannot list \/nowhere\/at\/all: .*\n$/);
});

test('inspect shows a segment as a table or as JSON, and fails when it is damaged', () =>
  withServer(async (server) => {
    await snapshot(server);
    await server.stop();
    const path = join(server.dataDir, await fileOf(server, /\.seg$/));
    const shown = await runMain(['inspect', path]);
    assert.deepEqual([shown.code, shown.stderr], [0, '']);
    for (const line of [
      /^collection +shop$/m,
      /^documents +6, 5 live$/m,
      /^content checksum +0x[0-9a-f]{8} holds$/m,
      /^lengths of title +\d[\d,]* +\d[\d,]* +\d+\.\d %$/m,
      /^column of price /m,
      /^title +text +5 +\d+ +no$/m,
    ]) {
      assert.match(shown.stdout, line);
    }
    const json = JSON.parse((await runMain(['inspect', path, '--json'])).stdout) as Record<string, unknown>;
    assert.deepEqual([json['collection'], json['documents'], json['content_sound']], ['shop', 6, true]);
    await flip(path, 300);
    const damaged = await runMain(['inspect', path]);
    assert.equal(damaged.code, 1);
    assert.match(damaged.stdout, /^content checksum +0x[0-9a-f]{8} does not hold$/m);
    const foreign = await runMain(['inspect', join(server.dataDir, 'MANIFEST')]);
    assert.deepEqual([foreign.code, foreign.stdout], [1, '']);
    assert.match(foreign.stderr, /^inspect: .*MANIFEST: foreign file at offset 0: expected "SABRESEG"/);
  }));
