/**
 * Descriptors: however many connections come, the engine finds one for each file that it opens.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { connectionsMax, loadingsAtOnce } from '../../src/open-files.js';
import { openSocket, type RawSocket, rawGet } from '../support/raw-socket.js';
import { runMain, startServer } from '../support/server.js';

const OPEN_FILES = 512;
/** More than the server may have descriptors. */
const FLOOD = 700;

const server = await startServer({ openFiles: OPEN_FILES });
const { client, port } = server;
after(() => server.dispose());

const sockets: RawSocket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

test('connections beyond the bound get 503 and are closed, and a fresh engine opens its files beside the others', async () => {
  // Its connection stays open, and the first search, write and snapshot of this server come when the flood is there.
  assert.equal((await client.get('/ready')).status, 200);
  for (let count = 0; count < FLOOD; count++) sockets.push(await openSocket(port));
  const last = sockets[FLOOD - 1] as RawSocket;
  assert.equal(await last.waitForClose(), true);
  assert.match(last.received, /^HTTP\/1\.1 503 Service Unavailable\r\n/);
  assert.match(last.received, /\r\nx-request-id: \S+\r\n/i);
  assert.match(last.received, /retry-after: \d+\r\n/);
  assert.match(last.received, /"code":"overloaded"/);

  await client.create({ name: 'books', fields: [{ name: 'title', type: 'text' }] });
  for (let round = 0; round < 20; round++) {
    const documents = Array.from({ length: 50 }, (_, index) => ({ id: `${round}-${index}`, title: `word ${index}` }));
    assert.equal((await client.index('books', documents)).num_failed, 0);
  }
  assert.equal((await client.search('books', { q: 'word' })).found, 1000);
  assert.equal((await client.request('POST', '/snapshot')).status, 200);
  const metrics = (await client.get('/metrics')).text;
  const max = Number(/^sabre_http_connections_max (\d+)$/m.exec(metrics)?.[1]);
  const open = Number(/^sabre_http_connections (\d+)$/m.exec(metrics)?.[1]);
  const refused = Number(/^sabre_http_connections_refused_total (\d+)$/m.exec(metrics)?.[1]);
  assert.ok(max < OPEN_FILES - 100, `${max}`);
  assert.ok(open <= max, `${open} of ${max}`);
  assert.ok(refused >= FLOOD - max, `${refused}`);
});

test('a connection that was there first is served, and a place that becomes free is taken', async () => {
  const [first] = sockets as [RawSocket];
  first.write(rawGet('/health'));
  assert.equal((await first.next())?.status, 200);
  for (const socket of sockets.splice(0)) socket.destroy();
  let status = 0;
  for (let attempt = 0; attempt < 100 && status !== 200; attempt++) {
    const socket = await openSocket(port);
    socket.write(rawGet('/health'));
    status = (await socket.next())?.status ?? 0;
    socket.destroy();
  }
  assert.equal(status, 200);
});

test('threads load side by side only where connections leave them the files for it', () => {
  const property = fc.property(
    fc.integer({ min: 800, max: 100_000 }),
    fc.integer({ min: 1, max: 40 }),
    fc.option(fc.integer({ min: 1, max: 100 })),
    (filesMax, threads, wanted) => {
      const connections = connectionsMax(wanted, filesMax, threads);
      const loadings = loadingsAtOnce(connections, filesMax, threads);
      assert.ok(loadings >= 1 && loadings <= 4);
      assert.ok(connections + 70 + 250 * loadings + 8 * threads <= filesMax);
    },
  );
  fc.assert(property);
  assert.equal(loadingsAtOnce(connectionsMax(null, 1024, 2), 1024, 2), 1);
  assert.equal(loadingsAtOnce(connectionsMax(null, 20_000, 2), 20_000, 2), 4);
});

test('a bound that the descriptors do not allow stops the start with a message that says so', async () => {
  const { code, stdout } = await runMain(['--listen', '127.0.0.1:0', '--max-connections', '100000000']);
  assert.equal(code, 1);
  assert.match(stdout, /open files: at least \d+ needed .* --max-connections/);
});

test('with as few open files as are said to be needed the engine starts, however many threads it has', async () => {
  for (const [readerThreads, httpThreads] of [
    [1, 1],
    [16, 1],
    [1, 8],
  ]) {
    const args = ['--reader-threads', `${readerThreads}`, '--http-threads', `${httpThreads}`];
    const { code, stdout } = await runMain(['--listen', '127.0.0.1:0', ...args, '--max-connections', '100000000']);
    assert.equal(code, 1);
    const reserved = Number(/\((\d+) for the engine/.exec(stdout)?.[1]);
    const small = await startServer({ openFiles: reserved + 1, args });
    assert.equal((await small.client.get('/health')).status, 200);
    await small.dispose();
  }
});
