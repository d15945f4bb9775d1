/**
 * Compares the checksums of a stored segment while the writer goes on: called by the writer's loop in the background.
 */
import type { EngineError } from '../../core/errors.js';
import type { Manifest, ManifestSegment } from '../../storage/types/manifest.js';

/** Reads files off the writer thread. */
export interface VerifyRunner {
  /** Compares the file of `segment` with its checksums; resolves with what is wrong, or null. */
  verify(segment: ManifestSegment): Promise<EngineError | null>;
}

/**
 * What is wrong with the file of `segment` of the collection `id`; null: nothing. `inForce`: the manifest of the newest
 * snapshot, which may have written the segment elsewhere and removed the file where it lay.
 */
export async function verifyStored(
  verifier: VerifyRunner,
  id: number,
  segment: ManifestSegment,
  inForce: () => Manifest,
): Promise<EngineError | null> {
  for (let stored = segment; ; ) {
    const error = await verifier.verify(stored);
    if (error === null) return null;
    const entry = inForce().collections.find((collection) => collection.id === id);
    const now = entry?.segments.find((other) => other.id === segment.id);
    if (now === undefined || now.place?.compound === stored.place?.compound) return error;
    stored = now;
  }
}
