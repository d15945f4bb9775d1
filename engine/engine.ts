/**
 * The engine's public face: what a server, a test or a benchmark may call. Implemented in threads/.
 */
import type { EngineError } from './core/errors.js';
import type {
  BodyFormat,
  FetchRequest,
  IndexResult,
  ReadResult,
  SearchRequest,
  SuggestRequest,
} from './core/requests.js';
import type { CollectionSchema } from './schema/collection-schema.js';

/** A collection as the interface's CollectionView shows it. */
export interface CollectionView extends CollectionSchema {
  readonly created_at: number;
  readonly num_documents: number;
  readonly num_segments: number;
}

export interface EngineLogger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface EngineOptions {
  readonly dataDir: string;
  readonly readerThreads: number;
  /** 0: fsync before every acknowledgement; else at most this long after it. */
  readonly syncIntervalMs: number;
  readonly logger: EngineLogger;
  /** Called once when a thread died: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** Called exactly once, never before the call that took it returned. */
export type ReadCallback = (error: EngineError | null, result: ReadResult | null) => void;

export interface ReaderStats {
  readonly queries: number;
  readonly busyUs: number;
}

export interface CollectionStats {
  readonly name: string;
  readonly documents: number;
  readonly segments: number;
  readonly segmentBytes: number;
}

export interface EngineStats {
  readonly collections: readonly CollectionStats[];
  readonly walBytes: number;
  readonly walSyncs: number;
  readonly arenaBytesReserved: number;
  readonly arenaBytesUsed: number;
  readonly readers: readonly ReaderStats[];
  /** Reads handed to readers and not yet answered. */
  readonly readQueueDepth: number;
  readonly writeQueueDepth: number;
  readonly documentsIndexed: number;
  readonly documentsFailed: number;
  readonly documentsDeleted: number;
  readonly merges: number;
}

export interface Engine {
  /** Collections ordered by name. Sees every acknowledged write. */
  listCollections(): readonly CollectionView[];
  getCollection(name: string): CollectionView | null;
  /** `body` is the parsed JSON of the request; errors: invalid_schema, collection_exists, disk_full, io_error. */
  createCollection(body: unknown): Promise<CollectionView>;
  /** Errors: collection_not_found. */
  dropCollection(name: string): Promise<void>;
  /** Takes `body` over: its buffer is detached. Errors: collection_not_found, invalid_json, overloaded, disk_full. */
  indexDocuments(collection: string, body: Uint8Array<ArrayBuffer>, format: BodyFormat): Promise<IndexResult>;
  /** Errors: collection_not_found, document_not_found, overloaded, disk_full. */
  deleteDocument(collection: string, id: string): Promise<void>;
  /** Errors: collection_not_found, invalid_query, overloaded. */
  search(request: SearchRequest, done: ReadCallback): void;
  suggest(request: SuggestRequest, done: ReadCallback): void;
  /** Errors: collection_not_found, document_not_found, overloaded. */
  fetchDocument(request: FetchRequest, done: ReadCallback): void;
  stats(): EngineStats;
  /**
   * Finishes what was accepted, syncs and stops every thread; merges are given up. Called again, the same promise. Errors:
   * io_error, disk_full when acknowledged writes could not be synced.
   */
  close(): Promise<void>;
}
