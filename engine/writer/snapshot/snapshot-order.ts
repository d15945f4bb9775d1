/**
 * Decides what a snapshot of the collections, as published now, consists of and what of it must be written.
 *
 * Called by the snapshotter between two commits. Pure: touches no file and no memory.
 */
import { assertPresent } from '../../core/assert.js';
import { LIVE_DOCS_HEADER_BYTES } from '../../layout/live-docs.js';
import type { Region } from '../../memory/arena.js';
import { liveDocsBytes } from '../../segment/live-docs.js';
import type {
  CompoundPlace,
  Manifest,
  ManifestCollection,
  ManifestCompound,
  ManifestSegment,
} from '../../storage/types/manifest.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { OwnedSegment } from '../state/owned-segment.js';
import { type CompoundPolicy, type CompoundSizes, chooseParts } from './compound-policy.js';
import type { LiveDocsToStore, SegmentToStore, SnapshotOrder } from './snapshot-job.js';

/** What the manifest says beside the collections. */
export type ManifestHead = Omit<Manifest, 'collections' | 'nextCollectionId' | 'compounds' | 'aliases'>;

/**
 * The order for a snapshot of `collections` with everything up to record `head.sequence` of the log. `sizes`: of the compound
 * files that are on disk.
 */
export function orderSnapshot(
  collections: CollectionSet,
  head: ManifestHead,
  sizes: CompoundSizes,
  policy: CompoundPolicy,
): SnapshotOrder {
  const { snapshot, sequence } = head;
  const damaged = Array.from(collections.refused.all(), ({ entry }) => entry);
  const compound = chooseParts(allSegments(collections), damaged, sizes, policy);
  const isStored = (file: { readonly place?: CompoundPlace } | null): boolean =>
    file !== null && (file.place === undefined || !compound.rewritten.has(file.place.compound));
  const isPart = ({ bytes }: Region): boolean => compound.isWritten && bytes < policy.partBytesMax;
  const segments: SegmentToStore[] = [];
  const liveDocs: LiveDocsToStore[] = [];
  const describe = (segment: OwnedSegment): ManifestSegment => {
    const { id, region, reader, liveCount, stored } = segment;
    const { maxDoc } = reader;
    const isSegmentStored = isStored(stored);
    if (!isSegmentStored) segments.push({ id, region, isPart: isPart(region) });
    const place = isSegmentStored && stored?.place !== undefined ? { place: stored.place } : {};
    const entry = { id, bytes: region.bytes, checksum: stored?.checksum ?? 0, maxDoc, liveCount, ...place };
    if (segment.liveDocs === null) return { ...entry, liveDocs: null };
    const current = stored?.liveDocs?.region === segment.liveDocs ? stored.liveDocs : null;
    if (current !== null && isStored(current)) {
      const { snapshot, checksum, place } = current;
      return { ...entry, liveDocs: { snapshot, checksum, ...(place === undefined ? {} : { place }) } };
    }
    // What moves to another file keeps its number, and so its bytes.
    const number = current?.snapshot ?? snapshot;
    const { liveDocs: bitmap } = segment;
    liveDocs.push({ segmentId: id, maxDoc, liveCount, region: bitmap, snapshot: number, isPart: isPart(bitmap) });
    return { ...entry, liveDocs: { snapshot: number, checksum: 0 } };
  };
  const entries: ManifestCollection[] = [];
  for (const { id, createdAt, schema, change, segments: owned, rules } of collections.all()) {
    const segmentEntries = owned.map(describe);
    const entry = { id, createdAt, schema, ...(change !== null && { change }), sequence, segments: segmentEntries };
    const textRules = rules.encode();
    entries.push(textRules === null ? entry : { ...entry, textRules });
  }
  entries.push(...damaged);
  const compounds = compoundsIn(entries, sizes);
  const aliases = [...collections.names.aliases()];
  const manifest = {
    ...head,
    nextCollectionId: collections.nextId,
    collections: entries,
    ...(compounds.length > 0 && { compounds }),
    ...(aliases.length > 0 && { aliases }),
  };
  return { manifest, segments, liveDocs };
}

function* allSegments(collections: CollectionSet): Iterable<OwnedSegment> {
  for (const { segments } of collections.all()) yield* segments;
}

/** The compound files that `entries` name, with their `sizes`. */
function compoundsIn(entries: readonly ManifestCollection[], sizes: CompoundSizes): ManifestCompound[] {
  const named = new Set<number>();
  for (const { segments } of entries)
    for (const { place, liveDocs } of segments)
      for (const at of [place, liveDocs?.place]) if (at !== undefined) named.add(at.compound);
  return Array.from(named, (snapshot) => ({
    snapshot,
    bytes: assertPresent(sizes.get(snapshot), 'size of a compound file in use'),
  }));
}

/** Bytes of all files that `manifest` names, itself excluded. */
export function snapshotBytes(manifest: Manifest): number {
  let bytes = 0;
  for (const { segments } of manifest.collections) {
    for (const segment of segments) {
      if (segment.place === undefined) bytes += segment.bytes;
      if (segment.liveDocs !== null && segment.liveDocs.place === undefined)
        bytes += LIVE_DOCS_HEADER_BYTES + liveDocsBytes(segment.maxDoc);
    }
  }
  for (const compound of manifest.compounds ?? []) bytes += compound.bytes;
  return bytes;
}

/** The last record of the log that no collection of `manifest` needs any more. */
export function recordsContained(manifest: Manifest): number {
  return manifest.collections.reduce((least, { sequence }) => Math.min(least, sequence), manifest.sequence);
}
