/**
 * ETag and If-None-Match of searches: who has an answer is told that it still holds, on whichever HTTP thread he asks, and never
 * when it does not.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client, encodeParams, jsonOf, type Params, type Reply } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { openSocket } from '../support/raw-socket.js';
import { startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';

const THREADS = 2;
const server = await startServer({ args: ['--http-threads', `${THREADS}`] });
const { client } = server;
after(() => server.dispose());

const FIELDS = [
  { name: 'title', type: 'text' as const },
  { name: 'n', type: 'int' as const, sort: true },
];
await client.create({ name: 'books', fields: FIELDS });
await client.create({ name: 'others', fields: FIELDS });
await client.indexAll('books', [
  { id: '1', title: 'rose', n: 1 },
  { id: '2', title: 'red rose', n: 2 },
]);

type Ask = (tag: string | null, each?: Client) => Promise<Reply>;
const conditions = (tag: string | null) => (tag === null ? {} : { 'if-none-match': tag });
const byGet =
  (params: Params, name = 'books'): Ask =>
  (tag, each = client) =>
    each.get(`/collections/${name}/search${encodeParams(params)}`, conditions(tag));
const byPost =
  (params: Params): Ask =>
  (tag, each = client) =>
    each.post('/collections/books/search', params, conditions(tag));

const tagOf = (reply: Reply): string => {
  const tag = expectStatus(reply, 200).headers.etag ?? '';
  assert.match(tag, /^W\/"[\w.-]+"$/);
  return tag;
};

function expectUnchanged(reply: Reply, tag: string): void {
  const { headers } = expectStatus(reply, 304);
  assert.deepEqual([headers.etag, headers['cache-control'], reply.text], [tag, 'no-cache', '']);
  assert.deepEqual(
    [headers['content-length'], headers['transfer-encoding'], headers['content-type']],
    [undefined, undefined, undefined],
  );
  assert.ok(headers['x-request-id']);
}

/** How often an answer is asked for until nothing merges segments meanwhile, which changes its tag. */
const TRIES = 50;

/** The tag of what `ask` is answered, once each of `all` is told that it has not changed. */
async function settledTag(ask: Ask, all: readonly Client[]): Promise<string> {
  for (let tried = 1; ; tried++) {
    const tag = tagOf(await ask(null));
    const replies = await Promise.all(all.map((each) => ask(tag, each)));
    if (tried < TRIES && replies.some(({ status }) => status === 200)) continue;
    for (const reply of replies) expectUnchanged(reply, tag);
    return tag;
  }
}

/** A connection to each thread. */
function clients(): Client[] {
  return Array.from({ length: THREADS }, () => new Client(server.port));
}

const LONG = { q: 'rose', filter: Array.from({ length: 60 }, (_, i) => `n:!=${i + 10}`).join(' && ') };

test('an answer that is as the client has it is 304 without a body, by GET, by HEAD and by POST, on each thread', async () => {
  for (const ask of [byGet({ q: 'rose' }), byPost({ q: 'rose' }), byGet(LONG), byPost(LONG)]) {
    const tag = tagOf(await ask(null));
    for (const each of clients()) {
      for (let turn = 0; turn < 3; turn++) {
        expectUnchanged(await ask(tag, each), tag);
        assert.equal(tagOf(await ask(null, each)), tag, 'the same tag on each thread');
      }
      each.close();
    }
    for (const given of [tag.slice(2), `"a", ${tag}`, `W/"x",${tag},"y"`, '*', ' * '])
      expectUnchanged(await ask(given), tag);
    for (const given of ['"a"', tag.slice(3, -1), `W/"${'x'.repeat(5000)}"`, '', '"', ',,,'])
      assert.equal((await ask(given)).status, 200, given);
  }
  const tag = tagOf(await byGet({ q: 'rose' })(null));
  const headers = conditions(tag);
  const head = await client.request('HEAD', '/collections/books/search?q=rose', { headers });
  expectUnchanged(head, tag);
});

test('several headers are one list, and the connection goes on behind a 304', async () => {
  const tag = tagOf(await byGet({ q: 'rose' })(null));
  const socket = await openSocket(server.port);
  const request = `GET /collections/books/search?q=rose HTTP/1.1\r\nhost: x\r\nif-none-match: "a"\r\nif-none-match: ${tag}\r\n\r\n`;
  for (let turn = 1; turn <= 3; turn++) {
    socket.write(request);
    assert.ok(await socket.waitFor(() => socket.received.split('\r\n\r\n').length > turn));
  }
  const heads = socket.received.split('\r\n\r\n');
  assert.deepEqual(
    heads.map((head) => head.split('\r\n')[0]),
    ['HTTP/1.1 304 Not Modified', 'HTTP/1.1 304 Not Modified', 'HTTP/1.1 304 Not Modified', ''],
  );
  socket.socket.destroy();
});

test('requests that differ have different tags, whatever in', async () => {
  const asks = [
    ...[
      byGet({ q: 'rose' }),
      byGet({ q: 'roses' }),
      byGet({ q: 'rose', limit: 1 }),
      byGet({ q: 'rose', explain: true }),
    ],
    ...[byGet({ q: 'rose' }, 'others'), byGet({ q: 'roses' }, 'others')],
  ];
  const tags = await Promise.all(asks.map(async (ask) => tagOf(await ask(null))));
  const packed = await client.get('/collections/books/search?q=rose', { accept: 'application/msgpack' });
  assert.equal(new Set([...tags, packed.headers.etag]).size, tags.length + 1);
  for (const [i, ask] of asks.entries()) assert.equal((await ask(tags[(i + 1) % tags.length] ?? '')).status, 200);
  const accept = { accept: 'application/msgpack', ...conditions(tags[0] ?? '') };
  assert.equal((await client.get('/collections/books/search?q=rose', accept)).status, 200);
});

test('whatever changes the collection, or what a name stands for, changes the tag', async () => {
  const put = (path: string, body: unknown) => client.request('PUT', path, { body: JSON.stringify(body) });
  await put('/aliases/shelf', { collection: 'books' });
  const ask = byGet({ q: 'rose' });
  const path = '/collections/books';
  const changes: readonly (() => Promise<Reply>)[] = [
    () => client.post(`${path}/documents`, { id: '3', title: 'a rose', n: 3 }),
    () => client.post(`${path}/documents`, { id: '3', title: 'a rose', n: 3 }),
    () => client.request('PATCH', `${path}/documents/3`, { body: '{"n":4}' }),
    () => client.delete(`${path}/documents/3`),
    () => client.delete(`${path}/documents?filter=n:2`),
    () => put(`${path}/synonyms/x`, { synonyms: ['rose', 'lily'] }),
    () => client.delete(`${path}/synonyms/x`),
    () => put(`${path}/stop-words`, { words: ['the'] }),
    () => client.delete(`${path}/stop-words`),
    () => client.request('PATCH', path, { body: '{"ranking":"bm25"}' }),
    () => client.request('PATCH', path, { body: '{"fields":[{"name":"m","type":"int","sort":true}]}' }),
  ];
  for (const [i, change] of changes.entries()) {
    const all = clients();
    const tag = await settledTag(ask, all);
    const ofAlias = tagOf(await byGet({ q: 'rose' }, 'shelf')(null));
    const changed = await change();
    assert.ok(changed.status < 300, `${i} ${changed.text}`);
    for (const each of all) {
      assert.notEqual(tagOf(await ask(tag, each)), tag, `change ${i}`);
      assert.notEqual(
        tagOf(await byGet({ q: 'rose' }, 'shelf')(ofAlias, each)),
        ofAlias,
        `change ${i} seen through an alias`,
      );
      each.close();
    }
  }
  const ofAlias = tagOf(await byGet({ q: 'rose' }, 'shelf')(null));
  await put('/aliases/shelf', { collection: 'others' });
  assert.notEqual(tagOf(await byGet({ q: 'rose' }, 'shelf')(ofAlias)), ofAlias);
  await client.delete('/aliases/shelf');
  expectError(await byGet({ q: 'rose' }, 'shelf')(ofAlias), 404, 'collection_not_found');
});

test('a collection that is dropped is not found, and one made anew has other tags', async () => {
  const make = async (): Promise<string> => {
    await client.create({ name: 'brief', fields: FIELDS });
    await client.indexAll('brief', [{ id: '1', title: 'rose', n: 1 }]);
    return tagOf(await byGet({ q: 'rose' }, 'brief')(null));
  };
  const tag = await make();
  await client.drop('brief');
  expectError(await byGet({ q: 'rose' }, 'brief')(tag), 404, 'collection_not_found');
  expectError(await byGet({ q: 'rose' }, 'brief')('*'), 404, 'collection_not_found');
  assert.notEqual(await make(), tag);
  assert.equal((await byGet({ q: 'rose' }, 'brief')(tag)).status, 200);
});

test('errors and other answers have no tag', async () => {
  const bad = await client.get('/collections/books/search?limit=x', { 'if-none-match': '*' });
  expectError(bad, 400, 'invalid_query');
  const many = await client.post('/multi-search', { searches: [{ collection: 'books', q: 'rose' }] });
  for (const { headers } of [bad, many, await client.get('/collections/books/suggest?q=ro')])
    assert.equal(headers.etag, undefined);
});

test('what is answered so counts as a search, with what it found', async () => {
  const ask = byGet({ q: 'counted rose', match_mode: 'any' });
  const first = await ask(null);
  const { found } = jsonOf<SearchResponse>(first);
  const before = jsonOf<{ count: number }>(await client.get('/analytics/latency')).count;
  for (let i = 0; i < 9; i++)
    for (const each of clients()) expectUnchanged(await ask(tagOf(first), each), tagOf(first));
  assert.equal(jsonOf<{ count: number }>(await client.get('/analytics/latency')).count, before + 9 * THREADS);
  const { queries } = jsonOf<{ queries: { query: string; count: number; last_result_count: number }[] }>(
    await client.get('/analytics/top?collection=books&limit=500'),
  );
  const entry = queries.find(({ query }) => query === 'counted rose');
  assert.deepEqual([entry?.count, entry?.last_result_count], [1 + 9 * THREADS, found]);
  assert.match((await client.get('/metrics')).text, /status="304"/);
});

test('whoever keeps answers by their tags sees what the server would answer now, whatever is written between', async () => {
  const all = clients();
  const write = fc.record({ id: fc.constantFrom('1', '2', '3'), title: fc.constantFrom('rose', 'red rose', 'lily') });
  const step = fc.oneof(write, fc.constantFrom('search', 'delete', 'search', 'search'));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const kept: { tag: string; found: number }[] = [];
      for (const [i, each] of steps.entries()) {
        const other = all[i % THREADS];
        if (each === 'delete') await other.delete('/collections/others/documents?filter=n:>0');
        else if (each !== 'search') await other.indexAll('others', [{ ...each, n: i + 1 }]);
        const ask = byGet({ q: 'rose' }, 'others');
        const known = kept.at(-1);
        const reply = await ask(known?.tag ?? null, all[(i + 1) % THREADS]);
        if (reply.status === 200) kept.push({ tag: tagOf(reply), found: jsonOf<SearchResponse>(reply).found });
        const fresh = jsonOf<SearchResponse>(await ask(null));
        assert.equal(kept.at(-1)?.found, fresh.found);
      }
    }),
    { numRuns: 15 },
  );
  for (const each of all) each.close();
});

test('while others write, an answer and its tag are of one state', async () => {
  const ask = byGet({ q: 'rose', limit: 0, prefix: false }, 'others');
  await client.indexAll('others', [{ id: 'w', title: 'rose', n: 1 }]);
  let isOver = false;
  const writing = (async () => {
    for (let i = 0; !isOver; i++) {
      await client.indexAll('others', [{ id: `w${i % 50}`, title: i % 100 < 50 ? 'rose' : 'lily', n: i }]);
    }
  })();
  const founds = new Map<string, number>();
  const until = performance.now() + 1500;
  const reading = clients().map(async (each) => {
    while (performance.now() < until) {
      const reply = await ask(null, each);
      const { found } = jsonOf<SearchResponse>(reply);
      const tag = tagOf(reply);
      assert.equal(founds.get(tag) ?? found, found, 'one tag, one answer');
      founds.set(tag, found);
    }
    each.close();
  });
  await Promise.all(reading);
  isOver = true;
  await writing;
  assert.ok(founds.size > 10);
});

test('a tag of before a restart matches nothing after it', async () => {
  const ask = byGet({ q: 'rose' });
  const tag = tagOf(await ask(null));
  await server.restart();
  await sleep(200);
  const fresh = server.client;
  const after = tagOf(await ask(tag, fresh));
  assert.notEqual(after, tag);
  expectUnchanged(await ask(after, fresh), after);
});
