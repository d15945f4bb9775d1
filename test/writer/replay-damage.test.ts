/**
 * Random histories of which one record of the log is damaged: its collection is refused when the record was still needed,
 * every other one is what it would have been, whoever builds which part, and the next starts say the same.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RECORD_DELETE, RECORD_DOCUMENTS } from '../../engine/storage/log/wal-records.js';
import type { ManifestCollection } from '../../engine/storage/types/manifest.js';
import { replace } from '../support/damaged-collections.js';
import { type HarnessOptions, WriteHarness } from '../support/engine-writes.js';
import { LateWorker } from '../support/late-worker.js';
import { replayHistory, replaySizes, writeHistory } from '../support/replay-history.js';
import type { SimulatedDirectory } from '../support/simulated-directory.js';
import { type WalFramePlace, walFrames } from '../support/wal-frames.js';

const open = (directory: SimulatedDirectory, options: HarnessOptions = {}): WriteHarness<SimulatedDirectory> =>
  new WriteHarness(directory.crash({ mode: 'kill' }), true, false, options);

/** Documents by collection number; null: it is refused. */
function contentsOf(harness: WriteHarness): Map<number, readonly string[] | null> {
  const contents = new Map<number, readonly string[] | null>();
  for (const { id } of harness.collections.all()) contents.set(id, harness.documents(id));
  for (const { entry } of harness.collections.refused.all()) contents.set(entry.id, null);
  return new Map([...contents].sort(([a], [b]) => a - b));
}

/** Flips a bit of a record of documents or a deletion that a later record proves to have been synced; null: there is none. */
function damageOne(directory: SimulatedDirectory, choice: number): WalFramePlace | null {
  const all = directory
    .list()
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => walFrames(directory.content(name)).map((frame) => ({ name, frame })));
  const proven = all
    .slice(0, -1)
    .filter(({ frame }) => frame.type === RECORD_DOCUMENTS || frame.type === RECORD_DELETE);
  if (proven.length === 0) return null;
  const { name, frame } = proven[choice % proven.length];
  const bytes = directory.content(name);
  bytes[frame.payload + (choice % (frame.end - frame.payload))] ^= 1;
  replace(directory, name, bytes);
  return frame;
}

test('one damaged record refuses its collection at most, and the others are what they were', async () => {
  let refused = 0;
  const choices = fc.infiniteStream(fc.boolean());
  await fc.assert(
    fc.asyncProperty(replayHistory, fc.nat(10_000), replaySizes, choices, async (steps, choice, sizes, late) => {
      const { directory } = await writeHistory(steps);
      const sound = open(directory);
      const expected = contentsOf(sound);
      const frame = damageOne(directory, choice);
      if (frame === null) return;
      const { collectionId, sequence } = frame;
      const { manifest } = sound.snapshots;
      const entry = manifest.collections.find(({ id }: ManifestCollection) => id === collectionId);
      const isNeeded = sequence > (entry?.sequence ?? manifest.sequence) && expected.has(collectionId);
      if (isNeeded) {
        expected.set(collectionId, null);
        refused++;
      }
      assert.deepEqual(contentsOf(open(directory)), expected);
      const replay: HarnessOptions['replay'] = (memory) => ({
        worker: new LateWorker(memory, () => late.next().value),
        sizes,
      });
      const first = open(directory, { replay });
      assert.deepEqual(contentsOf(first), expected);
      const second = open(first.directory, { replay });
      assert.deepEqual(contentsOf(second), expected);
      await second.snapshot();
      assert.deepEqual(contentsOf(open(second.directory, { replay })), expected);
    }),
    { numRuns: 60 },
  );
  assert.ok(refused > 10, `only ${refused} refused`);
});
