/**
 * Merges of large segments in the background, while documents are replaced, deleted and searched.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshName } from '../support/fixtures.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';
import type { WireDocument } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const BATCHES = 30;
const BATCH_DOCS = 250;
/** Stored and not indexed: makes segments large enough to be merged by the maintenance thread. */
const PADDING = 'x'.repeat(6000);

const idOf = (batch: number, i: number): string => `${batch}-${i}`;

const documentOf = (id: string, version: number, i: number): WireDocument => ({
  id,
  title: `common group${i % 7} version${version}`,
  version,
  group: `g${i % 7}`,
  padding: PADDING,
});

async function metric(name: string): Promise<number> {
  return metricValue(parseMetrics((await client.get('/metrics')).text), name);
}

test('replacing, deleting and searching during merges loses, doubles and resurrects nothing', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'version', type: 'int', sort: true, facet: true },
      { name: 'group', type: 'keyword', facet: true },
    ],
  });
  const versions = new Map<string, number>();
  const put = async (documents: WireDocument[]): Promise<void> => {
    await client.indexAll(name, documents);
    for (const { id, version } of documents) versions.set(String(id), Number(version));
  };
  let acknowledged = 0;
  let running = true;
  const mergeSeen = new Set<number>();
  const reader = (async () => {
    while (running) {
      const atLeast = acknowledged;
      const { found, hits } = await client.search(name, { q: 'common', limit: 20, sort: 'version:desc' });
      assert.ok(found >= atLeast, `found ${found} after ${atLeast}`);
      assert.equal(new Set(hits.map(({ document }) => document.id)).size, hits.length);
      for (const { document } of hits)
        assert.match(String(document['title']), new RegExp(`version${document['version']}$`));
    }
  })();
  reader.catch(() => {}); // A failure is thrown by the await below.

  const before = await metric('sabre_merges_total');
  for (let batch = 0; batch < BATCHES; batch++) {
    await put(Array.from({ length: BATCH_DOCS }, (_, i) => documentOf(idOf(batch, i), 0, i)));
    // Touch documents of older batches, whose segments are likely to be in a merge at this moment.
    const older = Math.floor(batch / 2);
    await put([1, 2, 3].map((i) => documentOf(idOf(older, i * 10 + (batch % 10)), batch + 1, i)));
    const gone = idOf(older, 100 + batch);
    await client.remove(name, gone);
    versions.delete(gone);
    acknowledged = versions.size - 1;
    mergeSeen.add(await metric('sabre_merge_running'));
  }
  running = false;
  await reader;
  assert.ok((await metric('sabre_merges_total')) > before, 'merges took place');
  assert.ok(mergeSeen.has(1), 'a merge is seen to run');
  const ranked = async (): Promise<unknown> => {
    const { hits } = await client.search(name, { q: 'group3 version5', match_mode: 'any', limit: 60 });
    return hits.map(({ document, text_match }) => [document.id, text_match]);
  };
  const page = await ranked();
  while ((await metric('sabre_merge_running')) === 1) await sleep(20);
  assert.deepEqual(await ranked(), page, 'a merge that ends moves no page');

  const check = async (): Promise<void> => {
    const response = await client.search(name, { q: 'common', limit: 0, facet: 'version,group' });
    assert.equal(response.found, versions.size);
    const expected = new Map<string, number>();
    for (const version of versions.values()) expected.set(`${version}`, (expected.get(`${version}`) ?? 0) + 1);
    assert.deepEqual(response.facets?.['version'], Object.fromEntries(expected));
    assert.equal((await client.view(name)).num_documents, versions.size);
    for (const [id, version] of [...versions].filter((_, i) => i % 97 === 0)) {
      const [hit] = (await client.search(name, { filter: `id:=${id}`, q: `version${version}`, prefix: false })).hits;
      assert.equal(hit?.document['version'], version, id);
    }
    for (let batch = 0; batch < BATCHES; batch++) {
      const gone = idOf(Math.floor(batch / 2), 100 + batch);
      assert.equal((await client.get(`/collections/${name}/documents/${gone}`)).status, 404, gone);
    }
  };
  await check();
  assert.ok((await client.view(name)).num_segments <= 20, 'a search sees few segments');
  await server.kill();
  await server.start();
  await check();
  assert.deepEqual(await ranked(), page, 'nor does a restart');
});

test('while nothing is written few segments become one, and answers stay what they were', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'group', type: 'keyword', facet: true },
    ],
  });
  for (let batch = 0; batch < 6; batch++)
    await client.indexAll(
      name,
      Array.from({ length: BATCH_DOCS }, (_, i) => documentOf(idOf(batch, i), batch, i)),
    );
  assert.ok((await client.view(name)).num_segments > 1, 'no merge is due');
  const ask = async (): Promise<unknown> => {
    const { found, facets, hits } = await client.search(name, {
      q: 'group3 version4',
      match_mode: 'any',
      facet: 'group',
    });
    return { found, facets, hits };
  };
  const answer = await ask();
  for (const untilMs = performance.now() + 60_000; (await client.view(name)).num_segments > 1; await sleep(50))
    assert.ok(performance.now() < untilMs, 'they are merged');
  assert.deepEqual(await ask(), answer);
  await client.indexAll(name, [documentOf('one more', 9, 3)]);
  assert.equal((await client.view(name)).num_segments, 2);
});
