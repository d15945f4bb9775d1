/**
 * Backups and restores: what a restored directory holds, what a second backup copies, and what is refused unharmed.
 */
import assert from 'node:assert/strict';
import fs, { cpSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { lockDirectory } from '../../engine/storage/files/directory-lock.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { backupDirectory } from '../../engine/upkeep/backup-directory.js';
import { restoreDirectory } from '../../engine/upkeep/restore-directory.js';
import { refuseStrayFiles } from '../../engine/writer/recovery/blank-directory.js';
import { hasCode } from '../storage/expect-error.js';
import { WriteHarness } from '../support/engine-writes.js';
import {
  BOOKS,
  contentsOf,
  dropCollection,
  filesOf,
  fillDataDirectory,
  flipBit,
  indexIds,
  removeId,
  SHOP,
  verified,
  withFolder,
} from './data-directory.js';

interface Scene {
  readonly harness: WriteHarness;
  readonly source: string;
  readonly backup: string;
  readonly restored: string;
}

const withScene = (act: (scene: Scene) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const path = (name: string): string => join(folder, name);
    const source = path('data');
    await act({ harness: await fillDataDirectory(source), source, backup: path('backup'), restored: path('restored') });
  });

/** Without the lock's file, which says who came last. */
function backedUp(path: string): Map<string, Buffer> {
  const contents = contentsOf(path);
  contents.delete('LOCK');
  return contents;
}

const documentsOf = (harness: WriteHarness): unknown[] => [harness.documents(SHOP), harness.documents(BOOKS)];

async function assertSound(path: string): Promise<void> {
  assert.deepEqual((await verified(path)).problems, []);
}

test('a restored backup holds what the snapshot held, takes writes and survives a restart', () =>
  withScene(async ({ harness, source, backup, restored }) => {
    await harness.snapshot();
    const documents = documentsOf(harness);
    await indexIds(harness, SHOP, ['after the snapshot']);
    const report = await backupDirectory(source, backup);
    assert.equal(report.filesCopied, filesOf(backup, /\.(seg|bits)$/).length);
    assert.ok(report.logBytesLeftOut > 0);
    await assertSound(backup);
    assert.deepEqual(filesOf(backup, /\.log$/), []);
    const { directoryId, files } = await restoreDirectory(backup, restored);
    assert.notEqual(directoryId, report.directoryId);
    assert.equal(files, report.filesCopied);
    await assertSound(restored);
    const other = new WriteHarness(openDirectory(restored), true, true);
    assert.deepEqual(documentsOf(other), documents);
    await indexIds(other, BOOKS, ['more']);
    const again = new WriteHarness(openDirectory(restored));
    assert.deepEqual(documentsOf(again), documentsOf(other));
    assert.notDeepEqual(documentsOf(again), documents);
    await assertSound(backup);
  }));

test('a second backup copies only files that are new, and removes those that are of no use any more', () =>
  withScene(async ({ harness, source, backup }) => {
    const first = await backupDirectory(source, backup);
    const same = await backupDirectory(source, backup);
    assert.deepEqual([same.filesCopied, same.bytesCopied, same.filesRemoved], [0, 0, 0]);
    assert.deepEqual([same.filesReused, same.bytesReused], [first.filesCopied, first.bytesCopied]);
    const before = filesOf(backup, /\.(seg|bits)$/);
    await indexIds(harness, SHOP, ['new']);
    await removeId(harness, SHOP, 'b1');
    await dropCollection(harness, BOOKS);
    await harness.snapshot();
    const report = await backupDirectory(source, backup);
    const after = filesOf(backup, /\.(seg|bits)$/);
    assert.deepEqual(after, filesOf(source, /\.(seg|bits)$/));
    assert.equal(report.filesCopied, after.filter((name) => !before.includes(name)).length);
    assert.equal(report.filesReused, after.filter((name) => before.includes(name)).length);
    assert.equal(report.filesRemoved, before.filter((name) => !after.includes(name)).length);
    assert.ok(report.filesCopied > 0 && report.filesReused > 0 && report.filesRemoved > 0, JSON.stringify(report));
    await assertSound(backup);
  }));

test('a damaged source is refused by name, and the old backup stays as it was', () =>
  withScene(async ({ harness, source, backup }) => {
    await backupDirectory(source, backup);
    const old = backedUp(backup);
    await indexIds(harness, SHOP, ['new']);
    await removeId(harness, SHOP, 'b1');
    await harness.snapshot();
    const fresh = filesOf(source, /\.(seg|bits)$/).filter((name) => !old.has(name));
    assert.ok(fresh.some((name) => name.endsWith('.seg')) && fresh.some((name) => name.endsWith('.bits')));
    for (const name of [...fresh, 'MANIFEST']) {
      flipBit(join(source, name), -1);
      await assert.rejects(
        backupDirectory(source, backup),
        hasCode('corrupt_data', `${source}/${name}`, 'expected 0x'),
      );
      assert.deepEqual(backedUp(backup), old);
      flipBit(join(source, name), -1);
    }
    await backupDirectory(source, backup);
    await assertSound(backup);
  }));

test('a backup of another data directory, a data directory and a folder with other files are refused as they are', () =>
  withScene(async ({ source, backup, restored }) => {
    await fillDataDirectory(restored);
    await backupDirectory(source, backup);
    const old = contentsOf(backup);
    await assert.rejects(backupDirectory(restored, backup), hasCode('io_error', 'got a backup of another'));
    assert.deepEqual(contentsOf(backup), old);
    await assert.rejects(backupDirectory(source, restored), hasCode('io_error', 'a data directory in use, with wal-'));
    const other = join(backup, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.txt'), 'mine');
    await assert.rejects(backupDirectory(source, other), hasCode('io_error', 'got a file notes.txt'));
    assert.deepEqual(filesOf(other, /./), ['notes.txt']);
  }));

test('the source and what lies inside it is no place for its backup', () =>
  withScene(async ({ source }) => {
    const names = filesOf(source, /./);
    for (const place of [source, `${source}/`, `${source}/../data`, join(source, 'a', 'b')]) {
      await assert.rejects(backupDirectory(source, place), hasCode('io_error', 'expected a folder outside of'));
    }
    assert.deepEqual(filesOf(source, /./), names);
  }));

test('a folder that somebody has locked is refused', () =>
  withScene(async ({ source, backup, restored }) => {
    await backupDirectory(source, backup);
    mkdirSync(restored);
    for (const [place, act] of [
      [backup, () => backupDirectory(source, backup)],
      [restored, () => restoreDirectory(backup, restored)],
    ] as const) {
      const lock = lockDirectory(place);
      await assert.rejects(act(), hasCode('io_error', 'is locked by'));
      lock.release();
      await act();
    }
  }));

test('a snapshot older than asked for is refused before anything is written', () =>
  withScene(async ({ source, backup }) => {
    await assert.rejects(
      backupDirectory(source, backup, 2),
      hasCode('io_error', 'expected snapshot 2', 'got snapshot 1'),
    );
    assert.equal((await backupDirectory(source, backup, 1)).snapshot, 1);
  }));

test('an interrupted first backup is taken up again', () =>
  withScene(async ({ source, backup }) => {
    await backupDirectory(source, backup);
    renameSync(join(backup, 'MANIFEST'), join(backup, 'MANIFEST.tmp'));
    const [first = '', second = ''] = filesOf(backup, /\.seg$/);
    truncateSync(join(backup, first), 100);
    renameSync(join(backup, second), join(backup, `${second}.copy`));
    await backupDirectory(source, backup);
    await assertSound(backup);
  }));

test('a backup that was killed while it wrote a manifest is taken up again', () =>
  withScene(async ({ source, backup }) => {
    mkdirSync(backup, { recursive: true });
    writeFileSync(join(backup, 'MANIFEST.tmp.copy'), 'torn');
    await backupDirectory(source, backup);
    await assertSound(backup);
    renameSync(join(backup, 'MANIFEST'), join(backup, 'MANIFEST.tmp'));
    writeFileSync(join(backup, 'MANIFEST.tmp.copy'), '');
    await backupDirectory(source, backup);
    await assertSound(backup);
    assert.deepEqual(filesOf(backup, /tmp/), []);
  }));

test('a file of the backup that is damaged in its header is copied again', () =>
  withScene(async ({ source, backup }) => {
    const { filesCopied } = await backupDirectory(source, backup);
    const [segment = ''] = filesOf(backup, /\.seg$/);
    const [bits = ''] = filesOf(backup, /\.bits$/);
    flipBit(join(backup, segment), 70);
    flipBit(join(backup, bits), 34);
    const again = await backupDirectory(source, backup);
    assert.deepEqual([again.filesCopied, again.filesReused], [2, filesCopied - 2]);
    await assertSound(backup);
  }));

test('two lives of one data directory do not share a backup', () =>
  withScene(async ({ harness, source, backup, restored }) => {
    cpSync(source, restored, { recursive: true });
    await indexIds(harness, SHOP, ['one life']);
    await harness.snapshot();
    await backupDirectory(source, backup);
    const old = backedUp(backup);
    const twin = new WriteHarness(openDirectory(restored));
    await indexIds(twin, SHOP, ['another life']);
    await twin.snapshot();
    await assert.rejects(backupDirectory(restored, backup), hasCode('io_error', 'choose a new folder'));
    assert.deepEqual(backedUp(backup), old);
  }));

test('a collection whose later writes are in the log alone is not left behind silently', () =>
  withScene(async ({ source, backup }) => {
    const segments = filesOf(source, /\.seg$/);
    const whole = segments.map((name) => readFileSync(join(source, name)));
    flipBit(join(source, segments[0] ?? ''), 40);
    const harness = new WriteHarness(openDirectory(source));
    await indexIds(harness, BOOKS, ['x']);
    await harness.snapshot();
    for (const [index, name] of segments.entries()) writeFileSync(join(source, name), whole[index] ?? '');
    await assert.rejects(
      backupDirectory(source, backup),
      hasCode('corrupt_data', 'collection shop', 'in the log alone'),
    );
    const repaired = new WriteHarness(openDirectory(source));
    await repaired.snapshot();
    await backupDirectory(source, backup);
    await assertSound(backup);
  }));

test('a restore refuses a damaged backup, a data directory, and a folder that is not empty', () =>
  withScene(async ({ source, backup, restored }) => {
    await backupDirectory(source, backup);
    for (const name of ['MANIFEST', ...filesOf(backup, /\.(seg|bits)$/)]) {
      flipBit(join(backup, name), -1);
      await assert.rejects(restoreDirectory(backup, restored), hasCode('corrupt_data', 'the backup is damaged', name));
      flipBit(join(backup, name), -1);
    }
    await assert.rejects(
      restoreDirectory(source, restored),
      hasCode('io_error', 'expected a backup, got a data directory'),
    );
    await assert.rejects(restoreDirectory(backup, backup), hasCode('io_error', 'expected a folder outside of'));
    mkdirSync(restored);
    writeFileSync(join(restored, 'notes.txt'), 'mine');
    await assert.rejects(restoreDirectory(backup, restored), hasCode('io_error', 'got one with notes.txt'));
    assert.deepEqual(filesOf(restored, /./), ['notes.txt']);
  }));

test('a server refuses to start on a restore that was interrupted, wherever that was', () =>
  withScene(async ({ source, backup, restored }) => {
    await backupDirectory(source, backup);
    const { openSync } = fs;
    let interrupted = 0;
    // Before each file that is opened there, what a kill would leave behind.
    const open = mock.method(fs, 'openSync', (path: string, ...rest: [string, number]) => {
      const left = `${restored}-${interrupted}`;
      if (path.startsWith(`${restored}/`) && !path.endsWith('LOCK') && filesOf(restored, /^(?!LOCK)/).length > 0) {
        interrupted++;
        cpSync(restored, left, { recursive: true });
      }
      return openSync(path, ...rest);
    });
    await restoreDirectory(backup, restored).finally(() => open.mock.restore());
    assert.ok(interrupted > 2, `${interrupted}`);
    for (let i = 0; i < interrupted; i++)
      assert.throws(() => refuseStrayFiles(openDirectory(`${restored}-${i}`)), hasCode('corrupt_data', 'got none'));
  }));

test('backups of a directory that is being written to are each one whole snapshot', () =>
  withScene(async ({ harness, source, backup }) => {
    let isOver = false;
    const write = async (): Promise<void> => {
      for (let round = 0; !isOver; round++) {
        await indexIds(harness, round % 2 === 0 ? SHOP : BOOKS, [`new${round}`, 'a1', 'd1']);
        await harness.snapshot();
      }
    };
    const writing = write();
    const snapshots = new Set<number>();
    for (let times = 0; times < 2000 && snapshots.size < 5; times++) {
      snapshots.add((await backupDirectory(source, backup)).snapshot);
      await assertSound(backup);
    }
    isOver = true;
    await writing;
    assert.equal(snapshots.size, 5);
  }));
