/**
 * A data directory as a node of a cluster leaves it: a snapshot with the place in the stream, and no log.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import type { Directory } from '../../engine/storage/files/directory.js';
import { readManifest, switchManifest, writeManifestTemporary } from '../../engine/storage/files/manifest-file.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import type { Manifest } from '../../engine/storage/types/manifest.js';
import { filesOf, fillDataDirectory } from './data-directory.js';

export const STREAM = 'stream-1';

/** Puts what `change` makes of the manifest in its place. */
export function changeManifest(directory: Directory, change: (manifest: Manifest) => Manifest): Manifest {
  const manifest = readManifest(directory, crc32c);
  if (manifest === null) throw new Error('no manifest');
  const changed = change(manifest);
  writeManifestTemporary(directory, changed, crc32c);
  switchManifest(directory);
  return changed;
}

/** `manifest` as one of the stream, which has its documents up to message `sequence`. */
export function asReplica(manifest: Manifest, sequence: number, from = sequence + 1): Manifest {
  const collections = manifest.collections.map((collection) => ({ ...collection, sequence }));
  return { ...manifest, collections, sequence, walFile: 0, stream: { id: STREAM, from } };
}

/** Fills the new folder at `path` with the documents of fillDataDirectory(), up to message `sequence` of the stream. */
export async function fillReplica(path: string, sequence: number, from = sequence + 1): Promise<Manifest> {
  await (await fillDataDirectory(path)).snapshot();
  for (const name of filesOf(path, /\.log$/)) rmSync(join(path, name));
  return changeManifest(openDirectory(path), (manifest) => asReplica(manifest, sequence, from));
}
