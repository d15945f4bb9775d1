/**
 * Where a data directory stands in its stream: what is read of each kind of folder, what is refused, and how a node's
 * directory becomes a single node's again.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import {
  decodeManifest,
  encodeManifest,
  readManifest,
  switchManifest,
  writeManifestTemporary,
} from '../../engine/storage/files/manifest-file.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { blankStreamManifest } from '../../engine/storage/files/stream-manifest.js';
import { backupDirectory } from '../../engine/upkeep/backup-directory.js';
import { mayHaveFollowed, readReplicaPosition } from '../../engine/upkeep/replica-position.js';
import { restoreDirectory } from '../../engine/upkeep/restore-directory.js';
import { refuseStream } from '../../engine/writer/recovery/refuse-stream.js';
import { hasCode } from '../storage/expect-error.js';
import { WriteHarness } from '../support/engine-writes.js';
import { fillDataDirectory, flipBit, SHOP, verified, withFolder } from './data-directory.js';
import { fillReplica, STREAM } from './replica-directory.js';

test('a folder that is missing, empty or blank has no position', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data');
    assert.equal(readReplicaPosition(path), null);
    mkdirSync(path);
    assert.equal(readReplicaPosition(path), null);
    writeFileSync(join(path, 'LOCK'), '');
    writeFileSync(join(path, 'MANIFEST.tmp'), 'torn');
    assert.equal(readReplicaPosition(path), null);
    const directory = openDirectory(path);
    writeManifestTemporary(directory, blankStreamManifest(STREAM), crc32c);
    switchManifest(directory);
    writeFileSync(join(path, 'segment-000001.seg'), 'left over');
    assert.equal(readReplicaPosition(path), null);
  }));

test('a folder may be of a node of a log once it names one, though it has nothing of it, and where nobody can tell', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data');
    assert.equal(mayHaveFollowed(path), false);
    mkdirSync(path);
    writeFileSync(join(path, 'MANIFEST.tmp'), 'torn');
    assert.equal(mayHaveFollowed(path), false);
    const directory = openDirectory(path);
    writeManifestTemporary(directory, blankStreamManifest(STREAM), crc32c);
    switchManifest(directory);
    assert.equal(mayHaveFollowed(path), true);
    flipBit(join(path, 'MANIFEST'), 30);
    assert.equal(mayHaveFollowed(path), true);
  }));

test("a node's directory says its stream, the last message it has and where to read on", () =>
  withFolder(async (folder) => {
    const path = join(folder, 'data');
    await fillReplica(path, 40, 33);
    assert.deepEqual(readReplicaPosition(path), { streamId: STREAM, sequence: 40, replayFrom: 33 });
    assert.deepEqual((await verified(path)).problems, []);
    flipBit(join(path, 'MANIFEST'), 30);
    assert.throws(() => readReplicaPosition(path), hasCode('corrupt_data', 'MANIFEST'));
    rmSync(join(path, 'MANIFEST'));
    assert.throws(() => readReplicaPosition(path), hasCode('corrupt_data', 'MANIFEST', 'none'));
  }));

test("a single node's directory is refused, with what to do", () =>
  withFolder(async (folder) => {
    const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(folder, name));
    await fillDataDirectory(data);
    assert.throws(() => readReplicaPosition(data), hasCode('io_error', data, '.log', 'sabre cluster seed'));
    await backupDirectory(data, backup);
    await restoreDirectory(backup, restored);
    assert.throws(() => readReplicaPosition(restored), hasCode('io_error', restored, 'sabre cluster seed'));
    rmSync(join(data, 'MANIFEST'));
    assert.throws(() => readReplicaPosition(data), hasCode('io_error', data));
  }));

test("a node's directory is not started alone, and what is restored from its backup is", () =>
  withFolder(async (folder) => {
    const [data, backup, restored, direct] = ['data', 'backup', 'restored', 'direct'].map((name) => join(folder, name));
    await fillReplica(data, 40);
    const directory = openDirectory(data);
    const found = readManifest(directory, crc32c);
    assert.throws(() => refuseStream(found, directory), hasCode('io_error', data, '--cluster', 'sabre restore'));
    refuseStream(null, directory);
    await backupDirectory(data, backup);
    const backedUp = readManifest(openDirectory(backup), crc32c);
    assert.equal(backedUp?.stream, undefined);
    refuseStream(backedUp, openDirectory(backup));
    await restoreDirectory(backup, restored);
    const before = new WriteHarness(openDirectory(restored), true, true);
    assert.equal(before.documents(SHOP)?.length, 300);
    await before.path.commit([{ kind: 'delete', ticket: 0, collectionId: SHOP, documentId: 'a8' }]);
    const after = new WriteHarness(openDirectory(restored));
    assert.equal(after.documents(SHOP)?.length, 299);
    // A stopped node's directory has no log, and so is as good as a backup.
    await restoreDirectory(data, direct);
    assert.equal(readManifest(openDirectory(direct), crc32c)?.stream, undefined);
  }));

test('a manifest with a stream has a version of its own, no log, and does not begin behind its own end', () => {
  const blank = blankStreamManifest(STREAM);
  const { stream: _, ...single } = blank;
  const versionOf = (bytes: Uint8Array): number => new DataView(bytes.buffer).getUint32(8, true);
  assert.equal(versionOf(encodeManifest(blank, crc32c)), 5);
  assert.equal(versionOf(encodeManifest(single, crc32c)), 4);
  const full = { ...blank, sequence: 9, stream: { id: STREAM, from: 10 } };
  assert.deepEqual(decodeManifest(encodeManifest(full, crc32c), 'MANIFEST', crc32c), full);
  assert.throws(() => encodeManifest({ ...full, walFile: 1 }, crc32c), /walFile/);
  assert.throws(() => encodeManifest({ ...full, stream: { id: STREAM, from: 11 } }, crc32c), /from/);
  assert.throws(() => encodeManifest({ ...full, stream: { id: '', from: 1 } }, crc32c), /id/);
});
