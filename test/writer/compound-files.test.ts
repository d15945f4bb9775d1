/**
 * Small segments and live docs share a file: what is written when, how much garbage may lie in compound files, and that
 * whatever lies in one comes back.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compoundFileName, MANIFEST_FILE, segmentFileName } from '../../engine/storage/files/data-files.js';
import type { ManifestSegment } from '../../engine/storage/types/manifest.js';
import { ID, idsOf, SnapshotFixture } from '../support/snapshot-fixture.js';

const SMALL = { partBytesMax: 1 << 16, ownFilesMax: 2 };
const COMPOUNDS = { compounds: SMALL };

const segmentsOf = ({ harness }: SnapshotFixture): readonly ManifestSegment[] =>
  harness.snapshots.manifest.collections.flatMap(({ segments }) => segments);

/** Bytes in use of each compound file that the manifest names. */
function bytesInUse(fixture: SnapshotFixture): Map<number, number> {
  const bytes = new Map((fixture.harness.snapshots.manifest.compounds ?? []).map(({ snapshot }) => [snapshot, 0]));
  for (const { place, liveDocs } of segmentsOf(fixture))
    for (const at of [place, liveDocs?.place])
      if (at !== undefined) bytes.set(at.compound, (bytes.get(at.compound) ?? 0) + at.bytes);
  return bytes;
}

test('more than a few small files share one, with one sync', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b', 'c'], COMPOUNDS);
  const { harness, directory } = fixture;
  const before = directory.operations.length;
  const written = await fixture.written(() => harness.snapshot());
  assert.deepEqual(written, [compoundFileName(1), 'MANIFEST.tmp']);
  const syncs = directory.operations.slice(before).filter(({ kind, name }) => kind === 'sync' && name === written[0]);
  assert.equal(syncs.length, 1);
  assert.deepEqual(fixture.files, [MANIFEST_FILE, compoundFileName(1)]);
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b', 'c']);
  // A few get files of their own.
  await fixture.index('d');
  assert.deepEqual(await fixture.written(() => harness.snapshot()), [segmentFileName(4), 'MANIFEST.tmp']);
  // Nothing is written that is on disk.
  assert.deepEqual(await fixture.written(() => harness.snapshot()), ['MANIFEST.tmp']);
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b', 'c', 'd']);
});

test('live docs of segments in a compound file are written apart from them, and come back', async () => {
  const fixture = await SnapshotFixture.with([], COMPOUNDS);
  for (let n = 0; n < 4; n++) await fixture.indexAll([`a${n}`, `b${n}`]);
  await fixture.harness.snapshot();
  for (let n = 0; n < 3; n++) await fixture.delete(`a${n}`);
  assert.deepEqual(await fixture.written(() => fixture.harness.snapshot()), [compoundFileName(2), 'MANIFEST.tmp']);
  const places = segmentsOf(fixture).map(({ place, liveDocs }) => [place?.compound, liveDocs?.place?.compound]);
  assert.deepEqual(places, [...Array(3).fill([1, 2]), [1, undefined]]);
  assert.deepEqual(idsOf(fixture.reopened()), ['b0', 'b1', 'b2', 'a3', 'b3']);
});

test('a compound file of which less than half is in use is written anew, and an unused one goes', async () => {
  const ids = Array.from({ length: 10 }, (_, n) => `id${n}`);
  const fixture = await SnapshotFixture.with(ids, COMPOUNDS);
  await fixture.harness.snapshot();
  for (const id of ids.slice(0, 5)) await fixture.delete(id);
  // About half is in use still: the header takes a little more.
  await fixture.delete('id5');
  const written = await fixture.written(() => fixture.harness.snapshot());
  assert.deepEqual(written, [compoundFileName(2), 'MANIFEST.tmp']);
  assert.deepEqual(fixture.files, [MANIFEST_FILE, compoundFileName(2)]);
  assert.deepEqual(idsOf(fixture.reopened()), ids.slice(6));
  // The few that are left of it are files of their own then.
  for (const id of ids.slice(6, 9)) await fixture.delete(id);
  assert.deepEqual(await fixture.written(() => fixture.harness.snapshot()), [segmentFileName(10), 'MANIFEST.tmp']);
  assert.deepEqual(fixture.files, [MANIFEST_FILE, segmentFileName(10)]);
  assert.deepEqual(idsOf(fixture.reopened()), ['id9']);
});

test('a switch that may have happened keeps both compound files, and the next snapshot names the new one', async () => {
  const fixture = await SnapshotFixture.with(['a', 'b', 'c'], COMPOUNDS);
  const { directory, harness } = fixture;
  let renamed = false;
  const heal = directory.failWhen(({ kind, name }) => {
    if (kind === 'rename' && name === MANIFEST_FILE) renamed = true;
    return renamed && kind === 'syncDirectory';
  });
  await assert.rejects(harness.snapshot());
  heal();
  assert.deepEqual(await fixture.written(() => harness.snapshot()), ['MANIFEST.tmp']);
  assert.deepEqual(fixture.files, [MANIFEST_FILE, compoundFileName(1)]);
  assert.deepEqual(idsOf(fixture.reopened()), ['a', 'b', 'c']);
});

test('whatever is written, deleted and merged, what lies in compound files comes back and most of them is in use', async () => {
  const id = fc.nat({ max: 40 }).map((n) => `id${n}`);
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }).map((ids) => ({ index: ids })) },
    { weight: 3, arbitrary: id.map((one) => ({ remove: one })) },
    { weight: 2, arbitrary: fc.constant({ snapshot: true }) },
    { weight: 1, arbitrary: fc.constant({ restart: true }) },
    { weight: 1, arbitrary: fc.nat({ max: 5 }).map((from) => ({ merge: from })) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      let fixture = await SnapshotFixture.with(['first'], COMPOUNDS);
      for (const one of steps) {
        if ('index' in one) await fixture.indexAll(one.index);
        else if ('remove' in one) {
          if (fixture.ids.includes(one.remove)) await fixture.delete(one.remove);
        } else if ('restart' in one) {
          const expected = fixture.ids;
          fixture = new SnapshotFixture(COMPOUNDS, fixture.directory.crash({ mode: 'kill' }));
          assert.deepEqual(fixture.ids, expected);
        } else if ('merge' in one) {
          const count = fixture.harness.collections.find(ID)?.segments.length ?? 0;
          if (one.merge + 2 <= count) fixture.merge(one.merge, one.merge + 2);
        } else {
          await fixture.harness.snapshot();
          const inUse = bytesInUse(fixture);
          for (const { snapshot, bytes } of fixture.harness.snapshots.manifest.compounds ?? []) {
            const used = inUse.get(snapshot) ?? 0;
            assert.ok(used * 2 >= bytes - 64, `${used} of ${bytes} bytes of compound file ${snapshot}`);
          }
          assert.deepEqual(idsOf(fixture.reopened()), fixture.ids);
        }
      }
    }),
    { numRuns: 40 },
  );
});
