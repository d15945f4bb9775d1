/**
 * Brings the collections back at start: opens the last snapshot and replays the log after it through the same code that
 * applied it the first time. Called once, on the writer thread, before the first request.
 */
import { EngineError } from '../../core/errors.js';
import type { EngineLogger } from '../../engine.js';
import { BUILDERS_KEPT_MAX } from '../../segment/builder-pool.js';
import { crc32c } from '../../storage/files/crc32c.js';
import type { Directory } from '../../storage/files/directory.js';
import { readManifest } from '../../storage/files/manifest-file.js';
import { idsOf } from '../../storage/log/id-list.js';
import { openWal, type WalRecovery } from '../../storage/log/open-wal.js';
import type { DamagedRecord, WalRecord, WriteAheadLog } from '../../storage/log/wal.js';
import { walFileNumber } from '../../storage/log/wal-format.js';
import {
  changesCollections,
  decodeWrite,
  type LoggedWrite,
  RECORD_ALIAS,
  RECORD_CHANGE,
  RECORD_CHANGED,
  RECORD_CREATE,
  RECORD_DELETE,
  RECORD_DELETE_MANY,
  RECORD_DOCUMENTS,
  RECORD_DROP,
  RECORD_WORDS,
} from '../../storage/log/wal-records.js';
import type { Manifest } from '../../storage/types/manifest.js';
import { mergeNow } from '../merge/merge-scheduler.js';
import { removeUnnamedFiles } from '../snapshot/snapshot-job.js';
import { recordsContained } from '../snapshot/snapshot-order.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { CollectionState } from '../state/collection-state.js';
import { entryOf } from '../state/manifest-entry.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import { createManifest, refuseStrayFiles } from './blank-directory.js';
import { type OpenOptions, openSnapshot } from './open-snapshot.js';
import { refuseStream } from './refuse-stream.js';
import { forEachWrite, type ReplayBundle, type ReplayWorker } from './replay-bundle.js';
import { REPLAY_SIZES, type ReplayedSegment, ReplayQueue, type ReplaySizes } from './replay-queue.js';
import { ReplaySnapshots, type WriteSnapshotNow } from './replay-snapshots.js';
import { replayWrite } from './replay-write.js';

/** How the log is replayed. */
export interface ReplayOptions {
  /** Another thread that builds segments; null: this one builds all. */
  readonly worker?: ReplayWorker | null;
  readonly sizes?: ReplaySizes;
  /** Writes snapshots between portions of the log, when it becomes more than the memory; null: it is replayed in one go. */
  readonly writeSnapshot?: WriteSnapshotNow | null;
}

export interface Recovered {
  readonly wal: WriteAheadLog;
  /** The one in force. */
  readonly manifest: Manifest;
  /** Bytes of segment files whose checksums were compared as a whole. */
  readonly verifiedBytes: number;
}

/**
 * Recovers what `directory` holds into `collections`. Errors: corrupt_data when the manifest or the log is damaged;
 * io_error, disk_full.
 */
export function recover(
  directory: Directory,
  collections: CollectionSet,
  memory: SegmentMemory,
  options: OpenOptions,
  { worker = null, sizes = REPLAY_SIZES, writeSnapshot = null }: ReplayOptions = {},
): Recovered {
  const found = readManifest(directory, crc32c);
  refuseStream(found, directory);
  let openedBytes = 0;
  if (found === null) refuseStrayFiles(directory);
  else openedBytes = openSnapshot(found, directory, collections, memory, options);
  // Without a manifest the log is that of a first start, which did not last.
  const snapshots =
    found === null || writeSnapshot === null
      ? null
      : new ReplaySnapshots(directory, collections, memory, found, writeSnapshot, options.logger);
  const replayed = new Replay(found, collections, memory, logBytes(directory), options, { worker, sizes, snapshots });
  const { wal, recovered } = openWal(directory, crc32c, {
    replay: (record) => replayed.apply(record),
    damaged: (record) => replayed.refuse(record),
    replayAfter: found === null ? 0 : recordsContained(found),
    expectedFile: found?.walFile ?? 0,
  });
  replayed.finish(recovered);
  const manifest = snapshots?.manifest ?? found ?? createManifest(directory, wal.fileNumber);
  if (snapshots?.hasFailed !== true) removeUnnamed(directory, manifest, options.logger);
  return { wal, manifest, verifiedBytes: options.verify ? openedBytes : 0 };
}

function logBytes(directory: Directory): number {
  let bytes = 0;
  for (const name of directory.list().filter((name) => walFileNumber(name) !== null)) {
    const file = directory.open(name, 'read');
    bytes += file.size();
    file.close();
  }
  return bytes;
}

/** What an interrupted snapshot left behind goes; what cannot go stays for the next snapshot. */
export function removeUnnamed(directory: Directory, manifest: Manifest, logger: EngineLogger): void {
  try {
    removeUnnamedFiles(directory, manifest);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    logger.warn({ code: error.code }, `cannot remove leftover files: ${error.message}`);
  }
}

/** Applies the records that the snapshot does not contain. */
class Replay {
  /** The one in force. */
  #manifest: Manifest | null;
  readonly #collections: CollectionSet;
  readonly #memory: SegmentMemory;
  readonly #totalBytes: number;
  readonly #options: OpenOptions;
  readonly #sizes: ReplaySizes;
  readonly #queue: ReplayQueue;
  readonly #snapshots: ReplaySnapshots | null;
  #sequence = 0;
  /** Last record that the snapshot contains of each collection it names. */
  readonly #contained: ReadonlyMap<number, number>;
  readonly #startMs = performance.now();
  #waitingBytes = 0;
  #doneBytes = 0;

  constructor(
    manifest: Manifest | null,
    collections: CollectionSet,
    memory: SegmentMemory,
    totalBytes: number,
    options: OpenOptions,
    how: Required<Pick<ReplayOptions, 'worker' | 'sizes'>> & { readonly snapshots: ReplaySnapshots | null },
  ) {
    this.#manifest = manifest;
    this.#collections = collections;
    this.#memory = memory;
    this.#totalBytes = totalBytes;
    this.#options = options;
    this.#sizes = how.sizes;
    this.#snapshots = how.snapshots;
    this.#queue = new ReplayQueue(memory, how.worker, how.sizes, (bundle, segment) => this.#integrate(bundle, segment));
    this.#contained = new Map(manifest?.collections.map(({ id, sequence }) => [id, sequence]));
  }

  apply(record: WalRecord): void {
    const write = decodeWrite(record);
    this.#doneBytes += record.payload.length;
    if (!this.#isMoot(record.sequence, write.type, write.id)) this.#take(write, record.payload.length);
    this.#sequence = record.sequence;
    // Where a collection was behind, the others are ahead of this record until then.
    const isBehind = this.#sequence < (this.#manifest?.sequence ?? 0);
    if (!isBehind && this.#snapshots?.isDue === true) this.#writeOut(this.#snapshots);
  }

  /**
   * Refuses the collection of a record that cannot be read; the log keeps the record. Errors: corrupt_data when the record
   * created or deleted a collection or an alias: without it a name could be given twice, or what was deleted return.
   */
  refuse({ sequence, type, collectionId, error }: DamagedRecord): void {
    const { logger } = this.#options;
    this.#sequence = sequence;
    if (this.#isMoot(sequence, type, collectionId)) {
      const what = this.#collections.refused.has(collectionId)
        ? 'of a refused collection'
        : 'that nothing needs any more';
      logger.warn({ code: error.code }, `a record ${what} is damaged: ${error.message}`);
      return;
    }
    if (changesCollections(type)) {
      const message = `${error.message}: it creates or deletes a collection or an alias, and without it nobody knows which there are`;
      throw new EngineError('corrupt_data', message, { cause: error });
    }
    this.#queue.flush();
    this.#settle();
    const collection = this.#collections.find(collectionId);
    // Settling may have refused it for other damage. A sound log names no collection that does not exist.
    if (collection === null && !this.#collections.refused.has(collectionId)) throw error;
    if (collection !== null) this.#collections.suspect(collection, error);
    if (collection !== null) this.#refuseSuspects(error);
  }

  /** Everything up to the last record goes to files, to make room for those to come. */
  #writeOut(snapshots: ReplaySnapshots): void {
    this.#queue.flush();
    this.#settle();
    snapshots.take(this.#sequence);
    this.#manifest = snapshots.manifest;
  }

  finish(recovered: WalRecovery): void {
    this.#queue.flush();
    this.#settle();
    this.#merge([...this.#collections.all()]);
    const { logger } = this.#options;
    for (const cut of recovered.cuts) logger.warn({ ...cut }, 'cut a torn tail off the write-ahead log');
    this.#logUnconfirmed(recovered);
    const { records, payloadBytes: bytes, files } = recovered;
    const ms = Math.round(performance.now() - this.#startMs);
    if (records > 0) logger.info({ records, bytes, files, ms }, 'replayed the write-ahead log');
  }

  /** Tells of the last writes, if the log does not say what their clients were told: anything but a refusal. */
  #logUnconfirmed({ unconfirmed: { count, first } }: WalRecovery): void {
    if (count === 0) return;
    const writes = first.map(({ sequence, type, collectionId }) => ({
      sequence,
      does: RECORD_WORDS[type],
      collection: collectionId,
    }));
    const message =
      'the log ends with writes that it does not say were acknowledged; they are done: one that was answered unknown_outcome may be among them';
    this.#options.logger.info({ count, writes }, message);
  }

  /** Queues what can be built apart; anything else is applied when all before it is. */
  #take(write: LoggedWrite, logBytes: number): void {
    if (write.type === RECORD_DOCUMENTS || write.type === RECORD_DELETE) {
      const schema = this.#collections.schemaOf(write.id);
      if (schema !== null) {
        this.#queue.add(write, schema, logBytes, this.#totalBytes - this.#doneBytes);
        return;
      }
    }
    // A deletion of many is as many deletions, of which each has its place among the others.
    if (write.type === RECORD_DELETE_MANY) {
      let bytes = logBytes;
      for (const documentId of idsOf(write.documentIds)) {
        this.#take({ type: RECORD_DELETE, id: write.id, documentId }, bytes);
        bytes = 0;
      }
      return;
    }
    // A new collection needs nothing of what waits, which is for others; nor do synonyms and stop words.
    if (write.type === RECORD_DROP) this.#queue.flush();
    // Both need all documents before, and the collection itself, as published.
    if (write.type === RECORD_CHANGE || write.type === RECORD_CHANGED) {
      this.#queue.flush();
      this.#settle();
    }
    this.#applyWrite(write);
  }

  /** Applies a bundle of the log: as the segment that it became, or write by write. */
  #integrate(bundle: ReplayBundle, segment: ReplayedSegment | null): void {
    if (segment === null) forEachWrite(bundle, (write) => this.#applyWrite(write));
    else this.#adopt(bundle, segment);
    const isMuch = this.#waitingBytes >= this.#sizes.settledBytes;
    // Each has a builder until it is settled, which others use afterwards if it is kept.
    if (isMuch || this.#collections.touchedCount >= BUILDERS_KEPT_MAX) this.#settle();
  }

  #adopt(bundle: ReplayBundle, { region, dead }: ReplayedSegment): void {
    const { collectionId: id } = bundle;
    // It was refused since.
    if (this.#collections.schemaOf(id) === null) {
      if (region !== null) this.#memory.free(region);
      return;
    }
    // Those of the segment itself are among `dead`.
    forEachWrite(bundle, (write) => {
      if (write.type === RECORD_DELETE) this.#applyWrite(write);
      else this.#waitingBytes += write.body.length;
    });
    if (region === null) return;
    try {
      this.#collections.adopt(id, region, dead);
    } catch (error) {
      this.#memory.free(region);
      if (!this.#collections.refused.has(id)) this.#refuseSuspects(error);
    }
  }

  /** Whether a record has nothing to change. */
  #isMoot(sequence: number, type: number, collectionId: number): boolean {
    const all = this.#manifest?.sequence ?? 0;
    // Aliases are the manifest's, whatever it has of the collection.
    if (type === RECORD_ALIAS) return sequence <= all;
    if (sequence <= (this.#contained.get(collectionId) ?? all)) return true;
    // The manifest also names a collection that was refused before any snapshot could contain it.
    if (type === RECORD_CREATE) return this.#contained.has(collectionId);
    // What goes to a refused collection stays in the log, for its repair.
    return type !== RECORD_DROP && this.#collections.refused.has(collectionId);
  }

  /** Applies a write that was valid when it was logged. One to a damaged collection stays in the log, for its repair. */
  #applyWrite(write: LoggedWrite): void {
    try {
      replayWrite(write, this.#collections, this.#memory);
    } catch (error) {
      if (!this.#collections.refused.has(write.id)) this.#refuseSuspects(error);
    }
    if (write.type === RECORD_DOCUMENTS) this.#waitingBytes += write.body.length;
  }

  #settle(): void {
    const { onProgress } = this.#options;
    const [damage] = this.#collections.stage().values();
    this.#queue.releaseApplied();
    if (damage !== undefined) this.#refuseSuspects(damage);
    this.#merge(this.#collections.publish(0).changed);
    this.#waitingBytes = 0;
    const doneBytes = this.#doneBytes - this.#queue.pendingLogBytes;
    onProgress({ phase: 'log', doneBytes, totalBytes: this.#totalBytes });
  }

  /** Merges what is due in `collections`, again without those that prove to be damaged. */
  #merge(collections: readonly CollectionState[]): void {
    for (;;) {
      try {
        mergeNow(collections, this.#collections, this.#memory);
        break;
      } catch (error) {
        this.#refuseSuspects(error);
      }
    }
    // Nobody reads yet.
    this.#memory.reclaim(Number.POSITIVE_INFINITY);
  }

  /** Refuses the collections that made `error`, or throws it. */
  #refuseSuspects(error: unknown): void {
    const suspects = this.#collections.takeSuspects();
    if (suspects.length === 0) throw error;
    for (const { collection, error: damage } of suspects) {
      const entry = entryOf(this.#manifest, collection);
      this.#collections.damage(collection, entry, damage, 0);
      const details = { code: damage.code, collection: entry.schema.name };
      this.#options.logger.error(details, `the collection is refused, its files are damaged: ${damage.message}`);
    }
  }
}
