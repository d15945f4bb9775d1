/**
 * The public API of the engine, and the only file that src/ may import.
 */

export { EngineError, type EngineErrorCode } from './core/errors.js';
export * as limits from './core/limits.js';
export type {
  BodyFormat,
  FetchRequest,
  IndexResult,
  ReadResult,
  ResponseFormat,
  SearchRequest,
  SuggestRequest,
} from './core/requests.js';
export type { StopWords, Synonym } from './core/text-rules.js';
export type {
  CollectionStats,
  CollectionView,
  Engine,
  EngineOptions,
  EngineStats,
  ReadCallback,
  ReaderStats,
  ReadHandle,
  RecoveryProgress,
  SnapshotReport,
  TextRuleEngine,
  VerifyMode,
} from './engine.js';
export type { QueryExplanation, ScoreExplanation } from './query/explain/explanation.js';
export type { FieldType } from './schema/collection-schema.js';
export type { StemLanguage } from './schema/stem-languages.js';
export { openEngine } from './threads/open-engine.js';
export { type BackupReport, backupDirectory } from './upkeep/backup-directory.js';
export {
  type InspectedField,
  inspectSegment,
  type SegmentInspection,
} from './upkeep/inspect-segment.js';
export { type RestoreReport, restoreDirectory } from './upkeep/restore-directory.js';
export { type VerifySummary, verifyDirectory } from './upkeep/verify-directory.js';
export type { VerifyProblem, VerifyProblemKind } from './upkeep/verify-problem.js';
