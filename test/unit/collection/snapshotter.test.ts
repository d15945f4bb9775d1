/**
 * The snapshotter over a disk in memory, with the writing of files in the test's hands: when a snapshot is due, what it
 * writes and removes, and what goes on meanwhile.
 */
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { MergeJob } from '../../../engine/collection/merge-job.js';
import type { SnapshotRunner } from '../../../engine/collection/snapshotter.js';
import { EngineError } from '../../../engine/core/errors.js';
import { parseSchema } from '../../../engine/schema/parse-schema.js';
import { MANIFEST_FILE, segmentFileName } from '../../../engine/storage/data-files.js';
import { type HarnessOptions, WriteHarness } from '../../support/engine-writes.js';
import { SimulatedDirectory } from '../../support/simulated-directory.js';

const ID = 1;
const schemaNamed = (name: string) => parseSchema({ name, fields: [{ name: 'title', type: 'text' }] });

/** Holds what the snapshotter orders back until it is let go. */
class HeldRunner {
  #waiting: (() => void)[] = [];
  holds = false;

  readonly wrap = (inner: SnapshotRunner): SnapshotRunner => ({
    store: async (order) => {
      if (this.holds) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return inner.store(order);
    },
  });

  letGo(): void {
    this.holds = false;
    for (const go of this.#waiting.splice(0)) go();
  }
}

class Fixture {
  readonly directory: SimulatedDirectory;
  readonly runner = new HeldRunner();
  readonly harness: WriteHarness<SimulatedDirectory>;
  ended = 0;

  constructor(options: HarnessOptions = {}, directory = new SimulatedDirectory()) {
    this.directory = directory;
    const onEnd = (): void => {
      this.ended++;
    };
    this.harness = new WriteHarness(directory, true, false, { runner: this.runner.wrap, onEnd, ...options });
  }

  /** A fixture whose collection holds `ids`, each in a segment of its own. */
  static async with(ids: readonly string[], options: HarnessOptions = {}): Promise<Fixture> {
    const fixture = new Fixture(options);
    const { answers } = await fixture.harness.path.commit([{ kind: 'create', ticket: 1, schema: schemaNamed('c') }]);
    assert.equal(answers[0].error, null);
    for (const id of ids) await fixture.index(id);
    return fixture;
  }

  async index(id: string, title = 'words'): Promise<void> {
    const body = new Uint8Array(Buffer.from(JSON.stringify({ id, title })));
    const { answers } = await this.harness.path.commit([
      { kind: 'index', ticket: 1, collectionId: ID, body, format: 'json' },
    ]);
    assert.equal(answers[0].error, null);
    this.harness.snapshots.noteChange();
  }

  async delete(documentId: string): Promise<void> {
    const { answers } = await this.harness.path.commit([{ kind: 'delete', ticket: 1, collectionId: ID, documentId }]);
    assert.equal(answers[0].error, null);
    this.harness.snapshots.noteChange();
  }

  merge(from: number, to: number): void {
    const { collections, store, path, generation, snapshots } = this.harness;
    const state = collections.find(ID);
    assert.ok(state !== null);
    const job = new MergeJob(state, state.segments.slice(from, to), store);
    job.finish(job.liveCount === 0 ? null : job.run(), generation);
    path.publishMerge(state);
    snapshots.noteChange();
  }

  get ids(): string[] {
    return idsOf(this.harness);
  }

  /** What a process finds that begins on the disk as it is. */
  reopened(): WriteHarness {
    return new WriteHarness(this.directory.crash({ mode: 'kill' }), true, true);
  }

  /** Names of the files of snapshots on the disk, without the log. */
  get files(): string[] {
    return this.directory
      .list()
      .filter((name) => !name.startsWith('wal-'))
      .sort();
  }

  /** Names of the files that `work` created or replaced, without the log. */
  async written(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.directory.operations.length;
    await work();
    const made = this.directory.operations.slice(before).filter(({ kind }) => kind === 'create');
    return made.map(({ name }) => name).filter((name) => !name.startsWith('wal-'));
  }

  /** Starts a snapshot whose files wait for letGo(). */
  async begin(): Promise<void> {
    this.runner.holds = true;
    await this.harness.snapshots.start();
  }

  async end(): Promise<void> {
    this.runner.letGo();
    await this.harness.snapshots.idle();
  }
}

const idsOf = (harness: WriteHarness): string[] =>
  (harness.documents(ID) ?? []).map((text) => String((JSON.parse(text) as { id: unknown }).id));

const isCode =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof EngineError && error.code === code;

const startClock = (): void => mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
afterEach(() => mock.timers.reset());

test('a snapshot is due once the log has grown by so many bytes since the last', async () => {
  const fixture = await Fixture.with([], { policy: { walBytes: 1000, intervalMs: 0 } });
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
  const fixture = await Fixture.with([], { policy: { walBytes: 0, intervalMs: 1000 } });
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

test('what was in the log at start is a change of that moment', async () => {
  startClock();
  const policy = { walBytes: 0, intervalMs: 1000 };
  const first = await Fixture.with(['a']);
  const { harness } = new Fixture({ policy }, first.directory.crash({ mode: 'kill' }));
  assert.equal(harness.snapshots.isBehind, true);
  assert.equal(harness.snapshots.isDue, false);
  mock.timers.tick(1000);
  assert.equal(harness.snapshots.isDue, true);
});

test('a snapshot that failed is tried again, later by itself and at once when asked for', async () => {
  startClock();
  const fixture = await Fixture.with(['a'], { policy: { walBytes: 0, intervalMs: 1000 } });
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

test('a snapshot that cannot begin, as its log cannot be rotated, is reported as failed', async () => {
  const fixture = await Fixture.with(['a']);
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
  const fixture = await Fixture.with(['a']);
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

test('a snapshot writes new segments and changed live docs alone, and removes what went away', async () => {
  const fixture = await Fixture.with(['a', 'b']);
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
  const fixture = await Fixture.with(['a', 'b']);
  fixture.merge(0, 2);
  await fixture.delete('a');
  await fixture.harness.snapshot();
  const next = new Fixture({}, fixture.directory.crash({ mode: 'kill' }));
  assert.deepEqual(await next.written(() => next.harness.snapshot()), ['MANIFEST.tmp']);
  await next.index('c');
  assert.deepEqual(await next.written(() => next.harness.snapshot()), ['segment-000004.seg', 'MANIFEST.tmp']);
  assert.deepEqual(idsOf(next.reopened()), ['b', 'c']);
});

test('a snapshot with nothing new replaces the manifest alone and leaves the log as it is', async () => {
  const fixture = await Fixture.with(['a']);
  await fixture.harness.snapshot();
  const logFiles = (): string[] => fixture.directory.list().filter((name) => name.startsWith('wal-'));
  const before = logFiles();
  const { snapshot, filesWritten } = await fixture.harness.snapshot();
  assert.deepEqual([snapshot, filesWritten], [2, 1]);
  assert.deepEqual(logFiles(), before);
});

test('the log is cut behind a snapshot, and keeps what was written meanwhile', async () => {
  const fixture = await Fixture.with(['a']);
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

test('a log that must be kept makes no snapshot due by its size', async () => {
  const fixture = await Fixture.with(['a', 'b', 'c', 'd', 'e', 'f'], { policy: { walBytes: 300, intervalMs: 0 } });
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

test('a file holds the bytes of the moment the snapshot began, though its memory is given up meanwhile', async () => {
  const fixture = await Fixture.with(['a', 'b', 'c', 'd']);
  const { harness, directory } = fixture;
  fixture.merge(0, 2);
  await fixture.delete('a');
  const state = harness.collections.find(ID);
  const captured = state?.segments.map(({ id, region }) => ({ id, bytes: harness.store.view(region).u8.slice() }));
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
  assert.equal(harness.store.usedBytes, 0);
});

test('a snapshot for which there is no room is refused before anything is written', async () => {
  const fixture = await Fixture.with(['a', 'b']);
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
  const fixture = await Fixture.with(['a', 'b']);
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
