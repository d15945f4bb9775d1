/**
 * The engine's public face: what a server, a test or a benchmark may call. Implemented in channel/engine-client.ts.
 */
import type { MessagePort } from 'node:worker_threads';
import type { AliasEngine } from './core/aliases.js';
import type { EngineError } from './core/errors.js';
import type {
  BodyFormat,
  CollectionVersion,
  DocumentAction,
  ExportRequest,
  FetchRequest,
  IndexResult,
  Read,
  ReadPlace,
  ReadResult,
  SearchRequest,
  SuggestRequest,
} from './core/requests.js';
import type { SnapshotReport, SnapshotStats } from './core/snapshots.js';
import type { StopWords, Synonym } from './core/text-rules.js';
import type { ReplicatedEngine, Replication } from './replication.js';
import type { CollectionSchema } from './schema/collection-schema.js';

/** A change of a collection's schema that is under way, or was given up. */
export interface SchemaChangeView {
  readonly state: 'running' | 'refused';
  /** Documents indexed anew. */
  readonly documents: number;
  /** Why it was given up; null while it is running. */
  readonly message: string | null;
}

/** What a change of a schema would meet: how many documents do not fit, and some of them. */
export interface SchemaChangeCheck {
  readonly documents: number;
  readonly misfits: number;
  readonly first: readonly { readonly id: string; readonly message: string }[];
}

/** A collection as the interface's CollectionView shows it. */
export interface CollectionView extends CollectionSchema {
  /** Only while there is one, and after one that was given up. */
  readonly change?: SchemaChangeView;
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
  /** Threads that answer reads; one more is started for those that take long. */
  readonly readerThreads: number;
  /** Threads that may be loading at a time at the start: each has all files of its modules open then. */
  readonly loadingsAtOnce: number;
  /** Of these readers, those that help with one search at most; 0: each search is run by one. */
  readonly searchHelpers: number;
  /** Searches are shared that are estimated to take more than this, in microseconds. */
  readonly shareAboveUs: number;
  /** Threads that speak HTTP, the calling one included: each of the others gets a seat (Engine.readSeats). */
  readonly httpThreads: number;
  /** What each of them may remember for queries to come. */
  readonly readerCacheBytes: number;
  /** Memory that the process may take beside files that are mapped; beyond, documents are refused. */
  readonly memoryBytes: number;
  /** A read that is not answered within it is refused. */
  readonly queryTimeoutMs: number;
  /** Memory of large answers on their way to their clients; beyond, reads that need more wait. */
  readonly answerBytesMax: number;
  /** A read whose answer outgrows its slot, and would have more bytes as JSON, is refused, but for exports. At most 256 MiB. */
  readonly responseBytesMax: number;
  /** 0: fsync before every acknowledgement; else at most this long after it. */
  readonly syncIntervalMs: number;
  /** Bytes of write-ahead log after which a snapshot is written; 0: never for its size. */
  readonly snapshotWalBytes: number;
  /** Age of the oldest write outside of any snapshot after which one is written; 0: never for its age. */
  readonly snapshotIntervalMs: number;
  /** When the checksums of whole segment files are compared. */
  readonly verify: VerifyMode;
  /** false: segment files are read into memory even where they could be mapped. */
  readonly mapFiles: boolean;
  /** Where writes are ordered. Not given: here, and the data directory has a log of its own. */
  readonly replication?: Replication;
  readonly logger: EngineLogger;
  /** Hears how recovery goes on, until openEngine() resolves. */
  readonly onProgress: (progress: RecoveryProgress) => void;
  /** Called once when a thread died: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** off: never, only headers are; background: all files once after start; open: before the first request. */
export type VerifyMode = 'off' | 'background' | 'open';

/** How far recovery is: bytes of segment files opened, then bytes of log replayed. */
export interface RecoveryProgress {
  readonly phase: 'segments' | 'log';
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** Who asks: reads of different clients take turns. The name is asked for only when reads have to wait. */
export interface Asker {
  readonly client: string;
  /** Not given: nothing else is asked for at the same time. */
  readonly place?: ReadPlace;
}

/** Names a read in flight, for cancelRead(); negative: it was answered or refused at once. */
export type ReadHandle = number;

/**
 * What another thread needs to answer reads that are quickly done: posted to it, with `updates` in the transfer list, and
 * given to openQuickReader().
 */
export interface ReadSeat {
  readonly reader: number;
  readonly words: Int32Array;
  readonly cacheBytes: number;
  readonly updates: MessagePort;
}

/** Answers on the calling thread what is quickly done. */
export interface QuickReader {
  /**
   * Answers `read` and calls `done` within the call; false: nothing was done, it is another thread's. Answers have at most
   * `answerBytesMax` bytes, which are valid during the callback.
   */
  answer(read: Read, done: ReadCallback): boolean;
  /** The state of `collection`, a name or an alias, that a read which came now would see; number 0: it is not known. */
  versionOf(collection: string): CollectionVersion;
  /** Takes in what the writer has published. To be called now and then. */
  idle(): void;
  /** Gives back memory that reads have left behind: takes tens of milliseconds, for when nobody has asked for a while. */
  rest(): void;
  close(): void;
}

/** Called exactly once unless the read is cancelled: within the call that took it, or later. */
export type ReadCallback = (error: EngineError | null, result: ReadResult | null) => void;

export interface ReaderStats {
  readonly queries: number;
  readonly busyUs: number;
  /** What the thread remembers for queries to come, in bytes, and how it was of use since the start, modulo 2^32. */
  readonly cacheBytes: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly cacheEvictions: number;
  /** Searches of other threads that it took a part in. */
  readonly helped: number;
  /** Reads that it began and left to others: too long for it, or refused on a further HTTP thread. */
  readonly givenUp: number;
}

export interface CollectionStats {
  readonly name: string;
  readonly documents: number;
  readonly segments: number;
  readonly segmentBytes: number;
}

/** What is on disk, and how it lies in memory. */
export interface DurabilityStats {
  /** Bytes of segments that are mapped from their files: page cache, not memory of this process. */
  readonly mappedBytes: number;
  /** How segment files come into memory. */
  readonly mapping: 'mmap' | 'read';
  readonly snapshots: SnapshotStats;
  /** Bytes of segment files whose checksums were compared as a whole since start. */
  readonly verifiedBytes: number;
  /** Collections that are refused because their files are damaged. */
  readonly damagedCollections: number;
  /** Whether any file proved to be damaged since the start, whatever has become of its collection. */
  readonly hasMetDamage: boolean;
}

/** What the engine counts, in no more time however many collections there are. */
export interface EngineStats extends DurabilityStats {
  readonly walBytes: number;
  readonly walSyncs: number;
  readonly arenaBytesReserved: number;
  readonly arenaBytesUsed: number;
  /** The memory budget, what is taken of it, and what of it documents may not take. */
  readonly memoryBytesMax: number;
  readonly memoryBytesUsed: number;
  readonly memoryBytesKept: number;
  /** Memory of the process that is not a file's, as the system counts it; 0 where it does not. */
  readonly processBytes: number;
  /** Writes refused for want of memory. */
  readonly memoryRefusals: number;
  readonly readers: readonly ReaderStats[];
  /** Of the HTTP threads, which answer what is quickly done themselves; the calling one is the first. */
  readonly inlineReaders: readonly ReaderStats[];
  /** Reads handed to readers and not yet answered. */
  readonly readQueueDepth: number;
  /** How long a query that takes long would wait before it begins, about. */
  readonly readBacklogMs: number;
  /** Reads refused because their time was over; given up because nobody waited any more; refused because too much waited. */
  readonly readTimeouts: number;
  readonly readsAbandoned: number;
  readonly readsShed: number;
  /** Memory of answers on their way to their clients, beside what is always reserved. */
  readonly answerBytes: number;
  readonly writeQueueDepth: number;
  readonly documentsIndexed: number;
  readonly documentsFailed: number;
  readonly documentsDeleted: number;
  readonly merges: number;
  /** Whether large segments are merged now; small ones are merged between two commits. */
  readonly mergeRunning: boolean;
}

/**
 * Synonyms and stop words of collections; they see every acknowledged write. Errors of all: collection_not_found,
 * corrupt_data; of changes: overloaded, disk_full, memory_full, io_error.
 */
export interface TextRuleEngine {
  /** Ordered by id; stays as it is. */
  listSynonyms(collection: string): readonly Synonym[];
  getSynonym(collection: string, id: string): Synonym | null;
  /** Errors: invalid_synonym. */
  putSynonym(collection: string, synonym: Synonym): Promise<void>;
  /** Errors: synonym_not_found. */
  deleteSynonym(collection: string, id: string): Promise<void>;
  getStopWords(collection: string): StopWords | null;
  /** Errors: invalid_stop_words. */
  putStopWords(collection: string, stopWords: StopWords): Promise<void>;
  /** Errors: stop_words_not_found. */
  deleteStopWords(collection: string): Promise<void>;
}

/** Documents of a collection as they were at one moment, in the order of insertion. */
export interface DocumentExport {
  /** Whether the page given last was the last one. */
  readonly isAtEnd: boolean;
  /**
   * Has the next page written: whole documents, each followed by the separator; it may be empty. One at a time, and none after the
   * end; after `overloaded` or `query_timeout` the same page can be asked for again. Errors: invalid_query, of the first page;
   * overloaded, query_timeout, corrupt_data.
   */
  next(done: ReadCallback): void;
  /** Lets go of the documents. To be called once; no page may be asked for afterwards. */
  close(): void;
}

export interface ExportEngine {
  /**
   * Holds the documents of a collection, with every acknowledged write, until the export is closed: they take memory also when
   * they have been replaced meanwhile. Errors: collection_not_found, corrupt_data, overloaded.
   */
  open(request: ExportRequest, asker: Asker): Promise<DocumentExport>;
}

export interface Engine {
  /** Collections ordered by name, damaged ones included. Sees every acknowledged write. */
  listCollections(): readonly CollectionView[];
  /** How many listCollections() would list, without the list. */
  readonly collectionCount: number;
  /** null: it was opened without EngineOptions.replication. */
  readonly replicated: ReplicatedEngine | null;
  /** Errors: corrupt_data when the collection's files are damaged. */
  getCollection(name: string): CollectionView | null;
  /** `body` is the parsed JSON of the request; errors: invalid_schema, collection_exists, disk_full, io_error. */
  createCollection(body: unknown): Promise<CollectionView>;
  /** `force`: with its aliases. Errors: collection_not_found; collection_has_aliases without `force`. */
  dropCollection(name: string, force?: boolean): Promise<void>;
  /**
   * `body` is the parsed JSON of the request. Resolves when the changed schema is in force. Errors: collection_not_found, invalid_schema,
   * change_in_progress; invalid_document when stored ones do not fit; disk_full, memory_full, io_error, unknown_outcome.
   */
  changeCollection(name: string, body: unknown): Promise<CollectionView>;
  /** What the same change would meet; changes nothing. */
  checkChange(name: string, body: unknown): Promise<SchemaChangeCheck>;
  /** Takes `body` over: its buffer is detached. Errors: collection_not_found, invalid_json, overloaded, disk_full. */
  indexDocuments(
    collection: string,
    body: Uint8Array<ArrayBuffer>,
    format: BodyFormat,
    action?: DocumentAction,
  ): Promise<IndexResult>;
  /**
   * Applies `body`, a merge patch (RFC 7396), whose buffer is detached, and resolves with the document as it is then. Errors: as of
   * indexDocuments(); document_not_found, invalid_document.
   */
  patchDocument(
    collection: string,
    documentId: string,
    body: Uint8Array<ArrayBuffer>,
    format: BodyFormat,
  ): Promise<Uint8Array>;
  /** Deletes what passes `filter`, in one commit, and resolves with how many these were. Errors: collection_not_found, invalid_query. */
  deleteDocuments(collection: string, filter: string): Promise<number>;
  readonly textRules: TextRuleEngine;
  readonly aliases: AliasEngine;
  readonly exports: ExportEngine;
  /** One for each HTTP thread but the calling one. */
  readonly readSeats: readonly ReadSeat[];
  /** As QuickReader.rest(), for what the calling thread has answered itself. */
  readonly rest: () => void;
  /** Errors: collection_not_found, document_not_found, overloaded, disk_full. */
  deleteDocument(collection: string, id: string): Promise<void>;
  /** Errors: collection_not_found, invalid_query, overloaded, query_timeout. */
  search(request: SearchRequest, done: ReadCallback, asker?: Asker): ReadHandle;
  suggest(request: SuggestRequest, done: ReadCallback, asker?: Asker): ReadHandle;
  /** Errors: collection_not_found, document_not_found, overloaded, query_timeout. */
  fetchDocument(request: FetchRequest, done: ReadCallback, asker?: Asker): ReadHandle;
  /** The state of `collection`, a name or an alias, that a read which came now would see at least; number 0: there is none. */
  versionOf(collection: string): CollectionVersion;
  /** Nobody waits for the read any more: its callback is not called unless it was. */
  cancelRead(handle: ReadHandle): void;
  /** The body of a result with this `heldBytes` is not needed any more. To be called once for each. */
  releaseAnswer(heldBytes: number): void;
  stats(): EngineStats;
  /** The figures of every collection, in no order. */
  collectionStats(): readonly CollectionStats[];
  /** How long a query that takes long would wait before it begins, about. */
  readonly readBacklogMs: number;
  /**
   * Writes a snapshot that contains every write acknowledged before the call. While one is under way, the next is written
   * for all who ask meanwhile. Errors: disk_full, io_error; overloaded when the engine is closing.
   */
  snapshot(): Promise<SnapshotReport>;
  /**
   * Finishes what was accepted (reads that take longer than a second are given up), syncs and stops every thread; merges are given up, and so is a snapshot that is not
   * finished after `snapshotWithinMs` (0: none is written): the log has everything. Called again, the same promise.
   * Errors: io_error, disk_full when acknowledged writes could not be synced.
   */
  close(snapshotWithinMs: number): Promise<void>;
}
