/**
 * A stop ends within --drain-timeout-ms whatever the server is doing, and writes its snapshot where there is something to
 * write and the time for it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeSyncHolder } from '../support/held-syncs-library.js';
import { openSocket, rawGet } from '../support/raw-socket.js';
import { type ExitStatus, makeDataDir, type Server, startServer } from '../support/server.js';

const DRAIN_MS = 4000;
/** For a machine that is busy with other tests. Waiting for the requests and then for the engine would take twice DRAIN_MS. */
const SLACK_MS = 2500;
const ARGS = ['--drain-timeout-ms', String(DRAIN_MS)];
const CLEAN: ExitStatus = { code: 0, signal: null };

async function stopInTime(server: Server, drainMs = DRAIN_MS): Promise<ExitStatus> {
  const startedMs = performance.now();
  const status = await server.stop();
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < drainMs + SLACK_MS, `the stop took ${Math.round(tookMs)} ms:\n${server.log.slice(-2000)}`);
  return status;
}

const hasSnapshot = (server: Server): boolean => readdirSync(server.dataDir).some((name) => name.endsWith('.seg'));

async function startWithDocuments(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const server = await startServer({ args: [...ARGS, ...args], env });
  await server.client.create({ name: 'books', fields: [{ name: 'title', type: 'text' }] });
  for (let round = 0; round < 5; round++) {
    const documents = Array.from({ length: 2000 }, (_, index) => ({ id: `${round}-${index}`, title: `word ${index}` }));
    await server.client.index('books', documents);
  }
  return server;
}

test('an idle server writes its snapshot and ends', async () => {
  const server = await startWithDocuments();
  assert.equal(hasSnapshot(server), false);
  assert.deepEqual(await stopInTime(server), CLEAN);
  assert.equal(hasSnapshot(server), true);
  await server.dispose();
});

test('an upload that never ends is given up, and the snapshot is written', async () => {
  // Waiting for the upload takes six tenths: the rest must do for a snapshot on a busy machine.
  const drainMs = 3 * DRAIN_MS;
  const server = await startWithDocuments(['--body-rate-min', '0', '--drain-timeout-ms', String(drainMs)]);
  const upload = await openSocket(server.port);
  upload.write('POST /collections/books/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n[');
  const dripping = setInterval(() => upload.write(' '), 200);
  assert.equal((await server.client.get('/health')).status, 200);
  try {
    assert.deepEqual(await stopInTime(server, drainMs), CLEAN);
  } finally {
    clearInterval(dripping);
  }
  assert.equal(hasSnapshot(server), true);
  upload.destroy();
  await server.dispose();
});

test('reads whose clients have gone are not waited for, and the snapshot is written', async () => {
  const server = await startServer({ args: [...ARGS, '--reader-threads', '1'] });
  const facets = ['a', 'b', 'c', 'd'];
  await server.client.create({
    name: 'books',
    fields: [
      { name: 'title', type: 'text' },
      ...facets.map((name) => ({ name, type: 'keyword' as const, facet: true })),
    ],
  });
  const valuesOf = (seed: number): string[] =>
    Array.from({ length: 8 }, (_, rank) => `${(seed * 7919 + rank * 104_729) % 100_000}`);
  for (let round = 0; round < 10; round++) {
    const documents = Array.from({ length: 2000 }, (_, index) => ({
      id: `${round}-${index}`,
      title: `number ${index}`,
      ...Object.fromEntries(facets.map((name, rank) => [name, valuesOf(index + rank + 31 * round)])),
    }));
    await server.client.index('books', documents);
  }
  // One takes a tenth of a second: more of them are queued than a stop has time for.
  const query = `/collections/books/search?q=*&facet=${facets.join(',')}`;
  const sockets = await Promise.all(Array.from({ length: 400 }, () => openSocket(server.port)));
  for (const socket of sockets) socket.write(rawGet(query));
  while (Number(/^sabre_read_queue_depth (\d+)$/m.exec((await server.client.get('/metrics')).text)?.[1]) < 300);
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(await stopInTime(server), CLEAN);
  assert.equal(hasSnapshot(server), true);
  await server.dispose();
});

test('a start that replays its log ends at once, and the next one has everything', async () => {
  const server = await startWithDocuments();
  await server.kill();
  await server.start('/health');
  assert.deepEqual(await stopInTime(server), CLEAN);
  await server.start();
  assert.equal((await server.client.view('books')).num_documents, 10_000);
  await server.dispose();
});

test('a start whose thread hangs in the system ends', async () => {
  const dataDir = await makeDataDir();
  // Opened to be read, it waits for a writer that never comes.
  execFileSync('mkfifo', [join(dataDir, 'MANIFEST')]);
  const server = await startServer({ dataDir, args: ARGS }, '/health');
  assert.deepEqual(await stopInTime(server), CLEAN);
  await rm(dataDir, { recursive: true });
});

test('a data directory that can never be made keeps nobody from stopping', async () => {
  const server = await startServer({ dataDir: '/proc/sabre-test', args: ARGS }, '/health').catch(() => null);
  // Refused in the meantime is as good.
  if (server !== null) await stopInTime(server);
});

const holder = makeSyncHolder();
test('a disk that hangs is given up', async () => {
  // Where nothing can be compiled it has said so.
  if (holder === null) return;
  const server = await startWithDocuments([], holder.env);
  holder.hold();
  const pending = server.client.post('/collections/books/documents', { id: 'late' }).catch(() => null);
  while (Number(/^sabre_write_queue_depth (\d+)$/m.exec((await server.client.get('/metrics')).text)?.[1]) < 1);
  assert.deepEqual(await stopInTime(server), { code: 1, signal: null });
  assert.equal(await pending, null);
  holder.release();
  await server.start();
  assert.ok((await server.client.view('books')).num_documents >= 10_000);
  await server.dispose();
  holder.dispose();
});
