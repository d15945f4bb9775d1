/**
 * A real server on a real file system that is full: writes are refused and leave no trace, everything else goes on, and
 * space that comes back is used without a restart. A server killed there starts again, on the full disk.
 *
 * Needs root to mount a small file system; elsewhere it says that it did not run (io-errors.test.ts fills a simulated one).
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { expectError, expectStatus } from '../support/expect.js';
import { freePort, Server, startServer } from '../support/server.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import type { FieldInput } from '../support/wire.js';

const DISK_BYTES = 24 << 20;
const BALLAST_BYTES = 15 << 20;
/** Bytes of a document, from large to small: the last ones fill what is left. */
const SIZES = [200_000, 50_000, 10_000, 2_000, 500, 100, 10];
const REFUSED_IN_A_ROW = 3;

/** What was acknowledged, by id, and the ids of what was refused. */
interface Ledger {
  readonly live: Map<string, string>;
  readonly refused: Set<string>;
  next: number;
}

const newLedger = (): Ledger => ({ live: new Map(), refused: new Set(), next: 0 });
const pathOf = (id = ''): string => `/collections/things/documents${id === '' ? '' : `/${id}`}`;

/** Letters that no compressing disk makes much smaller, and no two documents share. */
function filler(bytes: number, salt: number): string {
  let state = salt + 1;
  return Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  }).join('');
}

/** Indexes a new document. Returns whether it was accepted; the only refusal there is, is that of a full disk. */
async function write(server: Server, ledger: Ledger, bytes: number): Promise<boolean> {
  const id = `d${ledger.next++}`;
  const text = JSON.stringify({ id, title: `word${id}`, pad: filler(bytes, ledger.next) });
  const reply = await server.client.post(pathOf(), text);
  if (reply.status === 200) {
    ledger.live.set(id, text);
    return true;
  }
  expectError(reply, 507, 'disk_full');
  ledger.refused.add(id);
  return false;
}

/** Writes until not even a small document fits. */
async function fill(server: Server, ledger: Ledger): Promise<void> {
  for (const bytes of SIZES) {
    for (let refused = 0; refused < REFUSED_IN_A_ROW; ) if (!(await write(server, ledger, bytes))) refused++;
  }
}

/** Deletes documents until that is refused, too: a record of a delete is smaller than any document. */
async function deleteUntilRefused(server: Server, ledger: Ledger): Promise<void> {
  for (const id of [...ledger.live.keys()]) {
    const reply = await server.client.delete(pathOf(id));
    if (reply.status !== 204) {
      expectError(reply, 507, 'disk_full');
      return;
    }
    ledger.live.delete(id);
  }
  assert.fail('every document could be deleted on a full disk');
}

/** The server holds what was acknowledged and nothing that was refused, for fetches, counts and searches alike. */
async function checkHolds(server: Server, ledger: Ledger): Promise<void> {
  const { client } = server;
  expectStatus(await client.get('/health'), 200);
  expectStatus(await client.get('/ready'), 200);
  const { live, refused } = ledger;
  for (const [id, text] of live) assert.equal(expectStatus(await client.get(pathOf(id)), 200).text, text);
  assert.equal((await client.view('things')).num_documents, live.size);
  assert.equal((await client.search('things', { q: '' })).found, live.size);
  for (const id of refused) {
    expectError(await client.get(pathOf(id)), 404, 'document_not_found');
    const exact = { q: `word${id}`, prefix: false, typo_tolerance: false };
    assert.equal((await client.search('things', exact)).found, 0, `${id} was refused`);
  }
  const [id = ''] = live.keys();
  assert.deepEqual(await client.ids('things', { q: `word${id}`, prefix: false, typo_tolerance: false }), [id]);
}

const FIELDS: FieldInput[] = [
  { name: 'title', type: 'text' },
  { name: 'pad', type: 'keyword' },
];
const ARGS = [
  ...['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0', '--snapshot-on-stop', 'false'],
  ...['--sync-interval-ms', '0'],
];

const snapshotFiles = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => /\.(seg|bits)$/.test(name));

/** A test on a disk of its own, with half of it taken by a file that can be removed. */
function testOnSmallDisk(name: string, body: (disk: SmallDisk, ballast: string) => Promise<void>): void {
  test(name, async (context: TestContext) => {
    const disk = mountSmallDisk(DISK_BYTES);
    if ('reason' in disk) {
      process.stderr.write(`full-disk.test.ts did not run: ${disk.reason}\n`);
      context.skip(disk.reason);
      return;
    }
    context.diagnostic(`on ${disk.kind}`);
    const ballast = join(disk.path, 'ballast');
    try {
      writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES, 1));
      await body(disk, ballast);
    } finally {
      disk.dispose();
    }
  });
}

/** Takes what a file system has left. */
function stopHoles({ path }: SmallDisk): void {
  const { bavail, bsize } = statfsSync(path);
  const name = join(path, `stopper-${readdirSync(path).length}`);
  for (let bytes = bavail * bsize; bytes > 0; bytes -= bsize) {
    try {
      writeFileSync(name, Buffer.alloc(bytes, 1));
      return;
    } catch {
      // Some of it is for the file's own metadata.
    }
  }
}

async function prepare(server: Server, ledger: Ledger): Promise<void> {
  await server.client.create({ name: 'things', fields: FIELDS });
  for (let i = 0; i < 5; i++) assert.ok(await write(server, ledger, 1000));
  expectStatus(await server.client.request('POST', '/snapshot'), 200);
}

interface Full {
  readonly server: Server;
  readonly ledger: Ledger;
  readonly dataDir: string;
  readonly disk: SmallDisk;
}

/** A test of a server that has filled its disk. `body` does what is done on it; then there is space, and all must go on. */
function testOnFullDisk(name: string, body: (full: Full) => Promise<void>): void {
  testOnSmallDisk(name, async (disk, ballast) => {
    const dataDir = join(disk.path, 'data');
    const server = await startServer({ dataDir, args: ARGS });
    const ledger = newLedger();
    try {
      await prepare(server, ledger);
      await fill(server, ledger);
      assert.ok(ledger.live.size > SIZES.length && ledger.refused.size >= SIZES.length * REFUSED_IN_A_ROW);
      await deleteUntilRefused(server, ledger);
      await checkHolds(server, ledger);

      await body({ server, ledger, dataDir, disk });

      rmSync(ballast);
      assert.ok(await write(server, ledger, 50_000), 'space that came back is used');
      expectStatus(await server.client.request('POST', '/snapshot'), 200);
      const [id = ''] = ledger.live.keys();
      await server.client.remove('things', id);
      ledger.live.delete(id);
      await checkHolds(server, ledger);
      await server.kill();
      await server.start();
      await checkHolds(server, ledger);
      expectError(await server.client.get('/collections/more'), 404, 'collection_not_found');
    } finally {
      await server.dispose();
    }
  });
}

testOnFullDisk(
  'a full disk refuses writes and nothing else, and is used again once it has space',
  async ({ server, ledger, dataDir }) => {
    const before = readFileSync(join(dataDir, 'MANIFEST'));
    const files = snapshotFiles(dataDir);
    expectError(await server.client.request('POST', '/snapshot'), 507, 'disk_full');
    assert.deepEqual(readFileSync(join(dataDir, 'MANIFEST')), before, 'the old snapshot stays');
    assert.deepEqual(snapshotFiles(dataDir), files, 'nothing of the new one stays');
    expectError(await server.client.post('/collections', { name: 'more', fields: FIELDS }), 507, 'disk_full');
    await checkHolds(server, ledger);
  },
);

testOnFullDisk(
  'a server killed on a full disk starts again there, serves, and writes once it has space',
  async ({ server, ledger, disk }) => {
    for (const end of ['kill', 'stop', 'kill'] as const) {
      await server[end]();
      // Whatever a start wants to write has nowhere to go.
      stopHoles(disk);
      await server.start();
      await checkHolds(server, ledger);
      assert.equal(await write(server, ledger, 5000), false);
    }
  },
);

testOnSmallDisk(
  'a first start on a full disk says why it cannot serve, and succeeds once there is space',
  async (disk, ballast) => {
    const dataDir = join(disk.path, 'data');
    mkdirSync(dataDir);
    stopHoles(disk);
    const server = new Server(await freePort(), dataDir, false, { args: ARGS });
    try {
      await assert.rejects(server.start(), /disk_full.*cannot open the data folder/s);
      rmSync(ballast);
      await server.start();
      const ledger = newLedger();
      await prepare(server, ledger);
      await checkHolds(server, ledger);
    } finally {
      await server.dispose();
    }
  },
);
