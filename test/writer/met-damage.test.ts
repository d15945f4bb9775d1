/**
 * Damage that the start did not see: whatever meets it later, a merge, a write, staging or the replay of the log, refuses
 * that collection alone, and a repair of its file gives back all that was acknowledged.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { assertPresent } from '../../engine/core/assert.js';
import { EngineError } from '../../engine/core/errors.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { SegmentReader } from '../../engine/segment/segment-reader.js';
import type { MergeOrder } from '../../engine/writer/merge/merge-job.js';
import { MergeScheduler } from '../../engine/writer/merge/merge-scheduler.js';
import type { CollectionState } from '../../engine/writer/state/collection-state.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import {
  A,
  B,
  checkRefused,
  commit,
  type Harness,
  idsOf,
  index,
  remove,
  reopen,
  replace,
  SEGMENT,
  twoCollections,
  write,
} from '../support/damaged-collections.js';
import { WriteHarness } from '../support/engine-writes.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';

const stateOf = (harness: Harness, id: number): CollectionState =>
  assertPresent(harness.collections.find(id), 'a published collection');

/** Refuses what proved to be damaged, as the writer does between two commits. */
function refuseSuspects(harness: Harness): void {
  assert.ok(harness.path.refuseSuspects(harness.snapshots.manifest) !== null);
}

/** What a repair gives back: all that was acknowledged. */
function checkRepaired(harness: Harness, ids: readonly string[]): void {
  const repaired = reopen(harness, true);
  assert.equal(repaired.collections.refused.count, 0);
  assert.deepEqual(idsOf(repaired, A).sort(), [...ids].sort());
}

test('a merge that meets damage refuses its collection alone, whose files and log stay', async () => {
  const harness = reopen(await twoCollections());
  await write(harness, index(A, ['late']));
  const [segment] = stateOf(harness, A).segments;
  // In memory alone: the file is sound, and the next start finds nothing wrong.
  harness.memory.view(segment.region).u8[segment.region.bytes - 1] ^= 1;
  for (const id of ['a2', 'b2']) await write(harness, remove(id === 'a2' ? A : B, id));
  const never = { run: () => assert.fail('too small to be merged elsewhere') };
  const scheduler = new MergeScheduler(harness.path, harness.memory, harness, never, () => {});
  scheduler.schedule();
  assert.equal(stateOf(harness, B).segments[0].reader.maxDoc, 4, 'the other one was merged');
  refuseSuspects(harness);
  assert.throws(
    () => harness.target(A),
    (error) => error instanceof EngineError && error.code === 'corrupt_data',
  );
  const [{ error }] = await commit(harness, index(A, ['never']));
  assert.equal(error?.code, 'corrupt_data');
  await write(harness, index(B, ['later']));
  assert.deepEqual(idsOf(harness, B), ['b3', 'b4', 'b5', 'b6', 'later']);
  scheduler.schedule();
  await harness.snapshot();
  await harness.snapshot();
  assert.ok(harness.directory.list().includes(SEGMENT));
  checkRepaired(harness, ['a3', 'a4', 'a5', 'a6', 'late']);
});

test('a merge for the other thread that meets damage before it is ordered refuses its collection alone', async () => {
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'kind', type: 'keyword', facet: true },
  ];
  const before = new WriteHarness(new SimulatedDirectory());
  const large = (collectionId: number, id: string): WriteRequest => ({
    ...{ kind: 'index', ticket: 1, collectionId, format: 'json' },
    body: new Uint8Array(Buffer.from(JSON.stringify([{ id, kind: id, pad: randomBytes(1 << 20).toString('hex') }]))),
  });
  for (const name of ['a', 'b'])
    await write(before, { kind: 'create', ticket: 1, schema: parseSchema({ name, fields }) });
  for (const collectionId of [A, B])
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']) await write(before, large(collectionId, id));
  await before.snapshot();
  const harness = reopen(before);
  for (const { region, reader } of stateOf(harness, A).segments) {
    const column = assertPresent(new SegmentReader(harness.memory.view(region)).column(1), 'a column');
    assert.equal(reader.maxDoc, 1);
    harness.memory.view(region).u8.fill(0, column.offset, column.offset + 64);
  }
  const ordered: MergeOrder[] = [];
  const runner = {
    run: (order: MergeOrder) => {
      ordered.push(order);
      return new Promise<never>(() => {});
    },
  };
  const scheduler = new MergeScheduler(harness.path, harness.memory, harness, runner, () => {});
  for (const id of [A, B]) await write(harness, large(id, '11'));
  scheduler.schedule();
  refuseSuspects(harness);
  assert.equal(harness.collections.refused.count, 1);
  scheduler.schedule();
  assert.equal(ordered.length, 1, 'the other one is merged');
});

/** Makes every search for an id in the first segment of `a` fail, in memory alone. */
function breakIds(harness: Harness): void {
  const { region, reader } = stateOf(harness, A).segments[0];
  const { slots, slotCount } = reader.ids;
  harness.memory.view(region).u32.fill(0xffffffff, slots, slots + slotCount);
}

test('a write that meets damage is refused, and so is its collection from then on', async () => {
  const harness = reopen(await twoCollections());
  await write(harness, index(B, ['b7']));
  breakIds(harness);
  const answers = await commit(harness, remove(A, 'a2'), index(B, ['b8'], 2));
  assert.deepEqual(answers.map(({ ticket, error }) => [ticket, error?.code ?? '']).sort(), [
    [1, 'corrupt_data'],
    [2, ''],
  ]);
  refuseSuspects(harness);
  assert.equal(harness.collections.refused.count, 1);
  assert.deepEqual(idsOf(harness, B).slice(-2), ['b7', 'b8']);
  await harness.snapshot();
  await write(harness, index(B, ['b9']));
  const repaired = reopen(harness, true);
  assert.deepEqual(idsOf(repaired, A), ['a2', 'a3', 'a4', 'a5', 'a6']);
  assert.deepEqual(idsOf(repaired, B).slice(-3), ['b7', 'b8', 'b9']);
});

test('documents that meet damage as they are staged are refused alone', async () => {
  const harness = reopen(await twoCollections());
  breakIds(harness);
  const answers = await commit(harness, index(A, ['new']), index(B, ['beside'], 2));
  assert.deepEqual(answers.map(({ ticket, error }) => [ticket, error?.code ?? '']).sort(), [
    [1, 'corrupt_data'],
    [2, ''],
  ]);
  refuseSuspects(harness);
  const expected = ['b2', 'b3', 'b4', 'b5', 'b6', 'beside'];
  assert.deepEqual(idsOf(harness, B), expected);
  assert.deepEqual(idsOf(reopen(harness), B), expected);
  await harness.snapshot();
  checkRepaired(harness, ['a2', 'a3', 'a4', 'a5', 'a6', 'new']);
});

test('a replay that meets damage refuses its collection alone', async () => {
  const before = await twoCollections();
  await write(before, index(A, ['late']));
  await write(before, index(B, ['later']));
  const { directory } = before;
  const sound = directory.content(SEGMENT);
  const { reader } = stateOf(before, A).segments[0];
  const bytes = sound.slice();
  new Uint32Array(bytes.buffer).fill(0xffffffff, reader.ids.slots, reader.ids.slots + reader.ids.slotCount);
  replace(directory, SEGMENT, bytes);
  const harness = reopen(before);
  await checkRefused(harness, SEGMENT);
  assert.equal(idsOf(harness, B).at(-1), 'later');
  await harness.snapshot();
  replace(harness.directory, SEGMENT, sound);
  checkRepaired(harness, ['a2', 'a3', 'a4', 'a5', 'a6', 'late']);
});
