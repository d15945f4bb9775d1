/**
 * Bodies that hold memory: those that come slowly are cut off, and no client takes everybody's room.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { ClientBudget } from '../../src/http/client-budget.js';
import { type TestServer, withServer } from './test-server.js';

const post = (bytes: number, headers = ''): string =>
  `POST /collections/books/documents HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${bytes}\r\n\r\n`;

interface Upload {
  readonly socket: Socket;
  readonly received: () => string;
  readonly isClosed: () => boolean;
}

/** Begins a request from `from`, an address of this machine. What the test writes next follows `bytes`. */
function begin({ port }: TestServer, bytes: string, from = '127.0.0.1'): Upload {
  let text = '';
  let closed = false;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  // Not once it is connected: what is written meanwhile would come first, and the head would not be one.
  socket.write(bytes);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  return { socket, received: () => text, isClosed: () => closed };
}

async function until(holds: () => boolean, withinMs = 30_000): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!holds() && Date.now() < deadline) await sleep(10);
  return holds();
}

const bytesInFlight = async ({ get }: TestServer): Promise<number> =>
  Number(/^sabre_http_body_bytes_in_flight (\d+)$/m.exec((await get('/metrics')).text)?.[1]);

const SLOW = { bodyRateMin: 5000, bodyGraceMs: 400 };

withServer('a body that comes too slowly is 408, and its memory is free again', SLOW, async (server) => {
  const upload = begin(server, post(90_000));
  const dripping = setInterval(() => upload.socket.write('x'.repeat(20)), 50);
  upload.socket.on('close', () => clearInterval(dripping));
  assert.equal(await until(() => upload.isClosed()), true);
  assert.match(upload.received(), /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.match(upload.received(), /"code":"request_timeout","message":"request body: expected at least 5000 bytes/);
  assert.equal(await bytesInFlight(server), 0);
  assert.equal(server.engine.batches.length, 0);
});

withServer('a chunked body that comes too slowly is 408', SLOW, async (server) => {
  const head = 'POST /collections/books/documents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const upload = begin(server, `${head}1\r\nx\r\n`);
  assert.equal(await until(() => upload.isClosed()), true);
  assert.match(upload.received(), /^HTTP\/1\.1 408/);
});

const HIDDEN = 'DELETE /collections/books/documents/1 HTTP/1.1\r\nHost: x\r\n\r\n';

for (const [what, head, hidden] of [
  ['a length', post(90_000), HIDDEN],
  [
    'chunks',
    'POST /collections/books/documents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n`,
  ],
] as const) {
  // The bytes lie there unread when the answer is sent, and more follow it: none may be the head of the next request.
  const limits = { bodyRateMin: 50_000_000, bodyGraceMs: 200 };
  withServer(`of a body with ${what} that was refused, no byte is taken for a request`, limits, async (server) => {
    const upload = begin(server, head);
    let sentBytes = 0;
    const drip = (): void => {
      if (upload.isClosed() || sentBytes + hidden.length > 90_000) return;
      sentBytes += hidden.length;
      upload.socket.write(hidden);
      setTimeout(drip, 1);
    };
    drip();
    assert.equal(await until(() => upload.isClosed()), true);
    assert.ok(sentBytes > 0 && sentBytes < 90_000, `${sentBytes}`);
    assert.deepEqual([server.engine.deleted, server.engine.batches.length], [[], 0]);
    assert.match((await server.get('/metrics')).text, /method="POST",status="408"\} 1$/m);
    assert.doesNotMatch((await server.get('/metrics')).text, /method="DELETE"/);
  });
}

withServer('of a body too large, which is read to its end, no byte is taken for a request', {}, async (server) => {
  const body = HIDDEN.repeat(Math.ceil(200_000 / HIDDEN.length));
  const upload = begin(server, post(body.length));
  assert.equal(await until(() => upload.received().includes('\r\n\r\n')), true);
  assert.match(upload.received(), /^HTTP\/1\.1 413 /);
  upload.socket.write(body);
  await until(() => upload.isClosed(), 500);
  assert.deepEqual([server.engine.deleted, server.engine.batches.length], [[], 0]);
  assert.equal(upload.received().split('HTTP/1.1 ').length, 2, upload.received());
  upload.socket.destroy();
});

withServer('a fast beginning does not pay for a slow end', SLOW, async (server) => {
  const upload = begin(server, post(90_000) + 'x'.repeat(80_000));
  assert.equal(await until(() => upload.isClosed()), true);
  assert.match(upload.received(), /^HTTP\/1\.1 408/);
});

withServer('a body above the least rate may take its time', SLOW, async (server) => {
  const upload = begin(server, post(90_000));
  for (let sent = 0; sent < 90_000; sent += 3000) {
    await sleep(50);
    upload.socket.write('x'.repeat(3000));
  }
  assert.equal(await until(() => upload.received().startsWith('HTTP/1.1 200')), true, upload.received());
  upload.socket.destroy();
});

withServer('a rate of 0 lets every body take its time', { bodyRateMin: 0, bodyGraceMs: 100 }, async (server) => {
  const upload = begin(server, post(5000));
  await sleep(500);
  upload.socket.write('x'.repeat(5000));
  assert.equal(await until(() => upload.received().startsWith('HTTP/1.1 200')), true);
  upload.socket.destroy();
});

const SHARED = { maxInflightBodyBytes: 400_000, maxClientBodyBytes: 200_000 };

withServer('a client holds its share at most: 429, and others have room', SHARED, async (server) => {
  const held = [begin(server, post(100_000)), begin(server, post(100_000))];
  await sleep(50);
  const more = begin(server, post(50_000));
  assert.equal(await until(() => more.received().includes('\r\n\r\n')), true);
  assert.match(more.received(), /^HTTP\/1\.1 429 Too Many Requests\r\n/);
  assert.match(more.received(), /retry-after: \d/);
  assert.match(more.received(), /"code":"overloaded"/);
  const other = begin(server, post(100_000) + 'x'.repeat(100_000), '127.0.0.2');
  assert.equal(await until(() => other.received().startsWith('HTTP/1.1 200')), true, other.received());
  // Small bodies are nobody's: a search in a body goes through beside them.
  const small = begin(server, `${post(2)}[]`);
  assert.equal(await until(() => small.received().startsWith('HTTP/1.1 200')), true);
  for (const { socket } of [...held, more, other, small]) socket.destroy();
  await sleep(50);
  const again = begin(server, post(100_000) + 'x'.repeat(100_000));
  assert.equal(await until(() => again.received().startsWith('HTTP/1.1 200')), true);
  again.socket.destroy();
});

withServer(
  'behind a trusted proxy the share is that of the client it names',
  { ...SHARED, trustedProxies: ['127.0.0.1'] },
  async (server) => {
    const from = (address: string): string => `X-Forwarded-For: ${address}\r\n`;
    const held = [100_000, 100_000].map((bytes) => begin(server, post(bytes, from('192.0.2.1'))));
    await sleep(50);
    // Several headers of that name are one list: the last address counts.
    const more = begin(server, post(50_000, from('192.0.2.9') + from('192.0.2.1')));
    assert.equal(await until(() => more.received().startsWith('HTTP/1.1 429')), true, more.received());
    const other = begin(server, post(50_000, from('192.0.2.2')) + 'x'.repeat(50_000));
    assert.equal(await until(() => other.received().startsWith('HTTP/1.1 200')), true, other.received());
    for (const { socket } of [...held, more, other]) socket.destroy();
  },
);

withServer(
  'a body that waits to be written counts, though its client has gone',
  { maxInflightBodyBytes: 100_000 },
  async (server) => {
    const { engine } = server;
    const bytes = 60_000;
    let write = (): void => {};
    let isWaiting = false;
    engine.beforeIndex = () => {
      isWaiting = true;
      return new Promise<void>((resolve) => {
        write = resolve;
      });
    };
    const gone = begin(server, post(bytes) + 'x'.repeat(bytes));
    assert.equal(await until(() => isWaiting), true);
    gone.socket.destroy();
    await sleep(200);
    assert.equal(await bytesInFlight(server), bytes);
    const refused = begin(server, post(bytes) + 'x'.repeat(bytes));
    assert.equal(await until(() => refused.received().includes('\r\n\r\n')), true);
    assert.match(refused.received(), /^HTTP\/1\.1 503/);
    write();
    assert.equal(await until(() => engine.batches.length === 1), true);
    assert.equal(await bytesInFlight(server), 0);
  },
);

test('the budget counts what its shares hold, for all and for each client', () => {
  const action = fc.record({ share: fc.nat(5), growBy: fc.nat(4000), closes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const budget = new ClientBudget(12_000, 7000);
      const clients = ['a', 'a', 'a', 'b', 'b', 'c'];
      const shares = clients.map((client) => budget.open(() => client));
      const held = clients.map(() => 0);
      const heldBy = (client: string): number =>
        clients.reduce((sum, each, index) => (each === client && held[index] > 2048 ? sum + held[index] : sum), 0);
      for (const { share, growBy, closes } of actions) {
        const wanted = held[share] + growBy;
        if (closes) {
          shares[share].close();
          held[share] = 0;
          shares[share] = budget.open(() => clients[share]);
        } else {
          const own = held[share] > 2048 ? held[share] : 0;
          const total = held.reduce((sum, bytes) => sum + bytes, 0);
          const isFull = total + growBy > 12_000;
          const isClients = wanted > 2048 && heldBy(clients[share]) - own + wanted > 7000;
          assert.equal(shares[share].grow(wanted), isFull ? 'all' : isClients ? 'client' : null);
          if (!isFull && !isClients) held[share] = wanted;
        }
        assert.equal(
          budget.usedBytes,
          held.reduce((sum, bytes) => sum + bytes, 0),
        );
      }
    }),
  );
});
