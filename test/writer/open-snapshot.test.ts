/**
 * Damaged data directories at start: a collection whose files are not what the manifest says is refused, alone, and nothing
 * of it is lost; damage to the manifest, or a log that is missing, refuses the start. Each message says which file,
 * where, expected and got.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { MANIFEST_VERSION } from '../../engine/layout/manifest.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { MANIFEST_FILE } from '../../engine/storage/files/data-files.js';
import { decodeManifest, encodeManifest } from '../../engine/storage/files/manifest-file.js';
import { openReplica } from '../../engine/writer/recovery/open-replica.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import {
  A,
  B,
  checkRefused,
  commit,
  create,
  drop,
  flipped,
  type Harness,
  idsOf,
  index,
  LIVE_DOCS,
  remove,
  reopen,
  replace,
  SEGMENT,
  twoCollections,
  write,
} from '../support/damaged-collections.js';
import { silentLogger, WriteHarness } from '../support/engine-writes.js';
import type { SimulatedDirectory } from '../support/simulated-directory.js';

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
    assert.equal(last.collections.refused.count, 0);
    assert.deepEqual(Array.from(last.collections.all(), ({ schema }) => schema.name).sort(), ['a', 'b']);
  });
}

test('the drop of a damaged collection holds over a crash before the next snapshot', async () => {
  const { directory } = await twoCollections();
  replace(directory, SEGMENT, null);
  const harness = new WriteHarness(directory.crash({ mode: 'kill' }));
  await write(harness, drop(A));
  const again = reopen(harness);
  assert.equal(again.collections.refused.count, 0);
  assert.equal(idsOf(again, B).length, 5);
  await write(again, create('a'));
});

test('a collection that missed a part of a replicated log stays refused, though its files are sound', async () => {
  const before = await twoCollections();
  await before.snapshot();
  const disk = before.directory.crash({ mode: 'kill' });
  const manifest = decodeManifest(disk.content(MANIFEST_FILE), MANIFEST_FILE, crc32c);
  const missed = (name: string) => (name === 'a' ? 1 : 0);
  const collections = manifest.collections.map((entry) => ({
    ...entry,
    sequence: manifest.sequence - missed(entry.schema.name),
  }));
  const stream = { id: 'log', from: manifest.sequence + 1 };
  replace(disk, MANIFEST_FILE, encodeManifest({ ...manifest, collections, walFile: 0, stream }, crc32c));
  const into = new WriteHarness(new MemoryDirectory());
  const options = { logger: silentLogger, verify: false, onProgress: () => {} };
  openReplica(disk, into.collections, into.memory, options, 'log');
  const refused = Array.from(into.collections.refused.all(), ({ entry, error }) => [entry.schema.name, error.code]);
  assert.deepEqual(refused, [['a', 'corrupt_data']]);
  assert.deepEqual(
    Array.from(into.collections.all(), ({ schema }) => schema.name),
    ['b'],
  );
});

test('a folder for a replicated log whose first start ended with its manifest starts, one with a segment does not', () => {
  const open = (...names: string[]): number => {
    const disk = new MemoryDirectory();
    for (const name of names) disk.files.set(name, Uint8Array.of(1, 2, 3));
    const into = new WriteHarness(new MemoryDirectory());
    const options = { logger: silentLogger, verify: false, onProgress: () => {} };
    return openReplica(disk, into.collections, into.memory, options, 'log').manifest.snapshot;
  };
  assert.equal(open('MANIFEST.tmp'), 0);
  assert.throws(() => open('MANIFEST.tmp', SEGMENT), { code: 'corrupt_data' });
});

test('damaged content is found at start when every byte is compared', async () => {
  const { directory } = await twoCollections();
  const bytes = directory.content(SEGMENT);
  replace(directory, SEGMENT, flipped(bytes, Buffer.from(bytes).indexOf('words')));
  const careless = new WriteHarness(directory.crash({ mode: 'kill' }));
  assert.equal(careless.collections.refused.count, 0);
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
  assert.equal(harness.collections.refused.count, 0);
  const a = ['a4', 'a5', 'a6', 'a2', 'late'];
  assert.deepEqual(idsOf(harness, A), a);
  assert.equal(idsOf(harness, B).length, 11);
  await harness.snapshot();
  const log = harness.directory.list().filter((name) => name.startsWith('wal-'));
  assert.equal(log.length, 1, 'nobody needs the rest any more');
  assert.deepEqual(idsOf(reopen(harness, true), A), a);
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
  refusesToStart(directory.crash({ mode: 'kill' }), /MANIFEST.*newer.*expected 5, got 9/);
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
