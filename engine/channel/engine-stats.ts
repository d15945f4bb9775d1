/**
 * What the engine counts, put together of what its threads have told. For engine-client.ts.
 */
import type { DurabilityStats, EngineStats } from '../engine.js';
import { recentProcessBytes } from '../memory/process-memory.js';
import type { WriterStats } from '../writer/state/write-requests.js';
import type { ReaderPool } from './reader-pool.js';
import type { Writes } from './write-queue.js';

/** Of an open engine; `isMerging` says whether the maintenance thread merges now. */
export function engineStats(
  { pool, queue, isMerging }: { readonly pool: ReaderPool; readonly queue: Writes; readonly isMerging: () => boolean },
  writer: WriterStats,
  durability: DurabilityStats,
): EngineStats {
  return {
    ...writer,
    ...durability,
    // As it is now: the writer tells after a commit, and searches take memory too.
    processBytes: recentProcessBytes() ?? 0,
    readers: pool.stats(),
    inlineReaders: pool.inlineStats(),
    readQueueDepth: pool.depth,
    readBacklogMs: pool.backlogMs,
    readTimeouts: pool.timeouts,
    readsAbandoned: pool.abandoned,
    readsShed: pool.shed,
    answerBytes: pool.answerBytes,
    writeQueueDepth: queue.depth,
    mergeRunning: isMerging(),
  };
}
