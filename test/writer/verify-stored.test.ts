/**
 * Verification beside a running writer: a segment that a snapshot has moved meanwhile is sound, one that is damaged is not,
 * wherever it lies.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { compoundFileName, MANIFEST_FILE } from '../../engine/storage/files/data-files.js';
import { openSegmentFile, verifySegmentFile } from '../../engine/storage/files/segment-file.js';
import type { ManifestSegment } from '../../engine/storage/types/manifest.js';
import { type VerifyRunner, verifyStored } from '../../engine/writer/snapshot/verify-stored.js';
import { flipped, replace } from '../support/damaged-collections.js';
import type { SimulatedDirectory } from '../support/simulated-directory.js';
import { ID, SnapshotFixture } from '../support/snapshot-fixture.js';

/** Reads the files of `directory` as the maintenance thread does; notes in `places` where it looked. */
function verifierOf(directory: SimulatedDirectory, places: (number | undefined)[]): VerifyRunner {
  return {
    verify: async (segment) => {
      places.push(segment.place?.compound);
      try {
        const file = openSegmentFile(directory, segment, crc32c);
        await verifySegmentFile(file, 'segment', segment, crc32c);
        file.close();
        return null;
      } catch (error) {
        assert.ok(error instanceof EngineError, String(error));
        return error;
      }
    },
  };
}

/** Ten documents in ten segments in one compound file; the last of them as the manifest has it. */
async function stored(): Promise<{ fixture: SnapshotFixture; last: ManifestSegment }> {
  const ids = Array.from({ length: 10 }, (_, n) => `id${n}`);
  const fixture = await SnapshotFixture.with(ids, { compounds: { partBytesMax: 1 << 16, ownFilesMax: 2 } });
  await fixture.harness.snapshot();
  const [{ segments }] = fixture.harness.snapshots.manifest.collections;
  return { fixture, last: segments[9] };
}

/** Has the compound file written anew, of which then less than half is in use. */
async function moveSegments(fixture: SnapshotFixture): Promise<void> {
  for (let n = 0; n < 6; n++) await fixture.delete(`id${n}`);
  await fixture.harness.snapshot();
  assert.deepEqual(fixture.files, [MANIFEST_FILE, compoundFileName(2)]);
}

test('a segment that a snapshot has moved is read where it lies now', async () => {
  const { fixture, last } = await stored();
  await moveSegments(fixture);
  const places: (number | undefined)[] = [];
  const inForce = () => fixture.harness.snapshots.manifest;
  assert.equal(await verifyStored(verifierOf(fixture.directory, places), ID, last, inForce), null);
  assert.deepEqual(places, [1, 2]);
});

test('damage is found where the segment has always been, at one look, and where it was moved to', async () => {
  const { fixture, last } = await stored();
  const inForce = () => fixture.harness.snapshots.manifest;
  const damage = (compound: number): void => {
    const name = compoundFileName(compound);
    const place = inForce().collections[0].segments.at(-1)?.place;
    assert.equal(place?.compound, compound);
    const at = place.offset + place.bytes - 1;
    replace(fixture.directory, name, flipped(fixture.directory.content(name), at));
  };
  const places: (number | undefined)[] = [];
  const verifier = verifierOf(fixture.directory, places);
  damage(1);
  assert.equal((await verifyStored(verifier, ID, last, inForce))?.code, 'corrupt_data');
  assert.deepEqual(places, [1]);
  damage(1);
  assert.equal(await verifyStored(verifier, ID, last, inForce), null, 'flipped back');
  await moveSegments(fixture);
  damage(2);
  assert.equal((await verifyStored(verifier, ID, last, inForce))?.code, 'corrupt_data');
  assert.deepEqual(places, [1, 1, 1, 2]);
});
