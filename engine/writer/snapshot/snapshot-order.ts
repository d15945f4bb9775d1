/**
 * Decides what a snapshot of the collections, as published now, consists of and what of it must be written.
 *
 * Called by the snapshotter between two commits. Pure: touches no file and no memory.
 */
import { LIVE_DOCS_HEADER_BYTES } from '../../layout/live-docs.js';
import type { Region } from '../../memory/arena.js';
import { liveDocsBytes } from '../../segment/live-docs.js';
import type { Manifest, ManifestCollection, ManifestSegment } from '../../storage/files/manifest.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { OwnedSegment } from '../state/owned-segment.js';
import type { LiveDocsToStore, SnapshotOrder } from './snapshot-job.js';

/** What the manifest says beside the collections. */
export type ManifestHead = Omit<Manifest, 'collections' | 'nextCollectionId'>;

/** The order for a snapshot of `collections` with everything up to record `head.sequence` of the log. */
export function orderSnapshot(collections: CollectionSet, head: ManifestHead): SnapshotOrder {
  const { snapshot, sequence } = head;
  const segments: { id: number; region: Region }[] = [];
  const liveDocs: LiveDocsToStore[] = [];
  const describe = (segment: OwnedSegment): ManifestSegment => {
    const { id, region, reader, liveCount, stored } = segment;
    if (stored === null) segments.push({ id, region });
    const entry = { id, bytes: region.bytes, checksum: stored?.checksum ?? 0, maxDoc: reader.maxDoc, liveCount };
    if (segment.liveDocs === null) return { ...entry, liveDocs: null };
    const file = stored?.liveDocs ?? null;
    if (file !== null && file.region === segment.liveDocs)
      return { ...entry, liveDocs: { snapshot: file.snapshot, checksum: file.checksum } };
    liveDocs.push({ segmentId: id, maxDoc: reader.maxDoc, liveCount, region: segment.liveDocs });
    return { ...entry, liveDocs: { snapshot, checksum: 0 } };
  };
  const entries: ManifestCollection[] = [];
  for (const { id, createdAt, schema, segments: owned } of collections.all())
    entries.push({ id, createdAt, schema, sequence, segments: owned.map(describe) });
  for (const { entry } of collections.damaged()) entries.push(entry);
  return { manifest: { ...head, nextCollectionId: collections.nextId, collections: entries }, segments, liveDocs };
}

/** Bytes of all files that `manifest` names, itself excluded. */
export function snapshotBytes(manifest: Manifest): number {
  let bytes = 0;
  for (const { segments } of manifest.collections) {
    for (const segment of segments) {
      bytes += segment.bytes;
      if (segment.liveDocs !== null) bytes += LIVE_DOCS_HEADER_BYTES + liveDocsBytes(segment.maxDoc);
    }
  }
  return bytes;
}

/** The last record of the log that no collection of `manifest` needs any more. */
export function recordsContained(manifest: Manifest): number {
  return manifest.collections.reduce((least, { sequence }) => Math.min(least, sequence), manifest.sequence);
}
