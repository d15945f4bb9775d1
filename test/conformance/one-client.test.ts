/**
 * One client that reads nothing keeps neither the room of large answers nor the places of exports from others.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError } from '../support/expect.js';
import { parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';

const MIB = 1024 * 1024;
const ANSWER_ROOM = 64 * MIB;
const DOCUMENTS = 60;
/** Their answer is larger than what the system takes of one. */
const TEXT_BYTES = 200_000;
/** More than the room holds. */
const GREEDY = 8;
const EXPORTS_MAX = 16;
const CLIENT_EXPORTS_MAX = 8;

const server = await startServer({ args: ['--max-answer-bytes', `${ANSWER_ROOM}`] });
const { client } = server;
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await server.dispose();
});

await client.create({ name: 'large', fields: [{ name: 'title', type: 'text' }] });
await client.indexAll(
  'large',
  Array.from({ length: DOCUMENTS }, (_, id) => ({ id: `${id}`, title: `word ${'x'.repeat(TEXT_BYTES)}` })),
);
const SEARCH = `/collections/large/search?q=word&limit=${DOCUMENTS}`;
const EXPORT = '/collections/large/documents';

/** Asks for `path` from `from`, an address of this machine, and reads nothing yet. */
function ask(path: string, from: string): Socket {
  const socket = connect({ port: client.port, host: '127.0.0.1', localAddress: from }, () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
  );
  socket.on('error', () => {});
  socket.pause();
  sockets.push(socket);
  return socket;
}

/** The first bytes that come. */
const headOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (chunk) => {
      socket.pause();
      resolve(chunk.toString('latin1'));
    });
    socket.on('close', () => resolve(''));
    socket.resume();
  });

async function untilSample(name: string, isReached: (value: number) => boolean): Promise<void> {
  const untilMs = performance.now() + 20_000;
  for (;;) {
    const { samples } = parseMetrics((await client.get('/metrics')).text);
    const value = samples.find((sample) => sample.name === name)?.value ?? Number.NaN;
    if (isReached(value)) return;
    assert.ok(performance.now() < untilMs, `${name} is ${value}`);
    await sleep(50);
  }
}

test('large answers that one client does not read leave room for those of others', async () => {
  const greedy = Array.from({ length: GREEDY }, () => ask(SEARCH, '127.0.0.2'));
  const heads = await Promise.all(greedy.map(headOf));
  const kept = heads.filter((head) => head.startsWith('HTTP/1.1 200'));
  assert.ok(kept.length > 0 && kept.length < GREEDY, `${kept.length} are kept`);
  for (const head of heads) assert.match(head, /^HTTP\/1\.1 (200|429)/);
  await untilSample('sabre_answer_bytes', (bytes) => bytes > 0 && bytes <= ANSWER_ROOM / 2 + MIB);
  assert.match(await headOf(ask(SEARCH, '127.0.0.3')), /^HTTP\/1\.1 200/);
  for (const socket of sockets.splice(0)) socket.destroy();
  await untilSample('sabre_answer_bytes', (bytes) => bytes === 0);
});

test('an answer of more than one client may keep is 413, compressed too, and not kept from an export', async (context) => {
  const small = await startServer({ args: ['--max-client-unsent-bytes', '1000000'] });
  context.after(() => small.dispose());
  await small.client.create({ name: 'large', fields: [{ name: 'title', type: 'text' }] });
  const title = `word ${'x'.repeat(TEXT_BYTES)}`;
  await small.client.indexAll(
    'large',
    [1, 2, 3, 4, 5, 6].map((id) => ({ id: `${id}`, title })),
  );
  const search = '/collections/large/search?q=word';
  const message = /the response exceeds 1000000 bytes: ask for fewer hits or fields/;
  for (const headers of [{}, { 'accept-encoding': 'gzip' }, { accept: 'application/msgpack' }])
    expectError(await small.client.get(search, headers), 413, 'payload_too_large', message);
  for (const fewer of ['&limit=4', '&include_fields=id'])
    assert.equal((await small.client.get(`${search}${fewer}`)).status, 200);
  const exported = await small.client.get(EXPORT);
  assert.equal(exported.text.trim().split('\n').length, 6);
});

test('exports that one client does not read leave places for those of others', async () => {
  const greedy = Array.from({ length: EXPORTS_MAX }, () => ask(EXPORT, '127.0.0.2'));
  const heads = await Promise.all(greedy.map(headOf));
  const refused = heads.filter((head) => head.startsWith('HTTP/1.1 429'));
  assert.equal(refused.length, EXPORTS_MAX - CLIENT_EXPORTS_MAX);
  for (const head of refused) {
    assert.match(head, /"overloaded","message":"exports: at most 8 at a time for one client; try again later"/);
    assert.match(head, /retry-after: \d+\r\n/);
  }
  const others = Array.from({ length: EXPORTS_MAX - CLIENT_EXPORTS_MAX }, () => ask(EXPORT, '127.0.0.3'));
  for (const head of await Promise.all(others.map(headOf))) assert.match(head, /^HTTP\/1\.1 200/);
  assert.match(await headOf(ask(EXPORT, '127.0.0.4')), /^HTTP\/1\.1 503/);
  for (const socket of sockets.splice(0)) socket.destroy();
  await untilSample('sabre_http_connections', (count) => count === 1);
  assert.match(await headOf(ask(EXPORT, '127.0.0.2')), /^HTTP\/1\.1 200/, 'the places are free again');
});
