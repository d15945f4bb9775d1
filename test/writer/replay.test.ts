/**
 * Replay with another thread's help: whoever builds which bundle, and whenever it is done, a start finds what was written.
 * The worker is one in this process that answers late and out of step; that of threads is in test/threads/replay.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SegmentMemory } from '../../engine/writer/state/segment-memory.js';
import { LateWorker } from '../support/late-worker.js';
import { recoverHistory, replayHistory, replaySizes, writeHistory } from '../support/replay-history.js';

test('a start finds what was written, whoever builds which part of the log', async () => {
  const totals = { built: 0, takenBack: 0 };
  await fc.assert(
    fc.asyncProperty(replayHistory, replaySizes, fc.infiniteStream(fc.boolean()), async (steps, sizes, choices) => {
      const { directory, text } = await writeHistory(steps);
      assert.equal(recoverHistory(directory), text);
      assert.equal(recoverHistory(directory, { replay: () => ({ sizes }) }), text);
      const workers: LateWorker[] = [];
      const replay = (memory: SegmentMemory) => {
        const worker = new LateWorker(memory, () => choices.next().value);
        workers.push(worker);
        return { worker, sizes };
      };
      assert.equal(recoverHistory(directory, { replay }), text);
      for (const { built, takenBack } of workers) {
        totals.built += built;
        totals.takenBack += takenBack;
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(totals.built > 0, 'the worker built something');
  assert.ok(totals.takenBack > 0, 'something was taken back from it');
});
