/**
 * What a manifest says of one collection. Called by commits and recovery, when a collection proves to be damaged.
 */
import type { Manifest, ManifestCollection } from '../../storage/types/manifest.js';

/**
 * What `manifest` says of `collection`. Of one that is newer: that all of it is in the log, after what `manifest` contains.
 */
export function entryOf(
  manifest: Manifest | null,
  { id, schema, createdAt }: Pick<ManifestCollection, 'id' | 'schema' | 'createdAt'>,
): ManifestCollection {
  const entry = manifest?.collections.find((one) => one.id === id);
  return entry ?? { id, schema, createdAt, sequence: manifest?.sequence ?? 0, segments: [] };
}
