/**
 * Several HTTP threads: whichever of them has a connection, the server is the same one. Connections go to the threads in turn, so
 * what is asked over as many new ones as there are threads has been asked of each.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Reply } from '../support/client.js';
import { parseMetrics } from '../support/prometheus.js';
import { openSocket, type RawSocket, rawGet } from '../support/raw-socket.js';
import { startServer } from '../support/server.js';

const THREADS = 3;
const ARGS = ['--http-threads', `${THREADS}`];
const SCHEMA = { name: 'books', fields: [{ name: 'title', type: 'text' as const }] };

const server = await startServer({ args: ARGS });
const { port, client } = server;
after(() => server.dispose());

/** What `ask` comes to over new connections, one on each thread. */
async function onEach<T>(ask: (client: Client) => Promise<T>, at = port, key: string | null = null): Promise<T[]> {
  const clients = Array.from({ length: THREADS }, () => new Client(at, key));
  try {
    const all: T[] = [];
    for (const each of clients) all.push(await ask(each));
    return all;
  } finally {
    for (const each of clients) each.close();
  }
}

/** An answer without what differs from one to the next. */
const essence = ({ status, text }: Reply): string =>
  `${status} ${text.replace(/"(search_time_ms|took_ms|uptime_seconds)":[\d.]+/g, '')}`;

async function sameOnEach(
  method: string,
  path: string,
  at = port,
  key: string | null = null,
  body?: string,
): Promise<string> {
  const options = body === undefined ? {} : { body };
  const [first, ...others] = (await onEach((each) => each.request(method, path, options), at, key)).map(essence);
  for (const other of others) assert.equal(other, first, `${method} ${path}`);
  return first;
}

const totalOf = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> =>
  parseMetrics((await client.get('/metrics')).text)
    .samples.filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);

test('answers and errors are the same on each thread', async () => {
  await client.create(SCHEMA);
  await client.indexAll('books', [
    { id: 'a', title: 'slow and steady' },
    { id: 'b', title: 'steady state' },
  ]);
  await sleep(300);
  for (const path of ['search?q=steady', 'search?q=steedy', 'search?q=none', 'suggest?q=ste', 'documents/a'])
    assert.match(await sameOnEach('GET', `/collections/books/${path}`), /^200 /);
  for (const path of ['search?limit=x', 'search?q=%zz', 'search?query_by=none&q=a', 'suggest?limit=0&q=a'])
    assert.match(await sameOnEach('GET', `/collections/books/${path}`), /^400 /);
  assert.match(await sameOnEach('GET', '/collections/books/documents/none'), /^404 .*document_not_found/);
  for (const path of ['search?q=a', 'documents/a', 'suggest?q=a'])
    assert.match(await sameOnEach('GET', `/collections/none/${path}`), /^404 .*collection_not_found/);
  assert.match(await sameOnEach('GET', '/nothing'), /^404 /);
  assert.match(await sameOnEach('PUT', '/collections/books/search'), /^405 /);
  const post = (body: string): Promise<string> => sameOnEach('POST', '/collections/books/search', port, null, body);
  assert.match(await post('{"q":"steady","include_fields":["id"]}'), /^200 .*"document":\{"id":"a"\}/);
  assert.match(await post('{"limit":"x"}'), /^400 .*request body/);
  const many = '{"searches":[{"collection":"books","q":"steady"},{"collection":"none"}]}';
  const results = await sameOnEach('POST', '/multi-search', port, null, many);
  assert.match(results, /^200 \{"results":\[\{"found":2,.*\{"error":\{"code":"collection_not_found"/);
  assert.equal(await sameOnEach('HEAD', '/collections/books/search?q=steady'), '200 ');
  assert.match(await sameOnEach('GET', '/ready'), /^200 /);
});

test('each thread reads for itself', async () => {
  const readBy = (thread: number): Promise<number> =>
    totalOf('sabre_reader_queries_total', { reader: thread === 0 ? 'http' : `http-${thread}` });
  for (let thread = 0; thread < THREADS; thread++) {
    // The first reads of a thread may take too long for it.
    for (let round = 0; round < 100 && (await readBy(thread)) === 0; round++)
      await onEach((each) => each.get('/collections/books/documents/a'));
    assert.ok((await readBy(thread)) > 0, `${thread}`);
  }
});

test('what is acknowledged on one thread is seen on each', async () => {
  for (let round = 0; round < 30; round++) {
    const [writer] = await onEach(async (each) => each);
    await new Client(writer.port).indexAll('books', [{ id: 'r', title: `round${round}` }]);
    for (const { found } of await onEach((each) => each.search('books', { q: `round${round}`, prefix: false })))
      assert.equal(found, 1, `${round}`);
    await client.remove('books', 'r');
    assert.match(await sameOnEach('GET', '/collections/books/documents/r'), /^404 /);
  }
  await client.create({ ...SCHEMA, name: 'again' });
  for (let round = 0; round < 5; round++) {
    await client.indexAll('again', [{ id: `${round}`, title: 'x' }]);
    assert.match(await sameOnEach('GET', `/collections/again/documents/${round}`), /^200 /);
    await client.drop('again');
    assert.match(await sameOnEach('GET', `/collections/again/documents/${round}`), /^404 .*collection_not_found/);
    await client.create({ ...SCHEMA, name: 'again' });
    assert.match(await sameOnEach('GET', `/collections/again/documents/${round}`), /^404 .*document_not_found/);
  }
});

test('an alias that is switched on one thread is switched on each', async () => {
  const pair = ['left', 'right'];
  for (const name of pair) {
    await client.create({ ...SCHEMA, name });
    await client.indexAll(name, [{ id: 'a', title: name }]);
  }
  for (let round = 0; round < 30; round++) {
    const [other] = await onEach(async (each) => each);
    const collection = pair[round % 2];
    const body = JSON.stringify({ collection });
    const reply = await new Client(other.port).request('PUT', '/aliases/side', { body });
    assert.equal(reply.status, 200);
    for (const { found } of await onEach((each) => each.search('side', { q: collection, typo_tolerance: false })))
      assert.equal(found, 1, `${round}`);
    assert.match(await sameOnEach('GET', '/collections/side/documents/a'), new RegExp(`^200 .*${collection}`));
  }
  assert.equal((await client.delete('/aliases/side')).status, 204);
  assert.match(await sameOnEach('GET', '/collections/side/documents/a'), /^404 .*collection_not_found/);
  // What was an alias becomes a collection, and the other way round.
  await client.create({ ...SCHEMA, name: 'side' });
  assert.match(await sameOnEach('GET', '/collections/side/documents/a'), /^404 .*document_not_found/);
  await client.drop('side');
  assert.equal((await client.request('PUT', '/aliases/side', { body: '{"collection":"left"}' })).status, 200);
  assert.match(await sameOnEach('GET', '/collections/side/documents/a'), /^200 .*left/);
  for (const name of pair) assert.equal((await client.delete(`/collections/${name}?force=true`)).status, 204);
  assert.match(await sameOnEach('GET', '/collections/side/documents/a'), /^404 .*collection_not_found/);
});

test('searches are counted wherever they were answered', async () => {
  await client.create({ ...SCHEMA, name: 'counted' });
  await client.indexAll('counted', [{ id: 'a', title: 'word' }]);
  const before = await totalOf('sabre_search_requests_total');
  const answeredBefore = await totalOf('sabre_http_requests_total', { route: '/collections/{name}/search' });
  for (let round = 0; round < 10; round++) await onEach((each) => each.search('counted', { q: 'word' }));
  const top = (await client.get('/analytics/top?collection=counted')).text;
  assert.match(top, new RegExp(`"query":"word","collection":"counted","count":${10 * THREADS},`));
  assert.equal((await totalOf('sabre_search_requests_total')) - before, 10 * THREADS);
  const answered = await totalOf('sabre_http_requests_total', { route: '/collections/{name}/search' });
  assert.equal(answered - answeredBefore, 10 * THREADS);
  await client.drop('counted');
  assert.match((await client.get('/analytics/top?collection=counted')).text, /"queries":\[\]/);
});

test('long bodies, long answers and long lists come whole on each thread', async () => {
  const text = 'lorem ipsum '.repeat(2000);
  const documents = Array.from({ length: 200 }, (_, i) => ({ id: `l${i}`, title: `${i} ${text}` }));
  await client.create({ ...SCHEMA, name: 'long' });
  for (const report of await onEach((each) => each.index('long', documents))) assert.equal(report.num_failed, 0);
  const [first, ...others] = await onEach((each) => each.ids('long', { q: 'lorem', limit: 200, ranking: 'bm25' }));
  assert.equal(first.length, documents.length);
  for (const ids of others) assert.deepEqual(ids, first);
  const fields = Array.from({ length: 200 }, (_, i) => ({ name: `field${i}`, type: 'keyword' as const }));
  for (let i = 0; i < 30; i++) await client.create({ name: `wide${i}`, fields: [...SCHEMA.fields, ...fields] });
  const list = await sameOnEach('GET', '/collections');
  assert.ok(list.length > 500_000, `${list.length}`);
  JSON.parse(list.slice(4));
});

test('a client that reads slowly gets all of a long list', async () => {
  const expected = (await client.get('/collections')).text;
  const sockets: RawSocket[] = [];
  for (let thread = 0; thread < THREADS; thread++) sockets.push(await openSocket(port));
  for (const each of sockets) {
    each.socket.pause();
    each.write(rawGet('/collections', { connection: 'close' }));
  }
  await sleep(500);
  for (const each of sockets) {
    each.socket.resume();
    assert.ok(await each.waitFor(() => each.received.endsWith('\r\n0\r\n\r\n')), 'the list ends');
    const [, body = ''] = each.received.split('\r\n\r\n', 2);
    const chunks = each.received.slice(each.received.indexOf('\r\n\r\n') + 4);
    assert.ok(body.length > 0);
    assert.equal(joinChunks(chunks), expected);
    each.destroy();
  }
});

/** The text of a chunked body. */
function joinChunks(body: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.slice(at, lineEnd), 16);
    if (length === 0) return text;
    text += body.slice(lineEnd + 2, lineEnd + 2 + length);
    at = lineEnd + 2 + length + 2;
  }
}

test('requests whose clients go are forgotten, and their memory is given back', async () => {
  for (let round = 0; round < 2 * THREADS; round++) {
    const socket = await openSocket(port);
    socket.write('POST /collections/books/documents HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n[');
    await sleep(20);
    socket.destroy();
  }
  let held = -1;
  for (let attempt = 0; attempt < 100 && held !== 0; attempt++) {
    await sleep(20);
    held = await totalOf('sabre_http_body_bytes_in_flight');
  }
  assert.equal(held, 0);
  // The scrape itself.
  assert.equal(await totalOf('sabre_http_requests_in_flight'), 1);
});

test('keys, origins and the bound on connections hold on each thread', async () => {
  const keys = ['--admin-key', 'admin', '--search-key', 'search', '--cors-origins', 'https://shop.example'];
  const closed = await startServer({ args: [...ARGS, ...keys, '--max-connections', '12'], key: 'admin' });
  try {
    await closed.client.create(SCHEMA);
    await closed.client.indexAll('books', [{ id: 'a', title: 'x' }]);
    await sleep(300);
    const path = '/collections/books/search?q=x';
    assert.match(await sameOnEach('GET', path, closed.port), /^401 /);
    assert.match(await sameOnEach('GET', path, closed.port, 'wrong'), /^401 /);
    assert.match(await sameOnEach('GET', path, closed.port, 'search'), /^200 /);
    assert.match(await sameOnEach('DELETE', '/collections/books', closed.port, 'search'), /^403 /);
    const origin = { origin: 'https://shop.example' };
    for (const { headers } of await onEach((each) => each.get(path, origin), closed.port, 'search'))
      assert.equal(headers['access-control-allow-origin'], 'https://shop.example');
    closed.client.close();
    await sleep(200);
    const sockets: RawSocket[] = [];
    for (let count = 0; count < 15; count++) sockets.push(await openSocket(closed.port));
    await sleep(500);
    assert.equal(sockets.filter(({ received }) => received.includes(' 503 ')).length, 3);
    for (const each of sockets) each.destroy();
  } finally {
    await closed.dispose();
  }
});

test('a stop answers what is under way on each thread, and ends with 0', async () => {
  const stopped = await startServer({ args: ARGS });
  await stopped.client.create(SCHEMA);
  const uploads: RawSocket[] = [];
  for (let thread = 0; thread < THREADS; thread++) uploads.push(await openSocket(stopped.port));
  for (const [index, each] of uploads.entries()) {
    const body = `{"id":"${index}","title":"x"}`;
    each.write(`POST /collections/books/documents HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    each.write(body.slice(0, -1));
  }
  await sleep(200);
  const status = stopped.stop();
  await sleep(200);
  for (const each of uploads) {
    each.write('}');
    const response = await each.next();
    assert.equal(response?.status, 200);
    assert.match(response?.head ?? '', /connection: close/i);
  }
  assert.deepEqual(await status, { code: 0, signal: null });
  await stopped.start();
  assert.equal((await stopped.client.search('books', { q: 'x' })).found, THREADS);
  await stopped.dispose();
});
