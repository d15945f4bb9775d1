/**
 * Replay with the maintenance thread's help: a start finds what was written. What an order may be answered with, and
 * when, is tried without threads in test/writer/replay.test.ts.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import type { MaintenanceInput } from '../../engine/channel/messages.js';
import { ReplayClient } from '../../engine/channel/replay-client.js';
import { spawnWorker } from '../../engine/threads/spawn.js';
import type { ReplayWorker } from '../../engine/writer/recovery/replay-bundle.js';
import { recoverHistory, replayHistory, replaySizes, writeHistory } from '../support/replay-history.js';

const { port1: port, port2: writerPort } = new MessageChannel();
const thread = spawnWorker('maintenance-thread', {
  workerData: { dataDir: 'none', writerPort },
  transferList: [writerPort],
});
thread.on('error', (error) => {
  throw error;
});
after(() => thread.terminate());

/** `worker` without the writer's help, so that the thread builds all. */
const stubborn = (worker: ReplayWorker): ReplayWorker => ({
  start: (order) => worker.start(order),
  takeBack: () => false,
  isDone: (order) => worker.isDone(order),
  wait: (order) => worker.wait(order),
});

test('a start finds what was written when two threads build it', async () => {
  await fc.assert(
    fc.asyncProperty(replayHistory, replaySizes, fc.boolean(), async (steps, sizes, isStubborn) => {
      const { directory, text } = await writeHistory(steps);
      const client = new ReplayClient(port);
      const worker = isStubborn ? stubborn(client) : client;
      const found = recoverHistory(directory, {
        replay: () => ({ worker, sizes }),
        onArena: (arena) => port.postMessage({ kind: 'arena', arena } satisfies MaintenanceInput),
      });
      client.end();
      assert.equal(found, text);
    }),
    { numRuns: 40 },
  );
});
