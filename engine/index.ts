/**
 * The public API of the engine, and the only file that src/ may import.
 */

export { SharedCounter } from './channel/shared-counter.js';
export { SharedDeadline } from './channel/shared-deadline.js';
export type { Alias, AliasEngine } from './core/aliases.js';
export { EngineError, type EngineErrorCode } from './core/errors.js';
export * as limits from './core/limits.js';
export {
  type BodyFormat,
  type CollectionVersion,
  type DocumentAction,
  type ExportRequest,
  type FetchRequest,
  type IndexResult,
  OPERATION_FETCH,
  OPERATION_SEARCH,
  OPERATION_SUGGEST,
  type Read,
  type ReadPlace,
  type ReadResult,
  RequestNote,
  type ResponseFormat,
  type SearchRequest,
  type SuggestRequest,
} from './core/requests.js';
export type { SnapshotReport } from './core/snapshots.js';
export type { StopWords, Synonym } from './core/text-rules.js';
export type {
  Asker,
  CollectionStats,
  CollectionView,
  DocumentExport,
  Engine,
  EngineOptions,
  EngineStats,
  QuickReader,
  ReadCallback,
  ReaderStats,
  ReadHandle,
  ReadSeat,
  RecoveryProgress,
  SchemaChangeCheck,
  TextRuleEngine,
  VerifyMode,
} from './engine.js';
export type { QueryExplanation, ScoreExplanation } from './query/explain/explanation.js';
export type {
  AppliedNote,
  Delivery,
  DeliveryBatch,
  ReplicaPosition,
  ReplicatedEngine,
  Replication,
} from './replication.js';
export type { FieldType } from './schema/collection-schema.js';
export type { StemLanguage } from './schema/stem-languages.js';
export { storageError } from './storage/files/storage-error.js';
export { openQuickReader } from './threads/inline-seat.js';
export { openEngine } from './threads/open-engine.js';
export { spawnBeside } from './threads/spawn.js';
export { type BackupReport, backupDirectory, lastSnapshotOf } from './upkeep/backup-directory.js';
export {
  type HeldSnapshotFile,
  type HeldSnapshotFiles,
  holdSeedFiles,
  holdSnapshotFiles,
} from './upkeep/hold-snapshot-files.js';
export {
  type InspectedField,
  inspectSegment,
  type SegmentInspection,
} from './upkeep/inspect-segment.js';
export { incomingFolder, installSnapshot } from './upkeep/install-snapshot.js';
export { mayHaveFollowed, readReplicaPosition } from './upkeep/replica-position.js';
export { type RestoreReport, restoreDirectory } from './upkeep/restore-directory.js';
export { type VerifySummary, verifyDirectory } from './upkeep/verify-directory.js';
export type { VerifyProblem, VerifyProblemKind } from './upkeep/verify-problem.js';
