/**
 * Keeps a server from writing by itself to a data directory whose writes are ordered elsewhere: it would have records that
 * no other node has, under numbers that the stream gives to others.
 *
 * Called by recovery with the manifest that it found, before anything is opened.
 */
import { EngineError } from '../../core/errors.js';
import type { Directory } from '../../storage/files/directory.js';
import type { Manifest } from '../../storage/types/manifest.js';

/** Errors: io_error when `found`, the manifest of `directory`, is that of a cluster's node. */
export function refuseStream(found: Manifest | null, directory: Directory): void {
  if (found?.stream === undefined) return;
  const message =
    `${directory.path}: expected the data directory of a single node, got one of the cluster with the stream ` +
    `${found.stream.id}: start it with --cluster, or make a single node's directory of it with sabre backup and sabre restore`;
  throw new EngineError('io_error', message);
}
