/**
 * The catalog of a snapshot comes back as it was written; whatever else is refused, with the reason.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeCatalog,
  encodeCatalog,
  PIECE_BYTES_MAX,
  type SnapshotCatalog,
  sequenceIn,
  sha256,
  snapshotName,
  UnreadableCatalog,
} from '../../src/cluster/store/snapshot-catalog.js';

const hash = fc.integer().map((value) => sha256(Buffer.from(String(value))));
const file = fc.record({
  name: fc.constantFrom('MANIFEST', 'segment-000001.seg', 'live-000001-000002.bits'),
  bytes: fc.nat(3 * PIECE_BYTES_MAX),
});
const files = fc.uniqueArray(file, { selector: ({ name }) => name }).chain((list) =>
  fc.tuple(
    ...list.map(({ name, bytes }) => {
      const length = Math.ceil(bytes / PIECE_BYTES_MAX);
      return fc.array(hash, { minLength: length, maxLength: length }).map((pieces) => ({ name, bytes, pieces }));
    }),
  ),
);
const catalogs: fc.Arbitrary<SnapshotCatalog> = fc
  .record({
    sequence: fc.maxSafeNat(),
    back: fc.nat(10),
    files,
    node: fc.constantFrom('a', 'node-2_b'),
    writtenAt: fc.nat(),
  })
  .map(({ sequence, back, ...rest }) => ({
    ...rest,
    sequence: Math.min(sequence, 9_999_999_999_999_99),
    replayFrom: Math.max(1, Math.min(sequence, 9_999_999_999_999_99) + 1 - back),
    streamId: 'stream-1',
    directoryId: 'directory-1',
  }));

test('a catalog comes back as it was written, and its name tells its sequence', () => {
  fc.assert(
    fc.property(catalogs, (catalog) => {
      assert.deepEqual(decodeCatalog(encodeCatalog(catalog)), catalog);
      assert.equal(sequenceIn(snapshotName(catalog)), catalog.sequence);
    }),
  );
});

test('a catalog with any flipped bit is refused', () => {
  fc.assert(
    fc.property(catalogs, fc.nat(), fc.nat(7), (catalog, at, bit) => {
      const bytes = encodeCatalog(catalog);
      bytes[at % bytes.length] ^= 1 << bit;
      assert.throws(() => decodeCatalog(bytes), UnreadableCatalog);
    }),
  );
});

test('a newer catalog, and one that no upload writes, are refused with the reason', () => {
  const framed = (value: unknown, version = '1'): Uint8Array => {
    const json = Buffer.from(JSON.stringify(value));
    return Buffer.concat([Buffer.from(`sabre-snapshot ${version} ${sha256(json)}\n`), json]);
  };
  const good = { streamId: 's', sequence: 5, replayFrom: 6, node: 'a', directoryId: 'd', writtenAt: 1, files: [] };
  assert.deepEqual(decodeCatalog(framed(good)), good);
  assert.throws(() => decodeCatalog(framed(good, '2')), /version 2/);
  assert.throws(() => decodeCatalog(new Uint8Array()), /does not begin/);
  const piece = 'a'.repeat(64);
  const bad: unknown[] = [
    null,
    { ...good, sequence: -1 },
    { ...good, replayFrom: 7 },
    { ...good, node: '' },
    { ...good, files: [{ name: '../MANIFEST', bytes: 1, pieces: [piece] }] },
    { ...good, files: [{ name: '.', bytes: 1, pieces: [piece] }] },
    { ...good, files: [{ name: 'MANIFEST', bytes: 1, pieces: [] }] },
    { ...good, files: [{ name: 'MANIFEST', bytes: 1, pieces: ['../x'] }] },
    {
      ...good,
      files: [
        { name: 'MANIFEST', bytes: 0, pieces: [] },
        { name: 'MANIFEST', bytes: 0, pieces: [] },
      ],
    },
  ];
  for (const value of bad) assert.throws(() => decodeCatalog(framed(value)), /no list of files/, JSON.stringify(value));
});
