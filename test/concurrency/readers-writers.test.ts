/**
 * Readers and writers at once: what a reader sees is always some state that was acknowledged, never a mixture.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Params } from '../support/client.js';
import { freshName } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { SchemaInput, WireDocument } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const schemaOf = (name: string): SchemaInput => ({
  name,
  fields: [
    { name: 'title', type: 'text' },
    { name: 'body', type: 'text' },
    { name: 'version', type: 'int', sort: true, facet: true },
    { name: 'kind', type: 'keyword', facet: true, filter: true },
  ],
});

/** A document all of whose fields tell its version. */
const versioned = (id: string, version: number): WireDocument => ({
  id,
  title: `version${version} common`,
  body: `v${version} v${version}`,
  version,
  kind: `k${version % 5}`,
});

/** Runs `write` over and over until `reads` are done. */
async function writeWhile(reads: Promise<unknown>, write: (round: number) => Promise<unknown>): Promise<number> {
  let running = true;
  const done = reads.finally(() => {
    running = false;
  });
  done.catch(() => {}); // A failure is thrown by the await below, not while a write is under way.
  let round = 0;
  while (running) {
    round += 1;
    await write(round);
  }
  await done;
  return round;
}

const times = (count: number, run: (i: number) => Promise<void>): Promise<void> =>
  (async () => {
    for (let i = 0; i < count; i++) await run(i);
  })();

test('the fields of a hit always belong to one version of its document', async () => {
  const name = freshName();
  await client.create(schemaOf(name));
  const ids = Array.from({ length: 50 }, (_, i) => `d${i}`);
  await client.indexAll(
    name,
    ids.map((id) => versioned(id, 0)),
  );
  const read = (): Promise<void> =>
    times(120, async (i) => {
      const params: Params = i % 2 === 0 ? { q: 'common', sort: 'version:desc' } : { q: 'common' };
      const { hits, found } = await client.search(name, { ...params, limit: 250, facet: 'version' });
      assert.equal(found, ids.length, 'a replaced document is never missing and never twice');
      assert.equal(new Set(hits.map(({ document }) => document.id)).size, ids.length);
      for (const { document } of hits) {
        assert.deepEqual(document, versioned(String(document.id), Number(document['version'])));
      }
    });
  await writeWhile(Promise.all([read(), read(), read()]), async (round) => {
    const some = ids.filter((_, i) => (i + round) % 3 === 0);
    await client.indexAll(
      name,
      some.map((id) => versioned(id, round)),
    );
  });
});

test('a batch is seen whole or not at all', async () => {
  const name = freshName();
  await client.create(schemaOf(name));
  const read = (): Promise<void> =>
    times(150, async () => {
      const { found, facets } = await client.search(name, { q: 'common', limit: 0, facet: 'version' });
      const counts = Object.values(facets?.['version'] ?? {});
      assert.ok(
        counts.every((count) => count === 20),
        `a torn batch: ${JSON.stringify(facets)}`,
      );
      if (counts.length < 100)
        assert.equal(
          counts.reduce((sum, count) => sum + count, 0),
          found,
        );
    });
  await writeWhile(Promise.all([read(), read()]), async (round) => {
    await client.indexAll(
      name,
      Array.from({ length: 20 }, (_, i) => versioned(`${round}-${i}`, round)),
    );
  });
});

test('each writer reads its own writes, and what it deleted stays deleted', async () => {
  const name = freshName();
  await client.create(schemaOf(name));
  const actor = (writer: number): Promise<void> =>
    times(25, async (i) => {
      const id = `w${writer}-${i}`;
      const word = `own${writer}x${i}`;
      await client.indexAll(name, [{ id, title: word, kind: `writer${writer}` }]);
      const exactly = { q: word, prefix: false, typo_tolerance: false };
      assert.equal((await client.search(name, exactly)).found, 1);
      assert.equal((await client.search(name, { filter: `id:=${id}` })).found, 1);
      if (i % 2 === 0) {
        await client.remove(name, id);
        assert.equal((await client.search(name, exactly)).found, 0);
        assert.equal((await client.get(`/collections/${name}/documents/${id}`)).status, 404);
      }
      const kept = Math.floor((i + 1) / 2);
      assert.equal((await client.search(name, { filter: `kind:=writer${writer}` })).found, kept);
    });
  await Promise.all(Array.from({ length: 6 }, (_, writer) => actor(writer)));
  assert.equal((await client.view(name)).num_documents, 6 * 12);
});

test('acknowledged counts never go back', async () => {
  const name = freshName();
  await client.create(schemaOf(name));
  let acknowledged = 0;
  const read = (): Promise<void> =>
    times(200, async () => {
      const before = acknowledged;
      const { found } = await client.search(name, { q: 'common', limit: 0 });
      assert.ok(found >= before, `found ${found} after ${before} were acknowledged`);
    });
  await writeWhile(Promise.all([read(), read()]), async (round) => {
    await client.indexAll(name, [versioned(`d${round}`, round)]);
    acknowledged += 1;
  });
});

test('collections come and go under readers, who see all of one or 404', async () => {
  const name = freshName();
  const seen = new Set<number>();
  const read = (): Promise<void> =>
    times(200, async () => {
      const reply = await client.searchReply(name, { q: 'common', limit: 0 });
      if (reply.status === 404) return void seen.add(404);
      assert.equal(reply.status, 200, reply.text);
      const { found } = JSON.parse(reply.text) as { found: number };
      assert.ok(found === 0 || found === 10, `found ${found}`);
      seen.add(found);
    });
  await writeWhile(Promise.all([read(), read()]), async (round) => {
    await client.create(schemaOf(name));
    await client.indexAll(
      name,
      Array.from({ length: 10 }, (_, i) => versioned(`${i}`, round)),
    );
    assert.equal((await client.search(name, { q: 'common', limit: 0 })).found, 10);
    await client.drop(name);
  });
  assert.ok(seen.has(404) && seen.has(10), `seen: ${[...seen].join()}`);
});
