/**
 * The manifest file, case by case: what is refused and how it is named, and how one replaces another.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import {
  MANIFEST_CHECKSUM,
  MANIFEST_HEADER_BYTES,
  MANIFEST_PAYLOAD_BYTES,
  MANIFEST_VERSION,
} from '../../engine/layout/manifest.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import {
  decodeManifest,
  encodeManifest,
  readManifest,
  switchManifest,
  writeManifestTemporary,
} from '../../engine/storage/files/manifest-file.js';
import type { Manifest } from '../../engine/storage/types/manifest.js';
import { hasCode } from './expect-error.js';
import { MemoryDirectory } from './memory-directory.js';

const SCHEMA = parseSchema({ name: 'films', fields: [{ name: 'title', type: 'text', boost: 1.5 }] });

const MANIFEST: Manifest = {
  snapshot: 3,
  directoryId: 'd1',
  sequence: 2 ** 40,
  nextSegmentId: 6,
  nextCollectionId: 2,
  walFile: 9,
  writtenAt: 1_790_000_000_000,
  collections: [
    {
      id: 1,
      createdAt: 1_789_000_000_000,
      schema: SCHEMA,
      sequence: 2 ** 40 - 1,
      segments: [
        { id: 2, bytes: 4096, checksum: 0xffffffff, maxDoc: 10, liveCount: 10, liveDocs: null },
        { id: 5, bytes: 8192, checksum: 1, maxDoc: 65, liveCount: 0, liveDocs: { snapshot: 3, checksum: 7 } },
      ],
    },
  ],
};

/** A file whose frame is sound around any payload. */
function frame(payload: Uint8Array): Uint8Array {
  const bytes = encodeManifest({ ...MANIFEST, collections: [] }, crc32c).slice(0, MANIFEST_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(MANIFEST_PAYLOAD_BYTES, payload.length, true);
  const crc = crc32c(crc32c(0, bytes, 0, MANIFEST_CHECKSUM), payload, 0, payload.length);
  view.setUint32(MANIFEST_CHECKSUM, crc, true);
  return Buffer.concat([bytes, payload]);
}

const decodeFrame = (payload: Uint8Array): Manifest => decodeManifest(frame(payload), 'dir/MANIFEST', crc32c);

test('a manifest comes back as it was written, and an empty directory has none', async () => {
  const directory = new MemoryDirectory();
  assert.equal(readManifest(directory, crc32c), null);
  const bytes = writeManifestTemporary(directory, MANIFEST, crc32c);
  assert.equal(directory.content('MANIFEST.tmp').length, bytes);
  assert.equal(readManifest(directory, crc32c), null);
  switchManifest(directory);
  assert.deepEqual(readManifest(directory, crc32c), MANIFEST);
  assert.deepEqual(directory.list(), ['MANIFEST']);
});

test('aliases come back', () => {
  const { id } = MANIFEST.collections[0];
  const manifest = { ...MANIFEST, aliases: ['shop', 'Shop'].map((name) => ({ name, collectionId: id })) };
  assert.deepEqual(decodeManifest(encodeManifest(manifest, crc32c), 'dir/MANIFEST', crc32c), manifest);
});

test('the old manifest stays in force until the new one is written whole', async () => {
  const directory = new MemoryDirectory();
  writeManifestTemporary(directory, MANIFEST, crc32c);
  switchManifest(directory);
  directory.room = 40;
  assert.throws(() => writeManifestTemporary(directory, { ...MANIFEST, snapshot: 4 }, crc32c), hasCode('disk_full'));
  assert.deepEqual(readManifest(directory, crc32c), MANIFEST);
  directory.room = Number.POSITIVE_INFINITY;
  directory.failing.add('sync');
  assert.throws(() => writeManifestTemporary(directory, { ...MANIFEST, snapshot: 4 }, crc32c), hasCode('io_error'));
  directory.failing.clear();
  writeManifestTemporary(directory, { ...MANIFEST, snapshot: 4 }, crc32c);
  switchManifest(directory);
  assert.equal(readManifest(directory, crc32c)?.snapshot, 4);
});

test('a switch whose directory cannot be synced is told', async () => {
  const directory = new MemoryDirectory();
  writeManifestTemporary(directory, MANIFEST, crc32c);
  directory.failing.add('syncDirectory');
  assert.throws(() => switchManifest(directory), hasCode('io_error'));
});

test('foreign, newer, short and damaged files are refused by what they are', () => {
  const sound = encodeManifest(MANIFEST, crc32c);
  const decodeChanged = (offset: number, value: number): Manifest => {
    const bytes = sound.slice();
    bytes[offset] = value;
    return decodeManifest(bytes, 'dir/MANIFEST', crc32c);
  };
  assert.throws(() => decodeChanged(0, 0x41), hasCode('corrupt_data', 'dir/MANIFEST', 'foreign', 'SABREMAN'));
  assert.throws(
    () => decodeChanged(MANIFEST_VERSION, 9),
    hasCode('corrupt_data', 'newer', `offset ${MANIFEST_VERSION}`, 'expected 5, got 9'),
  );
  assert.throws(() => decodeChanged(MANIFEST_HEADER_BYTES + 9, 0), hasCode('corrupt_data', 'checksum'));
  const short = sound.subarray(0, sound.length - 1);
  assert.throws(() => decodeManifest(short, 'dir/MANIFEST', crc32c), hasCode('corrupt_data', `${sound.length} bytes`));
  assert.throws(() => decodeManifest(new Uint8Array(0), 'dir/MANIFEST', crc32c), hasCode('corrupt_data', 'got 0'));
});

test('a payload that is no MessagePack is corrupt data though its checksum holds', () => {
  for (const payload of [[], [0xc1], [0x81], [0x80, 0x80], [0xdd, 255, 255, 255, 255]]) {
    assert.throws(() => decodeFrame(Uint8Array.from(payload)), hasCode('corrupt_data', 'wrong payload'));
  }
});

test('a payload that says what no snapshot writes is corrupt data, and the place is named', () => {
  const [collection] = MANIFEST.collections;
  const [whole, partial] = collection.segments;
  const withSegments = (...segments: unknown[]): unknown => ({
    ...MANIFEST,
    collections: [{ ...collection, segments }],
  });
  const cases: [unknown, string][] = [
    [null, 'manifest'],
    [[], 'manifest'],
    [{ ...MANIFEST, snapshot: -1 }, 'manifest.snapshot'],
    [{ ...MANIFEST, sequence: 1.5 }, 'manifest.sequence'],
    [{ ...MANIFEST, walFile: '9' }, 'manifest.walFile'],
    [{ ...MANIFEST, writtenAt: undefined }, 'manifest.writtenAt'],
    [{ ...MANIFEST, directoryId: 7 }, 'manifest.directoryId'],
    [{ ...MANIFEST, collections: {} }, 'manifest.collections'],
    [{ ...MANIFEST, collections: [7] }, 'manifest.collections[0]'],
    [{ ...MANIFEST, nextCollectionId: 1 }, 'manifest.collections[0].id'],
    [{ ...MANIFEST, nextSegmentId: 5 }, 'segments[1].id'],
    [{ ...MANIFEST, sequence: 4 }, 'manifest.collections[0].sequence'],
    [{ ...MANIFEST, snapshot: 2 }, 'segments[1].liveDocs.snapshot'],
    [{ ...MANIFEST, collections: [{ ...collection, schema: { name: 'films' } }] }, 'fields'],
    [{ ...MANIFEST, nextCollectionId: 3, collections: [collection, { ...collection, id: 2 }] }, 'films twice'],
    [withSegments({ ...whole, id: 0 }), 'segments[0].id'],
    [withSegments({ ...whole, bytes: 127 }), 'segments[0].bytes'],
    [withSegments({ ...whole, checksum: 2 ** 32 }), 'segments[0].checksum'],
    [withSegments({ ...whole, liveCount: 9 }), 'segments[0].liveCount'],
    [withSegments({ ...partial, liveCount: 66 }), 'segments[0].liveCount'],
    [withSegments({ ...partial, liveDocs: undefined }), 'segments[0].liveCount'],
    [withSegments({ ...partial, liveDocs: { snapshot: 1 } }), 'segments[0].liveDocs.checksum'],
    [withSegments(whole, whole), 'segment 2 twice'],
    [{ ...MANIFEST, aliases: [{ name: 'shop' }] }, 'manifest.aliases[0].collectionId'],
    [{ ...MANIFEST, aliases: [{ name: 7, collectionId: collection.id }] }, 'manifest.aliases[0].name'],
    [{ ...MANIFEST, aliases: [{ name: 'shop', collectionId: 99 }] }, 'manifest.aliases[0].collectionId: expected the'],
    [{ ...MANIFEST, aliases: [{ name: 'films', collectionId: collection.id }] }, 'collection or alias films twice'],
  ];
  for (const [payload, place] of cases) {
    assert.throws(() => decodeFrame(encode(payload)), hasCode('corrupt_data', 'wrong payload', place), place);
  }
});

const COMPOUNDS = [
  { snapshot: 2, bytes: 5000 },
  { snapshot: 3, bytes: 9000 },
];

/** MANIFEST with its segments in compound files; `more`: keys that every map of it has besides its own. */
const packed = (more: object): Manifest => ({
  ...MANIFEST,
  ...more,
  compounds: COMPOUNDS.map((compound) => ({ ...compound, ...more })),
  collections: MANIFEST.collections.map((collection) => ({
    ...collection,
    ...more,
    segments: collection.segments.map((segment, index) => ({
      ...segment,
      ...more,
      place: { compound: 2 + index, offset: 20, bytes: segment.bytes, ...more },
    })),
  })),
});
const PACKED = packed({});

test('a manifest with compound files comes back, and places outside of them are corrupt data', () => {
  assert.deepEqual(decodeManifest(encodeManifest(PACKED, crc32c), 'dir/MANIFEST', crc32c), PACKED);
  const [collection] = PACKED.collections;
  const [first] = collection.segments;
  const withPlace = (place: unknown): unknown => ({
    ...PACKED,
    collections: [{ ...collection, segments: [{ ...first, place }] }],
  });
  const withLiveDocsIn = (place: unknown): unknown => ({
    ...PACKED,
    collections: [{ ...collection, segments: [{ ...first, liveDocs: { snapshot: 1, checksum: 1, place } }] }],
  });
  const cases: [unknown, string][] = [
    [{ ...PACKED, compounds: {} }, 'manifest.compounds: expected'],
    [
      { ...PACKED, compounds: [{ snapshot: 4, bytes: 5000 }] },
      'manifest.compounds[0].snapshot: expected 1 to 3, got 4',
    ],
    [
      { ...PACKED, compounds: [{ snapshot: 0, bytes: 5000 }] },
      'manifest.compounds[0].snapshot: expected 1 to 3, got 0',
    ],
    [{ ...PACKED, compounds: [{ snapshot: 2, bytes: 19 }] }, 'manifest.compounds[0].bytes'],
    [{ ...PACKED, compounds: [...COMPOUNDS, COMPOUNDS[0]] }, 'compound file 2 twice'],
    [{ ...PACKED, compounds: [COMPOUNDS[0]] }, 'segments[1].place.compound'],
    [withPlace(null), 'segments[0].place: expected'],
    [withPlace({ compound: 2, offset: 19, bytes: 1 }), 'segments[0].place.offset'],
    [withPlace({ compound: 2, offset: 5001, bytes: 0 }), 'segments[0].place.offset: expected 0 to 5000, got 5001'],
    [withPlace({ compound: 2, offset: 20, bytes: 4981 }), 'segments[0].place.bytes: expected 0 to 4980, got 4981'],
    [withLiveDocsIn({ compound: 7, offset: 20, bytes: 1 }), 'segments[0].liveDocs.place.compound'],
  ];
  for (const [payload, place] of cases) {
    assert.throws(() => decodeFrame(encode(payload)), hasCode('corrupt_data', 'wrong payload', place), place);
  }
});

test('keys that no manifest has are not read, and not written', () => {
  const more = packed({ more: 1 });
  assert.deepEqual(decodeFrame(encode(more)), PACKED);
  const before = structuredClone(more);
  assert.deepEqual(encodeManifest(more, crc32c), encodeManifest(PACKED, crc32c));
  assert.deepEqual(more, before, 'the writer keeps what it gave');
});

test('what is wrong with a number is said with its place, what was expected and what is there', () => {
  const cases: [unknown, RegExp][] = [
    [{ ...MANIFEST, snapshot: -1 }, /manifest\.snapshot: expected .*uint32.*, got -1/],
    [
      { ...MANIFEST, sequence: 2 ** 53 },
      /manifest\.sequence: expected .*Maximum<9007199254740991>.*, got 9007199254740992/,
    ],
    [{ ...MANIFEST, nextSegmentId: 0 }, /manifest\.nextSegmentId: expected .*Minimum<1>.*, got 0/],
    [{ ...MANIFEST, directoryId: '' }, /manifest\.directoryId: expected .*MinLength<1>.*, got string/],
    [{ ...MANIFEST, nextCollectionId: 1 }, /manifest\.collections\[0\]\.id: expected 0 to 0, got 1/],
  ];
  for (const [payload, message] of cases) assert.throws(() => decodeFrame(encode(payload)), message);
});

test('what could not be read back is not encoded', () => {
  assert.throws(() => encodeManifest({ ...MANIFEST, sequence: -1 }, crc32c), /manifest\.sequence/);
});
