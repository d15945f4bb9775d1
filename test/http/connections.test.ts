/**
 * Bodies and connections: bounds while reading, clients that leave, clients that read slowly or not at all.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedBytes } from './fake-engine.js';
import { errorCode, withServer } from './test-server.js';

const post = (head: string): string => `POST /collections/books/documents HTTP/1.1\r\nHost: x\r\n${head}\r\n`;

withServer('a body too large by Content-Length is refused before it is sent', {}, async ({ raw, engine }) => {
  const { text } = await raw(post('Content-Length: 100001\r\n'));
  assert.match(text, /^HTTP\/1\.1 413 Content Too Large/);
  assert.match(text, /connection: close/);
  assert.match(text, /"payload_too_large"/);
  assert.equal(engine.batches.length, 0);
});

withServer('a body announced far too large is cut off', {}, async ({ raw }) => {
  const { text, isClosed } = await raw(post('Content-Length: 400001\r\n'));
  assert.match(text, /^HTTP\/1\.1 413/);
  assert.equal(isClosed, true);
});

withServer('a client that sends all of a refused body before it reads gets the answer', {}, async ({ send }) => {
  const answer = await send('POST', '/collections/books/documents', { body: Buffer.alloc(390_000) });
  assert.equal(errorCode(answer), 'payload_too_large');
});

withServer('a chunked body is refused as soon as it is too large', {}, async ({ raw, engine, get }) => {
  const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
  const { text } = await raw(post('Transfer-Encoding: chunked\r\n') + chunk.repeat(4));
  assert.match(text, /^HTTP\/1\.1 413/);
  assert.equal(engine.batches.length, 0);
  assert.match((await get('/metrics')).text, /^sabre_http_body_bytes_in_flight 0$/m);
});

withServer('a body of exactly the bound is taken, whole or chunked', {}, async ({ raw, send, engine, get }) => {
  const body = Buffer.alloc(100_000, 'a');
  assert.equal((await send('POST', '/collections/books/documents', { body })).status, 200);
  const chunks = `${(50_000).toString(16)}\r\n${'b'.repeat(50_000)}\r\n`.repeat(2);
  const { text } = await raw(`${post('Transfer-Encoding: chunked\r\n') + chunks}0\r\n\r\n`);
  assert.match(text, /^HTTP\/1\.1 200/);
  assert.equal(engine.batches[0]?.bytes.equals(body), true);
  assert.equal(engine.batches[1]?.bytes.equals(Buffer.alloc(100_000, 'b')), true);
  assert.match((await get('/metrics')).text, /^sabre_http_body_bytes_in_flight 0$/m);
});

withServer('bodies in flight are bounded together', { maxInflightBodyBytes: 150_000 }, async ({ port, send, get }) => {
  const slow = connect(port, '127.0.0.1');
  slow.on('error', () => {});
  slow.write(post('Content-Length: 100000\r\n'));
  await sleep(50);
  const busy = await send('POST', '/collections/books/documents', { body: Buffer.alloc(90_000) });
  assert.equal(busy.status, 503);
  assert.equal(errorCode(busy), 'overloaded');
  assert.equal(busy.headers['retry-after'], '1');
  slow.destroy();
  await sleep(50);
  assert.equal((await send('POST', '/collections/books/documents', { body: Buffer.alloc(90_000) })).status, 200);
  assert.match((await get('/metrics')).text, /^sabre_http_body_bytes_in_flight 0$/m);
});

withServer('a batch for a missing collection is refused before its body', {}, async ({ raw }) => {
  const { text } = await raw('POST /collections/none/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n');
  assert.match(text, /^HTTP\/1\.1 404[\s\S]*collection_not_found/);
});

withServer('a client that goes away during a search is forgotten', {}, async ({ port, engine, get }) => {
  engine.searchDelayMs = 60;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /collections/books/search HTTP/1.1\r\nHost: x\r\n\r\n');
  await sleep(20);
  socket.destroy();
  await sleep(80);
  assert.equal(engine.searches.length, 1);
  assert.deepEqual(engine.cancelled, [1], 'the engine is told that nobody waits');
  assert.match((await get('/metrics')).text, /^sabre_http_requests_in_flight 1$/m);
});

withServer(
  'the memory of an answer is given back once: when it is sent, or when its client goes',
  {},
  async (server) => {
    const { port, engine, get } = server;
    engine.heldBytes = 4096;
    await get('/collections/books/search');
    await sleep(20);
    assert.equal(engine.releasedBytes, 4096);
    assert.deepEqual(engine.cancelled, [], 'what was answered is not cancelled');
    engine.searchBody = new Uint8Array(Buffer.from('x'.repeat(8 * 1024 * 1024)));
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write('GET /collections/books/search HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(100);
    assert.equal(engine.releasedBytes, 4096, 'it is still being sent');
    socket.destroy();
    await sleep(100);
    assert.equal(engine.releasedBytes, 2 * 4096);
  },
);

withServer('a client that reads slowly gets every byte', {}, async ({ port, engine, get }) => {
  const body = 'x'.repeat(8 * 1024 * 1024);
  engine.searchBody = sharedBytes(body);
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET /collections/books/search HTTP/1.1\r\nHost: x\r\n\r\n');
  await sleep(100);
  engine.searchBody.fill(0);
  assert.match((await get('/metrics')).text, /^sabre_http_unsent_bytes [1-9]\d{5,}$/m);
  let received = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.length >= received.indexOf('\r\n\r\n') + 4 + body.length) resolve();
    });
    socket.resume();
  });
  assert.equal(received.slice(received.indexOf('\r\n\r\n') + 4), body);
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  const [next] = (await new Promise<Buffer[]>((resolve) => socket.once('data', (chunk) => resolve([chunk])))) as [
    Buffer,
  ];
  assert.match(next.toString(), /^HTTP\/1\.1 200/);
  socket.destroy();
  assert.match((await get('/metrics')).text, /^sabre_http_unsent_bytes 0$/m);
});

withServer(
  'a client that reads nothing holds one answer, and gives it back when it goes',
  {},
  async ({ port, engine, get }) => {
    engine.searchBody = sharedBytes('x'.repeat(4 * 1024 * 1024));
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    for (let count = 0; count < 20; count++) {
      socket.write('GET /collections/books/search HTTP/1.1\r\nHost: x\r\n\r\n');
      await sleep(5);
    }
    const unsent = Number(/^sabre_http_unsent_bytes (\d+)$/m.exec((await get('/metrics')).text)?.[1]);
    assert.ok(unsent <= 4 * 1024 * 1024);
    socket.destroy();
    await sleep(30);
    assert.match((await get('/metrics')).text, /^sabre_http_unsent_bytes 0$/m);
  },
);
