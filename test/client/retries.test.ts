/**
 * What the client does when things go wrong: further tries where they are safe, waits, timeouts and aborts, behind a proxy that
 * fails as it is told.
 */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createClient, type SabreClient, SabreError } from '../../src/client/client.js';
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.js';
import { freePort, startServer } from '../support/server.js';

const server = await startServer();
after(() => server.dispose());
const proxy = await startFaultyProxy(server.port);
after(() => proxy.close());
const client = createClient({ url: proxy.url, backoffMs: 5 });
await client.createCollection({ name: 'titles', fields: [{ name: 'title', type: 'text' }] });
const search = (of: SabreClient = client): Promise<unknown> => of.collection('titles').search({ q: 'x' });
const write = (): Promise<unknown> => client.collection('titles').upsert({ id: '1', title: 'x' });
const OVERLOADED: Fault = { kind: 'answer', status: 503, code: 'overloaded' };

beforeEach(() => {
  proxy.faults.length = 0;
  proxy.asked.length = 0;
});

const codeOf = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => 'none',
    (error: unknown) => (error instanceof SabreError ? error.code : String(error)),
  );

test('a read is tried again after whatever may pass', async () => {
  const passing: Fault[] = [
    { kind: 'reset' },
    { kind: 'reset-after' },
    OVERLOADED,
    { kind: 'answer', status: 503, code: 'query_timeout' },
    { kind: 'answer', status: 429, code: 'overloaded' },
    { kind: 'answer', status: 502 },
    { kind: 'answer', status: 504 },
  ];
  for (const fault of passing) {
    proxy.asked.length = 0;
    proxy.faults.push(fault);
    await search();
    assert.equal(proxy.asked.length, 2, JSON.stringify(fault));
  }
  proxy.asked.length = 0;
  proxy.faults.push({ kind: 'reset' });
  await client.multiSearch([{ collection: 'titles', q: 'x' }]);
  proxy.faults.push({ kind: 'reset' });
  await client.collection('titles').search({ q: 'x' }, { method: 'POST' });
  assert.equal(proxy.asked.length, 4);
});

test('a write is tried again only where the server surely did not take it', async () => {
  for (const fault of [OVERLOADED, { ...OVERLOADED, status: 429 }]) {
    proxy.asked.length = 0;
    proxy.faults.push(fault);
    await write();
    assert.equal(proxy.asked.length, 2);
  }
  const doubtful: Fault[] = [
    { kind: 'reset' },
    { kind: 'reset-after' },
    { kind: 'answer', status: 502 },
    { kind: 'answer', status: 503 },
    { kind: 'answer', status: 504 },
    { kind: 'answer', status: 500, code: 'io_error' },
    { kind: 'answer', status: 507, code: 'memory_full' },
  ];
  for (const fault of doubtful) {
    proxy.asked.length = 0;
    proxy.faults.push(fault);
    assert.notEqual(await codeOf(write()), 'none');
    assert.equal(proxy.asked.length, 1, JSON.stringify(fault));
  }
});

test('a write waits for a server that is not there yet', async () => {
  const late = await startServer();
  after(() => late.dispose());
  const there = createClient({ url: `http://127.0.0.1:${late.port}`, backoffMs: 200, retries: 50 });
  await there.createCollection({ name: 'titles', fields: [{ name: 'title', type: 'text' }] });
  await late.stop();
  const writing = there.collection('titles').upsert({ id: '1', title: 'x' });
  await late.start();
  assert.equal((await writing).num_indexed, 1);
});

test('tries end, with the last error', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const error = await createClient({ url, backoffMs: 1 })
    .collections()
    .catch((reason: unknown) => reason);
  assert.ok(error instanceof SabreError);
  assert.equal(error.code, 'unreachable');
  assert.equal(error.status, 0);
  assert.match(error.message, /ECONNREFUSED/);
  proxy.faults.push(OVERLOADED, OVERLOADED, OVERLOADED, OVERLOADED, OVERLOADED);
  assert.equal(await codeOf(search()), 'overloaded');
  assert.equal(proxy.asked.length, 4);
});

test('Retry-After is waited for, as seconds and as a date, and never beyond the whole time', async () => {
  proxy.faults.push({ ...OVERLOADED, retryAfter: '1' });
  await search();
  const [first, second] = proxy.asked;
  assert.ok(first !== undefined && second !== undefined);
  // Timers may fire a few milliseconds early.
  assert.ok(second.atMs - first.atMs >= 990, `${second.atMs - first.atMs} ms`);
  proxy.asked.length = 0;
  proxy.faults.push({ ...OVERLOADED, retryAfter: new Date(Date.now() + 3_600_000).toUTCString() });
  const error = await search().catch((reason: unknown) => reason);
  assert.ok(error instanceof SabreError && error.code === 'overloaded');
  assert.ok((error.retryAfterMs ?? 0) > 3_000_000);
  assert.equal(proxy.asked.length, 1);
});

test('a try that is too slow makes room for the next, and all of them have a limit', async () => {
  proxy.faults.push({ kind: 'silence' });
  await search(createClient({ url: proxy.url, tryTimeoutMs: 300, backoffMs: 1 }));
  assert.equal(proxy.asked.length, 2);
  proxy.faults.push({ kind: 'silence' }, { kind: 'silence' }, { kind: 'silence' }, { kind: 'silence' });
  assert.equal(await codeOf(search(createClient({ url: proxy.url, timeoutMs: 200 }))), 'timeout');
  proxy.asked.length = 0;
  proxy.faults.splice(0, Infinity, { kind: 'silence' });
  const options = { timeoutMs: 200, tryTimeoutMs: 10 };
  assert.equal(await codeOf(client.collection('titles').upsert({ id: '1', title: 'x' }, options)), 'timeout');
  assert.equal(proxy.asked.length, 1);
});

test('an abort ends a request, and a wait, with its own reason', async () => {
  const reason = new Error('left');
  for (const fault of [{ kind: 'silence' }, { ...OVERLOADED, retryAfter: '50' }] as const) {
    proxy.asked.length = 0;
    proxy.faults.splice(0, Infinity, fault);
    const aborting = new AbortController();
    const searching = client.collection('titles').search({ q: 'x' }, { signal: aborting.signal });
    while (proxy.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => aborting.abort(reason), 50);
    await assert.rejects(searching, reason);
  }
  const before = client.collections({ signal: AbortSignal.abort(reason) });
  await assert.rejects(before, reason);
});

test('a key is asked for before every try', async () => {
  let asked = 0;
  const keyed = createClient({ url: proxy.url, backoffMs: 1, key: async () => `key-${++asked}` });
  proxy.faults.push({ kind: 'reset' });
  await search(keyed);
  assert.deepEqual(
    proxy.asked.map(({ headers }) => headers['x-service-api-key']),
    ['key-1', 'key-2'],
  );
});

test('an answer of something between is told from one of the server', async () => {
  const page: typeof fetch = async () => new Response('<html>sign in</html>');
  assert.equal(await codeOf(search(createClient({ url: proxy.url, fetch: page }))), 'unexpected_answer');
});

test('a server that does not serve yet says so without an error', async () => {
  proxy.faults.push({ kind: 'answer', status: 503, code: 'overloaded' });
  assert.deepEqual(await client.ready(), { ready: false, message: 'no' });
  assert.equal(proxy.asked.length, 1);
});

test('a redirect is an error that says where it leads, and nobody there is asked', async () => {
  const others: Fault[] = [301, 302, 303, 307, 308].map((status) => ({ kind: 'answer', status, location: '/metrics' }));
  for (const fault of others) {
    for (const ask of [search, write, () => client.createCollection({ name: 'other', fields: [] })]) {
      proxy.asked.length = 0;
      proxy.faults.push(fault);
      await assert.rejects(ask(), { code: 'unexpected_answer', status: fault.status, message: /\/metrics/ });
      assert.equal(proxy.asked.length, 1);
    }
  }
  // As browsers give one.
  const opaque = Object.defineProperties(new Response(), { type: { value: 'opaqueredirect' }, status: { value: 0 } });
  const inBrowser = createClient({ url: proxy.url, fetch: async () => opaque });
  assert.equal(await codeOf(search(inBrowser)), 'unexpected_answer');
});

test('what Node would wait for no longer is a timeout that is not begun anew', async () => {
  let asked = 0;
  const givesUp = (code: string) => async (): Promise<Response> => {
    asked++;
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('Headers Timeout Error'), { code }) });
  };
  const tries = async (code: string): Promise<[string, number]> => {
    asked = 0;
    const asking = createClient({ url: proxy.url, backoffMs: 1, fetch: givesUp(code) });
    return [await codeOf(asking.collection('titles').checkChange({ fields: [] })), asked];
  };
  assert.deepEqual(await tries('UND_ERR_HEADERS_TIMEOUT'), ['timeout', 1]);
  assert.deepEqual(await tries('UND_ERR_BODY_TIMEOUT'), ['timeout', 1]);
  assert.deepEqual(await tries('ECONNRESET'), ['unreachable', 4]);
});

test('a key that never comes is waited for as long as an answer', async () => {
  const keyed = createClient({ url: proxy.url, timeoutMs: 50, key: () => new Promise(() => {}) });
  assert.equal(await codeOf(search(keyed)), 'timeout');
  assert.equal(proxy.asked.length, 0);
});

test('times beyond what a timer can hold do not end at once', async () => {
  const patient = { timeoutMs: Number.MAX_SAFE_INTEGER, tryTimeoutMs: 2 ** 31, retries: 0 };
  assert.equal(await codeOf(client.collection('titles').search({ q: 'x' }, patient)), 'none');
  // Longer than any timer, too: without an end of its own the request waits until it is aborted.
  proxy.faults.push({ ...OVERLOADED, retryAfter: '99999999999' });
  const reason = new Error('left');
  const aborting = new AbortController();
  const waiting = client.collection('titles').search({ q: 'x' }, { timeoutMs: 0, signal: aborting.signal });
  setTimeout(() => aborting.abort(reason), 200);
  await assert.rejects(waiting, reason);
});
