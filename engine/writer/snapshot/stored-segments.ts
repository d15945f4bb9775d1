/**
 * Takes in what a snapshot has written: which segments have files now, and their pages in the place of memory.
 *
 * Called on the writer thread, by the snapshotter between commits and by recovery between portions of the log.
 */
import { EngineError } from '../../core/errors.js';
import type { EngineLogger } from '../../engine.js';
import { segmentFileName } from '../../storage/files/data-files.js';
import type { Directory } from '../../storage/files/directory.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { OwnedSegment } from '../state/owned-segment.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import type { SnapshotOrder, SnapshotOutcome, StoredFile } from './snapshot-job.js';

/** Every published segment. */
export function* allSegments(collections: CollectionSet): Iterable<OwnedSegment> {
  for (const { segments } of collections.all()) yield* segments;
}

/** Notes what is on disk after `order`; returns the segments written. */
export function noteStored(
  collections: CollectionSet,
  order: SnapshotOrder,
  outcome: SnapshotOutcome,
): readonly OwnedSegment[] {
  const checksums = (files: readonly StoredFile[]): Map<number, number> =>
    new Map(files.map(({ segmentId, checksum }) => [segmentId, checksum]));
  const segments = checksums(outcome.segments);
  const liveDocs = checksums(outcome.liveDocs);
  const regions = new Map(order.liveDocs.map(({ segmentId, region }) => [segmentId, region]));
  const written: OwnedSegment[] = [];
  for (const segment of allSegments(collections)) {
    const checksum = segments.get(segment.id);
    if (checksum !== undefined) {
      segment.stored = { checksum, liveDocs: null };
      written.push(segment);
    }
    const liveDocsChecksum = liveDocs.get(segment.id);
    const region = regions.get(segment.id);
    if (liveDocsChecksum === undefined || region === undefined || segment.stored === null) continue;
    const { snapshot } = order.manifest;
    segment.stored = { ...segment.stored, liveDocs: { region, snapshot, checksum: liveDocsChecksum } };
  }
  return written;
}

/** Lets the file of a published segment take the place of its memory, if the system lets it. */
export function remapSegment(
  segment: OwnedSegment,
  directory: Directory,
  memory: SegmentMemory,
  logger: EngineLogger,
): void {
  try {
    const file = directory.open(segmentFileName(segment.id), 'read');
    try {
      memory.remap(segment.region, file);
    } finally {
      file.close();
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    logger.warn({ code: error.code }, `segment ${segment.id} stays in memory: ${error.message}`);
  }
}

/** Bytes of regions that a snapshot would not make a file's: live docs, and segments too small to be mapped. */
export function unmappableBytes(collections: CollectionSet, memory: SegmentMemory): number {
  let unwrittenBytes = 0;
  for (const { region, stored } of allSegments(collections)) if (stored === null) unwrittenBytes += region.bytes;
  return Math.max(0, memory.unmappedBytes - unwrittenBytes);
}
