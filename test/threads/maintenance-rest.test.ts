/**
 * The maintenance thread ends where there is nothing to do, and is there again for the next order: by itself, and in a real server.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS } from '../../engine/channel/control-words.js';
import { clearEpochs, Epoch } from '../../engine/channel/generations.js';
import { MaintenanceClient } from '../../engine/channel/maintenance-client.js';
import { spawnWorker } from '../../engine/threads/spawn.js';
import { freshName } from '../support/fixtures.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';
import type { WireDocument } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const SEGMENT = { id: 1, bytes: 4096, checksum: 0 };

test('a thread that was told to end ends, and the next order starts another', async () => {
  const started: Worker[] = [];
  const start = (writerPort: MessagePort): void => {
    started.push(
      spawnWorker('maintenance-thread', { workerData: { dataDir: 'none', writerPort }, transferList: [writerPort] }),
    );
  };
  const words = new SharedWords(new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT)));
  clearEpochs(words);
  const { port1, port2 } = new MessageChannel();
  start(port2);
  const maintenance = new MaintenanceClient(port1, new Epoch(words, 0), start);
  const asked = maintenance.verify(SEGMENT as never);
  assert.equal(maintenance.rest(), false, 'an order is under way');
  assert.ok((await asked) !== null, 'there is no such file');
  for (let round = 1; round <= 3; round++) {
    const ended = once(started[round - 1] as Worker, 'exit');
    assert.equal(maintenance.rest(), true);
    assert.deepEqual(await ended, [0]);
    assert.equal(maintenance.rest(), false, 'there is none');
    maintenance.collectGarbage();
    assert.equal(started.length, round, 'garbage of nobody starts no thread');
    assert.ok((await maintenance.verify(SEGMENT as never)) !== null);
    assert.equal(started.length, round + 1);
  }
  const ended = once(started.at(-1) as Worker, 'exit');
  maintenance.close();
  assert.deepEqual(await ended, [0]);
});

const BATCH_DOCS = 250;
/** Stored and not indexed: makes segments large enough to be merged by the maintenance thread. */
const PADDING = 'x'.repeat(6000);
/** A pause is one after ten seconds. */
const WITHIN_MS = 60_000;

const threads = (): number =>
  Number(/^Threads:\s+(\d+)$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'latin1'))?.[1]);

async function metric(name: string): Promise<number> {
  return metricValue(parseMetrics((await client.get('/metrics')).text), name);
}

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const startMs = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - startMs < WITHIN_MS, what);
    await sleep(100);
  }
}

test('a server in a pause has a thread less, and merges as before when it is written to again', async () => {
  const name = freshName();
  await client.create({ name, fields: [{ name: 'title', type: 'text' }] });
  let documents = 0;
  const merge = async (): Promise<void> => {
    const before = await metric('sabre_merges_total');
    await until('it merges', async () => {
      const batch = Array.from({ length: BATCH_DOCS }, (): WireDocument => {
        documents += 1;
        return { id: `${documents}`, title: `common word${documents % 10}`, padding: PADDING };
      });
      await client.indexAll(name, batch);
      return (await metric('sabre_merges_total')) > before && (await metric('sabre_merge_running')) === 0;
    });
  };
  let paused = 0;
  for (let pause = 0; pause < 2; pause++) {
    await merge();
    const busy = threads();
    assert.ok(busy > paused, `${busy} threads, ${paused} in the pause`);
    await until('the thread ends', () => threads() < busy);
    paused = threads();
    const { found } = await client.search(name, { q: 'common word3', limit: 0 });
    assert.equal(found, documents / 10);
  }
  await merge();
  await server.restart();
  assert.equal((await client.search(name, { q: 'common', limit: 0 })).found, documents);
});
