/**
 * Bodies beyond the limit: 413 with a JSON error, as soon as it is known, whichever way the body is framed.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectError, expectStatus } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { openSocket } from '../support/raw-socket.js';
import { startServer } from '../support/server.js';

const MAX = 2000;
const server = await startServer({ args: ['--max-body-bytes', String(MAX)] });
const { client, port } = server;
after(() => server.dispose());

const name = freshName();
await client.create(titleSchema(name));
const path = `/collections/${name}/documents`;

const bodyOf = (bytes: number): string => `{"id":"a","title":"${'x'.repeat(bytes - 21)}"}`;

test('a body of exactly the limit is taken and one byte more is 413', async () => {
  assert.equal(bodyOf(MAX).length, MAX);
  expectStatus(await client.post(path, bodyOf(MAX)), 200);
  expectError(await client.post(path, bodyOf(MAX + 1)), 413, 'payload_too_large', new RegExp(String(MAX)));
});

test('the limit holds for schemas too', async () => {
  expectError(await client.post('/collections', `{"name":"${'x'.repeat(MAX)}"}`), 413, 'payload_too_large');
});

test('a compressed body is 400 by its header, and identity is no compression', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  expectError(await client.post(path, bodyOf(100), gzip), 400, 'invalid_json', /content-encoding.*gzip/);
  expectError(await client.post('/collections', '{}', gzip), 400, 'invalid_json', /content-encoding.*gzip/);
  expectStatus(await client.post(path, bodyOf(100), { 'content-encoding': 'Identity' }), 200);
});

test('413 comes from the announced length alone, before the body is sent', async () => {
  const socket = await openSocket(port);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{`);
  const response = await socket.next(5000);
  assert.equal(response?.status, 413);
  assert.equal(JSON.parse(response?.body ?? '{}').error.code, 'payload_too_large');
  socket.destroy();
});

test('413 comes while a chunked body is still being read', async () => {
  const socket = await openSocket(port);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let i = 0; i < 5; i++) socket.write(`200\r\n${'y'.repeat(512)}\r\n`);
  const response = await socket.next(5000);
  assert.equal(response?.status, 413);
  socket.destroy();
});

test('after many refused bodies the server still serves', async () => {
  for (let i = 0; i < 20; i++) expectError(await client.post(path, 'z'.repeat(MAX * 3)), 413, 'payload_too_large');
  expectStatus(await client.get('/health'), 200);
});
