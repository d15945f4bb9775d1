/**
 * Live-docs files, case by case: what is written comes back, anything else is refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LIVE_DOCS_CHECKSUM,
  LIVE_DOCS_HEADER_BYTES,
  LIVE_DOCS_LIVE_COUNT,
  LIVE_DOCS_VERSION,
} from '../../engine/layout/live-docs.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { readLiveDocsFile, writeLiveDocsFile } from '../../engine/storage/files/live-docs-file.js';
import type { ManifestSegment } from '../../engine/storage/types/manifest.js';
import { hasCode } from './expect-error.js';
import { MemoryDirectory } from './memory-directory.js';

const NAME = 'live-000004-000002.bits';
const HEADER = { segmentId: 4, snapshot: 2, maxDoc: 70, liveCount: 3 };

/** Documents 0, 9 and 69 of 70 are live. */
const bitmapOf = (): Uint8Array => {
  const bitmap = new Uint8Array(16);
  bitmap[0] = 1;
  bitmap[1] = 2;
  bitmap[8] = 32;
  return bitmap;
};

async function stored(): Promise<{ directory: MemoryDirectory; entry: ManifestSegment }> {
  const directory = new MemoryDirectory();
  const checksum = await writeLiveDocsFile(directory, HEADER, bitmapOf(), crc32c);
  const liveDocs = { snapshot: 2, checksum };
  return { directory, entry: { id: 4, bytes: 4096, checksum: 99, maxDoc: 70, liveCount: 3, liveDocs } };
}

test('a bitmap comes back; what a larger buffer holds behind it is not written', async () => {
  const { directory, entry } = await stored();
  assert.deepEqual(readLiveDocsFile(directory, entry, crc32c), bitmapOf());
  const alone = directory.content(NAME).slice();
  const shared = new Uint8Array(new SharedArrayBuffer(4096)).fill(0xff);
  shared.set(bitmapOf());
  assert.equal(await writeLiveDocsFile(directory, HEADER, shared, crc32c), entry.liveDocs?.checksum);
  assert.deepEqual(directory.content(NAME), alone);
});

test('a missing file, a short one and a newer one are corrupt data', async () => {
  const { directory, entry } = await stored();
  const sound = directory.content(NAME).slice();
  const read = (): Uint8Array => readLiveDocsFile(directory, entry, crc32c);
  directory.files.set(NAME, sound.slice(0, 40));
  assert.throws(read, hasCode('corrupt_data', `memory/${NAME}`, 'a file of 48 bytes, got 40'));
  directory.files.set(NAME, sound.slice());
  directory.content(NAME)[LIVE_DOCS_VERSION] = 2;
  assert.throws(read, hasCode('corrupt_data', 'newer', 'expected 1, got 2'));
  directory.files.delete(NAME);
  assert.throws(read, hasCode('corrupt_data', NAME, 'a file of 48 bytes, got none'));
});

test('a bit that moved, so that the count still holds, is refused', async () => {
  const { directory, entry } = await stored();
  directory.content(NAME)[LIVE_DOCS_HEADER_BYTES] = 2;
  assert.throws(() => readLiveDocsFile(directory, entry, crc32c), hasCode('corrupt_data', 'checksum'));
});

test("another snapshot's sound file is refused", async () => {
  const { directory, entry } = await stored();
  const others = [
    { ...HEADER, segmentId: 5 },
    { ...HEADER, snapshot: 3 },
    { ...HEADER, maxDoc: 71 },
  ];
  for (const header of others) {
    const other = new MemoryDirectory();
    await writeLiveDocsFile(other, header, bitmapOf(), crc32c);
    const [bytes] = other.files.values();
    directory.files.set(NAME, bytes);
    assert.throws(() => readLiveDocsFile(directory, entry, crc32c), hasCode('corrupt_data', 'other live docs'));
  }
});

/** Changes the stored file, then makes checksum and manifest agree with it. */
async function forged(change: (bytes: Uint8Array, view: DataView) => void): Promise<() => Uint8Array> {
  const { directory, entry } = await stored();
  const bytes = directory.content(NAME);
  const view = new DataView(bytes.buffer);
  change(bytes, view);
  const checksum = crc32c(crc32c(0, bytes, 0, LIVE_DOCS_CHECKSUM), bytes, LIVE_DOCS_HEADER_BYTES, bytes.length);
  view.setUint32(LIVE_DOCS_CHECKSUM, checksum, true);
  const liveCount = view.getUint32(LIVE_DOCS_LIVE_COUNT, true);
  return () => readLiveDocsFile(directory, { ...entry, liveCount, liveDocs: { snapshot: 2, checksum } }, crc32c);
}

test('a bit past the last document is refused though the checksum holds', async () => {
  const read = await forged((bytes) => {
    bytes[LIVE_DOCS_HEADER_BYTES] = 0;
    bytes[LIVE_DOCS_HEADER_BYTES + 8] |= 64;
  });
  assert.throws(read, hasCode('corrupt_data', 'no bit past 70, got bit 70'));
});

test('a count that is not the number of bits is refused though the checksum holds', async () => {
  const read = await forged((_, view) => view.setUint32(LIVE_DOCS_LIVE_COUNT, 4, true));
  assert.throws(read, hasCode('corrupt_data', 'expected 4 live documents, got 3'));
});

test('a count that is not the number of bits is not written', async () => {
  const directory = new MemoryDirectory();
  await assert.rejects(writeLiveDocsFile(directory, { ...HEADER, liveCount: 2 }, bitmapOf(), crc32c), /assertion/);
  assert.deepEqual(directory.list(), []);
});

test('a failed write or sync is told', async () => {
  const directory = new MemoryDirectory();
  directory.room = 40;
  await assert.rejects(writeLiveDocsFile(directory, HEADER, bitmapOf(), crc32c), hasCode('disk_full'));
  directory.room = 100;
  directory.failing.add('sync');
  await assert.rejects(writeLiveDocsFile(directory, HEADER, bitmapOf(), crc32c), hasCode('io_error'));
});
