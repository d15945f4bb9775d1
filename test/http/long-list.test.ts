/**
 * The list of all collections when it is long: sent slice by slice, made no faster than its client takes it, with other
 * requests answered in between.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { CollectionView } from '../../engine/index.js';
import { Compressor } from '../../src/http/compressor.js';
import { Exchange } from '../../src/http/exchange.js';
import { replyJsonList } from '../../src/http/reply-list.js';
import { UnsentBytes } from '../../src/http/unsent-bytes.js';
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

/** Two slices, of 64 and 32 Ki characters and a value more each, of at most two bytes a character. */
const KEPT_BYTES_MAX = 2 * (96 * 1024 + 2 * 6000);

/** A socket that takes as many bytes as its client has made room for. It keeps what it did not take, as the library does. */
class SimulatedSocket {
  readonly sent: Uint8Array[] = [];
  isEnded = false;
  /** What it did not take yet. */
  keptBytes = 0;
  #room: number;
  #isWaiting = false;
  #onWritable: (offset: number) => boolean = () => true;

  constructor(room: number) {
    this.#room = room;
  }

  writeStatus(): void {}
  writeHeader(): void {}
  onAborted(): void {}
  onData(): void {}
  close(): void {}
  pause(): void {}
  resume(): void {}
  endWithoutBody(): void {}
  getWriteOffset = (): number => 0;
  getRemoteAddress = (): ArrayBuffer => new ArrayBuffer(4);
  tryEnd = (bytes: Uint8Array): [boolean, boolean] => {
    this.end(bytes);
    return [true, true];
  };

  cork(write: () => void): void {
    write();
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.#onWritable = handler;
  }

  write(chunk: Uint8Array): boolean {
    assert.ok(!this.isEnded && chunk.length > 0);
    this.sent.push(chunk);
    const taken = Math.min(this.#room, this.keptBytes + chunk.length);
    this.#room -= taken;
    this.keptBytes += chunk.length - taken;
    this.#isWaiting = this.keptBytes > 0;
    return !this.#isWaiting;
  }

  end(bytes?: string | Uint8Array): void {
    if (bytes !== undefined && bytes.length > 0) this.write(Buffer.from(bytes));
    this.isEnded = true;
  }

  /** The client takes `bytes`. The handler is called once for each failed write. */
  make(bytes: number): void {
    this.#room += bytes;
    if (!this.#isWaiting || this.isEnded) return;
    this.#isWaiting = false;
    this.#onWritable(0);
  }
}

test('however a client takes a list, every byte comes once and little is kept', async () => {
  const length = fc.integer({ min: 100, max: 1500 });
  const values = fc.array(length, { minLength: 60, maxLength: 100 });
  const takes = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(values, takes, fc.nat(100_000), async (lengths, rounds, room) => {
      const list = lengths.map((each) => 'xé😀'.repeat(each));
      const socket = new SimulatedSocket(room);
      const unsent = new UnsentBytes({ maxBytes: 1, clientMaxBytes: 1, rateMin: 0, graceMs: 1000 });
      let closed = 0;
      const stub = { beginAnswer() {}, onFailed: assert.fail, onClosed: () => closed++, clientOf: () => '' };
      const host = { ...stub, unsent, compressor: new Compressor(0) };
      const head = { method: 'GET' } as Exchange['head'];
      replyJsonList(new Exchange(host, socket, head, 0), list);
      for (let round = 0; !socket.isEnded && round < 10_000; round++) {
        await nextTurn();
        assert.ok(unsent.bytes < KEPT_BYTES_MAX && unsent.answers <= 1, `${unsent.bytes} bytes`);
        assert.ok(socket.keptBytes < KEPT_BYTES_MAX, `${socket.keptBytes} bytes`);
        socket.make(rounds[round % rounds.length] + 500);
      }
      assert.ok(Buffer.concat(socket.sent).toString() === JSON.stringify(list));
      assert.deepEqual([closed, unsent.bytes, unsent.answers], [1, 0, 0]);
    }),
    { numRuns: 20 },
  );
});
