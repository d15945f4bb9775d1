/**
 * What the manifest of a data directory says of the stream that orders its writes. Used by whoever opens, copies, sends or
 * receives such a directory; no file is touched.
 */
import { randomBytes } from 'node:crypto';
import { EngineError } from '../../core/errors.js';
import type { Manifest, ManifestCollection, ManifestStream } from '../types/manifest.js';

/** The manifest of a directory that belongs to the stream `id` and has nothing of it yet. */
export function blankStreamManifest(id: string): Manifest {
  return {
    snapshot: 0,
    directoryId: randomBytes(16).toString('hex'),
    sequence: 0,
    nextSegmentId: 1,
    nextCollectionId: 1,
    walFile: 0,
    writtenAt: Date.now(),
    collections: [],
    stream: { id, from: 1 },
  };
}

/** Whether no snapshot was ever written or installed: the directory is as good as an empty one. */
export const isBlank = ({ snapshot }: Pick<Manifest, 'snapshot'>): boolean => snapshot === 0;

/**
 * A collection that was refused keeps the state that it had then. Where there is a log of its own, what is missing is replayed; a
 * replicated one goes on behind the snapshot, so the collection stays refused however sound its files are now. Errors: corrupt_data.
 */
export function checkNotBehind({ sequence }: ManifestCollection, manifest: Manifest, path: string): void {
  if (manifest.stream === undefined || sequence >= manifest.sequence) return;
  const message = `${path}: expected the collection up to ${manifest.sequence} of the replicated log, got it up to ${sequence}: it was damaged then`;
  throw new EngineError('corrupt_data', message);
}

/** `manifest` as that of a directory with a log of its own, of which there is nothing yet. */
export function withoutStream(manifest: Manifest): Manifest {
  const { stream: _, ...rest } = manifest;
  return { ...rest, walFile: 0 };
}

/** `manifest` as that of the first snapshot of `stream`, which has nothing yet: what is in it counts as record 0. */
export function asFirstOf(manifest: Manifest, id: ManifestStream['id']): Manifest {
  const collections = manifest.collections.map((collection) => ({ ...collection, sequence: 0 }));
  return { ...manifest, collections, sequence: 0, walFile: 0, stream: { id, from: 1 } };
}
