/**
 * A download that others overtake: the log is trimmed behind newer snapshots, and the store rid of older ones, while it is under way.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { holdSnapshotFiles } from '../../engine/upkeep/hold-snapshot-files.js';
import { downloadSnapshot } from '../../src/cluster/store/download-snapshot.js';
import { decodeCatalog } from '../../src/cluster/store/snapshot-catalog.js';
import { readContents } from '../../src/cluster/store/store-contents.js';
import { uploadSnapshot } from '../../src/cluster/store/upload-snapshot.js';
import { withFolder } from '../upkeep/data-directory.js';
import { asReplica, changeManifest, fillReplica, STREAM } from '../upkeep/replica-directory.js';
import { MemoryStore, RecordedLog } from './memory-store.js';

const nameOf = (sequence: number): string => `snapshots/00000000000000${sequence}-a`;

interface Scene {
  readonly store: MemoryStore;
  readonly log: RecordedLog;
  /** Calls that fetched pieces. */
  readonly fetched: () => string[];
  /** The piece that only the snapshot of `sequence` has: its manifest. */
  readonly pieceOf: (sequence: number) => string;
  /** What of `sequence` is listed: nothing of the later ones is until then. */
  readonly appear: (sequence: number) => void;
  readonly download: () => Promise<number | null>;
}

/** A store with the snapshot of message 50, and those of 60, 70 and 80, which are still to come. */
const withScene = (act: (scene: Scene) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    mkdirSync(target);
    await fillReplica(source, 50);
    const store = new MemoryStore();
    const catalogs = new Map<number, { bytes: Uint8Array<ArrayBuffer>; storedAt: number }>();
    const pieces = new Map<number, string>();
    for (const sequence of [50, 60, 70, 80]) {
      changeManifest(openDirectory(source), (manifest) =>
        asReplica({ ...manifest, snapshot: manifest.snapshot + 1 }, sequence),
      );
      const held = holdSnapshotFiles(source);
      await uploadSnapshot(store, held, 'a', await readContents(store, STREAM), new AbortController().signal);
      held.close();
      const catalog = store.objects.get(nameOf(sequence));
      assert.ok(catalog !== undefined);
      catalogs.set(sequence, catalog);
      const manifest = decodeCatalog(catalog.bytes).files.find(({ name }) => name === 'MANIFEST');
      pieces.set(sequence, `pieces/${manifest?.pieces[0]}`);
    }
    for (const sequence of [60, 70, 80]) store.objects.delete(nameOf(sequence));
    store.calls.length = 0;
    const log = new RecordedLog();
    await act({
      ...{ store, log },
      fetched: () => store.calls.filter((call) => call.startsWith('get pieces/')),
      pieceOf: (sequence) => pieces.get(sequence) ?? assert.fail(),
      appear: (sequence) => void store.objects.set(nameOf(sequence), catalogs.get(sequence) ?? assert.fail()),
      download: async () => (await downloadSnapshot(store, STREAM, target, log))?.sequence ?? null,
    });
  });

test('what a newer snapshot has beside is fetched, and that is installed', () =>
  withScene(async ({ store, log, fetched, pieceOf, appear, download }) => {
    store.before = (call) => {
      if (call === `get ${pieceOf(50)}`) appear(60);
    };
    assert.equal(await download(), 60);
    assert.deepEqual(fetched(), [...new Set(fetched())], 'no piece is fetched twice');
    assert.equal(log.lines.length, 1);
    assert.match(log.lines[0] ?? '', /^info .*a newer snapshot/);
  }));

test('a snapshot that is gone before it was fetched is not taken for damaged', () =>
  withScene(async ({ store, fetched, pieceOf, appear, download }) => {
    store.before = (call) => {
      if (call !== `get ${pieceOf(50)}`) return;
      appear(60);
      for (const name of [nameOf(50), pieceOf(50)]) store.objects.delete(name);
    };
    assert.equal(await download(), 60);
    assert.deepEqual(store.names('damaged/'), []);
    const others = fetched().filter((call) => call !== `get ${pieceOf(50)}`);
    assert.deepEqual(others, [...new Set(others)], 'what was fetched of it is kept');
  }));

test('where newer ones come all the time, one that the store still has will do', () =>
  withScene(async ({ store, pieceOf, appear, download }) => {
    store.before = (call) => {
      for (const sequence of [50, 60, 70]) if (call === `get ${pieceOf(sequence)}`) appear(sequence + 10);
    };
    assert.equal(await download(), 70);
  }));
