/**
 * What is stored in a snapshot comes back, and no flipped bit and no truncation of any of its files goes unnoticed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIELD_ENTRY_BYTES, SEGMENT_HEADER_BYTES } from '../../engine/layout/segment.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { readLiveDocsFile, writeLiveDocsFile } from '../../engine/storage/files/live-docs-file.js';
import { decodeManifest, encodeManifest } from '../../engine/storage/files/manifest-file.js';
import {
  openSegmentFile,
  verifySegmentBytes,
  verifySegmentFile,
  writeSegmentFile,
} from '../../engine/storage/files/segment-file.js';
import type { Manifest, ManifestCollection, ManifestSegment } from '../../engine/storage/types/manifest.js';
import { hasCode } from './expect-error.js';
import { MemoryDirectory } from './memory-directory.js';
import { makeSealedSegment } from './stored-segment.js';

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const refused = hasCode('corrupt_data');

const shapes = fc.record({
  id: fc.integer({ min: 1, max: 0xffffffff }),
  maxDoc: u32,
  fieldCount: fc.integer({ min: 0, max: 4 }),
  before: fc.uint8Array({ maxLength: 80 }),
  after: fc.uint8Array({ maxLength: 80 }),
});

/** Every file that differs from `bytes` in one bit of one byte: the bit is drawn, the byte runs over all. */
function* flips(bytes: Uint8Array, bit: number): Generator<[position: number, changed: Uint8Array]> {
  for (let position = 0; position < bytes.length; position++) {
    const changed = bytes.slice();
    changed[position] ^= 1 << ((bit + position) & 7);
    yield [position, changed];
  }
}

function* truncations(bytes: Uint8Array): Generator<Uint8Array> {
  for (let length = 0; length < bytes.length; length++) yield bytes.slice(0, length);
}

async function openAndVerify(directory: MemoryDirectory, entry: ManifestSegment): Promise<void> {
  const file = openSegmentFile(directory, entry, crc32c);
  await verifySegmentFile(file, file.name, entry, crc32c);
  file.close();
}

test('every flipped bit of a segment is refused: in header and field table by the fast check, elsewhere by the full one', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, fc.nat(7), async (shape, bit) => {
      const { bytes, entry } = makeSealedSegment(shape);
      const directory = new MemoryDirectory();
      await writeSegmentFile(directory, shape.id, bytes);
      await openAndVerify(directory, entry);
      verifySegmentBytes(bytes, 'segment', crc32c);
      const [name] = directory.list();
      const table = SEGMENT_HEADER_BYTES + shape.before.length;
      for (const [position, changed] of flips(bytes, bit)) {
        directory.files.set(name, changed);
        const isFast =
          position < SEGMENT_HEADER_BYTES ||
          (position >= table && position < table + shape.fieldCount * FIELD_ENTRY_BYTES);
        if (isFast) assert.throws(() => openSegmentFile(directory, entry, crc32c), refused, `byte ${position}`);
        else await assert.rejects(openAndVerify(directory, entry), refused, `byte ${position}`);
        assert.throws(() => verifySegmentBytes(changed, 'segment', crc32c), refused, `byte ${position}`);
      }
    }),
    { numRuns: 20 },
  );
});

test('every truncation of a segment is refused by the fast check', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const { bytes, entry } = makeSealedSegment(shape);
      const directory = new MemoryDirectory();
      const name = `segment-${String(shape.id).padStart(6, '0')}.seg`;
      for (const short of truncations(bytes)) {
        directory.files.set(name, short);
        assert.throws(() => openSegmentFile(directory, entry, crc32c), refused, `${short.length} bytes`);
      }
    }),
    { numRuns: 20 },
  );
});

test('live docs come back as they were, and every flipped bit and truncation is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 300 }),
      fc.integer({ min: 1, max: 0xffffffff }),
      fc.nat(7),
      async (live, id, bit) => {
        const bitmap = new Uint8Array(Math.ceil(live.length / 64) * 8);
        for (const [doc, isLive] of live.entries()) if (isLive) bitmap[doc >> 3] |= 1 << (doc & 7);
        const liveCount = live.filter(Boolean).length;
        const directory = new MemoryDirectory();
        const header = { segmentId: id, snapshot: 5, maxDoc: live.length, liveCount };
        const checksum = await writeLiveDocsFile(directory, header, bitmap, crc32c);
        const liveDocs = { snapshot: 5, checksum };
        const entry = { id, bytes: 128, checksum: 0, maxDoc: live.length, liveCount, liveDocs };
        assert.deepEqual(readLiveDocsFile(directory, entry, crc32c), bitmap);
        const [[name, bytes]] = directory.files;
        const read = (changed: Uint8Array): void => {
          directory.files.set(name, changed);
          readLiveDocsFile(directory, entry, crc32c);
        };
        for (const [position, changed] of flips(bytes, bit)) assert.throws(() => read(changed), refused, `${position}`);
        for (const short of truncations(bytes)) assert.throws(() => read(short), refused, `${short.length} bytes`);
        assert.throws(() => read(Buffer.concat([bytes, new Uint8Array(1)])), refused);
      },
    ),
    { numRuns: 30 },
  );
});

const safe = fc.maxSafeNat();

const segments = fc.array(
  fc.tuple(
    u32,
    u32,
    fc.integer({ min: 128, max: 0xffffffff }),
    fc.option(fc.tuple(fc.integer({ min: 1, max: 9 }), u32)),
  ),
  { maxLength: 5 },
);

function segmentsOf(
  drawn: typeof segments extends fc.Arbitrary<infer T> ? T : never,
  firstId: number,
): ManifestSegment[] {
  return drawn.map(([checksum, count, bytes, liveDocs], index) => ({
    id: firstId + index,
    bytes,
    checksum,
    maxDoc: count,
    liveCount: liveDocs === null ? count : count >>> 1,
    liveDocs: liveDocs === null ? null : { snapshot: liveDocs[0], checksum: liveDocs[1] },
  }));
}

const manifests: fc.Arbitrary<Manifest> = fc
  .tuple(fc.array(segments, { maxLength: 4 }), safe, safe, fc.integer({ min: 9, max: 0xffffffff }), fc.uuid())
  .map(([drawn, sequence, time, snapshot, directoryId]) => {
    const collections = drawn.map(
      (list, index): ManifestCollection => ({
        id: index,
        createdAt: time,
        schema: parseSchema({
          name: `c${index}`,
          fields: [
            { name: 'title', type: 'text', boost: 0.1 * index },
            { name: 'year', type: 'int', sort: true, facet: true },
          ],
          default_sorting_field: 'year',
        }),
        sequence: Math.floor(sequence / (index + 1)),
        segments: segmentsOf(list, 1 + index * 10),
      }),
    );
    return {
      snapshot,
      directoryId,
      sequence,
      nextSegmentId: 100,
      nextCollectionId: 10,
      walFile: sequence % 1000,
      writtenAt: time,
      collections,
    };
  });

test('a manifest comes back as it was, and every flipped bit and truncation is refused', () => {
  fc.assert(
    fc.property(manifests, fc.nat(7), (manifest, bit) => {
      const bytes = encodeManifest(manifest, crc32c);
      const read = (changed: Uint8Array): Manifest => decodeManifest(changed, 'MANIFEST', crc32c);
      assert.deepEqual(read(bytes), manifest);
      for (const [position, changed] of flips(bytes, bit)) assert.throws(() => read(changed), refused, `${position}`);
      for (const short of truncations(bytes)) assert.throws(() => read(short), refused, `${short.length} bytes`);
      assert.throws(() => read(Buffer.concat([bytes, new Uint8Array(1)])), refused);
    }),
    { numRuns: 30 },
  );
});
