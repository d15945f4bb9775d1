/**
 * Compound files under the tools that work on files: any changed byte is found, backups copy them once, a restore brings back
 * what lies in them, and a part can be inspected.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compoundFileName, segmentFileName } from '../../engine/storage/files/data-files.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { backupDirectory } from '../../engine/upkeep/backup-directory.js';
import { inspectSegment } from '../../engine/upkeep/inspect-segment.js';
import { restoreDirectory } from '../../engine/upkeep/restore-directory.js';
import { hasCode } from '../storage/expect-error.js';
import { WriteHarness } from '../support/engine-writes.js';
import {
  BOOKS,
  contentsOf,
  filesOf,
  fillDataDirectory,
  indexIds,
  removeId,
  SHOP,
  verified,
  withFolder,
} from './data-directory.js';

const compounds = { partBytesMax: 1 << 16, ownFilesMax: 0 };

/** A data directory in `path` of which everything lies in compound files; what goes on writing to it. */
async function fill(path: string): Promise<WriteHarness> {
  await fillDataDirectory(path);
  const harness = new WriteHarness(openDirectory(path), true, false, { compounds });
  for (const prefix of ['x', 'y', 'z']) await indexIds(harness, SHOP, [`${prefix}0`, `${prefix}1`]);
  await removeId(harness, SHOP, 'x0');
  await harness.snapshot();
  return harness;
}

const documentsOf = (harness: WriteHarness): unknown[] => [harness.documents(SHOP), harness.documents(BOOKS)];

test('any changed byte of a compound file is found, and so is a shorter one', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data');
    const harness = await fill(path);
    const [name] = filesOf(path, /\.cmp$/);
    const file = join(path, name);
    const bytes = readFileSync(file);
    assert.deepEqual((await verified(path)).problems, []);
    for (let at = 0; at < bytes.length; at += at < 200 ? 1 : 97) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 1 << (at & 7);
      writeFileSync(file, changed);
      const { problems } = await verified(path);
      assert.ok(problems.length > 0, `byte ${at}`);
      for (const { kind, message } of problems) {
        assert.equal(kind, 'damage');
        assert.ok(message.includes(name), message);
      }
    }
    for (const length of [0, 10, 20, 1000, bytes.length - 1]) {
      writeFileSync(file, bytes);
      truncateSync(file, length);
      assert.ok((await verified(path)).problems.length > 0, `${length} bytes`);
    }
    // A damaged part refuses its collection alone.
    const place = harness.snapshots.manifest.collections
      .flatMap(({ segments }) => segments)
      .find((segment) => segment.place !== undefined)?.place;
    assert.ok(place !== undefined);
    const changed = Buffer.from(bytes);
    changed[place.offset + 200] ^= 1;
    writeFileSync(file, changed);
    const opened = new WriteHarness(openDirectory(path), true, true);
    assert.equal(opened.collections.refused.count, 1);
    assert.ok(opened.documents(BOOKS) !== null);
  }));

test('a backup copies a compound file once and refuses one of another history, and a restore brings it back', () =>
  withFolder(async (folder) => {
    const [path, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(folder, name));
    const harness = await fill(path);
    const before = documentsOf(harness);
    await backupDirectory(path, backup);
    assert.deepEqual(filesOf(backup, /\.cmp$/), filesOf(path, /\.cmp$/));
    const same = await backupDirectory(path, backup);
    assert.equal(same.filesCopied, 0);
    await restoreDirectory(backup, restored);
    assert.deepEqual((await verified(restored)).problems, []);
    assert.deepEqual(documentsOf(new WriteHarness(openDirectory(restored), true, true)), before);
    // What is in use of the first stays named, by fewer parts.
    const fork = join(folder, 'fork');
    cpSync(path, fork, { recursive: true });
    await removeId(harness, SHOP, 'y0');
    await harness.snapshot();
    const next = await backupDirectory(path, backup);
    assert.ok(next.filesCopied > 0);
    assert.deepEqual((await verified(backup)).problems, []);
    assert.deepEqual(filesOf(backup, /\.cmp$/), filesOf(path, /\.cmp$/));
    // The same numbers stand for something else there.
    const other = new WriteHarness(openDirectory(fork), true, false, { compounds });
    await indexIds(other, SHOP, ['elsewhere', 'z1']);
    await other.snapshot();
    await assert.rejects(backupDirectory(fork, backup), hasCode('io_error', 'another file of that name'));
  }));

test('a backup of a damaged compound file is refused and leaves the old one whole', () =>
  withFolder(async (folder) => {
    const [path, backup] = ['data', 'backup'].map((name) => join(folder, name));
    const harness = await fill(path);
    await backupDirectory(path, backup);
    const before = contentsOf(backup);
    await indexIds(harness, SHOP, ['one']);
    await harness.snapshot();
    const { snapshot } = harness.snapshots.manifest;
    const file = join(path, compoundFileName(snapshot));
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(file, bytes);
    await assert.rejects(backupDirectory(path, backup), hasCode('corrupt_data', compoundFileName(snapshot)));
    const after = contentsOf(backup);
    for (const contents of [before, after]) contents.delete('LOCK');
    assert.deepEqual([...after.keys()].sort(), [...before.keys()].sort());
    assert.deepEqual((await verified(backup)).problems, []);
  }));

test('a part of a compound file is inspected under the name that it would have as a file', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data');
    const harness = await fill(path);
    for (const { schema, segments } of harness.snapshots.manifest.collections) {
      for (const { id, place, bytes, liveCount } of segments) {
        const inspected = inspectSegment(join(path, segmentFileName(id)));
        assert.deepEqual([inspected.fileBytes, inspected.header.segmentId], [bytes, id]);
        assert.ok(inspected.header.isHeaderSound && inspected.header.isContentSound);
        assert.deepEqual([inspected.collection, inspected.liveCount], [schema.name, liveCount]);
        assert.equal(filesOf(path, /\.seg$/).includes(segmentFileName(id)), place === undefined);
      }
    }
  }));
