/**
 * Compares the checksums of a stored segment while the writer goes on: called by the writer's loop in the background.
 */
import type { EngineError } from '../../core/errors.js';
import type { Manifest, ManifestSegment } from '../../storage/types/manifest.js';
import type { CollectionSet } from '../state/collection-set.js';

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

/** What came of a segment; where it is damaged, the others of its collection are left out. */
export interface VerifiedSegment {
  readonly bytes: number;
  readonly damage: { readonly collectionId: number; readonly name: string; readonly error: EngineError } | null;
}

/** Compares the segments that came from files, those that `inForce` names now, as long as `collections` use them. */
export async function* verifyAllStored(
  verifier: VerifyRunner,
  collections: CollectionSet,
  inForce: () => Manifest,
): AsyncGenerator<VerifiedSegment> {
  for (const { id, schema, segments } of inForce().collections) {
    for (const segment of segments) {
      const isInUse = (): boolean => collections.find(id)?.segments.some((owned) => owned.id === segment.id) ?? false;
      if (!isInUse()) continue;
      const error = await verifyStored(verifier, id, segment, inForce);
      const isDamaged = error !== null && isInUse();
      const damage = isDamaged ? { collectionId: id, name: schema.name, error } : null;
      yield { bytes: segment.bytes, damage };
      if (isDamaged) break;
    }
  }
}
