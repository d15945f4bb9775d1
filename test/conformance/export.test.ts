/**
 * Export: GET /collections/{c}/documents gives the documents of one moment, each as it was sent, in the order of insertion.
 */
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { freshName } from '../support/fixtures.js';
import { parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';
import type { SchemaInput, WireDocument } from '../support/wire.js';

const args = ['--search-key', 'search', '--admin-key', 'admin', '--http-threads', '2'];
const server = await startServer({ args, key: 'admin' });
const { client } = server;
after(() => server.dispose());

const BASE = `http://127.0.0.1:${client.port}`;

const schemaOf = (name: string): SchemaInput => ({
  name,
  fields: [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'int', filter: true },
    { name: 'tag', type: 'keyword', facet: true },
  ],
});

async function createWith(documents: readonly WireDocument[]): Promise<string> {
  const name = freshName('export');
  await client.create(schemaOf(name));
  if (documents.length > 0) await client.indexAll(name, documents);
  return name;
}

async function exported(name: string, query = '', by = client): Promise<string> {
  return expectStatus(await by.get(`/collections/${name}/documents${query}`), 200).text;
}

const linesOf = (documents: readonly object[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

test('documents come as they were sent, one a line, line breaks between tokens as spaces', async () => {
  const name = await createWith([]);
  assert.equal(await exported(name), '');
  const sent = ['{"id":"1", "title" : "a\\nb\\u0020",\r\n\t"n":1e1, "x":{"y":[1.0, 2]} }', '{"id":2,"title":""}'];
  expectStatus(await client.post(`/collections/${name}/documents`, `[${sent.join(',')}]`), 200);
  assert.equal(await exported(name), `${sent.join('\n').replace('\r\n', '  ')}\n`);
  assert.equal(await exported(name, '?include_fields=id,n'), '{"id":"1","n":1e1}\n{"id":2}\n');
  assert.equal(await exported(name, '?exclude_fields=*'), '{}\n{}\n');
});

test('the form is that of Accept: NDJSON unless JSON is named and preferred', async () => {
  const name = await createWith([{ id: 'a' }, { id: 'b' }]);
  const empty = await createWith([]);
  const ask = async (collection: string, accept?: string) => {
    const headers = accept === undefined ? {} : { accept };
    const reply = await client.request('GET', `/collections/${collection}/documents`, { headers });
    return [reply.headers['content-type'], expectStatus(reply, 200).text];
  };
  const ndjson = ['application/x-ndjson', '{"id":"a"}\n{"id":"b"}\n'];
  const json = ['application/json; charset=utf-8', '[{"id":"a"},{"id":"b"}]'];
  for (const accept of ['*/*', 'application/x-ndjson', 'text/html, */*', 'application/msgpack', 'application/json;q=0'])
    assert.deepEqual(await ask(name, accept), ndjson, accept);
  for (const accept of [
    'application/json',
    'application/json, application/x-ndjson',
    'application/x-ndjson;q=0.5,Application/JSON',
  ])
    assert.deepEqual(await ask(name, accept), json, accept);
  assert.deepEqual(await ask(empty, 'application/json'), ['application/json; charset=utf-8', '[]']);
});

test('upserts move a document to the end, deleted ones are gone, and a filter is that of a search', async () => {
  const document = fc.record({
    id: fc.nat({ max: 60 }).map(String),
    n: fc.nat({ max: 9 }),
    tag: fc.constantFrom('a', 'b'),
  });
  const step = fc.oneof(
    fc.array(document, { minLength: 1, maxLength: 30 }).map((documents) => ({ documents })),
    fc.nat({ max: 60 }).map((gone) => ({ gone: `${gone}` })),
  );
  const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.nat({ max: 9 }), async (steps, least) => {
    const name = await createWith([]);
    const there = new Map<string, { id: string; n: number; tag: string }>();
    for (const each of steps) {
      if ('gone' in each) {
        await client.request('DELETE', `/collections/${name}/documents/${each.gone}`);
        there.delete(each.gone);
      } else {
        await client.indexAll(name, each.documents);
        for (const one of each.documents) {
          there.delete(one.id);
          there.set(one.id, one);
        }
      }
    }
    const all = [...there.values()];
    assert.equal(await exported(name), linesOf(all));
    const filter = encodeURIComponent(`n:>=${least} && tag:=a || n:=0`);
    const passing = all.filter(({ n, tag }) => (n >= least && tag === 'a') || n === 0);
    assert.equal(await exported(name, `?filter=${filter}`), linesOf(passing));
  });
  await fc.assert(property, { numRuns: 15 });
});

test('documents larger than a page, and more of them than a page holds', async () => {
  const documents = Array.from({ length: 3000 }, (_, i) => ({
    id: `${i}`,
    title: 'x'.repeat(i % 500 === 7 ? 400_000 : i % 300),
  }));
  const name = await createWith(documents);
  assert.equal(await exported(name), linesOf(documents));
  const reply = await client.request('GET', `/collections/${name}/documents`, {
    headers: { accept: 'application/json' },
  });
  assert.deepEqual(JSON.parse(reply.text), documents);
});

test('an export is of one moment, whatever is written, merged, changed and dropped meanwhile', async () => {
  const before = Array.from({ length: 20_000 }, (_, i) => ({
    id: `${i}`,
    title: `first ${i}`,
    n: i,
    pad: 'p'.repeat(200),
  }));
  const name = await createWith(before);
  const filter = encodeURIComponent('n:<15000');
  // A client that reads nothing yet: the head is there, and the rest of it waits.
  const paths = [`/collections/${name}/documents`, `/collections/${name}/documents?filter=${filter}`];
  const open = await Promise.all(
    paths.map((path) => fetch(`${BASE}${path}`, { headers: { 'x-service-api-key': 'search' } })),
  );
  for (let round = 0; round < 30; round++) {
    const upserts = before.slice(round * 600, round * 600 + 600).map((each) => ({ ...each, title: 'second' }));
    await client.indexAll(name, upserts);
  }
  expectStatus(await client.request('DELETE', `/collections/${name}`), 204);
  const texts = await Promise.all(open.map((reply) => reply.text()));
  assert.equal(texts[0], linesOf(before));
  assert.equal(texts[1], linesOf(before.slice(0, 15_000)));
});

test('exports beside a writer give the documents between two of its batches', async () => {
  const name = await createWith([]);
  const size = 500;
  let written = 0;
  const writing = (async () => {
    for (let batch = 0; batch < 60; batch++) {
      // Each batch replaces the one before, so at each moment there is exactly one.
      const documents = Array.from({ length: size }, (_, i) => ({ id: `${i}`, n: batch, title: `t ${batch}` }));
      await client.indexAll(name, documents);
      written = batch + 1;
    }
  })();
  while (written < 60) {
    const least = written;
    const documents = (await exported(name))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { id: string; n: number });
    if (documents.length === 0) {
      assert.equal(least, 0);
      continue;
    }
    const batch = documents[0]?.n ?? -1;
    assert.ok(batch >= least - 1, 'what was acknowledged is there');
    assert.deepEqual(
      documents.map(({ id, n }) => [id, n]),
      Array.from({ length: size }, (_, i) => [`${i}`, batch]),
    );
  }
  await writing;
});

test('bad input is answered before anything is sent', async () => {
  const name = await createWith([]);
  const path = `/collections/${name}/documents`;
  for (const blank of ['', '%20']) assert.equal((await client.get(`${path}?filter=${blank}`)).status, 200, 'no filter');
  expectError(await client.get(`${path}?filter=nothing:1`), 400, 'invalid_query', /filter: unknown field "nothing"/);
  expectError(await client.get(`${path}?filter=n:`), 400, 'invalid_query', /filter/);
  expectError(await client.get(`${path}?include_fields=a,,b`), 400, 'invalid_query', /include_fields/);
  expectError(await client.get(`${path}?filter=n:1&filter=n:2`), 400, 'invalid_query', /filter/);
  expectError(await client.get('/collections/nowhere/documents'), 404, 'collection_not_found', /nowhere/);
  expectError(await client.request('PUT', path), 405, 'method_not_allowed', /GET, HEAD, POST/);
  const head = await client.request('HEAD', path);
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
});

test('either key reads', async () => {
  const name = await createWith([{ id: '1' }]);
  assert.equal(await exported(name, '', new Client(client.port, 'search')), '{"id":"1"}\n');
  expectError(await new Client(client.port).get(`/collections/${name}/documents`), 401, 'unauthorized', /key/);
});

/** An export to `from`, an address of this machine, of which nothing is read beyond its head. */
const begin = (port: number, path: string, from = '127.0.0.1'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = get({ port, path, host: '127.0.0.1', localAddress: from }, resolve);
    outgoing.on('error', reject);
  });

const EXPORTS_MAX = 16;

async function sampleOf(by: Client, name: string): Promise<number> {
  const { samples } = parseMetrics((await by.get('/metrics')).text);
  return samples.find((sample) => sample.name === name)?.value ?? Number.NaN;
}

test('a client that does not read on is cut off, and only so many may be at it', async (context) => {
  const slow = await startServer({ args: ['--export-timeout-ms', '1500'] });
  context.after(() => slow.dispose());
  const name = freshName('slow');
  await slow.client.create(schemaOf(name));
  const documents = Array.from({ length: 20_000 }, (_, i) => ({ id: `${i}`, pad: 'p'.repeat(1000) }));
  await slow.client.indexAll(name, documents);
  const path = `/collections/${name}/documents`;
  const begun = await Promise.all(
    Array.from({ length: EXPORTS_MAX }, (_, i) => begin(slow.client.port, path, `127.0.0.${2 + (i % 2)}`)),
  );
  expectError(await slow.client.get(path), 503, 'overloaded', /exports: at most 16 at a time/);
  const ends = begun.map(
    (reply) => new Promise((resolve) => reply.on('error', resolve).on('end', () => resolve(null))),
  );
  const sinceMs = performance.now();
  // One is that of who asks.
  while ((await sampleOf(slow.client, 'sabre_http_connections')) > 1) {
    assert.ok(performance.now() - sinceMs < 60_000, 'cut off within a minute');
    await sleep(50);
  }
  for (const reply of begun) reply.resume();
  for (const end of await Promise.all(ends)) assert.ok(end instanceof Error, 'cut off in the middle');
  assert.equal(expectStatus(await slow.client.get(path), 200).text, linesOf(documents));
});

test('what an export has held is free again when it is cut off, and when its client goes', async () => {
  const slow = await startServer({ args: ['--export-timeout-ms', '4000', '--snapshot-wal-bytes', '0'] });
  const { port } = slow.client;
  const usedBytes = (): Promise<number> => sampleOf(slow.client, 'sabre_arena_bytes_used');
  const documents = Array.from({ length: 20_000 }, (_, i) => ({ id: `${i}`, pad: 'p'.repeat(1000) }));
  const heldBytes = documents.length * 1000;
  try {
    for (const goesAway of [false, true]) {
      const name = freshName('held');
      await slow.client.create(schemaOf(name));
      await slow.client.indexAll(name, documents);
      const begun = await Promise.all(Array.from({ length: 4 }, () => begin(port, `/collections/${name}/documents`)));
      const ends = begun.map((reply) => new Promise((resolve) => reply.on('error', resolve).on('close', resolve)));
      await slow.client.drop(name);
      // What nobody holds is freed within half a second.
      await sleep(800);
      assert.ok((await usedBytes()) > heldBytes, 'held for those that read on');
      for (const reply of begun.slice(goesAway ? 0 : begun.length)) reply.destroy();
      const sinceMs = performance.now();
      while ((await usedBytes()) > heldBytes / 10 && performance.now() - sinceMs < 20_000) await sleep(50);
      assert.ok((await usedBytes()) < heldBytes / 10, `${await usedBytes()} bytes are held`);
      for (const reply of begun) reply.resume();
      await Promise.all(ends);
    }
  } finally {
    await slow.dispose();
  }
});
