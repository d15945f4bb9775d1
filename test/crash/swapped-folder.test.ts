/**
 * The data folder of a running server is moved away, and another stands under its name: each server goes on in the folder that it has
 * opened, and none writes to, or removes anything from, that of the other.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectJson, expectStatus } from '../support/expect.js';
import { type Server, startServer } from '../support/server.js';

const ARGS = ['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0'];

async function index(server: Server, name: string, id: string): Promise<void> {
  expectStatus(await server.client.post(`/collections/${name}/documents`, { id, title: 'word' }), 200);
}

async function snapshot(server: Server): Promise<void> {
  expectStatus(await server.client.post('/snapshot', ''), 200);
}

async function fill(server: Server, name: string): Promise<void> {
  await server.client.create({ name, fields: [{ name: 'title', type: 'text' }] });
  await index(server, name, '1');
  await snapshot(server);
}

/** Starts on `dataDir`, and checks that `name` is all there is, with documents 1 to 3. */
async function assertHolds(dataDir: string, name: string): Promise<void> {
  const server = await startServer({ dataDir, args: ARGS });
  try {
    assert.equal((await server.client.search(name, { q: 'word' })).found, 3);
    const views = expectJson<{ name: string }[]>(await server.client.get('/collections'), 200);
    assert.deepEqual(
      views.map((view) => view.name),
      [name],
    );
  } finally {
    await server.dispose();
  }
}

for (const end of ['stop', 'kill'] as const)
  test(`a folder that takes the name of a server's is left alone, until a ${end} and behind it`, async () => {
    const base = await mkdtemp(join(tmpdir(), 'sabre-swapped-'));
    const at = (name: string): string => join(base, name);
    const servers: Server[] = [];
    try {
      const first = await startServer({ dataDir: at('data'), args: ARGS });
      servers.push(first);
      await fill(first, 'old');
      await rename(at('data'), at('moved'));
      const second = await startServer({ dataDir: at('data'), args: ARGS });
      servers.push(second);
      await fill(second, 'new');
      await index(first, 'old', '2');
      await snapshot(first);
      await index(second, 'new', '2');
      await snapshot(second);
      await index(first, 'old', '3');
      await index(second, 'new', '3');
      for (const server of servers) await server[end]();
      await assertHolds(at('data'), 'new');
      await assertHolds(at('moved'), 'old');
    } finally {
      for (const server of servers) await server.dispose();
      await rm(base, { recursive: true, force: true });
    }
  });

test('a folder that is made anew under the name stays empty', async () => {
  const base = await mkdtemp(join(tmpdir(), 'sabre-swapped-'));
  const dataDir = join(base, 'data');
  const server = await startServer({ dataDir, args: ARGS });
  try {
    await fill(server, 'old');
    await rename(dataDir, join(base, 'moved'));
    await mkdir(dataDir);
    await index(server, 'old', '2');
    await snapshot(server);
    await server.stop();
    assert.deepEqual(await readdir(dataDir), []);
  } finally {
    await server.dispose();
    await rm(base, { recursive: true, force: true });
  }
});
