/**
 * Checks that a value is a manifest, and takes over nothing else from it. Called by manifest-file.ts on what it decoded,
 * and on what it is to encode: no manifest is written that could not be read back. Types and ranges are checked by what is
 * generated from types/manifest.ts; here is what its parts say of each other.
 */
import { parseSchema } from '../../schema/parse-schema.js';
import { SharedFields } from '../../schema/shared-fields.js';
import { validateManifest } from '../generated/manifest.js';
import type { CompoundPlace, Manifest, ManifestCollection, ManifestSegment } from '../types/manifest.js';
import { shapeError } from './shape-error.js';

/** What segments may not go beyond. */
interface Bounds {
  readonly snapshot: number;
  readonly nextSegmentId: number;
  /** Sizes of the compound files, by number. */
  readonly compounds: ReadonlyMap<number, number>;
}

/** The integer at `where` is from `min` to `max`. */
function checkRange(value: number, where: string, min: number, max: number): void {
  if (value < min || value > max) throw new Error(`${where}: expected ${min} to ${max}, got ${value}`);
}

function checkDistinct(values: readonly (number | string)[], what: string): void {
  const seen = new Set<number | string>();
  for (const value of values) {
    if (seen.has(value)) throw new Error(`${what} ${value} twice`);
    seen.add(value);
  }
}

function checkPlace({ compound, offset, bytes }: CompoundPlace, where: string, compounds: Bounds['compounds']): void {
  const size = compounds.get(compound);
  if (size === undefined)
    throw new Error(`${where}.compound: expected a compound file of the manifest, got ${compound}`);
  checkRange(offset, `${where}.offset`, 0, size);
  checkRange(bytes, `${where}.bytes`, 0, size - offset);
}

function checkSegment(segment: ManifestSegment, where: string, bounds: Bounds): void {
  const { id, maxDoc, liveCount, liveDocs, place } = segment;
  checkRange(id, `${where}.id`, 1, bounds.nextSegmentId - 1);
  checkRange(liveCount, `${where}.liveCount`, liveDocs === null ? maxDoc : 0, maxDoc);
  if (liveDocs !== null) {
    checkRange(liveDocs.snapshot, `${where}.liveDocs.snapshot`, 1, bounds.snapshot);
    if (liveDocs.place !== undefined) checkPlace(liveDocs.place, `${where}.liveDocs.place`, bounds.compounds);
  }
  if (place !== undefined) checkPlace(place, `${where}.place`, bounds.compounds);
}

function checkCollection(collection: ManifestCollection, where: string, manifest: Manifest, bounds: Bounds): void {
  checkRange(collection.id, `${where}.id`, 0, manifest.nextCollectionId - 1);
  checkRange(collection.sequence, `${where}.sequence`, 0, manifest.sequence);
  for (const [index, segment] of collection.segments.entries())
    checkSegment(segment, `${where}.segments[${index}]`, bounds);
}

function checkStream({ stream, walFile, sequence }: Manifest): void {
  if (stream === undefined) return;
  checkRange(walFile, 'manifest.walFile beside a stream', 0, 0);
  checkRange(stream.from, 'manifest.stream.from', 1, sequence + 1);
}

/** Throws unless the numbers of a manifest fit each other. */
function checkRelations(manifest: Manifest): void {
  checkStream(manifest);
  const { snapshot, nextSegmentId, collections, compounds = [], aliases = [] } = manifest;
  for (const [index, compound] of compounds.entries())
    checkRange(compound.snapshot, `manifest.compounds[${index}].snapshot`, 1, snapshot);
  const sizes = new Map(compounds.map((compound) => [compound.snapshot, compound.bytes]));
  const bounds: Bounds = { snapshot, nextSegmentId, compounds: sizes };
  for (const [index, collection] of collections.entries())
    checkCollection(collection, `manifest.collections[${index}]`, manifest, bounds);
  checkDistinct(
    compounds.map((compound) => compound.snapshot),
    'compound file',
  );
  checkDistinct(
    collections.map(({ id }) => id),
    'collection',
  );
  checkDistinct(
    [...collections.map(({ schema }) => schema.name), ...aliases.map(({ name }) => name)],
    'collection or alias',
  );
  const ids = new Set(collections.map(({ id }) => id));
  for (const [index, { collectionId }] of aliases.entries())
    if (!ids.has(collectionId))
      throw new Error(
        `manifest.aliases[${index}].collectionId: expected the number of a collection, got ${collectionId}`,
      );
  checkDistinct(
    collections.flatMap(({ segments }) => segments.map(({ id }) => id)),
    'segment',
  );
}

/**
 * `value` as a manifest. Keys that it should not have are taken from `value` itself, so it is the caller's to give away.
 * Throws an Error that names the offending place.
 */
export function manifestOf(value: unknown): Manifest {
  const validation = validateManifest(value);
  if (!validation.success) throw shapeError('manifest', validation.errors);
  const stored = validation.data;
  const fields = new SharedFields();
  const collections = stored.collections.map(({ change, ...entry }) => ({
    ...entry,
    schema: fields.share(parseSchema(entry.schema)),
    ...(change !== undefined && { change: fields.share(parseSchema(change)) }),
  }));
  const manifest: Manifest = { ...stored, collections };
  checkRelations(manifest);
  return manifest;
}
