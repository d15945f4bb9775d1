/**
 * Brings the collections back at start: replays the write-ahead log through the same code that applied it the first
 * time. Called once, on the writer thread, before the first request.
 */
import type { EngineLogger } from '../engine.js';
import { crc32c } from '../storage/crc32c.js';
import type { Directory } from '../storage/directory.js';
import { openWal, type WalRecovery } from '../storage/open-wal.js';
import type { WriteAheadLog } from '../storage/wal.js';
import type { CollectionSet } from './collection-set.js';
import { mergeNow } from './merge-scheduler.js';
import type { SegmentStore } from './segment-store.js';
import {
  decodeWrite,
  type LoggedWrite,
  RECORD_CREATE,
  RECORD_DELETE,
  RECORD_DOCUMENTS,
  RECORD_DROP,
} from './wal-records.js';

/** Bytes of documents after which what was replayed is written out as segments. */
const REPLAY_BYTES_MAX = 16 << 20;

/** Opens the log of `directory` and replays it into `collections`. Errors: corrupt_data, io_error, disk_full. */
export function recover(
  directory: Directory,
  collections: CollectionSet,
  store: SegmentStore,
  logger: EngineLogger,
): WriteAheadLog {
  const start = performance.now();
  let waiting = 0;
  const settle = (): void => {
    collections.seal();
    collections.publish(0);
    mergeNow(collections, store);
    // Nobody reads yet.
    store.reclaim(Number.POSITIVE_INFINITY);
    waiting = 0;
  };
  const { wal, recovered } = openWal(directory, crc32c, {
    replay: (record) => {
      const write = decodeWrite(record);
      replayWrite(write, collections);
      if (write.type === RECORD_DOCUMENTS) waiting += write.body.length;
      if (waiting >= REPLAY_BYTES_MAX) settle();
    },
  });
  settle();
  report(recovered, performance.now() - start, logger);
  return wal;
}

/** Applies a write that was valid when it was logged. */
function replayWrite(write: LoggedWrite, collections: CollectionSet): void {
  if (write.type === RECORD_CREATE) collections.create(write.id, write.schema, write.createdAt);
  else if (write.type === RECORD_DROP) collections.drop(write.id);
  else if (write.type === RECORD_DELETE) collections.deleteDocument(write.id, write.documentId);
  else collections.index(write.id, write.body, write.format);
}

function report(recovered: WalRecovery, elapsedMs: number, logger: EngineLogger): void {
  for (const cut of recovered.cuts) logger.warn({ ...cut }, 'cut a torn tail off the write-ahead log');
  const { records, payloadBytes, files } = recovered;
  if (records > 0)
    logger.info({ records, bytes: payloadBytes, files, ms: Math.round(elapsedMs) }, 'replayed the write-ahead log');
}
