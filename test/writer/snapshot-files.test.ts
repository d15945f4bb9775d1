/**
 * What a snapshot writes and removes: files that are new and no others, the bytes of the moment it began, and nothing that
 * a crash could still need.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MANIFEST_FILE, segmentFileName } from '../../engine/storage/files/data-files.js';
import { ID, idsOf, isCode, SnapshotFixture } from '../support/snapshot-fixture.js';

test('a snapshot writes new segments and changed live docs alone, and removes what went away', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b']);
  const snapshot = (): Promise<string[]> => fixture.written(() => fixture.harness.snapshot());
  assert.deepEqual(await snapshot(), ['segment-000001.seg', 'segment-000002.seg', 'MANIFEST.tmp']);
  await fixture.index('c');
  await fixture.index('a');
  // The only document of its segment: that goes with it.
  assert.deepEqual(await snapshot(), ['segment-000003.seg', 'segment-000004.seg', 'MANIFEST.tmp']);
  fixture.merge(0, 3);
  assert.deepEqual(await snapshot(), ['segment-000005.seg', 'MANIFEST.tmp']);
  await fixture.delete('b');
  assert.deepEqual(await snapshot(), ['live-000005-000004.bits', 'MANIFEST.tmp']);
  await fixture.index('d');
  assert.deepEqual(await snapshot(), ['segment-000006.seg', 'MANIFEST.tmp']);
  assert.deepEqual(fixture.files, [
    MANIFEST_FILE,
    'live-000005-000004.bits',
    'segment-000005.seg',
    'segment-000006.seg',
  ]);
  await fixture.delete('c');
  assert.deepEqual(await snapshot(), ['live-000005-000006.bits', 'MANIFEST.tmp']);
  assert.ok(!fixture.files.includes('live-000005-000004.bits'));
  await fixture.harness.path.commit([{ kind: 'drop', ticket: 1, collectionId: ID }]);
  assert.deepEqual(await snapshot(), ['MANIFEST.tmp']);
  assert.deepEqual(fixture.files, [MANIFEST_FILE]);
});

test('after a restart a snapshot writes nothing that is on disk already', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b']);
  fixture.merge(0, 2);
  await fixture.delete('a');
  await fixture.harness.snapshot();
  const next = new SnapshotFixture({}, fixture.directory.crash({ mode: 'kill' }));
  assert.deepEqual(await next.written(() => next.harness.snapshot()), ['MANIFEST.tmp']);
  await next.index('c');
  assert.deepEqual(await next.written(() => next.harness.snapshot()), ['segment-000004.seg', 'MANIFEST.tmp']);
  assert.deepEqual(idsOf(next.reopened()), ['b', 'c']);
});

test('a snapshot with nothing new replaces the manifest alone and leaves the log as it is', async () => {
  const fixture = await SnapshotFixture.with(['a']);
  await fixture.harness.snapshot();
  const logFiles = (): string[] => fixture.directory.list().filter((name) => name.startsWith('wal-'));
  const before = logFiles();
  const { snapshot, filesWritten } = await fixture.harness.snapshot();
  assert.deepEqual([snapshot, filesWritten], [2, 1]);
  assert.deepEqual(logFiles(), before);
});

test('the log is cut behind a snapshot, and keeps what was written meanwhile', async () => {
  const fixture = await SnapshotFixture.with(['a']);
  const { snapshots, path } = fixture.harness;
  const logFiles = (): string[] => fixture.directory.list().filter((name) => name.startsWith('wal-'));
  assert.deepEqual(logFiles(), ['wal-000001.log']);
  await fixture.begin();
  await fixture.index('b');
  assert.deepEqual(logFiles(), ['wal-000001.log', 'wal-000002.log'], 'nothing goes before the snapshot is there');
  await fixture.end();
  assert.deepEqual(logFiles(), ['wal-000002.log']);
  assert.equal(snapshots.isBehind, true);
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b']);
  const withOne = path.stats().walBytes;
  await fixture.harness.snapshot();
  assert.deepEqual(logFiles(), ['wal-000003.log']);
  assert.ok(path.stats().walBytes < withOne);
});

test('a file holds the bytes of the moment the snapshot began, though its memory is given up meanwhile', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b', 'c', 'd']);
  const { harness, directory } = fixture;
  fixture.merge(0, 2);
  await fixture.delete('a');
  const state = harness.collections.find(ID);
  const captured = state?.segments.map(({ id, region }) => ({ id, bytes: harness.memory.view(region).u8.slice() }));
  assert.ok(captured !== undefined);
  await fixture.begin();
  await fixture.delete('c');
  fixture.merge(0, 2);
  harness.path.reclaim();
  // Whatever was freed is taken again.
  for (let i = 0; i < 8; i++) await fixture.index(`later${i}`, 'other words entirely');
  fixture.merge(0, 9);
  for (let i = 0; i < 8; i++) await fixture.index(`later${i}`, 'and others');
  const expected = fixture.ids;
  await fixture.end();
  for (const { id, bytes } of captured) {
    // All but the header, which got its number and checksums.
    assert.deepEqual(directory.content(segmentFileName(id)).subarray(128), bytes.subarray(128));
  }
  assert.deepEqual(fixture.ids, expected);
  assert.deepEqual(idsOf(fixture.reopened()), expected);
  // What the snapshot held is freed once it has ended.
  await harness.path.commit([{ kind: 'drop', ticket: 1, collectionId: ID }]);
  assert.equal(harness.memory.usedBytes, 0);
});

test('a snapshot for which there is no room is refused before anything is written', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b']);
  const { directory, harness } = fixture;
  directory.capacityBytes = directory.usedBytes + 1500;
  const made = await fixture.written(() => assert.rejects(harness.snapshot(), isCode('disk_full')));
  assert.deepEqual(made, []);
  assert.deepEqual(fixture.files, [MANIFEST_FILE]);
  await fixture.index('c');
  directory.capacityBytes = Number.POSITIVE_INFINITY;
  await harness.snapshot();
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b', 'c']);
});

test('a switch that may have happened keeps the files of both snapshots and the log', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b']);
  const { directory, harness } = fixture;
  await harness.snapshot();
  fixture.merge(0, 2);
  await fixture.index('c');
  let renamed = false;
  const heal = directory.failWhen(({ kind, name }) => {
    if (kind === 'rename' && name === MANIFEST_FILE) renamed = true;
    return renamed && kind === 'syncDirectory';
  });
  await assert.rejects(harness.snapshot(), isCode('io_error'));
  heal();
  assert.ok(renamed);
  assert.deepEqual(fixture.files, [
    MANIFEST_FILE,
    'segment-000001.seg',
    'segment-000002.seg',
    'segment-000003.seg',
    'segment-000004.seg',
  ]);
  assert.equal(harness.snapshots.manifest.snapshot, 1);
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b', 'c']);
  assert.deepEqual(await fixture.written(() => harness.snapshot()), ['MANIFEST.tmp'], 'they are on disk');
  assert.deepEqual(fixture.files, [MANIFEST_FILE, 'segment-000003.seg', 'segment-000004.seg']);
  assert.equal(harness.snapshots.manifest.snapshot, 3, 'no number is used twice');
});
