/**
 * Damaged records of the log at start: the collection of a record is refused, alone, until it is dropped or the log is
 * repaired; a record that says which collections there are refuses the start.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import type { EngineLogger } from '../../engine/engine.js';
import { RECORD_CREATE, RECORD_DELETE, RECORD_DOCUMENTS, RECORD_DROP } from '../../engine/storage/log/wal-records.js';
import {
  A,
  B,
  checkRefused,
  commit,
  create,
  drop,
  flipped,
  type Harness,
  idsOf,
  index,
  remove,
  reopen,
  replace,
  twoCollections,
  write,
} from '../support/damaged-collections.js';
import { silentLogger, WriteHarness } from '../support/engine-writes.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';
import { type WalFramePlace, walFrames } from '../support/wal-frames.js';

const logsOf = (directory: SimulatedDirectory): string[] =>
  directory
    .list()
    .filter((name) => name.startsWith('wal-'))
    .sort();

/** Flips a bit in the payload of the first record in the log that `isIt`; again to repair it. Returns the file's name. */
function flipPayload(directory: SimulatedDirectory, isIt: (frame: WalFramePlace) => boolean): string {
  for (const name of logsOf(directory)) {
    const bytes = directory.content(name);
    const frame = walFrames(bytes).find(isIt);
    if (frame === undefined) continue;
    replace(directory, name, flipped(bytes, frame.end - 1));
    return name;
  }
  return assert.fail('no such record');
}

const isDocuments = ({ type, collectionId }: WalFramePlace): boolean => type === RECORD_DOCUMENTS && collectionId === A;
const isDelete = ({ type, collectionId }: WalFramePlace): boolean => type === RECORD_DELETE && collectionId === A;

/** Three writes to "a" after the snapshot, and two to "b" that prove all of them synced. */
async function withLog(): Promise<Harness> {
  const harness = await twoCollections();
  await write(harness, index(A, ['a2', 'late']));
  await write(harness, index(B, ['b7']));
  await write(harness, remove(A, 'a3'));
  await write(harness, index(A, ['later']));
  await write(harness, index(B, ['b8']));
  return harness;
}
const A_IDS = ['a4', 'a5', 'a6', 'a2', 'late', 'later'];
const B_IDS = ['b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8'];

for (const [what, isIt] of [
  ['documents', isDocuments],
  ['a deletion', isDelete],
] as const) {
  test(`a damaged record of ${what} refuses its collection alone, over restarts and snapshots, until it is repaired`, async () => {
    const before = await withLog();
    const disk = before.directory.crash({ mode: 'kill' });
    const file = flipPayload(disk, isIt);
    let harness: Harness = new WriteHarness(disk);
    for (let round = 0; round < 3; round++) {
      await checkRefused(harness, file);
      assert.deepEqual(idsOf(harness, B).slice(0, 7), B_IDS);
      await write(harness, index(B, [`round${round}`]));
      harness = reopen(harness);
      await checkRefused(harness, file);
      await harness.snapshot();
      await write(harness, index(B, [`after${round}`]));
      assert.ok(logsOf(harness.directory).includes(file), 'the log is kept');
      harness = reopen(harness, round === 1);
    }
    const repaired = harness.directory.crash({ mode: 'kill' });
    flipPayload(repaired, isIt);
    harness = new WriteHarness(repaired);
    assert.equal(harness.collections.refused.count, 0);
    assert.deepEqual(idsOf(harness, A), A_IDS);
    assert.deepEqual(idsOf(harness, B), [...B_IDS, 'round0', 'after0', 'round1', 'after1', 'round2', 'after2']);
    await harness.snapshot();
    assert.equal(logsOf(harness.directory).length, 1, 'nobody needs the rest any more');
    assert.deepEqual(idsOf(reopen(harness, true), A), A_IDS);
  });
}

test('a collection refused for the log can be dropped, and its name given again', async () => {
  for (const snapshotBetween of [false, true]) {
    const before = await withLog();
    flipPayload(before.directory, isDocuments);
    const harness = reopen(before);
    await write(harness, drop(A));
    assert.equal((await commit(harness, drop(A)))[0].error?.code, 'collection_not_found');
    await write(harness, create('a'));
    const [id] = Array.from(harness.collections.all(), ({ id }) => id).filter((one) => one !== B);
    await write(harness, index(id, ['again']));
    if (snapshotBetween) await harness.snapshot();
    const again = reopen(harness);
    assert.equal(again.collections.refused.count, 0);
    assert.deepEqual(idsOf(again, id), ['again']);
    assert.deepEqual(idsOf(again, B), B_IDS);
    await again.snapshot();
    assert.equal(logsOf(again.directory).length, 1);
    assert.deepEqual(idsOf(reopen(again), id), ['again']);
  }
});

/** Collections "a" and "b" that no snapshot contains. */
async function newCollections(): Promise<Harness> {
  const harness = new WriteHarness(new SimulatedDirectory());
  await write(harness, create('a'));
  await write(harness, create('b'));
  await write(harness, index(A, ['a1']));
  await write(harness, index(B, ['b2', 'b3', 'b4', 'b5', 'b6']));
  await write(harness, index(A, ['a2']));
  await write(harness, index(B, ['b7']));
  return harness;
}

test('a collection newer than the last snapshot is refused too, and every later snapshot says so', async () => {
  const before = await newCollections();
  const file = flipPayload(before.directory, isDocuments);
  let harness = reopen(before);
  for (let round = 0; round < 3; round++) {
    await checkRefused(harness, file);
    const [{ entry }] = harness.collections.refused.all();
    assert.equal(entry.schema.name, 'a');
    assert.deepEqual([entry.sequence, entry.segments], [0, []]);
    await harness.snapshot();
    assert.equal(harness.snapshots.manifest.collections.find(({ id }) => id === A)?.sequence, 0);
    await write(harness, index(B, [`round${round}`]));
    harness = reopen(harness);
  }
  const repaired = harness.directory.crash({ mode: 'kill' });
  flipPayload(repaired, isDocuments);
  const whole = new WriteHarness(repaired);
  assert.equal(whole.collections.refused.count, 0);
  assert.deepEqual(idsOf(whole, A), ['a1', 'a2']);
  await whole.snapshot();
  assert.deepEqual(idsOf(reopen(whole), A), ['a1', 'a2']);
  // And instead of a repair: a deletion.
  await write(harness, drop(A));
  await write(harness, create('a'));
  const again = reopen(harness);
  assert.equal(again.collections.refused.count, 0);
  assert.deepEqual(Array.from(again.collections.all(), ({ schema }) => schema.name).sort(), ['a', 'b']);
});

test('a collection that is dropped further on in the log is gone, whatever is damaged of it', async () => {
  const before = await withLog();
  await write(before, drop(A));
  await write(before, create('a'));
  flipPayload(before.directory, isDocuments);
  const harness = reopen(before);
  assert.equal(harness.collections.refused.count, 0);
  assert.deepEqual(Array.from(harness.collections.all(), ({ schema }) => schema.name).sort(), ['a', 'b']);
});

test('a damaged record of a collection that a snapshot contains does no harm', async () => {
  const before = await withLog();
  const file = flipPayload(before.directory, isDocuments);
  const harness = reopen(before);
  await harness.snapshot();
  // "a" keeps the log, with records of "b" that nobody needs any more.
  flipPayload(harness.directory, ({ type, collectionId }) => type === RECORD_DOCUMENTS && collectionId === B);
  const warnings: string[] = [];
  const logger: EngineLogger = { ...silentLogger, warn: (_, message) => void warnings.push(message) };
  const again = new WriteHarness(harness.directory.crash({ mode: 'kill' }), true, false, { logger });
  await checkRefused(again, file);
  assert.deepEqual(idsOf(again, B), B_IDS);
  assert.equal(warnings.filter((message) => message.includes('that nothing needs any more is damaged')).length, 1);
});

test('a damaged record that creates or drops a collection refuses the start, and nothing is touched', async () => {
  for (const type of [RECORD_CREATE, RECORD_DROP]) {
    const before = await newCollections();
    await write(before, drop(A));
    await write(before, index(B, ['b8']));
    const disk = before.directory.crash({ mode: 'kill' });
    const file = flipPayload(disk, (frame) => frame.type === type);
    const files = new Map(disk.list().map((name) => [name, disk.content(name).slice()]));
    assert.throws(
      () => new WriteHarness(disk),
      (error) => {
        assert.ok(error instanceof EngineError);
        assert.equal(error.code, 'corrupt_data');
        assert.match(
          error.message,
          new RegExp(`${file}: damaged payload.*offset \\d+: expected .+, got .+creates or deletes`),
        );
        return true;
      },
    );
    assert.deepEqual(new Map(disk.list().map((name) => [name, disk.content(name).slice()])), files);
  }
});

test('a collection newer than the last snapshot that proves to be damaged in use is refused, and found again', async () => {
  const harness = await newCollections();
  const collection = harness.collections.find(A);
  assert.ok(collection !== null);
  harness.collections.suspect(
    collection,
    new EngineError('corrupt_data', 'x.seg: damaged at offset 1: expected 2, got 3'),
  );
  assert.ok(harness.path.refuseSuspects(harness.snapshots.manifest) !== null);
  await checkRefused(harness, 'x.seg');
  await harness.snapshot();
  await checkRefused(harness, 'x.seg');
  // The log has all of it.
  const again = reopen(harness);
  assert.equal(again.collections.refused.count, 0);
  assert.deepEqual(idsOf(again, A), ['a1', 'a2']);
  assert.deepEqual(idsOf(again, B), ['b2', 'b3', 'b4', 'b5', 'b6', 'b7']);
});

test('so is one whose snapshot is under way', async () => {
  const before = await newCollections();
  let finish = (): void => {};
  const harness = new WriteHarness(before.directory.crash({ mode: 'kill' }), true, false, {
    runner: (real) => ({
      writeSnapshot: async (order) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return real.writeSnapshot(order);
      },
    }),
  });
  const written = harness.snapshots.request();
  await harness.snapshots.start();
  const collection = harness.collections.find(A);
  assert.ok(collection !== null);
  harness.collections.suspect(
    collection,
    new EngineError('corrupt_data', 'x.seg: damaged at offset 1: expected 2, got 3'),
  );
  harness.path.refuseSuspects(harness.snapshots.manifest);
  finish();
  await written;
  await checkRefused(harness, 'x.seg');
  await write(harness, index(B, ['b8']));
  const again = reopen(harness, true);
  assert.deepEqual(idsOf(again, A), ['a1', 'a2']);
  assert.deepEqual(idsOf(again, B), ['b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8']);
});
