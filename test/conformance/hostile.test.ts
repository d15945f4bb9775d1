/**
 * Clients that mean harm or are broken: each is bounded and answered with a clear 4xx, and others go on being served.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError, expectStatus } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { openSocket, rawGet } from '../support/raw-socket.js';
import { startServer } from '../support/server.js';
import type { BatchReport } from '../support/wire.js';

const server = await startServer();
const { client, port } = server;
after(() => server.dispose());

const name = freshName('hostile');
await client.create({
  name,
  fields: [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'int', filter: true },
  ],
});
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const letter = (i: number): string => LETTERS[i % 26] ?? 'a';
await client.indexAll(
  name,
  Array.from({ length: 4000 }, (_, i) => ({
    id: `${i}`,
    title: [1, 5, 7, 11].map((k) => `${letter(i)}${letter(i * k)}${letter(i + k)}${i % 97}`).join(' '),
    n: i,
  })),
);

/** Searches go on being answered while `attack` runs. */
async function servesMeanwhile(attack: Promise<unknown>): Promise<void> {
  let running = true;
  const done = attack.finally(() => {
    running = false;
  });
  done.catch(() => {}); // A failure is thrown by the await below, not while a search is under way.
  let served = 0;
  while (running || served === 0) {
    expectStatus(await client.get('/health'), 200);
    assert.equal((await client.search(name, { filter: 'n:7', limit: 1 })).found, 1);
    served++;
    await sleep(1);
  }
  await done;
}

test('sixty one-letter tokens, in both match modes, are answered', async () => {
  const q = Array.from({ length: 60 }, (_, i) => letter(i)).join(' ');
  const both = ['all', 'any'].map((match_mode) => client.search(name, { q, match_mode }));
  await servesMeanwhile(Promise.all(both));
});

test('sixty long misspelt tokens are answered', async () => {
  const q = Array.from({ length: 60 }, (_, i) => `${letter(i)}bcdefgh${letter(i * 3)}x${i}`).join(' ');
  const both = ['all', 'any'].map((match_mode) => client.search(name, { q, match_mode }));
  await servesMeanwhile(Promise.all(both));
});

test('sixty phrases of one word and one phrase of sixty words are answered', async () => {
  const words = Array.from({ length: 60 }, (_, i) => `${letter(i)}${letter(i)}${letter(i + 1)}${i}`);
  await servesMeanwhile(client.search(name, { q: words.map((word) => `"${word}"`).join(' '), match_mode: 'any' }));
  await servesMeanwhile(client.search(name, { q: `"${words.join(' ')}"` }));
  await servesMeanwhile(client.search(name, { q: `${'"'.repeat(2000)}` }));
});

test('a filter nested 64 levels is answered, one nested 66 and one without end are refused', async () => {
  const nested = (levels: number): string => `${'('.repeat(levels)}n:1${')'.repeat(levels)}`;
  expectStatus(await client.searchReply(name, { filter: nested(63) }), 200);
  expectError(await client.searchReply(name, { filter: nested(66) }), 400, 'invalid_query', /64/);
  expectError(await client.searchReply(name, { filter: '('.repeat(10_000) }), 400, 'invalid_query');
});

test('JSON nested a hundred thousand levels fails clearly', async () => {
  const deep = '['.repeat(100_000);
  for (const body of [
    deep,
    deep + ']'.repeat(100_000),
    `{"id":"x","a":${deep}${']'.repeat(100_000)}}`,
    '{"a":'.repeat(100_000),
  ]) {
    const reply = await client.post(`/collections/${name}/documents`, body);
    if (reply.status === 200) assert.equal((JSON.parse(reply.text) as BatchReport).num_indexed, 0);
    else expectError(reply, 400, 'invalid_json');
    const schema = await client.post('/collections', body);
    assert.equal(schema.status, 400);
  }
  const nested = `{"x":${deep}${']'.repeat(100_000)}}`;
  const paths = ['/collections', '/multi-search', `/collections/${name}/search`];
  for (const path of paths) expectError(await client.post(path, nested), 400, 'invalid_json', /at most 64 levels/);
  expectStatus(await client.get('/health'), 200);
});

test('a client that sends one byte at a time holds up nobody', async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(port)));
  const slow = (async () => {
    for (const byte of 'POST /collections HT') {
      for (const socket of sockets) socket.write(byte);
      await sleep(25);
    }
  })();
  await servesMeanwhile(slow);
  for (const socket of sockets) socket.destroy();
});

test('a client that stops reading holds up nobody and costs bounded memory', async () => {
  const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(port)));
  for (const socket of sockets) {
    socket.socket.pause();
    socket.write(rawGet(`/collections/${name}/search?q=a&limit=250`).repeat(200));
  }
  await servesMeanwhile(sleep(600));
  for (const socket of sockets) socket.destroy();
  expectStatus(await client.get('/health'), 200);
});

test('a body of 100 MiB of blanks is refused or read without harm', async () => {
  const attack = client.post(`/collections/${name}/documents`, Buffer.alloc(100 * 1024 * 1024, ' '));
  await servesMeanwhile(attack.then((reply) => expectError(reply, 400, 'invalid_json')));
});

test('a body of more than 100 MiB is 413', async () => {
  const socket = await openSocket(port);
  const head = `POST /collections/${name}/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 104857601\r\n\r\n`;
  socket.write(head);
  assert.equal((await socket.next(5000))?.status, 413);
  socket.destroy();
});

test('one document with a text of a million words is indexed and found', async () => {
  const own = freshName();
  await client.create(titleSchema(own));
  const title = Array.from({ length: 1_000_000 }, (_, i) => `w${i % 5000}`).join(' ');
  const attack = client.indexAll(own, [{ id: 'long', title }]);
  await servesMeanwhile(attack);
  assert.deepEqual(await client.ids(own, { q: '"w4999 w0"' }), ['long']);
});

test('broken UTF-8 anywhere in a request is a client error', async () => {
  const broken = Buffer.from([0xff, 0xfe, 0xc3, 0x28]);
  const body = Buffer.concat([Buffer.from('{"id":"'), broken, Buffer.from('"}')]);
  expectError(await client.post(`/collections/${name}/documents`, body), 400, 'invalid_json');
  expectError(await client.post('/collections', body), 400, 'invalid_json');
  const socket = await openSocket(port);
  socket.write(
    Buffer.concat([
      Buffer.from(`GET /collections/${name}/search?q=`),
      broken,
      Buffer.from(' HTTP/1.1\r\nHost: x\r\n\r\n'),
    ]),
  );
  const response = await socket.next(3000);
  assert.ok(response === null || response.status === 400, `status ${response?.status}`);
  socket.destroy();
});

test('a flood of connections that say nothing leaves the server serving', async () => {
  const sockets = await Promise.all(Array.from({ length: 300 }, () => openSocket(port)));
  await servesMeanwhile(sleep(100));
  for (const socket of sockets) socket.destroy();
});

test('names that would mean something to JavaScript mean nothing here', async () => {
  const own = freshName();
  const fields = ['constructor', 'prototype', 'toString', 'hasOwnProperty'].map((field) => ({
    name: field,
    type: 'text' as const,
  }));
  await client.create({ name: own, fields });
  await client.indexAll(own, [{ id: '__proto__', constructor: 'alpha', toString: 'beta' } as { id: string }]);
  assert.deepEqual(await client.ids(own, { q: 'alpha', query_by: 'constructor' }), ['__proto__']);
  assert.deepEqual(await client.ids(own, { q: 'beta', query_by: 'prototype' }), []);
  for (const path of ['/constructor', '/__proto__', '/collections/constructor', '/collections/__proto__']) {
    assert.equal((await client.get(path)).status, 404, path);
  }
  expectStatus(await client.post(`/collections/${own}/documents`, '{"id":"p","__proto__":{"x":1}}'), 200);
  assert.equal((await client.get(`/collections/${own}/documents/p`)).text, '{"id":"p","__proto__":{"x":1}}');
});

test('methods that are named like what every object has are 405', async () => {
  for (const method of ['constructor', 'toString', '__proto__']) {
    const socket = await openSocket(port);
    socket.write(`${method} /health HTTP/1.1\r\nhost: x\r\n\r\n`);
    assert.equal((await socket.next(5000))?.status, 405, method);
    socket.destroy();
  }
});

test('a batch of which every line is wrong is answered, each line with its place', async () => {
  const count = 50_000;
  const path = `/collections/${name}/documents`;
  const reply = await client.request('POST', path, {
    body: 'a,b\n'.repeat(count),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const report = JSON.parse(expectStatus(reply, 200).text) as BatchReport;
  assert.equal(report.num_failed, count);
  assert.match(JSON.stringify(report.results.at(-1)), /line 50000, column 1/);
});

test('after all of this nothing was logged as an internal error', () => {
  assert.doesNotMatch(server.log, /internal_error|uncaught|unhandled/i);
});
