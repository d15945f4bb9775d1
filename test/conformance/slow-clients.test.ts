/**
 * Clients that do nothing for longer than the HTTP library would wait (8 to 12 s), within what this server allows: their answers come
 * whole, their bodies are taken.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectStatus } from '../support/expect.js';
import { startServer } from '../support/server.js';

/** Longer than any connection is kept on which nothing moves. */
const PAUSE_MS = 14_000;
const DOCUMENTS = 250;
/** Of all together more than the system's buffers hold. */
const TEXT_CHARS = 60_000;
const LISTED = 400;

const SLOW = ['--answer-rate-min', '0', '--body-rate-min', '0'];

const title = { name: 'title', type: 'text' } as const;

const documentOf = (id: number): string =>
  JSON.stringify({ id: `${id}`, title: `word ${id} ${'x'.repeat(TEXT_CHARS)}` });

/** Sends `head` and reads nothing for PAUSE_MS, then all until the server closes. */
async function readAfterPause(port: number, path: string): Promise<string> {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await sleep(PAUSE_MS);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Sends a body a part a second for PAUSE_MS and then its end; returns the answer. */
async function sendSlowly(port: number, path: string, body: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
  for (let ms = 0; ms < PAUSE_MS; ms += 1000) {
    socket.write(body.subarray(ms / 1000, ms / 1000 + 1));
    await sleep(1000);
  }
  socket.write(body.subarray(PAUSE_MS / 1000));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The body of an answer in chunks, which ends as it must. */
function unchunked(answer: string): string {
  let at = answer.indexOf('\r\n\r\n') + 4;
  let body = '';
  for (;;) {
    const end = answer.indexOf('\r\n', at);
    assert.ok(end > 0, 'the answer ends with an empty chunk');
    const length = Number.parseInt(answer.slice(at, end), 16);
    if (length === 0) return body;
    body += answer.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
}

const servers = await Promise.all(
  ['1', '2'].map((threads) => startServer({ args: [...SLOW, '--http-threads', threads] })),
);
after(() => Promise.all(servers.map((server) => server.dispose())));

for (const [index, { client }] of servers.entries())
  test(`who pauses for longer than the library waits gets all of it, and may send, with ${index + 1} HTTP threads`, async () => {
    await client.create({ name: 'slow', fields: [title] });
    const documents = Array.from({ length: DOCUMENTS }, (_, id) => documentOf(id));
    expectStatus(await client.post('/collections/slow/documents', `[${documents.join(',')}]`), 200);
    const numbers = Array.from({ length: 250 }, (_, i) => ({
      name: `field_${'y'.repeat(50)}_${i}`,
      type: 'int' as const,
    }));
    for (let i = 0; i < LISTED; i++) await client.create({ name: `many-${i}`, fields: [title, ...numbers] });
    const [search, exported, list, posted] = await Promise.all([
      readAfterPause(client.port, '/collections/slow/search?q=word&limit=250'),
      readAfterPause(client.port, '/collections/slow/documents'),
      readAfterPause(client.port, '/collections'),
      sendSlowly(client.port, '/collections/slow/documents', Buffer.from(`[${documentOf(1000)}]`)),
    ]);
    const found = JSON.parse(search.slice(search.indexOf('\r\n\r\n') + 4)) as { hits: unknown[] };
    assert.equal(found.hits.length, DOCUMENTS);
    assert.equal(unchunked(exported), `${documents.join('\n')}\n`);
    const listed = JSON.parse(unchunked(list)) as unknown[];
    assert.equal(listed.length, LISTED + 1);
    assert.match(posted, /^HTTP\/1\.1 200 OK/);
    assert.match(posted, /"num_indexed":1/);
  });
