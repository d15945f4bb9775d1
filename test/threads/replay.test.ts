/**
 * Replay with the maintenance thread's help: a start finds what was written. What an order may be answered with, and
 * when, is tried without threads in test/writer/replay.test.ts.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import type { MaintenanceInput } from '../../engine/threads/messages.js';
import { ReplayClient } from '../../engine/threads/replay-client.js';
import { spawnWorker } from '../../engine/threads/spawn.js';
import type { ReplayLane } from '../../engine/writer/recovery/replay-chunk.js';
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

/** `lane` without the writer's help, so that the thread builds all. */
const stubborn = (lane: ReplayLane): ReplayLane => ({
  start: (order) => lane.start(order),
  takeBack: () => false,
  isDone: (order) => lane.isDone(order),
  wait: (order) => lane.wait(order),
});

test('a start finds what was written when two threads build it', async () => {
  await fc.assert(
    fc.asyncProperty(replayHistory, replaySizes, fc.boolean(), async (steps, sizes, isStubborn) => {
      const { directory, text } = await writeHistory(steps);
      const client = new ReplayClient(port);
      const lane = isStubborn ? stubborn(client) : client;
      const found = recoverHistory(directory, {
        replay: () => ({ lane, sizes }),
        onArena: (arena) => port.postMessage({ kind: 'arena', arena } satisfies MaintenanceInput),
      });
      client.end();
      assert.equal(found, text);
    }),
    { numRuns: 40 },
  );
});
