/**
 * The list of all collections when it is long: sent slice by slice, made no faster than its client takes it, with other
 * requests answered in between.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionView } from '../../engine/index.js';
import { BOOKS, type FakeEngine } from './fake-engine.js';
import { startServer, type TestServer, withServer } from './test-server.js';

const COUNT = 5000;
const LIST = 'GET /collections HTTP/1.1\r\nHost: x\r\n\r\n';

const manyViews = (count: number): CollectionView[] =>
  Array.from({ length: count }, (_, index) => ({
    ...BOOKS,
    name: `books-é😀-${index}`,
    fields: Array.from({ length: 20 }, () => BOOKS.fields[0]),
  }));

/** Lets the engine list `count` collections; returns how many of them were turned into JSON so far. */
function listMany(engine: FakeEngine, count = COUNT): () => number {
  let made = 0;
  engine.views = manyViews(count).map((view) => {
    const toJSON = (): CollectionView => {
      made += 1;
      return view;
    };
    return Object.defineProperty({ ...view }, 'toJSON', { value: toJSON });
  });
  return () => made;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds()) && Date.now() < deadline) await sleep(10);
  assert.equal(await holds(), true);
}

const gauge = async ({ get }: TestServer, name: string): Promise<number> =>
  Number(new RegExp(`^sabre_${name} (\\d+)$`, 'm').exec((await get('/metrics')).text)?.[1]);

/** Asks for the list and reads nothing. */
function askAndWait(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.pause();
  socket.write(LIST);
  return socket;
}

/** Waits until the server makes no more of the list. */
async function untilStill(made: () => number): Promise<number> {
  let before = -1;
  while (made() === 0 || made() !== before) {
    before = made();
    await sleep(100);
  }
  return before;
}

test('a list of any length is the JSON of its collections, byte by byte', async () => {
  const server = await startServer();
  try {
    for (const count of [0, 1, 2, 25, 26, 27, 28, 40, 41, 42, 100, 1000, COUNT]) {
      server.engine.views = manyViews(count);
      const text = JSON.stringify(server.engine.views);
      const answer = await server.get('/collections');
      assert.equal(answer.status, 200);
      assert.ok(answer.text === text, `${count} collections: ${answer.text.length} of ${text.length} characters`);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.headers['keep-alive'], 'timeout=8');
      const isShort = Buffer.byteLength(text) <= 64 * 1024;
      const length = answer.headers['content-length'];
      if (isShort) assert.equal(length, String(Buffer.byteLength(text)));
      else if (count > 100) assert.deepEqual([length, answer.headers['transfer-encoding']], [undefined, 'chunked']);
    }
  } finally {
    server.stop();
  }
});

withServer('other requests are answered between the slices of a list', {}, async ({ engine, get }) => {
  const made = listMany(engine);
  const list = get('/collections');
  const seen: number[] = [];
  while (made() < COUNT) {
    assert.equal((await get('/health')).status, 200);
    seen.push(made());
  }
  assert.ok(seen.filter((count) => count > 0 && count < COUNT).length >= 3, `${seen}`);
  assert.equal((JSON.parse((await list).text) as CollectionView[]).length, COUNT);
});

withServer('the list is that of one moment', {}, async ({ engine, get }) => {
  const made = listMany(engine);
  const expected = JSON.stringify(engine.views);
  const before = made();
  const list = get('/collections');
  await until(() => made() > before);
  engine.views = [BOOKS];
  assert.ok((await list).text === expected);
});

withServer('of a list that nobody reads little is made, and a client that goes is forgotten', {}, async (server) => {
  const made = listMany(server.engine, 20_000);
  const socket = askAndWait(server.port);
  const still = await untilStill(made);
  assert.ok(still < 20_000, `${still} made`);
  const unsent = await gauge(server, 'http_unsent_bytes');
  assert.ok(unsent > 0 && unsent < 256 * 1024, `${unsent} bytes`);
  assert.equal(await gauge(server, 'http_unsent_answers'), 1);
  assert.equal(await gauge(server, 'http_requests_in_flight'), 2);
  socket.destroy();
  await until(async () => (await gauge(server, 'http_requests_in_flight')) === 1);
  assert.deepEqual([await gauge(server, 'http_unsent_bytes'), await gauge(server, 'http_unsent_answers')], [0, 0]);
  assert.equal(made(), still);
});

withServer('a slow client gets every byte, and its connection is good for more', {}, async (server) => {
  server.engine.views = manyViews(8000);
  const expected = JSON.stringify(server.engine.views);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, pauseMs: number): Promise<{ text: string; port: number | undefined }> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { port: server.port, host: '127.0.0.1', path: '/collections', method, agent },
        async (answer) => {
          const port = answer.socket.localPort;
          const chunks: Buffer[] = [];
          let pausedAt = 0;
          let length = 0;
          for await (const chunk of answer as AsyncIterable<Buffer>) {
            chunks.push(chunk);
            length += chunk.length;
            if (length - pausedAt < 500_000) continue;
            pausedAt = length;
            await sleep(pauseMs);
          }
          resolve({ text: Buffer.concat(chunks).toString(), port });
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  const slow = await ask('GET', 20);
  assert.ok(slow.text === expected, `${slow.text.length} of ${expected.length}`);
  const head = await ask('HEAD', 0);
  assert.deepEqual(head, { text: '', port: slow.port });
  const again = await ask('GET', 0);
  assert.ok(again.text === expected);
  assert.equal(again.port, slow.port);
  agent.destroy();
  assert.equal(await gauge(server, 'http_unsent_bytes'), 0);
  assert.equal(await gauge(server, 'http_requests_in_flight'), 1);
});

withServer(
  'a client that takes the list too slowly is cut off',
  { answerRateMin: 1_000_000, answerGraceMs: 400 },
  async (server) => {
    listMany(server.engine, 20_000);
    const socket = askAndWait(server.port);
    await until(async () => (await gauge(server, 'http_requests_in_flight')) === 2);
    await until(async () => (await gauge(server, 'http_requests_in_flight')) === 1);
    assert.equal(await gauge(server, 'http_unsent_bytes'), 0);
    socket.destroy();
  },
);

withServer('of a long list HEAD makes the first slice alone', {}, async ({ engine, send }) => {
  const made = listMany(engine);
  const answer = await send('HEAD', '/collections');
  assert.deepEqual([answer.status, answer.text], [200, '']);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['transfer-encoding'], 'chunked');
  await sleep(50);
  assert.ok(made() < COUNT / 10, `${made()}`);
});
