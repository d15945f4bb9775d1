/**
 * What the manifest of a data directory says of the stream that orders its writes. Used by whoever opens, copies, sends or
 * receives such a directory; no file is touched.
 */
import { randomBytes } from 'node:crypto';
import type { Manifest, ManifestStream } from '../types/manifest.js';

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
