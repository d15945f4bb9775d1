/**
 * What HTTP threads count of the reads that they answer themselves: each one once, whichever thread it came to.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from '../support/client.js';
import { expectStatus } from '../support/expect.js';
import { makeShop } from '../support/fixtures.js';
import { findSamples, parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';

const READS = 30;

test('a read that the server refuses is counted once, though a front thread leaves it to the main one', async () => {
  const server = await startServer({ args: ['--http-threads', '3'] });
  after(() => server.dispose());
  const { client } = server;
  const shop = await makeShop(client);
  const count = async (): Promise<number> =>
    findSamples(parseMetrics((await client.get('/metrics')).text), 'sabre_reader_queries_total').reduce(
      (sum, { value }) => sum + value,
      0,
    );
  for (const [path, status] of [
    ['documents/missing', 404],
    ['search?q=mouse&filter=none:=1', 400],
  ] as const) {
    const before = await count();
    for (let i = 0; i < READS; i++) {
      // Connections of their own go to the threads in turn.
      const another = new Client(server.port, null);
      expectStatus(await another.get(`/collections/${shop}/${path}`), status);
      another.close();
    }
    assert.equal((await count()) - before, READS, path);
  }
});
