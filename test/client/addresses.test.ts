/**
 * A client with several addresses: which of them it asks, when it goes on to the next one and comes back, and that no write is
 * done twice that must not be. The addresses are proxies before one server, so that each has what the others have.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { createAddresses } from '../../src/client/addresses.js';
import { type ClientOptions, createClient, type SabreClient, SabreError } from '../../src/client/client.js';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.js';
import { freePort, startServer } from '../support/server.js';

const server = await startServer();
after(() => server.dispose());
await server.client.create({ name: 'titles', fields: [{ name: 'title', type: 'text' }] });
const OVERLOADED: Fault = { kind: 'answer', status: 503, code: 'overloaded' };
const UNKNOWN: Fault = { kind: 'answer', status: 504, code: 'unknown_outcome' };

interface Nodes {
  readonly proxies: readonly FaultyProxy[];
  readonly client: SabreClient;
  /** How many requests each proxy got since the last call, but questions whether it is ready. */
  asked(): number[];
}

async function startNodes(options: Partial<ClientOptions> = {}): Promise<Nodes> {
  const proxies = await Promise.all([0, 1, 2].map(() => startFaultyProxy(server.port)));
  after(() => Promise.all(proxies.map((proxy) => proxy.close())));
  const client = createClient({ url: proxies.map(({ url }) => url), backoffMs: 5, ...options });
  const asked = (): number[] =>
    proxies.map((proxy) => proxy.asked.splice(0).filter(({ line }) => line !== 'GET /ready').length);
  return { proxies, client, asked };
}

const search = (client: SabreClient): Promise<unknown> => client.collection('titles').search({ q: 'x' });
const codeOf = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => 'none',
    (error: unknown) => (error instanceof SabreError ? error.code : String(error)),
  );

test('the first address is asked while it answers', async () => {
  const { client, asked } = await startNodes();
  for (let round = 0; round < 3; round++) await search(client);
  assert.deepEqual(asked(), [3, 0, 0]);
});

test('one that failed is left alone for a while, and the next one asked at once', async () => {
  for (const fault of [{ kind: 'reset' }, OVERLOADED, UNKNOWN, { kind: 'answer', status: 502 }] as const) {
    const { client, proxies, asked } = await startNodes();
    proxies[0]?.faults.push({ ...fault, retryAfter: '50' });
    await search(client);
    assert.deepEqual(asked(), [1, 1, 0]);
    await search(client);
    assert.deepEqual(asked(), [0, 1, 0]);
  }
});

test('a node that is killed costs no failed read, and is asked again when it is back', async () => {
  const { client, proxies, asked } = await startNodes();
  const port = Number(new URL(proxies[0]?.url ?? '').port);
  const readUntil = async (isOver: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + 20_000; !isOver(); ) {
      assert.ok(Date.now() < deadline);
      await Promise.all(Array.from({ length: 8 }, () => search(client)));
    }
  };
  setTimeout(() => proxies[0]?.close(), 50);
  await readUntil(() => (proxies[1]?.asked.length ?? 0) > 20);
  asked();
  const again = await startFaultyProxy(server.port, port);
  after(() => again.close());
  await readUntil(() => again.asked.some(({ line }) => line.includes('search')));
  assert.equal(again.asked[0]?.line, 'GET /ready');
  asked();
  again.asked.length = 0;
  await search(client);
  assert.deepEqual([again.asked.length, ...asked()], [1, 0, 0, 0]);
});

test('a read goes on when a node is silent, and nobody else waits for that node', async () => {
  const { client, proxies, asked } = await startNodes({ tryTimeoutMs: 100 });
  proxies[0]?.faults.push({ kind: 'silence' });
  await search(client);
  assert.deepEqual(asked(), [1, 1, 0]);
  await search(client);
  assert.deepEqual(asked(), [0, 1, 0]);
});

test('Retry-After is waited for when every address has failed, the shortest of them', async () => {
  const { client, proxies, asked } = await startNodes();
  for (const [at, retryAfter] of ['50', '1', '50'].entries()) proxies[at]?.faults.push({ ...OVERLOADED, retryAfter });
  const beforeMs = performance.now();
  await search(client);
  // Timers may fire a few milliseconds early.
  assert.ok(performance.now() - beforeMs >= 990);
  assert.deepEqual(asked(), [2, 1, 1]);
});

test('a write that was surely not taken goes to the next address', async () => {
  const { client, proxies, asked } = await startNodes();
  proxies[0]?.faults.push({ ...OVERLOADED, retryAfter: '50' });
  const { num_indexed } = await client.collection('titles').create({ id: 'refused once', title: 'x' });
  assert.equal(num_indexed, 1);
  assert.deepEqual(asked(), [1, 1, 0]);
  const dead = `http://127.0.0.1:${await freePort()}`;
  const other = createClient({ url: [dead, proxies[1]?.url ?? ''], backoffMs: 5 });
  assert.equal((await other.collection('titles').create({ id: 'refused twice', title: 'x' })).num_indexed, 1);
});

test('a write that may have been done is sent again only where twice is as good as once', async () => {
  const { client, proxies, asked } = await startNodes();
  const titles = client.collection<{ id: string; title: string }>('titles');
  const name = (at: number): string => `made-${at}`;
  let made = 0;
  const once: [string, () => Promise<unknown>][] = [
    ['create', () => titles.create({ id: `once ${++made}`, title: 'x' })],
    ['import by create', () => titles.import([{ id: `once ${++made}`, title: 'x' }], { action: 'create' })],
    ['patch', () => titles.patch('twice', { title: 'y' })],
    ['delete by filter', () => titles.deleteWhere('id:=nothing')],
    [
      'create a collection',
      () => client.createCollection({ name: name(++made), fields: [{ name: 'a', type: 'text' }] }),
    ],
    ['any POST', () => client.request('POST', '/snapshot')],
  ];
  const twice: [string, () => Promise<unknown>][] = [
    ['upsert', () => titles.upsert({ id: 'twice', title: 'x' })],
    ['upsert of bytes', () => titles.index(new TextEncoder().encode('{"id":"twice","title":"x"}'))],
    ['import', () => titles.import([{ id: 'twice', title: 'x' }])],
    ['set an alias', () => client.setAlias('alias', 'titles')],
    ['delete an alias', () => client.deleteAlias('alias')],
    ['set a synonym', () => titles.setSynonym('s', { synonyms: ['a', 'b'] })],
    ['a POST that says so', () => client.request('POST', '/snapshot', { isIdempotent: true })],
  ];
  const doubtful: Fault[] = [
    { kind: 'reset' },
    UNKNOWN,
    { kind: 'answer', status: 502 },
    { kind: 'answer', status: 503 },
  ];
  for (const fault of doubtful) {
    for (const [what, write] of [...twice, ...once]) {
      // A client that knows of no failure yet.
      const fresh = proxies.map(({ faults }) => faults);
      for (const faults of fresh) faults.splice(0, Infinity, fault);
      const code = await codeOf(write());
      const sent = asked().reduce((sum, count) => sum + count);
      const isRepeated = twice.some(([each]) => each === what);
      assert.equal(code === 'none', isRepeated, `${what} ${JSON.stringify(fault)}: ${code}`);
      assert.equal(sent, isRepeated ? 4 : 1, `${what} ${JSON.stringify(fault)}`);
    }
  }
});

test('a write whose first try may have been done never ends as one that was surely not', async () => {
  const { client, proxies } = await startNodes({ retries: 0 });
  proxies[0]?.faults.push(UNKNOWN);
  for (const at of [1, 2]) proxies[at]?.faults.push(OVERLOADED);
  assert.equal(await codeOf(client.collection('titles').upsert({ id: 'unknown', title: 'x' })), 'unknown_outcome');
});

test('without retries every address is asked once', async () => {
  const { client, proxies, asked } = await startNodes();
  for (const { faults } of proxies) faults.push(OVERLOADED);
  assert.equal((await client.ready()).ready, false);
  for (const { faults } of proxies) faults.push(OVERLOADED);
  assert.equal(await codeOf(client.collections({ retries: 0 })), 'overloaded');
  assert.deepEqual(asked(), [1, 1, 1]);
});

test('whatever two of three addresses do, no read fails and no document is created twice', async () => {
  const faults = fc.array(
    fc.constantFrom<Fault>({ kind: 'reset' }, { kind: 'reset-after' }, OVERLOADED, UNKNOWN, {
      kind: 'answer',
      status: 502,
    }),
    { maxLength: 4 },
  );
  const { proxies } = await startNodes();
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      faults,
      faults,
      fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
      async (first, second, steps) => {
        const client = createClient({ url: proxies.map(({ url }) => url), backoffMs: 1 });
        proxies[0]?.faults.splice(0, Infinity, ...first);
        proxies[1]?.faults.splice(0, Infinity, ...second);
        for (const isRead of steps) {
          if (isRead) await search(client);
          else {
            // Created a second time it would be told to exist.
            const report = await client
              .collection('titles')
              .create({ id: `made ${++made}`, title: 'x' })
              .catch((error: unknown) => assert.ok(error instanceof SabreError));
            assert.ok(report === undefined || report.num_indexed === 1);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('an address rests after a failure, is asked whether it serves, and comes back to its place', async () => {
  let ms = 0;
  const questions: string[] = [];
  let isUp = false;
  const ask = async (address: string): Promise<boolean> => {
    questions.push(address);
    return isUp;
  };
  const addresses = createAddresses(['http://a/', 'http://b', 'http://c', 'http://a'], ask, () => ms);
  assert.equal(addresses.count, 3);
  assert.deepEqual(addresses.inOrder(), ['http://a', 'http://b', 'http://c']);
  addresses.noteFailure('http://a');
  assert.deepEqual(addresses.inOrder(), ['http://b', 'http://c', 'http://a']);
  const steps = [4999, 5000, 5001, 9999, 10_000];
  for (const step of steps) {
    ms = step;
    assert.deepEqual(addresses.inOrder(), ['http://b', 'http://c', 'http://a']);
    await Promise.resolve();
  }
  assert.deepEqual(questions, ['http://a', 'http://a']);
  isUp = true;
  ms = 15_000;
  addresses.inOrder();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(addresses.inOrder(), ['http://a', 'http://b', 'http://c']);
  for (const each of addresses.inOrder()) addresses.noteFailure(each);
  assert.deepEqual(addresses.inOrder(), ['http://a', 'http://b', 'http://c']);
  addresses.noteAnswer('http://c');
  assert.deepEqual(addresses.inOrder(), ['http://c', 'http://a', 'http://b']);
  assert.throws(() => createAddresses([], ask), TypeError);
});

test('a url with a user or a password is refused, and the password not printed', () => {
  for (const url of ['http://user:secret@127.0.0.1/', 'http://user@127.0.0.1', 'http://:secret@127.0.0.1']) {
    assert.throws(
      () => createClient({ url: ['http://127.0.0.1', url] }),
      (error) => error instanceof TypeError && /127\.0\.0\.1/.test(error.message) && !error.message.includes('secret'),
    );
  }
});
