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
import type { CollectionState } from '../state/collection-state.js';
import type { OwnedSegment } from '../state/owned-segment.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import type { SnapshotOrder, SnapshotOutcome, StoredFile } from './snapshot-job.js';

/** Every published segment. */
function* allSegments(collections: CollectionSet): Iterable<OwnedSegment> {
  for (const { segments } of collections.all()) yield* segments;
}

/** A segment that was written, and the collection that had it then. */
export interface WrittenSegment {
  readonly collection: CollectionState;
  readonly segment: OwnedSegment;
}

const byId = (files: readonly StoredFile[]): Map<number, StoredFile> =>
  new Map(files.map((file) => [file.segmentId, file]));

/** Takes in what became of `order`. Returns the segments that are new on disk and have a file of their own. */
export function noteStored(
  collections: Iterable<CollectionState>,
  order: SnapshotOrder,
  outcome: SnapshotOutcome,
): WrittenSegment[] {
  const segments = byId(outcome.segments);
  const liveDocs = byId(outcome.liveDocs);
  const orders = new Map(order.liveDocs.map((one) => [one.segmentId, one]));
  const written: WrittenSegment[] = [];
  for (const collection of collections) {
    for (const segment of collection.segments) {
      const file = segments.get(segment.id);
      if (file !== undefined) {
        const { checksum, place } = file;
        if (place === undefined && segment.stored === null) written.push({ collection, segment });
        segment.stored = { checksum, place, liveDocs: segment.stored?.liveDocs ?? null };
      }
      const bits = liveDocs.get(segment.id);
      const ordered = orders.get(segment.id);
      if (bits === undefined || ordered === undefined || segment.stored === null) continue;
      const { region, snapshot } = ordered;
      const { checksum, place } = bits;
      segment.stored = { ...segment.stored, liveDocs: { region, snapshot, checksum, place } };
    }
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
