/**
 * Snapshots that go from one data directory to another: what arrives is what was held, damage is refused before anything is
 * touched, and a crash at any step leaves the old state, the new one, or a blank directory.
 */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { snapshotFilesOf } from '../../engine/storage/files/data-files.js';
import { lockDirectory } from '../../engine/storage/files/directory-lock.js';
import { readManifest, switchManifest, writeManifestTemporary } from '../../engine/storage/files/manifest-file.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { isBlank, withoutStream } from '../../engine/storage/files/stream-manifest.js';
import type { Manifest } from '../../engine/storage/types/manifest.js';
import { holdSeedFiles, holdSnapshotFiles } from '../../engine/upkeep/hold-snapshot-files.js';
import { incomingFolder, installSnapshot, removeIncoming } from '../../engine/upkeep/install-snapshot.js';
import { replaceSnapshot } from '../../engine/upkeep/replace-snapshot.js';
import { readReplicaPosition } from '../../engine/upkeep/replica-position.js';
import { hasCode } from '../storage/expect-error.js';
import { WriteHarness } from '../support/engine-writes.js';
import { type Crash, SimulatedDirectory } from '../support/simulated-directory.js';
import { SimulatedCrash } from '../support/simulated-faults.js';
import { seededRandom } from '../support/simulated-random.js';
import {
  BOOKS,
  contentsOf,
  filesOf,
  fillDataDirectory,
  flipBit,
  indexIds,
  SHOP,
  verified,
  withFolder,
} from './data-directory.js';
import { changeManifest, fillReplica, STREAM } from './replica-directory.js';

type Held = ReturnType<typeof holdSnapshotFiles>;

/** Writes what is held to the incoming folder of `target`, and closes it. */
function bring(held: Held, target: string): string {
  const incoming = incomingFolder(target);
  for (const file of held.files) {
    const bytes = new Uint8Array(file.bytes);
    assert.equal(file.read(bytes, 0), bytes.length);
    writeFileSync(join(incoming, file.name), bytes);
  }
  writeFileSync(join(incoming, 'MANIFEST'), held.manifestBytes);
  held.close();
  return incoming;
}

const manifestOf = (path: string): Manifest | null => readManifest(openDirectory(path), crc32c);

test('an installed snapshot is the one that was held, in a new or an older directory, as another life', () =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    const { directoryId } = await fillReplica(source, 40, 33);
    for (let times = 0; times < 2; times++) {
      const held = holdSnapshotFiles(source);
      assert.deepEqual(
        [held.streamId, held.sequence, held.replayFrom, held.directoryId],
        [STREAM, 40, 33, directoryId],
      );
      for (const file of held.files) await file.verify();
      bring(held, target);
      const position = await installSnapshot(target);
      assert.deepEqual(position, { streamId: STREAM, sequence: 40, replayFrom: 33 });
      assert.deepEqual(readReplicaPosition(target), position);
      assert.deepEqual((await verified(target)).problems, []);
      assert.notEqual(manifestOf(target)?.directoryId, directoryId);
      assert.deepEqual(filesOf(target, /\.(seg|bits|cmp)$/), filesOf(source, /\.(seg|bits|cmp)$/));
      assert.ok(!existsSync(join(target, 'incoming')));
    }
  }));

test('a damaged or incomplete snapshot, one of a single node and a directory in use are refused, and nothing is touched', () =>
  withFolder(async (folder) => {
    const [source, target, single] = ['source', 'target', 'single'].map((name) => join(folder, name));
    await fillReplica(source, 40);
    bring(holdSnapshotFiles(source), target);
    await installSnapshot(target);
    const before = contentsOf(target);
    const unchanged = (): void => {
      const after = contentsOf(target);
      for (const contents of [before, after]) contents.delete('LOCK');
      assert.deepEqual(after, before);
    };
    const contents = (): string => bring(holdSnapshotFiles(source), target);
    const clear = (): void => removeIncoming(target);
    const [name = ''] = filesOf(source, /\.seg$/);
    flipBit(join(contents(), name), -40);
    await assert.rejects(installSnapshot(target), hasCode('corrupt_data', name));
    clear();
    unchanged();
    writeFileSync(join(contents(), name), 'short');
    await assert.rejects(installSnapshot(target), hasCode('corrupt_data', name));
    clear();
    contents();
    const lock = lockDirectory(target);
    await assert.rejects(installSnapshot(target), hasCode('io_error', 'locked'));
    lock.release();
    clear();
    unchanged();
    await fillDataDirectory(single);
    const old = filesOf(single, /./);
    bring(holdSnapshotFiles(source), single);
    await assert.rejects(installSnapshot(single), hasCode('io_error', 'sabre cluster seed'));
    assert.deepEqual(
      filesOf(single, /^(?!LOCK|incoming)/),
      old.filter((one) => one !== 'LOCK'),
    );
    assert.throws(() => holdSnapshotFiles(single), hasCode('io_error', 'single node'));
  }));

test('what is held outlives a newer snapshot, and damage of it is found before it is sent', () =>
  withFolder(async (folder) => {
    const source = join(folder, 'source');
    await fillReplica(source, 40);
    const held = holdSnapshotFiles(source);
    const [name = ''] = filesOf(source, /\.seg$/);
    flipBit(join(source, name), -40);
    const file = held.files.find((one) => one.name === name);
    await assert.rejects(file?.verify() ?? Promise.resolve(), hasCode('corrupt_data', name));
    held.close();
    const directory = openDirectory(source);
    changeManifest(directory, (manifest) => {
      const [first, ...rest] = manifest.collections;
      return { ...manifest, collections: [...(first === undefined ? [] : [{ ...first, sequence: 3 }]), ...rest] };
    });
    assert.throws(() => holdSnapshotFiles(source), hasCode('corrupt_data', 'refused'));
  }));

test('a single node becomes the first snapshot of a stream only when it is stopped and its log has nothing more', () =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    const harness = await fillDataDirectory(source);
    assert.throws(() => holdSeedFiles(source, STREAM), hasCode('io_error', 'sabre snapshot'));
    await harness.snapshot();
    const lock = lockDirectory(source);
    assert.throws(() => holdSeedFiles(source, STREAM), hasCode('io_error', 'locked'));
    lock.release();
    const held = holdSeedFiles(source, STREAM);
    assert.throws(() => lockDirectory(source), hasCode('io_error', 'locked'));
    bring(held, target);
    lockDirectory(source).release();
    assert.deepEqual(await installSnapshot(target), { streamId: STREAM, sequence: 0, replayFrom: 1 });
    assert.deepEqual(readReplicaPosition(target), { streamId: STREAM, sequence: 0, replayFrom: 1 });
    assert.deepEqual(
      manifestOf(target)?.collections.map(({ sequence }) => sequence),
      [0, 0],
    );
    assert.throws(() => holdSeedFiles(target, STREAM), hasCode('io_error', STREAM));
    changeManifest(openDirectory(target), withoutStream);
    const other = new WriteHarness(openDirectory(target), true, true);
    for (const id of [SHOP, BOOKS]) assert.deepEqual(other.documents(id), harness.documents(id));
    await indexIds(harness, SHOP, ['one more']);
    assert.throws(() => holdSeedFiles(source, STREAM), hasCode('io_error', 'sabre snapshot'));
  }));

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

const stateOf = (sequence: number, ids: readonly number[]): Manifest => ({
  snapshot: 2,
  directoryId: `state-${sequence}`,
  sequence,
  nextSegmentId: 9,
  nextCollectionId: 2,
  walFile: 0,
  writtenAt: 1,
  stream: { id: STREAM, from: sequence + 1 },
  collections: [
    {
      id: 1,
      createdAt: 1,
      schema: parseSchema({ name: 'shop', fields: [{ name: 'title', type: 'text' }] }),
      sequence,
      segments: ids.map((id) => ({ id, bytes: 4096, checksum: 0, maxDoc: 1, liveCount: 1, liveDocs: null })),
    },
  ],
});

const OLD = stateOf(10, [1, 2, 3]);
const NEW = stateOf(90, [2, 3, 5]);
/** In the simulation, which has no folders, incoming files have other names. */
const incomingName = (name: string): string => `incoming-${name}`;

async function writeDurably(directory: SimulatedDirectory, name: string, text: string): Promise<void> {
  const file = directory.open(name, 'create');
  file.write([bytesOf(text)], 0);
  await file.sync();
  file.close();
}

/** A disk with the old state, or none, and the files of the new one beside it. */
async function prepared(hasOld: boolean): Promise<SimulatedDirectory> {
  const directory = new SimulatedDirectory();
  if (hasOld) {
    for (const name of snapshotFilesOf(OLD)) await writeDurably(directory, name, `old ${name}`);
    writeManifestTemporary(directory, OLD, crc32c);
    switchManifest(directory);
  }
  for (const name of snapshotFilesOf(NEW)) await writeDurably(directory, incomingName(name), `new ${name}`);
  directory.sync();
  return directory;
}

const replace = (directory: SimulatedDirectory): void => {
  const move = (name: string): void => directory.rename(incomingName(name), name);
  replaceSnapshot(directory, { names: snapshotFilesOf(NEW), move }, NEW, STREAM);
};

/** old, blank, new or none: what the next start finds, with its files as they were. */
function stateIn(directory: SimulatedDirectory): string {
  const manifest = readManifest(directory, crc32c);
  if (manifest === null) return 'none';
  if (isBlank(manifest)) return 'blank';
  const state = manifest.sequence === NEW.sequence ? 'new' : 'old';
  for (const name of snapshotFilesOf(manifest)) {
    assert.equal(Buffer.from(directory.content(name)).toString(), `${state} ${name}`);
  }
  return state;
}

test('a crash at any step of an installation leaves the old state, a blank directory, or the new one', async () => {
  for (const hasOld of [true, false]) {
    const seen = new Set<string>();
    for (let step = 1; ; step++) {
      const directory = (await prepared(hasOld)).crash(
        { mode: 'kill' },
        { crashAfter: step, random: seededRandom(step) },
      );
      let isDone = true;
      try {
        replace(directory);
        directory.throwIfDead();
      } catch (error) {
        assert.ok(error instanceof SimulatedCrash);
        isDone = false;
      }
      const crashes: Crash[] = [{ mode: 'kill' }];
      for (let seed = 1; seed <= 20; seed++) {
        crashes.push({ mode: 'power', random: seededRandom(seed), names: seed % 2 === 0 ? 'any' : 'prefix' });
      }
      for (const crash of crashes) {
        const state = stateIn(directory.crash(crash));
        seen.add(state);
        assert.ok(state !== 'none' || !hasOld, `step ${step}`);
        if (isDone) assert.equal(state, 'new');
      }
      if (isDone) break;
    }
    assert.deepEqual([...seen].sort(), hasOld ? ['blank', 'new', 'old'] : ['blank', 'new', 'none']);
  }
});
