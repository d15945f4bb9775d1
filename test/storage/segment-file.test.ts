/**
 * Segment files, case by case: names, sealing, writing in steps, and what each check refuses.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import {
  SEGMENT_CONTENT_CHECKSUM,
  SEGMENT_FIELD_COUNT,
  SEGMENT_FIELDS,
  SEGMENT_HEADER_BYTES,
  SEGMENT_HEADER_CHECKSUM,
  SEGMENT_VERSION,
} from '../../engine/layout/segment.js';
import { type Crc32c, crc32c } from '../../engine/storage/files/crc32c.js';
import {
  isSnapshotFile,
  liveDocsFileName,
  segmentFileId,
  segmentFileName,
  snapshotFilesOf,
} from '../../engine/storage/files/data-files.js';
import type { Directory, OpenMode, StorageFile } from '../../engine/storage/files/directory.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import {
  openSegmentFile,
  readSegmentHeader,
  sealSegment,
  verifySegmentBytes,
  verifySegmentFile,
  writeSegmentFile,
} from '../../engine/storage/files/segment-file.js';
import type { Manifest } from '../../engine/storage/types/manifest.js';
import { hasCode } from './expect-error.js';
import { MemoryDirectory } from './memory-directory.js';
import { makeSealedSegment, makeSegment, type SegmentShape } from './stored-segment.js';

const MIB = 1024 * 1024;
const NAME = 'segment-000007.seg';

const noise = (bytes: number): Uint8Array => new Uint8Array(bytes).map((_, index) => (index * 2654435761) >>> 24);

const shapeOf = (before: number, after: number): SegmentShape => ({
  id: 7,
  maxDoc: 12,
  fieldCount: 3,
  before: noise(before),
  after: noise(after),
});

/** Counts what happens to the files opened through it. */
class Watched implements Directory {
  readonly inner: Directory;
  readonly path: string;
  writes: number[] = [];
  syncs = 0;
  open_ = 0;

  constructor(inner: Directory) {
    this.inner = inner;
    this.path = inner.path;
  }
  list = (): string[] => this.inner.list();
  rename = (from: string, to: string): void => this.inner.rename(from, to);
  remove = (name: string): void => this.inner.remove(name);
  sync = (): void => this.inner.sync();
  freeBytes = (): number => this.inner.freeBytes();

  open(name: string, mode: OpenMode): StorageFile {
    const file = this.inner.open(name, mode);
    this.open_++;
    return {
      name,
      descriptor: file.descriptor,
      size: () => file.size(),
      read: (target, position) => file.read(target, position),
      write: (parts, position) => {
        this.writes.push(parts.reduce((sum, part) => sum + part.length, 0));
        file.write(parts, position);
      },
      truncate: (bytes) => file.truncate(bytes),
      sync: () => {
        this.syncs++;
        return file.sync();
      },
      syncNow: () => file.syncNow(),
      close: () => {
        this.open_--;
        file.close();
      },
    };
  }
}

test('names go both ways, and nothing else is taken for a file of a snapshot', () => {
  assert.equal(segmentFileName(1), 'segment-000001.seg');
  assert.equal(liveDocsFileName(1, 3), 'live-000001-000003.bits');
  for (const id of [1, 42, 999999, 1000000, 4294967295]) {
    assert.equal(segmentFileId(segmentFileName(id)), id);
    assert.ok(isSnapshotFile(segmentFileName(id)));
    assert.ok(isSnapshotFile(liveDocsFileName(id, id + 1)));
  }
  assert.ok(isSnapshotFile('MANIFEST.tmp'));
  const others = [
    'MANIFEST',
    'LOCK',
    'wal-000001.log',
    'segment-1.seg',
    'segment-0000001.seg',
    'segment-000001.seg.tmp',
  ];
  others.push(
    'xsegment-000001.seg',
    'live-000001.bits',
    'live-000001-3.bits',
    'live-0000001-000003.bits',
    'segment-.seg',
  );
  for (const name of others) {
    assert.equal(segmentFileId(name), null, name);
    assert.ok(!isSnapshotFile(name), name);
  }
});

test('the files of a manifest are its segments and their live docs', () => {
  const segment = { bytes: 1, checksum: 1, maxDoc: 1, liveCount: 1 };
  const collection = { id: 1, createdAt: 0, sequence: 1, schema: { name: 'a', fields: [] } };
  const manifest = {
    collections: [
      { ...collection, segments: [{ ...segment, id: 1, liveDocs: null }] },
      { ...collection, segments: [{ ...segment, id: 5, liveDocs: { snapshot: 2, checksum: 0 } }] },
    ],
  } as unknown as Manifest;
  const expected = ['segment-000001.seg', 'segment-000005.seg', 'live-000005-000002.bits'];
  assert.deepEqual(snapshotFilesOf(manifest), expected);
});

test('a segment is sealed once; sealing it again computes no checksum of its content', () => {
  const bytes = makeSegment(shapeOf(2000, 900));
  const checksum = sealSegment(bytes, 7, crc32c);
  assert.equal(checksum, crc32c(0, bytes, SEGMENT_HEADER_BYTES, bytes.length));
  const once = bytes.slice();
  let summed = 0;
  const counting: Crc32c = (crc, part, start, end) => {
    summed += end - start;
    return crc32c(crc, part, start, end);
  };
  assert.equal(sealSegment(bytes, 7, counting), checksum);
  assert.deepEqual(bytes, once);
  assert.ok(summed < 300, `${summed} bytes`);
  assert.throws(() => sealSegment(bytes, 8, crc32c), /assertion failed/);
  bytes[SEGMENT_CONTENT_CHECKSUM] ^= 1;
  assert.throws(() => sealSegment(bytes, 7, crc32c), hasCode('corrupt_data', NAME));
});

test('a large segment in shared memory is written in steps with a sync each, and comes back', async () => {
  const path = mkdtempSync(join(tmpdir(), 'sabre-segment-'));
  try {
    const { bytes, entry } = makeSealedSegment(shapeOf(17 * MIB, 100));
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 4096), 4096, bytes.length);
    shared.set(bytes);
    const directory = new Watched(openDirectory(path));
    await writeSegmentFile(directory, 7, shared);
    assert.deepEqual(directory.writes, [8 * MIB, 8 * MIB, bytes.length - 16 * MIB]);
    assert.equal(directory.syncs, 3);
    assert.equal(Buffer.compare(readFileSync(join(path, NAME)), bytes), 0);
    const file = openSegmentFile(directory, entry, crc32c);
    const pieces: number[] = [];
    await verifySegmentFile(file, NAME, entry, crc32c, (piece) => pieces.push(piece));
    assert.equal(
      pieces.reduce((sum, piece) => sum + piece, 0),
      bytes.length - SEGMENT_HEADER_BYTES,
    );
    assert.ok(Math.max(...pieces) <= MIB);
    file.close();
    assert.equal(directory.open_, 0);
  } finally {
    rmSync(path, { recursive: true });
  }
});

test('a failed write or sync is told, and the file is closed', async () => {
  const { bytes } = makeSealedSegment(shapeOf(100, 100));
  const inner = new MemoryDirectory();
  const directory = new Watched(inner);
  inner.room = 50;
  await assert.rejects(writeSegmentFile(directory, 7, bytes), hasCode('disk_full'));
  inner.room = Number.POSITIVE_INFINITY;
  inner.failing.add('sync');
  await assert.rejects(writeSegmentFile(directory, 7, bytes), hasCode('io_error'));
  assert.equal(directory.open_, 0);
});

test('verification lets other work run between its pieces', async () => {
  const { bytes, entry } = makeSealedSegment(shapeOf(3 * MIB, 100));
  const directory = new MemoryDirectory();
  await writeSegmentFile(directory, 7, bytes);
  const events: string[] = [];
  const verified = verifySegmentFile(openSegmentFile(directory, entry, crc32c), NAME, entry, crc32c, () => {
    events.push('piece');
    setImmediate(() => events.push('other'));
  });
  await verified;
  assert.ok(events.indexOf('other') < events.lastIndexOf('piece'), events.join());
});

async function stored(): Promise<{ directory: Watched; memory: MemoryDirectory; bytes: Uint8Array; open(): void }> {
  const { bytes, entry } = makeSealedSegment(shapeOf(500, 200));
  const memory = new MemoryDirectory();
  const directory = new Watched(memory);
  await writeSegmentFile(directory, 7, bytes);
  const open = (): void => openSegmentFile(directory, entry, crc32c).close();
  open();
  return { directory, memory, bytes, open };
}

test('a missing file, a short and a long one are corrupt data, with both sizes', async () => {
  const { directory, memory, bytes, open } = await stored();
  memory.files.set(NAME, bytes.slice(0, 700));
  assert.throws(open, hasCode('corrupt_data', `memory/${NAME}`, `a file of ${bytes.length} bytes, got 700`));
  memory.files.set(NAME, Buffer.concat([bytes, new Uint8Array(4)]));
  assert.throws(open, hasCode('corrupt_data', `got ${bytes.length + 4}`));
  memory.files.delete(NAME);
  assert.throws(open, hasCode('corrupt_data', NAME, `expected a file of ${bytes.length} bytes, got none`));
  assert.equal(directory.open_, 0);
});

test('a file that cannot be opened is no corrupt data', async () => {
  const { memory, open } = await stored();
  memory.open = () => {
    throw new EngineError('io_error', 'injected');
  };
  assert.throws(open, hasCode('io_error'));
});

test('a newer format version is named as such, before any checksum', async () => {
  const { memory, open } = await stored();
  memory.content(NAME)[SEGMENT_VERSION] = 4;
  assert.throws(open, hasCode('corrupt_data', 'newer', `offset ${SEGMENT_VERSION}`, 'expected 3, got 4'));
  memory.content(NAME)[SEGMENT_VERSION] = 0;
  assert.throws(open, hasCode('corrupt_data', 'unknown format version', 'expected 3, got 0'));
});

test('a foreign file is named as such', async () => {
  const { memory, open } = await stored();
  memory.content(NAME)[0] = 0;
  assert.throws(open, hasCode('corrupt_data', 'foreign', 'SABRESEG'));
});

test('a field table outside of the file is refused before it is read', async () => {
  const { memory, bytes, open } = await stored();
  const view = new DataView(memory.content(NAME).buffer);
  view.setUint32(SEGMENT_FIELD_COUNT, 0xffffffff, true);
  assert.throws(open, hasCode('corrupt_data', `offset ${SEGMENT_FIELDS}`, 'field table'));
  memory.files.set(NAME, bytes.slice());
  new DataView(memory.content(NAME).buffer).setUint32(SEGMENT_FIELDS, 64, true);
  assert.throws(open, hasCode('corrupt_data', 'field table'));
});

test("another segment's sound file is refused, by what differs", async () => {
  const { memory, open } = await stored();
  const others: [SegmentShape, string][] = [
    [{ ...shapeOf(500, 200), id: 8 }, 'number'],
    [{ ...shapeOf(500, 200), maxDoc: 13 }, 'documents'],
    [{ ...shapeOf(500, 200), before: new Uint8Array(500) }, 'content checksum'],
  ];
  for (const [shape, what] of others) {
    memory.files.set(NAME, makeSealedSegment(shape).bytes);
    assert.throws(open, hasCode('corrupt_data', what));
  }
});

test('damaged content passes the fast check and is refused by the full one, with both checksums', async () => {
  const { bytes, entry } = makeSealedSegment(shapeOf(500, 200));
  const directory = new MemoryDirectory();
  await writeSegmentFile(directory, 7, bytes);
  directory.content(NAME)[SEGMENT_HEADER_BYTES + 3] ^= 4;
  const file = openSegmentFile(directory, entry, crc32c);
  const expected = `0x${entry.checksum.toString(16).padStart(8, '0')}`;
  await assert.rejects(
    verifySegmentFile(file, 'here/it/is', entry, crc32c),
    hasCode('corrupt_data', 'here/it/is', `offset ${SEGMENT_HEADER_BYTES}`, expected),
  );
  assert.throws(() => verifySegmentBytes(directory.content(NAME), 'it', crc32c), hasCode('corrupt_data', 'it'));
});

test('a segment that was never sealed passes the check in memory, whatever it holds', () => {
  const bytes = makeSegment(shapeOf(500, 200));
  bytes[600] ^= 1;
  verifySegmentBytes(bytes, 'it', crc32c);
});

test('inspection reports which checksum of a damaged file holds', async () => {
  const { memory, bytes } = await stored();
  const inspect = (): [boolean, boolean] => {
    const header = readSegmentHeader(memory.open(NAME, 'read'), NAME, crc32c);
    assert.equal(header.segmentId, 7);
    assert.equal(header.maxDoc, 12);
    assert.equal(header.fieldCount, 3);
    assert.equal(header.bytes, bytes.length);
    return [header.isHeaderSound, header.isContentSound];
  };
  assert.deepEqual(inspect(), [true, true]);
  memory.content(NAME)[bytes.length - 1] ^= 1;
  assert.deepEqual(inspect(), [true, false]);
  memory.files.set(NAME, bytes.slice());
  memory.content(NAME)[SEGMENT_HEADER_CHECKSUM] ^= 1;
  assert.deepEqual(inspect(), [false, true]);
  memory.files.set(NAME, bytes.slice());
  memory.content(NAME)[SEGMENT_FIELDS + 3] ^= 0x80;
  assert.deepEqual(inspect(), [false, true]);
  memory.content(NAME)[0] = 0;
  assert.throws(() => inspect(), hasCode('corrupt_data'));
});
