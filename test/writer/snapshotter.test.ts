/**
 * When the snapshotter begins: what makes a snapshot due, what follows a failure, and who is answered by which one. What it
 * writes is in snapshot-files.test.ts.
 */
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { MANIFEST_FILE } from '../../engine/storage/files/data-files.js';
import { idsOf, isCode, SnapshotFixture } from '../support/snapshot-fixture.js';

/** By how much the clock was set back. */
let setBackMs = 0;

function startClock(): void {
  setBackMs = 0;
  mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  mock.method(performance, 'now', () => Date.now() + setBackMs);
}

function setClockBack(ms: number): void {
  setBackMs += ms;
  mock.timers.setTime(Date.now() - ms);
}

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

test('a snapshot is due once the log has grown by so many bytes since the last', async () => {
  const fixture = await SnapshotFixture.with([], { policy: { walBytes: 1000, intervalMs: 0 } });
  const { snapshots, path } = fixture.harness;
  for (let round = 0; round < 3; round++) {
    const before = path.stats().walBytes;
    for (let i = 0; path.stats().walBytes - (round === 0 ? 0 : before) < 1000; i++) {
      assert.equal(snapshots.isDue, false);
      await fixture.index(`${round}-${i}`);
    }
    assert.equal(snapshots.isDue, true);
    await snapshots.start();
    assert.equal(snapshots.isDue, false, 'never two at a time');
    await snapshots.idle();
    assert.equal(snapshots.isDue, false);
  }
  assert.equal(snapshots.stats().written, 3);
});

test('a snapshot is due once the oldest change outside of the last is so old, a merge included', async () => {
  startClock();
  const fixture = await SnapshotFixture.with([], { policy: { walBytes: 0, intervalMs: 1000 } });
  const { snapshots } = fixture.harness;
  await fixture.index('a');
  mock.timers.tick(600);
  await fixture.index('b');
  mock.timers.tick(399);
  assert.equal(snapshots.isDue, false);
  mock.timers.tick(1);
  assert.equal(snapshots.isDue, true);
  await fixture.begin();
  mock.timers.tick(300);
  await fixture.index('c');
  mock.timers.tick(500);
  await fixture.end();
  mock.timers.tick(499);
  assert.equal(snapshots.isDue, false, 'its age counts from the change, not from the snapshot');
  mock.timers.tick(1);
  assert.equal(snapshots.isDue, true);
  await snapshots.start();
  await snapshots.idle();
  assert.equal(snapshots.isBehind, false);
  mock.timers.tick(100_000);
  assert.equal(snapshots.isDue, false, 'nothing has changed');
  fixture.merge(0, 2);
  assert.equal(snapshots.isBehind, true);
  mock.timers.tick(1000);
  assert.equal(snapshots.isDue, true);
});

test('a clock that is set back puts no snapshot off, and none that is tried again', async () => {
  startClock();
  const fixture = await SnapshotFixture.with([], { policy: { walBytes: 0, intervalMs: 1000 } });
  const { snapshots } = fixture.harness;
  await fixture.index('a');
  setClockBack(3_600_000);
  mock.timers.tick(999);
  assert.equal(snapshots.isDue, false);
  mock.timers.tick(1);
  assert.equal(snapshots.isDue, true);
  fixture.directory.failWhen(({ kind, name }) => kind === 'create' && name.startsWith('segment-'));
  await snapshots.start();
  await snapshots.idle();
  setClockBack(3_600_000);
  mock.timers.tick(9999);
  assert.equal(snapshots.isDue, false);
  mock.timers.tick(1);
  assert.equal(snapshots.isDue, true);
});

test('the oldest write that no snapshot has is told, which a merge is not', async () => {
  startClock();
  const fixture = await SnapshotFixture.with([], { policy: { walBytes: 0, intervalMs: 1000 } });
  const { snapshots } = fixture.harness;
  const oldest = (): number => snapshots.stats().oldestWriteMs;
  assert.equal(oldest(), 0);
  await fixture.index('a');
  const first = Date.now();
  mock.timers.tick(100);
  await fixture.index('b');
  assert.equal(oldest(), first);
  await fixture.begin();
  mock.timers.tick(100);
  await fixture.index('c');
  const later = Date.now();
  assert.equal(oldest(), first, 'it is not on disk before the snapshot ends');
  await fixture.end();
  assert.equal(oldest(), later);
  const heal = fixture.directory.failWhen(({ kind, name }) => kind === 'create' && name.startsWith('segment-'));
  mock.timers.tick(1000);
  await snapshots.start();
  await snapshots.idle();
  assert.deepEqual([snapshots.stats().failed, oldest()], [1, later]);
  heal();
  mock.timers.tick(10_000);
  await snapshots.start();
  await snapshots.idle();
  assert.equal(oldest(), 0);
  fixture.merge(0, 2);
  assert.deepEqual([oldest(), snapshots.isBehind], [0, true]);
});

test('what was in the log at start is a change of that moment', async () => {
  startClock();
  const policy = { walBytes: 0, intervalMs: 1000 };
  const first = await SnapshotFixture.with(['a']);
  const { harness } = new SnapshotFixture({ policy }, first.directory.crash({ mode: 'kill' }));
  assert.equal(harness.snapshots.isBehind, true);
  assert.equal(harness.snapshots.stats().oldestWriteMs, Date.now());
  assert.equal(harness.snapshots.isDue, false);
  mock.timers.tick(1000);
  assert.equal(harness.snapshots.isDue, true);
});

test('a snapshot that failed is tried again, later by itself and at once when asked for', async () => {
  startClock();
  const fixture = await SnapshotFixture.with(['a'], { policy: { walBytes: 0, intervalMs: 1000 } });
  const { snapshots } = fixture.harness;
  mock.timers.tick(1000);
  const heal = fixture.directory.failWhen(({ kind, name }) => kind === 'create' && name.startsWith('segment-'));
  await snapshots.start();
  await snapshots.idle();
  assert.deepEqual([snapshots.stats().failed, snapshots.stats().written, fixture.ended], [1, 0, 1]);
  assert.deepEqual(fixture.files, [MANIFEST_FILE]);
  mock.timers.tick(9_999);
  assert.equal(snapshots.isDue, false);
  const asked = snapshots.request();
  assert.equal(snapshots.isDue, true);
  await snapshots.start();
  await assert.rejects(asked, isCode('io_error'));
  await snapshots.idle();
  mock.timers.tick(9_999);
  assert.equal(snapshots.isDue, false);
  mock.timers.tick(1);
  assert.equal(snapshots.isDue, true);
  heal();
  await snapshots.start();
  await snapshots.idle();
  assert.deepEqual([snapshots.stats().failed, snapshots.stats().written], [2, 1]);
  assert.equal(snapshots.isBehind, false);
  assert.deepEqual(idsOf(fixture.reopened()), ['a']);
});

test('however often a snapshot fails, the log gets no file for it each time', async () => {
  startClock();
  const fixture = await SnapshotFixture.with(['a'], { policy: { walBytes: 0, intervalMs: 1000 } });
  const { harness, directory } = fixture;
  const { snapshots } = harness;
  const logFiles = (): number => directory.list().filter((name) => name.startsWith('wal-')).length;
  const heal = directory.failWhen(({ kind, name }) => kind === 'create' && name.startsWith('segment-'));
  for (let times = 0; times < 5; times++) {
    mock.timers.tick(10_000);
    await fixture.index('b');
    await snapshots.start();
    await snapshots.idle();
  }
  assert.equal(snapshots.stats().failed, 5);
  assert.equal(logFiles(), 2);
  heal();
  await snapshots.start();
  await snapshots.idle();
  await fixture.index('c');
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b', 'c']);
  await harness.snapshot();
  assert.equal(logFiles(), 1);
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b', 'c']);
});

test('a snapshot that was asked for and failed is tried again where nothing was written since', async () => {
  startClock();
  const fixture = await SnapshotFixture.with(['a'], { policy: { walBytes: 0, intervalMs: 1000 } });
  const { snapshots } = fixture.harness;
  await snapshots.start();
  await snapshots.idle();
  assert.equal(snapshots.isBehind, false);
  const heal = fixture.directory.failWhen(({ kind, name }) => kind === 'create' && name === 'MANIFEST.tmp');
  const asked = snapshots.request();
  await snapshots.start();
  await assert.rejects(asked, isCode('io_error'));
  await snapshots.idle();
  heal();
  mock.timers.tick(10_000);
  assert.equal(snapshots.isDue, true);
  await snapshots.start();
  await snapshots.idle();
  assert.deepEqual([snapshots.stats().failure, snapshots.isDue], [null, false]);
});

test('a snapshot that was asked for and failed is not tried again where none is written by itself', async () => {
  startClock();
  const fixture = await SnapshotFixture.with(['a'], { policy: { walBytes: 0, intervalMs: 0 } });
  const { snapshots } = fixture.harness;
  fixture.directory.failWhen(({ kind, name }) => kind === 'create' && name === 'MANIFEST.tmp');
  const asked = snapshots.request();
  await snapshots.start();
  await assert.rejects(asked, isCode('io_error'));
  await snapshots.idle();
  mock.timers.tick(60_000);
  assert.equal(snapshots.isDue, false);
});

test('a snapshot that cannot begin, as its log cannot be rotated, is reported as failed', async () => {
  const fixture = await SnapshotFixture.with(['a']);
  const { snapshots } = fixture.harness;
  const heal = fixture.directory.failWhen(({ kind }) => kind === 'rename');
  const asked = snapshots.request();
  await Promise.all([assert.rejects(asked, isCode('io_error')), snapshots.start()]);
  assert.equal(snapshots.isDue, false);
  heal();
  await fixture.index('b');
  assert.equal((await fixture.harness.snapshot()).sequence, 3);
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b']);
});

test('who asks while a snapshot is written gets the next one, with what was committed by then', async () => {
  const fixture = await SnapshotFixture.with(['a']);
  const { snapshots } = fixture.harness;
  const first = snapshots.request();
  await fixture.begin();
  await fixture.index('b');
  const second = snapshots.request();
  const third = snapshots.request();
  assert.equal(snapshots.isDue, false);
  await fixture.end();
  const { snapshot, sequence } = await first;
  assert.deepEqual([snapshot, sequence], [1, 2]);
  assert.equal(snapshots.isDue, true);
  await snapshots.start();
  await snapshots.idle();
  assert.deepEqual(await second, await third);
  assert.deepEqual([(await second).snapshot, (await second).sequence], [2, 3]);
});

test('the figures of a snapshot, written or failed, are told before those who asked for it are answered', async () => {
  const told: string[] = [];
  const onEnd = (): void => {
    const { written, failed, running } = fixture.harness.snapshots.stats();
    told.push(`${written} written, ${failed} failed${running ? ', running' : ''}`);
  };
  const fixture = await SnapshotFixture.with(['a'], { onEnd });
  const { snapshots } = fixture.harness;
  const toldWhenAnswered = async (): Promise<string | undefined> => {
    const tell = (): string | undefined => told.at(-1);
    const answered = snapshots.request().then(tell, tell);
    await snapshots.start();
    return answered;
  };
  assert.equal(await toldWhenAnswered(), '1 written, 0 failed');
  for (const [kind, figures] of [
    ['create', '1 written, 1 failed'],
    ['rename', '1 written, 2 failed'],
  ] as const) {
    await fixture.index(kind);
    const heal = fixture.directory.failWhen((operation) => operation.kind === kind);
    assert.equal(await toldWhenAnswered(), figures);
    heal();
  }
});

test('a log that must be kept makes no snapshot due by its size', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b', 'c', 'd', 'e', 'f'], {
    policy: { walBytes: 300, intervalMs: 0 },
  });
  const { snapshots, path } = fixture.harness;
  fixture.directory.failWhen(({ kind, name }) => kind === 'remove' && name.startsWith('wal-'));
  assert.equal(snapshots.isDue, true);
  await fixture.begin();
  await fixture.index('g');
  await fixture.end();
  assert.equal(snapshots.stats().written, 1);
  assert.ok(path.stats().walBytes > 300, 'the log was not cut');
  assert.equal(snapshots.isDue, false);
});
