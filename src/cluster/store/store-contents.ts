/**
 * What is in a snapshot store, as far as the cluster's stream is concerned. Read before an upload, a download and a trim.
 */
import {
  DAMAGED,
  decodeCatalog,
  hashIn,
  PIECES,
  piecesOf,
  SNAPSHOTS,
  type SnapshotCatalog,
  sequenceIn,
  UnreadableCatalog,
} from './snapshot-catalog.js';
import { DamagedObject, LateObject, type SnapshotStore } from './snapshot-store.js';
import type { KnownSnapshot, StoreContents } from './trim.js';

/** A snapshot whose catalog can be read. */
export interface ReadSnapshot extends KnownSnapshot {
  readonly catalog: SnapshotCatalog;
  readonly storedAt: number;
}

/** A snapshot that is of no use here, and why. */
export interface OtherSnapshot {
  readonly name: string;
  readonly why: string;
  /** foreign: it is of another stream; unreadable: nobody knows of which; late: nor does anybody, but it may be read another time. */
  readonly kind: 'foreign' | 'unreadable' | 'late';
}

export interface ReadContents extends StoreContents {
  /** Newest first. */
  readonly snapshots: readonly ReadSnapshot[];
  readonly others: readonly OtherSnapshot[];
  /** Names of those that were listed and have gone since. */
  readonly gone: readonly string[];
}

/** The snapshots of the stream `streamId` in `store`, newest first, and those that are of no use. Errors: as the store's. */
export async function readSnapshots(
  store: SnapshotStore,
  streamId: string,
): Promise<Pick<ReadContents, 'snapshots' | 'others' | 'gone'>> {
  const snapshots: ReadSnapshot[] = [];
  const others: OtherSnapshot[] = [];
  const gone: string[] = [];
  for (const { name, storedAt } of await store.list(SNAPSHOTS)) {
    const catalog = await readCatalog(store, name, streamId);
    if (catalog === null) gone.push(name);
    else if ('why' in catalog) others.push(catalog);
    else {
      const { sequence, replayFrom } = catalog;
      snapshots.push({ name, storedAt, catalog, sequence, replayFrom, pieces: piecesOf(catalog) });
    }
  }
  snapshots.sort((a, b) => b.sequence - a.sequence || (a.name < b.name ? 1 : -1));
  return { snapshots, others, gone };
}

/** The whole of it. Errors: as the store's. */
export async function readContents(store: SnapshotStore, streamId: string): Promise<ReadContents> {
  // Pieces first: what is stored in between is then not known, and nothing is done to it.
  const stored = await store.list(PIECES);
  const damaged = new Set((await store.list(DAMAGED)).map(({ name }) => hashIn(name)));
  const pieces = stored.map(({ name, storedAt }) => ({ hash: hashIn(name), storedAt }));
  const { snapshots, others, gone } = await readSnapshots(store, streamId);
  return { snapshots, others, gone, hasOthers: others.length > 0, pieces, damaged };
}

/** null: it has gone in between. */
async function readCatalog(
  store: SnapshotStore,
  name: string,
  streamId: string,
): Promise<SnapshotCatalog | OtherSnapshot | null> {
  try {
    const bytes = await store.get(name);
    if (bytes === null) return null;
    const catalog = decodeCatalog(bytes);
    if (catalog.streamId !== streamId)
      return { name, why: `it is of another stream, ${catalog.streamId}`, kind: 'foreign' };
    if (catalog.sequence === sequenceIn(name)) return catalog;
    return { name, why: `it says that it has message ${catalog.sequence}`, kind: 'unreadable' };
  } catch (error) {
    if (error instanceof LateObject) return { name, why: error.message, kind: 'late' };
    if (error instanceof DamagedObject || error instanceof UnreadableCatalog)
      return { name, why: error.message, kind: 'unreadable' };
    // A store that fails is no reason to take a snapshot for damaged.
    throw error;
  }
}
