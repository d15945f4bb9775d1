/**
 * Damaged data directories: a collection whose files are not what the manifest says is refused, alone, and nothing of it
 * is lost; damage to the manifest or the log refuses the start. Each message says which file, where, expected and got.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CollectionState } from '../../../engine/collection/collection-state.js';
import { MergeScheduler } from '../../../engine/collection/merge-scheduler.js';
import type { WriteAnswer, WriteRequest } from '../../../engine/collection/write-requests.js';
import { assertPresent } from '../../../engine/core/assert.js';
import { EngineError } from '../../../engine/core/errors.js';
import { MANIFEST_VERSION } from '../../../engine/layout/manifest.js';
import { parseSchema } from '../../../engine/schema/parse-schema.js';
import { liveDocsFileName, MANIFEST_FILE, segmentFileName } from '../../../engine/storage/data-files.js';
import { WriteHarness } from '../../support/engine-writes.js';
import { SimulatedDirectory } from '../../support/simulated-directory.js';

/** Numbers of the collections "a" and "b". */
const A = 1;
const B = 2;
type Harness = WriteHarness<SimulatedDirectory>;

const create = (name: string): WriteRequest => ({
  kind: 'create',
  ticket: 1,
  schema: parseSchema({ name, fields: [{ name: 'title', type: 'text' }] }),
});
const drop = (collectionId: number): WriteRequest => ({ kind: 'drop', ticket: 1, collectionId });
const remove = (collectionId: number, documentId: string): WriteRequest => ({
  kind: 'delete',
  ticket: 1,
  collectionId,
  documentId,
});
const index = (collectionId: number, ids: readonly string[], ticket = 1): WriteRequest => ({
  kind: 'index',
  ticket,
  collectionId,
  body: new Uint8Array(Buffer.from(JSON.stringify(ids.map((id) => ({ id, title: 'words' }))))),
  format: 'json',
});

async function commit(harness: Harness, ...requests: WriteRequest[]): Promise<readonly WriteAnswer[]> {
  return (await harness.path.commit(requests)).answers;
}

/** Commits one request, which must succeed. */
async function write(harness: Harness, request: WriteRequest): Promise<void> {
  assert.deepEqual(
    (await commit(harness, request)).map(({ error }) => error),
    [null],
  );
}

const idsOf = (harness: Harness, collectionId: number): string[] =>
  (harness.documents(collectionId) ?? []).map((text) => String((JSON.parse(text) as { id: unknown }).id));

const reopen = ({ directory }: Harness, verify = false): Harness =>
  new WriteHarness(directory.crash({ mode: 'kill' }), true, verify);

/** Two collections in a snapshot, each with live docs: segment 1 and 2, three documents each, the first deleted. */
async function twoCollections(): Promise<Harness> {
  const harness = new WriteHarness(new SimulatedDirectory());
  await write(harness, create('a'));
  await write(harness, create('b'));
  await write(harness, index(A, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']));
  await write(harness, index(B, ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']));
  await write(harness, remove(A, 'a1'));
  await write(harness, remove(B, 'b1'));
  await harness.snapshot();
  return harness;
}

const SEGMENT = segmentFileName(1);
const LIVE_DOCS = liveDocsFileName(1, 1);

/** Replaces a file; null: removes it. */
function replace(directory: SimulatedDirectory, name: string, bytes: Uint8Array | null): void {
  if (bytes === null) {
    directory.remove(name);
    return;
  }
  const file = directory.open(name, 'create');
  file.write([bytes], 0);
  file.syncNow();
  file.close();
  directory.sync();
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] ^= 1;
  return copy;
}

/** What is done to a file, its content given and that of the same file of the other collection. */
const DAMAGES: Readonly<
  Record<string, { readonly file: string; readonly of: (bytes: Uint8Array, other: Uint8Array) => Uint8Array | null }>
> = {
  'a missing segment': { file: SEGMENT, of: () => null },
  'a truncated segment': { file: SEGMENT, of: (bytes) => bytes.subarray(0, -1) },
  'an empty segment': { file: SEGMENT, of: () => new Uint8Array(0) },
  'a segment with more behind it': { file: SEGMENT, of: (bytes) => Buffer.concat([bytes, new Uint8Array(4)]) },
  'a segment with another header': { file: SEGMENT, of: (bytes) => flipped(bytes, 12) },
  'the segment of another collection': { file: SEGMENT, of: (_, other) => other },
  'a foreign file for a segment': { file: SEGMENT, of: ({ length }) => new Uint8Array(length).fill(0x20) },
  'missing live docs': { file: LIVE_DOCS, of: () => null },
  'truncated live docs': { file: LIVE_DOCS, of: (bytes) => bytes.subarray(0, -1) },
  'live docs with another bit': { file: LIVE_DOCS, of: (bytes) => flipped(bytes, bytes.length - 8) },
  'the live docs of another collection': { file: LIVE_DOCS, of: (_, other) => other },
  'a foreign file for live docs': { file: LIVE_DOCS, of: ({ length }) => new Uint8Array(length).fill(0x20) },
};

/** The damaged collection is refused, in every way but one, with a message that names `file`; the other is served. */
async function checkRefused(harness: Harness, file: string): Promise<void> {
  const damaged = [...harness.collections.damaged()];
  assert.deepEqual(
    damaged.map(({ entry }) => entry.id),
    [A],
  );
  const expected = new RegExp(`${file.replaceAll('.', '\\.')}.* offset \\d+: expected .+, got .+`);
  for (const request of [index(A, ['new']), remove(A, 'a2')]) {
    const [{ error }] = await commit(harness, request);
    assert.equal(error?.code, 'corrupt_data');
    assert.match(error.message, expected);
  }
  const [{ error }] = await commit(harness, create('a'));
  assert.equal(error?.code, 'collection_exists');
  assert.deepEqual(idsOf(harness, B).slice(0, 5), ['b2', 'b3', 'b4', 'b5', 'b6']);
}

for (const [what, { file, of }] of Object.entries(DAMAGES)) {
  test(`${what} refuses its collection alone, until it is dropped`, async () => {
    const before = await twoCollections();
    const disk = before.directory.crash({ mode: 'kill' });
    const other = disk.content(file.replace('000001', '000002'));
    replace(disk, file, of(disk.content(file), other));
    const damaged = disk.list();
    const harness = new WriteHarness(disk);
    await checkRefused(harness, file);
    await write(harness, index(B, ['new']));
    await harness.snapshot();
    await harness.snapshot();
    for (const name of damaged) {
      if (/^(segment|live)-000001/.test(name)) assert.ok(disk.list().includes(name));
    }
    const again = reopen(harness);
    await checkRefused(again, file);
    assert.equal(idsOf(again, B).at(-1), 'new');
    await write(again, drop(A));
    assert.equal((await commit(again, drop(A)))[0].error?.code, 'collection_not_found');
    await write(again, create('a'));
    await again.snapshot();
    const left = again.directory.list().filter((name) => /^(segment|live)-000001/.test(name));
    assert.deepEqual(left, []);
    const last = reopen(again);
    assert.equal(last.collections.damagedCount, 0);
    assert.deepEqual(Array.from(last.collections.all(), ({ schema }) => schema.name).sort(), ['a', 'b']);
  });
}

test('the drop of a damaged collection holds over a crash before the next snapshot', async () => {
  const { directory } = await twoCollections();
  replace(directory, SEGMENT, null);
  const harness = new WriteHarness(directory.crash({ mode: 'kill' }));
  await write(harness, drop(A));
  const again = reopen(harness);
  assert.equal(again.collections.damagedCount, 0);
  assert.equal(idsOf(again, B).length, 5);
  await write(again, create('a'));
});

test('damaged content is found at start when every byte is compared', async () => {
  const { directory } = await twoCollections();
  const bytes = directory.content(SEGMENT);
  replace(directory, SEGMENT, flipped(bytes, Buffer.from(bytes).indexOf('words')));
  const careless = new WriteHarness(directory.crash({ mode: 'kill' }));
  assert.equal(careless.collections.damagedCount, 0);
  await checkRefused(new WriteHarness(directory.crash({ mode: 'kill' }), true, true), SEGMENT);
});

test('acknowledged writes of a damaged collection stay in the log until its file is back', async () => {
  const before = await twoCollections();
  await write(before, index(A, ['a2', 'late']));
  await write(before, remove(A, 'a3'));
  const bytes = before.directory.content(SEGMENT);
  const disk = before.directory.crash({ mode: 'kill' });
  replace(disk, SEGMENT, null);
  let harness: Harness = new WriteHarness(disk);
  for (let round = 0; round < 3; round++) {
    await checkRefused(harness, SEGMENT);
    await write(harness, index(B, [`round${round}`]));
    await harness.snapshot();
    await write(harness, index(B, [`after${round}`]));
    harness = reopen(harness);
  }
  const repaired = harness.directory.crash({ mode: 'kill' });
  replace(repaired, SEGMENT, bytes);
  harness = new WriteHarness(repaired, true, true);
  assert.equal(harness.collections.damagedCount, 0);
  const a = ['a4', 'a5', 'a6', 'a2', 'late'];
  assert.deepEqual(idsOf(harness, A), a);
  assert.equal(idsOf(harness, B).length, 11);
  await harness.snapshot();
  const log = harness.directory.list().filter((name) => name.startsWith('wal-'));
  assert.equal(log.length, 1, 'nobody needs the rest any more');
  assert.deepEqual(idsOf(reopen(harness, true), A), a);
});

const stateOf = (harness: Harness, id: number): CollectionState =>
  assertPresent(harness.collections.find(id), 'a published collection');

/** Refuses what proved to be damaged, as the writer does between two commits. */
function refuseSuspects(harness: Harness): void {
  const entries = harness.snapshots.manifest.collections;
  const entryOf = (id: number) =>
    assertPresent(
      entries.find((entry) => entry.id === id),
      'a collection of the manifest',
    );
  assert.ok(harness.path.refuseSuspects(entryOf) !== null);
}

/** What a repair gives back: all that was acknowledged. */
function checkRepaired(harness: Harness, ids: readonly string[]): void {
  const repaired = reopen(harness, true);
  assert.equal(repaired.collections.damagedCount, 0);
  assert.deepEqual(idsOf(repaired, A).sort(), [...ids].sort());
}

test('a merge that meets damage refuses its collection alone, whose files and log stay', async () => {
  const harness = reopen(await twoCollections());
  await write(harness, index(A, ['late']));
  const [segment] = stateOf(harness, A).segments;
  // In memory alone: the file is sound, and the next start finds nothing wrong.
  harness.store.view(segment.region).u8[segment.region.bytes - 1] ^= 1;
  for (const id of ['a2', 'b2']) await write(harness, remove(id === 'a2' ? A : B, id));
  const never = { run: () => assert.fail('too small to be merged elsewhere') };
  const scheduler = new MergeScheduler(harness.path, harness.store, harness, never, () => {});
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

/** Makes every search for an id in the first segment of `a` fail, in memory alone. */
function breakIds(harness: Harness): void {
  const { region, reader } = stateOf(harness, A).segments[0];
  const { slots, slotCount } = reader.ids;
  harness.store.view(region).u32.fill(0xffffffff, slots, slots + slotCount);
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
  assert.equal(harness.collections.damagedCount, 1);
  assert.deepEqual(idsOf(harness, B).slice(-2), ['b7', 'b8']);
  await harness.snapshot();
  await write(harness, index(B, ['b9']));
  const repaired = reopen(harness, true);
  assert.deepEqual(idsOf(repaired, A), ['a2', 'a3', 'a4', 'a5', 'a6']);
  assert.deepEqual(idsOf(repaired, B).slice(-3), ['b7', 'b8', 'b9']);
});

test('documents that meet damage as they are sealed are refused alone', async () => {
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

const refusesToStart = (directory: SimulatedDirectory, message: RegExp): void => {
  const before = directory.list();
  assert.throws(
    () => new WriteHarness(directory),
    (error) => {
      assert.ok(error instanceof EngineError);
      assert.equal(error.code, 'corrupt_data');
      assert.match(error.message, message);
      return true;
    },
  );
  assert.deepEqual(directory.list(), before, 'nothing was removed or added');
};

test('a manifest of a newer format, or a damaged one, refuses the start by name', async () => {
  const { directory } = await twoCollections();
  const bytes = directory.content(MANIFEST_FILE);
  const newer = bytes.slice();
  newer[MANIFEST_VERSION] = 9;
  replace(directory, MANIFEST_FILE, newer);
  refusesToStart(directory.crash({ mode: 'kill' }), /MANIFEST.*newer.*expected 1, got 9/);
  replace(directory, MANIFEST_FILE, flipped(bytes, bytes.length - 1));
  refusesToStart(directory.crash({ mode: 'kill' }), /MANIFEST.*checksum/);
  replace(directory, MANIFEST_FILE, bytes);
  assert.equal(idsOf(new WriteHarness(directory), A).length, 5);
});

test('segments without a manifest refuse the start', async () => {
  const { directory } = await twoCollections();
  directory.remove(MANIFEST_FILE);
  refusesToStart(directory.crash({ mode: 'kill' }), /MANIFEST.*expected a manifest beside .*, got none/);
});

test('a log file that the snapshot relies on, missing or blank, refuses the start by name', async () => {
  const harness = await twoCollections();
  const [log] = harness.directory.list().filter((name) => name.startsWith('wal-'));
  const without = harness.directory.crash({ mode: 'kill' });
  without.remove(log);
  refusesToStart(without, /wal-000002\.log.*expected a log file, got none/);
  const blank = harness.directory.crash({ mode: 'kill' });
  replace(blank, log, new Uint8Array(3));
  refusesToStart(blank, /wal-000002\.log/);
});
