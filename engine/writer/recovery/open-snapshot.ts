/**
 * Brings the collections of a snapshot into memory at start: maps or reads their segment files, reads their live docs.
 *
 * Called by recovery before the log is replayed. A collection whose files are not what the manifest says is refused, and
 * the others are served; nothing is changed or removed.
 */
import { EngineError } from '../../core/errors.js';
import type { EngineLogger, RecoveryProgress } from '../../engine.js';
import type { Region } from '../../memory/arena.js';
import { checkSegment, readingSegments } from '../../segment/damage-check.js';
import { SegmentReader } from '../../segment/segment-reader.js';
import { crc32c } from '../../storage/files/crc32c.js';
import { MANIFEST_FILE } from '../../storage/files/data-files.js';
import type { Directory } from '../../storage/files/directory.js';
import { readLiveDocsFile } from '../../storage/files/live-docs-file.js';
import { openSegmentFile } from '../../storage/files/segment-file.js';
import { checkNotBehind } from '../../storage/files/stream-manifest.js';
import { decodeTextRules } from '../../storage/files/text-rules-bytes.js';
import type { Manifest, ManifestCollection, ManifestSegment } from '../../storage/types/manifest.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { OwnedSegment } from '../state/owned-segment.js';
import type { SegmentMemory } from '../state/segment-memory.js';

export interface OpenOptions {
  readonly logger: EngineLogger;
  /** Whether the checksum of every byte is compared, and not of headers alone. */
  readonly verify: boolean;
  readonly onProgress: (progress: RecoveryProgress) => void;
}

/** Takes what `manifest` names into `collections`. Returns the bytes of the segments opened. */
export function openSnapshot(
  manifest: Manifest,
  directory: Directory,
  collections: CollectionSet,
  memory: SegmentMemory,
  options: OpenOptions,
): number {
  memory.reserveSegmentIds(manifest.nextSegmentId);
  collections.reserveIds(manifest.nextCollectionId);
  collections.names.restore(manifest.aliases ?? []);
  const sizes = manifest.collections.flatMap(({ segments }) => segments.map(({ bytes }) => bytes));
  const totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  let doneBytes = 0;
  const opened = (bytes: number): void => {
    doneBytes += bytes;
    options.onProgress({ phase: 'segments', doneBytes, totalBytes });
  };
  for (const entry of manifest.collections) {
    try {
      checkNotBehind(entry, manifest, `${directory.path}/${MANIFEST_FILE}`);
      const rules = decodeTextRules(entry, `${directory.path}/${MANIFEST_FILE}`);
      const segments = openSegments(entry, directory, memory, options.verify, opened);
      const collection = collections.restore(entry, segments);
      collection.rules.restore(rules);
      if (entry.change !== undefined) collection.noteChange(entry.change);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      collections.restoreDamaged({ entry, error });
      const details = { code: error.code, collection: entry.schema.name };
      options.logger.error(details, `the collection is refused, its files are damaged: ${error.message}`);
    }
  }
  return doneBytes;
}

/** All segments of a collection, or none: what was opened is freed again. Errors: corrupt_data, io_error. */
function openSegments(
  entry: ManifestCollection,
  directory: Directory,
  memory: SegmentMemory,
  verify: boolean,
  opened: (bytes: number) => void,
): OwnedSegment[] {
  const regions: Region[] = [];
  try {
    return entry.segments.map((segment) => {
      const owned = openSegment(segment, directory, memory, verify, regions);
      opened(segment.bytes);
      return owned;
    });
  } catch (error) {
    for (const region of regions) memory.free(region);
    throw error;
  }
}

function openSegment(
  entry: ManifestSegment,
  directory: Directory,
  memory: SegmentMemory,
  verify: boolean,
  regions: Region[],
): OwnedSegment {
  const file = openSegmentFile(directory, entry, crc32c);
  let region: Region;
  try {
    region = memory.load(file, entry.bytes);
  } finally {
    file.close();
  }
  regions.push(region);
  const views = memory.view(region);
  if (verify) checkSegment(views);
  const reader = readingSegments(
    () => [views],
    () => new SegmentReader(views),
  );
  const { id, checksum, liveCount, place } = entry;
  const owned = { id, region, reader, liveCount, merging: false };
  if (entry.liveDocs === null) return { ...owned, liveDocs: null, stored: { checksum, place, liveDocs: null } };
  const bitmap = readLiveDocsFile(directory, entry, crc32c);
  const liveDocs = memory.writeRegion(bitmap.length, (out) => {
    out.append(bitmap);
    return bitmap.length;
  });
  regions.push(liveDocs);
  return { ...owned, liveDocs, stored: { checksum, place, liveDocs: { ...entry.liveDocs, region: liveDocs } } };
}
