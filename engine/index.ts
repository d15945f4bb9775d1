/**
 * The public API of the engine, and the only file that src/ may import.
 */

export { ENGINE_ERROR_CODES, EngineError, type EngineErrorCode } from './core/errors.js';
export * as limits from './core/limits.js';
export type {
  BodyFormat,
  FetchRequest,
  IndexResult,
  MatchMode,
  ReadResult,
  ResponseFormat,
  SearchRequest,
  SuggestRequest,
} from './core/requests.js';
export type {
  CollectionStats,
  CollectionView,
  DurabilityStats,
  Engine,
  EngineLogger,
  EngineOptions,
  EngineStats,
  ReadCallback,
  ReaderStats,
  RecoveryProgress,
  SnapshotReport,
  SnapshotStats,
  VerifyMode,
} from './engine.js';
export type { CollectionSchema, FieldSchema, FieldType, TypoTolerance } from './schema/collection-schema.js';
export { openEngine } from './threads/open-engine.js';
