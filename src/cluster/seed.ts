/**
 * Makes the data directory of a stopped single node the first snapshot of a new cluster, from which all of its nodes then start. Called
 * by `sabre cluster seed`.
 *
 * The directory stays as it is. A cluster that has anything already is refused: what is in it would be lost, or mixed.
 */
import { EngineError, holdSeedFiles } from '../../engine/index.js';
import type { SnapshotStore } from './store/snapshot-store.js';
import { readContents } from './store/store-contents.js';
import type { UploadLock } from './store/upload-lock.js';
import { type UploadReport, uploadSnapshot } from './store/upload-snapshot.js';

export interface SeedParts {
  readonly store: SnapshotStore;
  readonly lock: UploadLock;
  readonly streamId: string;
  /** Of the last message that the stream ever had; 0: none. */
  readonly lastSequence: () => Promise<number>;
  /** Lets the stream say that the cluster was seeded. */
  readonly markSeeded: () => Promise<void>;
  /** Whose name the snapshot gets. */
  readonly node: string;
  readonly dataDir: string;
}

/**
 * Uploads the last snapshot in `dataDir` as that of message 0. Errors: io_error when the cluster is not new, the directory is in use
 * or its log has more than the snapshot; corrupt_data; as the store's. The store has no snapshot then.
 */
export async function seedCluster(parts: SeedParts): Promise<UploadReport> {
  const { store, lock, streamId, node, dataDir } = parts;
  await refuseMessages(parts);
  const held = await lock.tryTake();
  if (held === null) throw refusal('a new cluster', 'one of which a node is uploading a snapshot');
  try {
    const contents = await readContents(store, streamId);
    const found = contents.snapshots[0] ?? contents.others[0];
    if (found !== undefined) throw refusal(`no snapshots in ${store.place}`, found.name);
    const files = holdSeedFiles(dataDir, streamId);
    try {
      const report = await uploadSnapshot(store, files, node, contents, held.signal);
      try {
        await refuseMessages(parts);
        await parts.markSeeded();
      } catch (error) {
        await store.remove(report.name);
        throw error;
      }
      return report;
    } finally {
      files.close();
    }
  } finally {
    await held.release();
  }
}

/** A node that has started without the snapshot would never have its documents. */
async function refuseMessages({ lastSequence }: SeedParts): Promise<void> {
  const last = await lastSequence();
  if (last > 0)
    throw refusal('a new cluster, of which no node was ever started', `one with ${last} messages in its log`);
}

const refusal = (expected: string, got: string): EngineError =>
  new EngineError('io_error', `cannot seed the cluster: expected ${expected}, got ${got}`);
