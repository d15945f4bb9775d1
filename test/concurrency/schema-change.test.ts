/**
 * Changes of the schema of a collection too large to be changed between two commits, under writers, searches and SIGKILL.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectStatus } from '../support/expect.js';
import { type Server, startServer } from '../support/server.js';
import type { CollectionView, WireDocument } from '../support/wire.js';

const NAME = 'changing';
/** Some megabytes of segments, in several steps' time. */
const DOCUMENTS = 30_000;
const BATCH = 5_000;

interface Item extends WireDocument {
  readonly id: string;
  readonly title: string;
  readonly rank: number;
}

let serial = 0;

function item(number: number): Item {
  serial++;
  return {
    id: `d${number}`,
    title: `thing ${number} of ${serial} in all ${'and more '.repeat(8)}`,
    rank: serial % 1000,
  };
}

/** A collection of DOCUMENTS items, and what it holds. */
async function fill({ client }: Server): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  await client.create({ name: NAME, fields: [{ name: 'title', type: 'text' }] });
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => item(from + i));
    await client.indexAll(NAME, batch);
    for (const one of batch) items.set(one.id, one);
  }
  return items;
}

const ADD_RANK = { fields: [{ name: 'rank', type: 'int', filter: true, sort: true }] };

/** Replaces and deletes items until `isOver`, and keeps account of them; a request that fails leaves it unknown which it did. */
async function write(
  { client }: Server,
  items: Map<string, Item>,
  residue: number,
  isOver: () => boolean,
): Promise<Set<string>> {
  const unknown = new Set<string>();
  for (let round = 0; !isOver(); round++) {
    // Each writer has ids of its own.
    const numbers = Array.from({ length: 20 }, (_, i) => ((round * 20 + i) * 2 + residue) % DOCUMENTS);
    const batch = numbers.map(item);
    const gone = `d${(round * 34 + residue) % DOCUMENTS}`;
    try {
      await client.indexAll(NAME, batch);
      for (const one of batch) items.set(one.id, one);
      const { status } = await client.delete(`/collections/${NAME}/documents/${gone}`);
      assert.ok(status === 204 || status === 404);
      items.delete(gone);
    } catch (error) {
      // A refusal is no failure of the connection.
      if (error instanceof assert.AssertionError) throw error;
      for (const { id } of batch) unknown.add(id);
      unknown.add(gone);
      return unknown;
    }
  }
  return unknown;
}

async function checkItems(
  { client }: Server,
  items: ReadonlyMap<string, Item>,
  unknown: ReadonlySet<string>,
): Promise<void> {
  const expected = [...items.values()].filter(({ id }) => !unknown.has(id));
  for (let low = 0; low < 1000; low += 50) {
    const filter = `rank:>=${low} && rank:<${low + 50}`;
    const { found } = await client.search(NAME, { q: '', filter, limit: 0 });
    const there = expected.filter(({ rank }) => rank >= low && rank < low + 50).length;
    assert.ok(found >= there && found <= there + unknown.size, `${filter}: ${found} found, ${there} written`);
  }
  for (const one of expected.filter((_, i) => i % 997 === 0)) {
    const reply = expectStatus(await client.get(`/collections/${NAME}/documents/${one.id}`), 200);
    assert.deepEqual(JSON.parse(reply.text), one);
  }
}

test('searches and writes go on while a schema is changed, and no write is lost', async () => {
  const server = await startServer();
  try {
    const { client } = server;
    const items = await fill(server);
    let isOver = false;
    let searches = 0;
    const search = async (): Promise<void> => {
      for (; !isOver; searches++) {
        const { found } = await client.search(NAME, { q: 'thing', typo_tolerance: false });
        assert.ok(found > DOCUMENTS * 0.9 && found <= DOCUMENTS, `${found} found`);
      }
    };
    const others = Promise.all([search(), ...[0, 1].map((residue) => write(server, items, residue, () => isOver))]);
    const changed = client.request('PATCH', `/collections/${NAME}`, { body: JSON.stringify(ADD_RANK) });
    const view = JSON.parse(expectStatus(await changed, 200).text) as CollectionView;
    assert.ok(view.fields.some(({ name }) => name === 'rank'));
    await sleep(50);
    isOver = true;
    const [, ...unknown] = await others;
    assert.deepEqual(
      unknown.map(({ size }) => size),
      [0, 0],
    );
    assert.ok(searches > 0);
    await checkItems(server, items, new Set());
    assert.equal((await client.view(NAME)).num_documents, items.size);
  } finally {
    await server.dispose();
  }
});

test('a change that is killed goes on after the next start, and loses no write', async () => {
  for (const killAfterMs of [20, 120, 300]) {
    const server = await startServer();
    try {
      const { client } = server;
      const items = await fill(server);
      const writing = write(server, items, 0, () => false);
      const changing = client.request('PATCH', `/collections/${NAME}`, { body: JSON.stringify(ADD_RANK) });
      changing.catch(() => {});
      await sleep(killAfterMs);
      await server.kill();
      const unknown = await writing;
      const isAnswered = await changing.then(
        () => true,
        () => false,
      );
      await server.start();
      const view = (): Promise<CollectionView> => client.view(NAME);
      while ('change' in (await view())) await sleep(20);
      const { fields } = await view();
      const isChanged = fields.length === 2;
      // Killed before it began, it was never promised.
      assert.ok(isChanged || !isAnswered);
      if (!isChanged)
        expectStatus(await client.request('PATCH', `/collections/${NAME}`, { body: JSON.stringify(ADD_RANK) }), 200);
      await checkItems(server, items, unknown);
    } finally {
      await server.dispose();
    }
  }
});
