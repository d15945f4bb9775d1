/**
 * Memory over cycles of indexing, deleting and dropping: what is freed is used again.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshName, titleSchema } from '../support/fixtures.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const ARENA_BYTES_USED = 'sabre_arena_bytes_used';

async function usedBytes(): Promise<number> {
  return metricValue(parseMetrics((await client.get('/metrics')).text), ARENA_BYTES_USED);
}

const batch = (round: number): { id: string; title: string }[] =>
  Array.from({ length: 1500 }, (_, i) => ({
    id: `${i}`,
    title: `word${(i * 7 + round) % 900} some more text of document ${i}`,
  }));

test('replacing the same documents over and over keeps the use of memory bounded', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  for (let round = 0; round < 6; round++) await client.indexAll(name, batch(round));
  const settled = await usedBytes();
  for (let round = 6; round < 30; round++) await client.indexAll(name, batch(round));
  assert.equal((await client.view(name)).num_documents, 1500);
  const end = await usedBytes();
  assert.ok(end < settled * 4, `${settled} bytes after 6 rounds, ${end} after 30`);
  await client.drop(name);
});

test('deleting every document and indexing again keeps the use of memory bounded', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  const peaks: number[] = [];
  for (let round = 0; round < 8; round++) {
    const documents = batch(round).slice(0, 120);
    await client.indexAll(name, documents);
    peaks.push(await usedBytes());
    for (const { id } of documents) await client.remove(name, id);
    assert.equal((await client.search(name, {})).found, 0);
  }
  assert.ok(Math.max(...peaks.slice(2)) <= Math.max(...peaks.slice(0, 2)) * 4, peaks.join(' '));
  await client.drop(name);
});

test('dropped collections give their memory back', async () => {
  const before = await usedBytes();
  for (let round = 0; round < 15; round++) {
    const name = freshName();
    await client.create(titleSchema(name));
    await client.indexAll(name, batch(round));
    assert.equal((await client.search(name, { q: 'text', limit: 0 })).found, 1500);
    await client.drop(name);
  }
  const one = freshName();
  await client.create(titleSchema(one));
  await client.indexAll(one, batch(0));
  const size = (await usedBytes()) - before;
  await client.drop(one);
  assert.ok((await usedBytes()) <= before + Math.max(size, 1_000_000) * 4);
});
