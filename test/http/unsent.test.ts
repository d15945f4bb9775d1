/**
 * Answers that their clients do not read: bounded for all and for each client, and dropped when they go too slowly.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { UnsentBytes } from '../../src/http/unsent-bytes.js';
import { sharedBytes } from './fake-engine.js';
import { type TestServer, withServer } from './test-server.js';

const MIB = 1024 * 1024;
const SEARCH = 'GET /collections/books/search HTTP/1.1\r\nHost: x\r\n\r\n';
const FETCH = 'GET /collections/books/documents/1 HTTP/1.1\r\nHost: x\r\n\r\n';

/** Sends `request` from `from`, an address of this machine, and reads nothing. */
function ask({ port }: TestServer, request: string, from: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => socket.write(request));
  socket.on('error', () => {});
  socket.pause();
  return socket;
}

/** Sends `request` and returns what comes within the first packets. */
function answerTo(server: TestServer, request: string, from: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = ask(server, request, from);
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString('latin1'));
    });
    socket.on('close', () => resolve(''));
    socket.resume();
  });
}

const gauge = async ({ get }: TestServer, name: string): Promise<number> =>
  Number(new RegExp(`^sabre_${name} (\\d+)$`, 'm').exec((await get('/metrics')).text)?.[1]);

async function untilUnsent(server: TestServer, bytes: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while ((await gauge(server, 'http_unsent_bytes')) !== bytes && Date.now() < deadline) await sleep(10);
  assert.equal(await gauge(server, 'http_unsent_bytes'), bytes);
}

withServer(
  'an answer for which there is no room is 503, small ones go on',
  { maxUnsentBytes: 12 * MIB, maxClientUnsentBytes: 12 * MIB },
  async (server) => {
    server.engine.searchBody = sharedBytes('x'.repeat(8 * MIB));
    const slow = ask(server, SEARCH, '127.0.0.2');
    await untilUnsent(server, 8 * MIB);
    assert.equal(await gauge(server, 'http_unsent_answers'), 1);
    const refused = await answerTo(server, SEARCH, '127.0.0.3');
    assert.match(refused, /^HTTP\/1\.1 503 Service Unavailable\r\n/);
    assert.match(refused, /retry-after: \d+\r\n/);
    assert.match(refused, /"code":"overloaded","message":"answers not yet read: at most 12582912 bytes together/);
    assert.match(await answerTo(server, FETCH, '127.0.0.3'), /^HTTP\/1\.1 200/);
    slow.destroy();
    await untilUnsent(server, 0);
    assert.match(await answerTo(server, SEARCH, '127.0.0.3'), /^HTTP\/1\.1 200/);
    await untilUnsent(server, 0);
  },
);

withServer(
  'a client that does not read has its own answers refused, 429, and nobody else has',
  { maxUnsentBytes: 64 * MIB, maxClientUnsentBytes: 10 * MIB },
  async (server) => {
    server.engine.searchBody = sharedBytes('x'.repeat(8 * MIB));
    const slow = ask(server, SEARCH, '127.0.0.2');
    await untilUnsent(server, 8 * MIB);
    const refused = await answerTo(server, SEARCH, '127.0.0.2');
    assert.match(refused, /^HTTP\/1\.1 429 Too Many Requests\r\n/);
    assert.match(refused, /retry-after: \d+\r\n/);
    assert.match(await answerTo(server, SEARCH, '127.0.0.3'), /^HTTP\/1\.1 200/);
    slow.destroy();
    await untilUnsent(server, 0);
  },
);

withServer(
  'an answer that is larger than what a client, or all of them, may keep is 413: no other try would do better',
  { maxUnsentBytes: 12 * MIB, maxClientUnsentBytes: 10 * MIB },
  async (server) => {
    server.engine.searchBody = sharedBytes('x'.repeat(8 * MIB));
    const slow = ask(server, SEARCH, '127.0.0.3');
    await untilUnsent(server, 8 * MIB);
    for (const mib of [11, 13]) {
      server.engine.searchBody = sharedBytes('x'.repeat(mib * MIB));
      const refused = await answerTo(server, SEARCH, '127.0.0.2');
      assert.match(refused, /^HTTP\/1\.1 413/);
      const message = `the answer: expected at most ${10 * MIB} bytes for one client, got ${mib * MIB}; ask for fewer hits`;
      assert.ok(refused.includes(message), refused);
      assert.doesNotMatch(refused, /retry-after/i);
    }
    slow.destroy();
    await untilUnsent(server, 0);
  },
);

withServer(
  'what a write has done is told though there is no room, up to twice of it, and then that it is not',
  { maxUnsentBytes: 12 * MIB, maxClientUnsentBytes: 10 * MIB },
  async (server) => {
    server.engine.searchBody = sharedBytes('x'.repeat(8 * MIB));
    server.engine.patchDocument = () => Promise.resolve(Buffer.alloc(7 * MIB, 'x'));
    const patch = 'PATCH /collections/books/documents/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    const slow = [ask(server, SEARCH, '127.0.0.2')];
    await untilUnsent(server, 8 * MIB);
    slow.push(ask(server, patch, '127.0.0.2'));
    await untilUnsent(server, 15 * MIB);
    assert.match(await answerTo(server, SEARCH, '127.0.0.3'), /^HTTP\/1\.1 503/);
    slow.push(ask(server, patch, '127.0.0.3'));
    await untilUnsent(server, 22 * MIB);
    const untold = await answerTo(server, patch, '127.0.0.4');
    assert.match(untold, /^HTTP\/1\.1 504/);
    assert.match(untold, /"code":"unknown_outcome","message":"it was done/);
    assert.doesNotMatch(untold, /retry-after/i);
    for (const socket of slow) socket.destroy();
    await untilUnsent(server, 0);
  },
);

withServer(
  'a client that reads too slowly is cut off, and its memory is free again',
  { answerRateMin: 1_000_000, answerGraceMs: 1500 },
  async (server) => {
    server.engine.searchBody = sharedBytes('x'.repeat(16 * MIB));
    const slow = ask(server, SEARCH, '127.0.0.2');
    await untilUnsent(server, 16 * MIB);
    await untilUnsent(server, 0);
    assert.equal(await gauge(server, 'http_requests_in_flight'), 1);
    slow.destroy();
  },
);

withServer('answers tell how long their connection is kept', {}, async ({ get, raw, server }) => {
  for (const path of ['/health', '/collections/books/search', '/nope'])
    assert.equal((await get(path)).headers['keep-alive'], 'timeout=8', path);
  const refused = await raw('POST /collections/books/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 100001\r\n\r\n');
  assert.match(refused.text, /connection: close/i);
  assert.doesNotMatch(refused.text, /keep-alive/i);
  await server.drain(0);
});

test('room is given in the order of asking, and never beyond the bound', () => {
  const step = fc.record({ bytes: fc.integer({ min: 1, max: 100 }), releases: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const unsent = new UnsentBytes({ maxBytes: 100, clientMaxBytes: 100, rateMin: 0, graceMs: 1000 });
      const kept: number[] = [];
      const started: number[] = [];
      for (const [index, { bytes, releases }] of steps.entries()) {
        unsent.whenRoom(bytes, () => {
          assert.equal(unsent.keep(null, bytes), null);
          kept.push(bytes);
          started.push(index);
        });
        for (let count = 0; count < releases && kept.length > 0; count++) unsent.release(null, kept.shift() ?? 0);
        assert.ok(unsent.bytes <= 100);
        assert.equal(unsent.answers, kept.length);
      }
      while (kept.length > 0) unsent.release(null, kept.shift() ?? 0);
      assert.deepEqual(
        started,
        steps.map((_, index) => index),
      );
      assert.equal(unsent.bytes, 0);
    }),
  );
});
