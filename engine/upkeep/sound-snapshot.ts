/**
 * The manifest of a held snapshot, where nothing but a whole one will do: for a copy that leaves the log behind.
 */
import { EngineError } from '../core/errors.js';
import type { Manifest } from '../storage/types/manifest.js';
import type { HeldSnapshot } from './held-directory.js';
import { refusal } from './target-directory.js';

/**
 * The manifest in `held`. Errors: corrupt_data when it is damaged, or a collection of it was refused, whose later writes no
 * snapshot has; io_error when there is none.
 */
export function soundManifest({ directory, manifest, manifestError }: HeldSnapshot): Manifest {
  if (manifestError !== null) throw manifestError;
  if (manifest === null) throw refusal(directory.path, 'a data directory with a manifest', 'none');
  const behind = manifest.collections.find(({ sequence }) => sequence < manifest.sequence);
  if (behind !== undefined) {
    const message =
      `${directory.path}: expected collection ${behind.schema.name} up to record ${manifest.sequence} in the snapshot, got ` +
      `${behind.sequence}: it was refused as damaged, and its later writes are in the log alone; repair or delete it first`;
    throw new EngineError('corrupt_data', message);
  }
  return manifest;
}
