/**
 * Makes a data directory of the newest snapshot in the store. Called by keeper.ts before the engine is opened, on a node that is
 * new or was away for longer than the stream keeps.
 *
 * Each piece is held against its hash as it comes, and the whole against the engine's checksums before anything in the directory
 * is touched. What is damaged is named, fetched once more, and marked in the store for the next upload; then an older snapshot
 * is tried. What an interrupted download has fetched is kept and fetched no more.
 */
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  EngineError,
  incomingFolder,
  installSnapshot,
  type ReplicaPosition,
  storageError,
} from '../../../engine/index.js';
import type { ClusterLog } from './cluster-log.js';
import { eachAtOnce } from './each-at-once.js';
import { type CatalogFile, damagedName, PIECE_BYTES_MAX, pieceName, SNAPSHOTS, sha256 } from './snapshot-catalog.js';
import { DamagedObject, type SnapshotStore } from './snapshot-store.js';
import { type ReadContents, type ReadSnapshot, readSnapshots } from './store-contents.js';

/** Pieces in memory, and under way. */
const PIECES_AT_ONCE = 6;

/** So often what was fetched is left for a newer snapshot; then it has to do, if the store still has it. */
const NEWEST_TRIES = 3;

/** A piece that is missing, or twice not what was put. */
class UnusablePiece extends Error {
  readonly hash: string;

  constructor(message: string, hash: string) {
    super(message);
    this.hash = hash;
  }
}

/**
 * Installs the newest sound snapshot of the stream `streamId` into `dataDir`, and returns where it stands; null: the store has
 * none of it. Where a newer one was put while it was fetched, the rest of that is fetched, too: the log may be trimmed behind it.
 * Errors: as the store's, also where it did not give what it lists; corrupt_data when there are snapshots and none is sound, or one
 * that may be of it cannot be read; disk_full, io_error.
 */
export async function downloadSnapshot(
  store: SnapshotStore,
  streamId: string,
  dataDir: string,
  log: ClusterLog,
): Promise<ReplicaPosition | null> {
  /** Why snapshots cannot be used, by name. */
  const unusable = new Map<string, string>();
  const told = new Set<string>();
  for (let tries = 1; ; tries++) {
    const { snapshots, others, gone } = await readSnapshots(store, streamId);
    for (const { name, why } of others) {
      if (!told.has(name)) log.warn({ snapshot: name }, `${store.place}: a snapshot is of no use: ${why}`);
      told.add(name);
    }
    const snapshot = snapshots.find(({ name }) => !unusable.has(name));
    if (snapshot === undefined) return refuseAll(store, { snapshots, others, gone }, unusable);
    const { name } = snapshot;
    const isWanted = async (): Promise<boolean> => {
      const usable = (await readSnapshots(store, streamId)).snapshots.filter((other) => !unusable.has(other.name));
      return tries < NEWEST_TRIES ? usable[0]?.name === name : usable.some((other) => other.name === name);
    };
    try {
      await fetchFiles(store, snapshot, incomingFolder(dataDir), log);
      const position = await installSnapshot(dataDir, isWanted);
      if (position !== null) return position;
    } catch (error) {
      const isPiece = error instanceof UnusablePiece;
      if (!isPiece && !(error instanceof EngineError && error.code === 'corrupt_data')) throw error;
      if (await isStored(store, name)) {
        // So that the next upload puts it again.
        if (isPiece) await store.put(damagedName(error.hash), new Uint8Array(1)).catch(() => {});
        unusable.set(name, error.message);
        log.error({ snapshot: name }, `${store.place}: a snapshot cannot be used: ${error.message}`);
        continue;
      }
    }
    log.info({ snapshot: name }, `${store.place}: there is a newer snapshot than the one that was fetched`);
  }
}

/** Whether the store still has the snapshot: its pieces go after it. */
const isStored = async (store: SnapshotStore, name: string): Promise<boolean> =>
  (await store.list(SNAPSHOTS)).some((object) => object.name === name);

/** null: the store has no snapshot of the stream. */
function refuseAll(
  store: SnapshotStore,
  { snapshots, others, gone }: Pick<ReadContents, 'snapshots' | 'others' | 'gone'>,
  unusable: ReadonlyMap<string, string>,
): null {
  if (snapshots.length === 0) {
    const late = others.filter(({ kind }) => kind === 'late').map(({ name }) => name);
    const [unread] = [...late, ...gone];
    // Whoever begins without a snapshot that there is has other documents than the others.
    if (unread !== undefined) throw new Error(`${store.place}: it lists ${unread}, and does not give it now`);
    if (others.every(({ kind }) => kind === 'foreign')) return null;
  }
  const reasons = [
    ...others.map(({ name, why }) => `${name}: ${why}`),
    ...Array.from(unusable, (each) => each.join(': ')),
  ];
  throw new EngineError(
    'corrupt_data',
    `${store.place}: expected a snapshot that can be used, got none: ${reasons.join('; ')}`,
  );
}

async function fetchFiles(
  store: SnapshotStore,
  { catalog }: ReadSnapshot,
  folder: string,
  log: ClusterLog,
): Promise<void> {
  const wanted = new Set(catalog.files.map(({ name }) => name));
  for (const name of fs.readdirSync(folder)) if (!wanted.has(name)) fs.rmSync(join(folder, name), { recursive: true });
  for (const file of catalog.files) await fetchFile(store, file, join(folder, file.name), log);
}

async function fetchFile(
  store: SnapshotStore,
  { bytes, pieces }: CatalogFile,
  path: string,
  log: ClusterLog,
): Promise<void> {
  const hasSome = fs.existsSync(path);
  const file = await onDisk('open', path, () => open(path, hasSome ? 'r+' : 'w+', 0o640));
  try {
    if (hasSome) await onDisk('truncate', path, () => file.truncate(bytes));
    await eachAtOnce(pieces.entries(), PIECES_AT_ONCE, async ([index, hash]) => {
      const position = index * PIECE_BYTES_MAX;
      const length = Math.min(PIECE_BYTES_MAX, bytes - position);
      if (hasSome) {
        const piece = new Uint8Array(length);
        await onDisk('read', path, () => file.read(piece, 0, length, position));
        if (sha256(piece) === hash) return;
      }
      const piece = await fetchPiece(store, hash, length, log);
      await onDisk('write', path, () => file.write(piece, 0, length, position));
    });
  } finally {
    await file.close();
  }
}

/** What the system says of a file does not always name one, and would be taken for a fault of the store. Errors: disk_full, io_error. */
async function onDisk<Result>(operation: string, path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw storageError(error, operation, path);
  }
}

/** Errors: UnusablePiece, after a second try. */
async function fetchPiece(store: SnapshotStore, hash: string, bytes: number, log: ClusterLog): Promise<Uint8Array> {
  const name = pieceName(hash);
  for (let tries = 1; ; tries++) {
    const { piece, why } = await tryFetch(store, name, hash);
    if (piece?.length === bytes) return piece;
    const message = `${store.place}: ${why ?? `the object ${name} has ${piece?.length} bytes and not ${bytes}`}`;
    log.error({ object: name }, message);
    if (tries === 1) continue;
    throw new UnusablePiece(message, hash);
  }
}

interface FetchedPiece {
  readonly piece?: Uint8Array;
  readonly why?: string;
}

async function tryFetch(store: SnapshotStore, name: string, hash: string): Promise<FetchedPiece> {
  try {
    const piece = await store.get(name);
    if (piece === null) return { why: `the object ${name} is missing` };
    const got = sha256(piece);
    return got === hash ? { piece } : { why: `the object ${name} is damaged: its content has the hash ${got}` };
  } catch (error) {
    if (error instanceof DamagedObject) return { why: error.message };
    throw error;
  }
}
