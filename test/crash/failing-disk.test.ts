/**
 * A real server on a real file system whose fsync fails: what it answered as refused never happens, neither when the disk
 * heals nor after a stop, a kill or a reboot; what it answered as unknown_outcome may.
 *
 * Needs root to mount; elsewhere it says that it did not run (snapshot-crash.test.ts has the same on a simulated disk).
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { expectError, expectStatus } from '../support/expect.js';
import { type Server, startServer } from '../support/server.js';
import { mountThinDisk, type ThinDisk } from '../support/thin-disk.js';

const ARGS = [
  ...['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0', '--snapshot-on-stop', 'false'],
  ...['--sync-interval-ms', '0'],
];
const FIELDS = [{ name: 'title', type: 'text' as const }];
const documentsOf = (name: string): string => `/collections/${name}/documents`;
const documentWith = (id: string, bytes: number): string =>
  JSON.stringify({ id, title: `word${id} `, pad: 'x'.repeat(bytes) });

/** A test of a server that serves a collection `kept` with the document `told`, on a disk of its own. */
function testOnThinDisk(name: string, journal: boolean, body: (server: Server, disk: ThinDisk) => Promise<void>): void {
  test(name, async (context: TestContext) => {
    const disk = mountThinDisk(journal);
    if ('reason' in disk) {
      process.stderr.write(`failing-disk.test.ts did not run: ${disk.reason}\n`);
      context.skip(disk.reason);
      return;
    }
    try {
      const server = await startServer({ dataDir: join(disk.path, 'data'), args: ARGS });
      try {
        await server.client.create({ name: 'kept', fields: FIELDS });
        expectStatus(await server.client.post(documentsOf('kept'), documentWith('told', 100)), 200);
        await body(server, disk);
      } finally {
        await server.dispose();
      }
    } finally {
      disk.dispose();
    }
  });
}

const isThere = async (server: Server, id: string): Promise<boolean> =>
  (await server.client.get(`${documentsOf('kept')}/${id}`)).status === 200;

/** What was acknowledged is there, what was refused is not. */
async function check(server: Server): Promise<void> {
  assert.ok(await isThere(server, 'told'));
  assert.equal(await isThere(server, 'refused'), false, 'a refused write has happened');
}

for (const end of ['stop', 'kill'] as const) {
  testOnThinDisk(
    `a write that an fsync refused is gone although no log file can be made, after a ${end} as well`,
    true,
    async (server, disk) => {
      disk.exhaust();
      const reply = await server.client.post(documentsOf('kept'), documentWith('refused', 200_000));
      expectError(reply, 507, 'disk_full');
      assert.equal(disk.isReadOnly(), false, 'what was refused could be cut off');
      await check(server);
      disk.refill();
      await server[end]();
      await server.start();
      await check(server);
      expectStatus(await server.client.post(documentsOf('kept'), documentWith('next', 10)), 200);
      assert.ok(await isThere(server, 'next'));
    },
  );
}

testOnThinDisk(
  'on a disk that has become read-only a write is unknown_outcome, the next ones are refused, and reads go on',
  false,
  async (server, disk) => {
    disk.exhaust();
    expectError(await server.client.delete('/collections/kept'), 500, 'unknown_outcome');
    assert.ok(disk.isReadOnly());
    expectError(await server.client.post(documentsOf('kept'), documentWith('refused', 10)), 500, 'io_error');
    expectError(await server.client.post('/collections', { name: 'refused', fields: FIELDS }), 500, 'io_error');
    await check(server);
    assert.match(server.log, /unknown_outcome/);

    await server.kill();
    disk.refill();
    disk.remount();
    await server.start();
    expectError(await server.client.get('/collections/refused'), 404, 'collection_not_found');
    // Gone or served, and it stays so.
    const { status } = await server.client.get('/collections/kept');
    assert.ok(status === 200 || status === 404, `${status}`);
    if (status === 404) assert.match(server.log, /delete a collection/, 'the start says what it found');
    else await check(server);
    await server.restart();
    expectStatus(await server.client.get('/collections/kept'), status);
  },
);
