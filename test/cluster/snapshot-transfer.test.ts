/**
 * Snapshots through a store that fails, loses and damages: what is installed is what was uploaded, or nothing is.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/index.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { type HeldSnapshotFiles, holdSnapshotFiles } from '../../engine/upkeep/hold-snapshot-files.js';
import { incomingFolder } from '../../engine/upkeep/install-snapshot.js';
import { readReplicaPosition } from '../../engine/upkeep/replica-position.js';
import { downloadSnapshot } from '../../src/cluster/store/download-snapshot.js';
import { decodeCatalog, encodeCatalog, PIECE_BYTES_MAX, sha256 } from '../../src/cluster/store/snapshot-catalog.js';
import { LateObject } from '../../src/cluster/store/snapshot-store.js';
import { readContents } from '../../src/cluster/store/store-contents.js';
import { type UploadReport, uploadSnapshot } from '../../src/cluster/store/upload-snapshot.js';
import { hasCode } from '../storage/expect-error.js';
import { contentsOf, filesOf, flipBit, verified, withFolder } from '../upkeep/data-directory.js';
import { asReplica, changeManifest, fillReplica, STREAM } from '../upkeep/replica-directory.js';
import { MemoryStore, RecordedLog, saysDamaged } from './memory-store.js';

const NEVER = new AbortController().signal;

async function upload(store: MemoryStore, dataDir: string, node = 'a', signal = NEVER): Promise<UploadReport> {
  const held = holdSnapshotFiles(dataDir);
  try {
    return await uploadSnapshot(store, held, node, await readContents(store, STREAM), signal);
  } finally {
    held.close();
  }
}

interface Scene {
  readonly store: MemoryStore;
  readonly log: RecordedLog;
  readonly source: string;
  readonly target: string;
  /** Downloads into `target`; undefined: it has failed as an EngineError of damage. */
  readonly download: () => Promise<number | null>;
}

/** A store with two snapshots of the directory `source`: of messages 40 and 50. */
const withScene = (act: (scene: Scene) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    mkdirSync(target);
    await fillReplica(source, 40, 33);
    const store = new MemoryStore();
    await upload(store, source);
    changeManifest(openDirectory(source), (manifest) =>
      asReplica({ ...manifest, snapshot: manifest.snapshot + 1 }, 50),
    );
    const second = await upload(store, source);
    // Only the manifest is another.
    assert.equal(second.piecesPut, 1);
    const log = new RecordedLog();
    const download = async (): Promise<number | null> =>
      (await downloadSnapshot(store, STREAM, target, log))?.sequence ?? null;
    await act({ store, log, source, target, download });
  });

const snapshotFiles = (path: string): Map<string, Buffer> => {
  const contents = contentsOf(path);
  for (const name of ['LOCK', 'MANIFEST']) contents.delete(name);
  return contents;
};

const NEWEST = 'snapshots/0000000000000050-a';
const OLDER = 'snapshots/0000000000000040-a';

/** The piece of the manifest of a snapshot, and one that both have. */
function piecesIn(store: MemoryStore, name: string): { manifest: string; shared: string } {
  const { files } = decodeCatalog(store.objects.get(name)?.bytes ?? new Uint8Array());
  const hash = (isManifest: boolean): string =>
    files.find((file) => (file.name === 'MANIFEST') === isManifest)?.pieces[0] ?? '';
  return { manifest: hash(true), shared: hash(false) };
}

test('the newest snapshot arrives as it was sent, in an empty directory and in the place of an older one', () =>
  withScene(async ({ download, source, target, log }) => {
    for (let times = 0; times < 2; times++) {
      assert.equal(await download(), 50);
      assert.deepEqual(snapshotFiles(target), snapshotFiles(source));
      assert.deepEqual(readReplicaPosition(target), { streamId: STREAM, sequence: 50, replayFrom: 51 });
      assert.deepEqual((await verified(target)).problems, []);
    }
    assert.deepEqual(log.lines, []);
  }));

test('a damaged piece is named and fetched once more; damaged for good, it is marked, and the older snapshot is taken', () =>
  withScene(async ({ download, store, log, source, target }) => {
    const name = `pieces/${piecesIn(store, NEWEST).manifest}`;
    let isFirst = true;
    store.before = (call) => {
      if (isFirst && call === `get ${name}`) {
        isFirst = false;
        saysDamaged(name)(call);
      }
    };
    assert.equal(await download(), 50);
    assert.equal(log.lines.length, 1);
    assert.ok(log.lines[0]?.includes(name));
    rmSync(target, { recursive: true });
    store.damage(name);
    assert.equal(await download(), 40);
    assert.equal(log.lines.filter((line) => line.includes(name)).length, 4);
    const marks = store.names('damaged/');
    assert.deepEqual(marks, [name.replace('pieces/', 'damaged/')]);
    // The next upload that has the piece puts it again, and takes the mark away.
    await upload(store, source);
    assert.deepEqual(store.names('damaged/'), []);
    assert.equal(await download(), 50);
  }));

test('without any sound snapshot nothing is touched, and the error says why; without any snapshot there is none', () =>
  withScene(async ({ download, store, target }) => {
    assert.equal(await download(), 50);
    const before = snapshotFiles(target);
    store.damage(`pieces/${piecesIn(store, NEWEST).shared}`);
    await assert.rejects(download(), hasCode('corrupt_data', OLDER));
    assert.equal(readReplicaPosition(target)?.sequence, 50);
    rmSync(incomingFolder(target), { recursive: true });
    assert.deepEqual(snapshotFiles(target), before);
    store.objects.clear();
    assert.equal(await download(), null);
  }));

test('a snapshot that is there and cannot be read is not taken for none', () =>
  withScene(async ({ download, store, target }) => {
    const newest = store.objects.get(NEWEST)?.bytes ?? new Uint8Array();
    store.objects.delete(OLDER);
    store.damage(NEWEST);
    await assert.rejects(download(), hasCode('corrupt_data', NEWEST));
    await store.put(NEWEST, new Uint8Array(Buffer.from('sabre-snapshot 2 abc\n{}')));
    await assert.rejects(download(), hasCode('corrupt_data', NEWEST, 'version 2'));
    // What may pass is no EngineError: whoever asked asks again.
    const mayPass = (error: Error): boolean => !(error instanceof EngineError) && error.message.includes(NEWEST);
    await store.put(NEWEST, newest);
    store.before = (call) => {
      if (call === `get ${NEWEST}`) throw new LateObject(NEWEST, 'not read in time');
    };
    await assert.rejects(download(), mayPass);
    store.before = (call) => {
      if (call === `get ${NEWEST}`) store.objects.delete(NEWEST);
    };
    await assert.rejects(download(), mayPass);
    store.before = () => {};
    await store.put(NEWEST, encodeCatalog({ ...decodeCatalog(newest), streamId: 'another' }));
    assert.equal(await download(), null);
    assert.equal(readReplicaPosition(target), null);
  }));

test('a missing piece, a damaged catalog, one of another stream and one of a newer version are passed over', () =>
  withScene(async ({ download, store, log }) => {
    const newest = store.objects.get(NEWEST)?.bytes ?? new Uint8Array();
    store.damage(NEWEST);
    assert.equal(await download(), 40);
    await store.put(NEWEST, encodeCatalog({ ...decodeCatalog(newest), streamId: 'another' }));
    assert.equal(await download(), 40);
    await store.put(NEWEST, new Uint8Array(Buffer.from('sabre-snapshot 2 abc\n{}')));
    assert.equal(await download(), 40);
    assert.ok(log.lines.some((line) => line.includes('version 2')));
    await store.put(NEWEST, newest);
    store.objects.delete(`pieces/${piecesIn(store, NEWEST).manifest}`);
    assert.equal(await download(), 40);
  }));

test('bytes that were sent with the right hash and are no sound snapshot are refused by the engine', () =>
  withScene(async ({ download, store, log, source }) => {
    const [name = ''] = filesOf(source, /\.seg$/);
    const bytes = new Uint8Array(readFileSync(join(source, name)));
    bytes[bytes.length - 30] ^= 1;
    await store.put(`pieces/${sha256(bytes)}`, bytes);
    const catalog = decodeCatalog(store.objects.get(NEWEST)?.bytes ?? new Uint8Array());
    const files = catalog.files.map((file) => (file.name === name ? { ...file, pieces: [sha256(bytes)] } : file));
    await store.put(NEWEST, encodeCatalog({ ...catalog, files }));
    assert.equal(await download(), 40);
    assert.ok(log.lines.some((line) => line.includes(name) && line.includes('checksum')));
  }));

test('an interrupted download is taken up again: what it has fetched is not fetched again, and not trusted', () =>
  withScene(async ({ download, store, target }) => {
    const { files } = decodeCatalog(store.objects.get(NEWEST)?.bytes ?? new Uint8Array());
    const [first, second] = files;
    let gets = 0;
    store.before = (call) => {
      if (call.startsWith('get pieces/') && ++gets === 3) throw new Error('the store is down');
    };
    await assert.rejects(download(), /the store is down/);
    const incoming = incomingFolder(target);
    assert.ok(filesOf(incoming, /./).includes(second?.name ?? ''));
    writeFileSync(join(incoming, 'left over'), 'of another snapshot');
    flipBit(join(incoming, second?.name ?? ''), 20);
    store.before = () => {};
    store.calls.length = 0;
    assert.equal(await download(), 50);
    assert.ok(!store.calls.includes(`get pieces/${first?.pieces[0]}`));
    assert.ok(store.calls.includes(`get pieces/${second?.pieces[0]}`));
  }));

test('a damaged file is not sent, an upload that is stopped names nothing, and neither loses what is there', () =>
  withScene(async ({ store, source, download }) => {
    const before = store.names();
    changeManifest(openDirectory(source), (manifest) =>
      asReplica({ ...manifest, directoryId: 'another', snapshot: 9 }, 60),
    );
    const stopped = new AbortController();
    store.before = (call) => {
      if (call.startsWith('put pieces/')) stopped.abort(new Error('the lock is lost'));
    };
    await assert.rejects(upload(store, source, 'a', stopped.signal), /the lock is lost/);
    store.before = () => {};
    assert.deepEqual(
      store.names('snapshots/'),
      before.filter((name) => name.startsWith('snapshots/')),
    );
    const [name = ''] = filesOf(source, /\.seg$/);
    flipBit(join(source, name), -30);
    await assert.rejects(upload(store, source), hasCode('corrupt_data', name));
    assert.equal(await download(), 50);
  }));

test('pieces that somebody removes during an upload are noticed, and nothing names them then', () =>
  withScene(async ({ store, source, download }) => {
    const { shared } = piecesIn(store, NEWEST);
    changeManifest(openDirectory(source), (manifest) => asReplica({ ...manifest, snapshot: 9 }, 60));
    store.before = (call) => {
      if (call === 'put snapshots/0000000000000060-a') store.objects.delete(`pieces/${shared}`);
    };
    await assert.rejects(upload(store, source), new RegExp(shared));
    assert.deepEqual(store.names('snapshots/'), [OLDER, NEWEST]);
    store.before = () => {};
    await upload(store, source);
    assert.equal(await download(), 60);
  }));

/** A snapshot of one large file, of which there is no directory. */
function heldFile(bytes: Uint8Array): HeldSnapshotFiles {
  const read = (target: Uint8Array, position: number): number => {
    const part = bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
  const file = { name: 'segment-000001.seg', bytes: bytes.length, content: 'x', read, verify: async () => {} };
  const stands = { directoryId: 'd', snapshot: 1, streamId: STREAM, sequence: 5, replayFrom: 6, writtenAt: 1 };
  return { ...stands, files: [file], manifestBytes: new Uint8Array([1, 2, 3]), close: () => {} };
}

test('a file of the same name and size with other bytes is not taken for the one that was sent before', async () => {
  const store = new MemoryStore();
  for (const byte of [1, 2]) {
    const held = heldFile(new Uint8Array(100).fill(byte));
    const files = held.files.map((file) => ({ ...file, content: `segment ${byte}` }));
    const contents = await readContents(store, STREAM);
    const { name } = await uploadSnapshot(
      store,
      { ...held, files, sequence: byte, replayFrom: 1 },
      'a',
      contents,
      NEVER,
    );
    const [file] = decodeCatalog(store.objects.get(name)?.bytes ?? new Uint8Array()).files;
    assert.deepEqual(store.objects.get(`pieces/${file?.pieces[0]}`)?.bytes, new Uint8Array(100).fill(byte));
  }
});

test('a file of many pieces is sent in order, equal pieces once, and never more than a few are in memory', async () => {
  const bytes = new Uint8Array(5 * PIECE_BYTES_MAX + 77);
  for (let index = 0; index < bytes.length; index += 4096) bytes[index] = (index * 7) >> 20;
  const store = new MemoryStore();
  const held = heldFile(bytes);
  const { name, bytesPut } = await uploadSnapshot(store, held, 'a', await readContents(store, STREAM), NEVER);
  const { files } = decodeCatalog(store.objects.get(name)?.bytes ?? new Uint8Array());
  const sent = files[0]?.pieces.map((hash) => store.objects.get(`pieces/${hash}`)?.bytes ?? new Uint8Array()) ?? [];
  assert.ok(Buffer.concat(sent).equals(bytes));
  assert.equal(bytesPut, bytes.length + 3);
});

test('whatever call of the store fails, a repeat of the upload ends it, and the download gives the newest whole snapshot', () =>
  withFolder(async (folder) => {
    const source = join(folder, 'source');
    await fillReplica(source, 40);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 5 }), async (fails) => {
        const target = join(folder, 'target');
        rmSync(target, { recursive: true, force: true });
        const store = new MemoryStore();
        const log = new RecordedLog();
        const left = [...fails];
        let count = 0;
        store.before = () => {
          if (left.length === 0 || ++count <= (left[0] ?? 0)) return;
          left.shift();
          count = 0;
          throw new Error('the store fails');
        };
        const again = async <Result>(act: () => Promise<Result>): Promise<Result> => {
          for (;;) {
            try {
              return await act();
            } catch (error) {
              assert.match(String(error), /the store fails/);
            }
          }
        };
        await again(() => upload(store, source));
        const position = await again(() => downloadSnapshot(store, STREAM, target, log));
        assert.equal(position?.sequence, 40);
        assert.deepEqual(snapshotFiles(target), snapshotFiles(source));
      }),
      { numRuns: 15 },
    );
  }));
