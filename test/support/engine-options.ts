/**
 * Options of an engine in a test: one reader, every write synced, snapshots only when asked for.
 */
import type { EngineOptions } from '../../engine/index.js';
import { silentLogger } from './engine-writes.js';

export const engineOptions = (dataDir: string): EngineOptions => ({
  dataDir,
  readerThreads: 1,
  loadingsAtOnce: 2,
  searchHelpers: 1,
  shareAboveUs: 1000,
  httpThreads: 1,
  readerCacheBytes: 64 << 20,
  memoryBytes: 2 ** 32,
  queryTimeoutMs: 60_000,
  answerBytesMax: 1 << 28,
  responseBytesMax: 1 << 28,
  syncIntervalMs: 0,
  snapshotWalBytes: 0,
  snapshotIntervalMs: 0,
  verify: 'off',
  mapFiles: true,
  logger: silentLogger,
  onProgress: () => {},
  onFatal: (error) => {
    throw error;
  },
});
