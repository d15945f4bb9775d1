/**
 * A start from a log that is large enough for two threads to replay it: documents replaced and deleted all along, beside
 * those of another collection.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectError, expectStatus } from '../support/expect.js';
import { titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const BATCHES = 24;
const BATCH_DOCUMENTS = 2000;
/** Each batch begins this far behind the one before it: a quarter of it replaces documents of that. */
const STEP = 1500;
/** Makes the log a dozen MiB and more. */
const FILLING = 'und so weiter '.repeat(20);

test('a large log is replayed as it was written', async () => {
  const server = await startServer();
  try {
    const { client } = server;
    await client.create(titleSchema('large'));
    await client.create(titleSchema('small'));
    const live = new Map<number, number>();
    for (let batch = 0; batch < BATCHES; batch++) {
      const documents = Array.from({ length: BATCH_DOCUMENTS }, (_, i) => {
        live.set(batch * STEP + i, batch);
        return { id: `${batch * STEP + i}`, title: `batch${batch} document${batch * STEP + i} ${FILLING}` };
      });
      await client.indexAll('large', documents);
      // One of this batch, and one of an older one that lies in another segment by now.
      for (const id of [batch * STEP + 7, Math.floor(batch / 2) * STEP + 500 + batch]) {
        if (live.delete(id)) await client.remove('large', `${id}`);
      }
      await client.indexAll('small', [{ id: `${batch % 5}`, title: `batch${batch}` }]);
    }
    await server.kill();
    await server.start();
    assert.equal((await client.view('large')).num_documents, live.size);
    assert.equal((await client.view('small')).num_documents, 5);
    for (let batch = 0; batch < BATCHES; batch++) {
      const count = [...live.values()].filter((written) => written === batch).length;
      const found = await client.search('large', { q: `batch${batch}`, prefix: false, typo_tolerance: false });
      assert.equal(found.found, count, `live documents of batch ${batch}`);
      const isLast = batch >= BATCHES - 5;
      assert.equal(
        (await client.search('small', { q: `batch${batch}`, prefix: false, typo_tolerance: false })).found,
        isLast ? 1 : 0,
      );
    }
    for (let id = 0; id < BATCHES * STEP; id += 97) {
      const reply = await client.get(`/collections/large/documents/${id}`);
      const batch = live.get(id);
      if (batch === undefined) expectError(reply, 404, 'document_not_found');
      else assert.match(expectStatus(reply, 200).text, new RegExp(`batch${batch} document${id} `));
    }
  } finally {
    await server.dispose();
  }
});

test('a log with changes of a schema between large batches is replayed by the schema of each', async () => {
  const server = await startServer();
  try {
    const { client } = server;
    const rounds = 8;
    await client.create(titleSchema('c'));
    // Each has a field of its own, which must be there, and that of the one before is gone.
    for (let round = 0; round < rounds; round++) {
      const own = { name: `n${round}`, type: 'int', facet: true };
      const fields = round === 0 ? [own] : [own, { name: `n${round - 1}`, drop: true }];
      const body = JSON.stringify({ fields });
      expectStatus(await client.request('PATCH', '/collections/c', { body }), 200);
      const documents = Array.from({ length: BATCH_DOCUMENTS }, (_, i) => ({
        ...{ id: `${round}-${i}`, title: `round${round} ${FILLING}` },
        [own.name]: round,
      }));
      await client.indexAll('c', documents);
    }
    await server.kill();
    await server.start();
    assert.equal((await client.view('c')).num_documents, rounds * BATCH_DOCUMENTS);
    for (let round = 0; round < rounds; round++)
      assert.equal((await client.search('c', { q: `round${round}`, prefix: false })).found, BATCH_DOCUMENTS);
    const last = `n${rounds - 1}`;
    const { facets } = await client.search('c', { q: '*', facet: last, limit: 0 });
    assert.deepEqual(facets, { [last]: { [rounds - 1]: BATCH_DOCUMENTS } });
  } finally {
    await server.dispose();
  }
});
