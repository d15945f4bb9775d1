/**
 * The engine as the HTTP thread calls it: hands reads and writes on, and answers.
 *
 * Holds a view of each collection, kept in step with acknowledgements. threads/open-engine.ts starts the threads behind it.
 */
import { assert, assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import {
  type BodyFormat,
  type CollectionVersion,
  type DocumentAction,
  type FetchRequest,
  type IndexResult,
  OPERATION_FETCH,
  OPERATION_SEARCH,
  OPERATION_SUGGEST,
  type Read,
  type SearchRequest,
  type SuggestRequest,
} from '../core/requests.js';
import type { SnapshotReport } from '../core/snapshots.js';
import type {
  Asker,
  CollectionStats,
  CollectionView,
  DurabilityStats,
  Engine,
  EngineOptions,
  EngineStats,
  ReadCallback,
  ReadHandle,
  ReadSeat,
  SchemaChangeCheck,
} from '../engine.js';
import { parseSchema } from '../schema/parse-schema.js';
import type { WriterStats } from '../writer/state/write-requests.js';
import { AliasClient } from './alias-client.js';
import { engineStats } from './engine-stats.js';
import { ExportClient } from './export-client.js';
import { KnownCollections } from './known-collections.js';
import type { PostedError, PostedResult, WriterInput, WriterOutput } from './messages.js';
import { unpackReports } from './packed-writes.js';
import type { ProposedWrites } from './proposed-writes.js';
import { NO_READ, refuseLater, stopping } from './read-refusals.js';
import type { ReaderPool } from './reader-pool.js';
import { RestartedReads } from './restarted-reads.js';
import { SnapshotClient } from './snapshot-client.js';
import { TextRuleClient } from './text-rule-client.js';
import { WriteClient } from './write-client.js';
import type { Writes } from './write-queue.js';

/** What the client is made of. */
export interface EngineClientParts {
  readonly pool: ReaderPool;
  readonly queue: Writes;
  /** The same, where a replicated log orders writes; else null. */
  readonly replicated: ProposedWrites | null;
  /** The state in which a read of a collection would see it now. */
  readonly versionOf: (collectionId: number) => CollectionVersion;
  /** Sends to the writer thread. */
  readonly post: (message: WriterInput) => void;
  /** Whether the maintenance thread merges now. */
  readonly isMerging: () => boolean;
  /** For the HTTP threads beside this one. */
  readonly readSeats: readonly ReadSeat[];
  /** As Engine.rest(). */
  readonly rest: () => void;
  /** Ends every thread, whatever it does. */
  readonly endThreads: () => Promise<void>;
}

const NOBODY: Asker = { client: '' };

/** How long a close waits for reads. What takes longer is given up with its thread: the writer needs its time. */
const READS_WITHIN_MS = 500;

const received = ({ code, message }: PostedError): EngineError => new EngineError(code, message);

export class EngineClient implements Engine {
  /** Resolves when the engine has recovered. Errors: corrupt_data, io_error, disk_full. */
  readonly ready: Promise<void>;
  readonly readSeats: readonly ReadSeat[];
  readonly rest: () => void;
  readonly #options: EngineOptions;
  readonly #parts: EngineClientParts;
  readonly textRules: TextRuleClient;
  readonly exports: ExportClient;
  readonly aliases: AliasClient;
  readonly #writes: WriteClient;
  readonly #known = new KnownCollections((name) => this.aliases.numberOf(name));
  readonly #snapshots = new SnapshotClient();
  readonly #restarted = new RestartedReads();
  #stats: WriterStats | null = null;
  #durability: DurabilityStats | null = null;
  #stopped: ((error: EngineError | null) => void) | null = null;
  #isOpen: () => void = () => {};
  #cannotOpen: (error: Error) => void = () => {};
  #closed: Promise<void> | null = null;
  #dead = false;
  /** From here on threads may end. */
  #isClosing = false;

  constructor(options: EngineOptions, parts: EngineClientParts) {
    this.#options = options;
    this.#parts = parts;
    this.readSeats = parts.readSeats;
    this.rest = parts.rest;
    const numberOf = (name: string): number => this.#known.find(name).id;
    this.#writes = new WriteClient(parts.queue);
    this.textRules = new TextRuleClient(parts.queue, numberOf);
    this.exports = new ExportClient(parts, numberOf, (id, error) => this.#reportDamage(id, error));
    const nameOf = (id: number): string => assertPresent(this.#known.byNumber(id), 'collection of an alias').view.name;
    this.aliases = new AliasClient(parts.queue, numberOf, nameOf);
    this.ready = new Promise((resolve, reject) => {
      this.#isOpen = resolve;
      this.#cannotOpen = reject;
    });
  }

  listCollections(): readonly CollectionView[] {
    return this.#known.list();
  }

  get collectionCount(): number {
    return this.#known.count;
  }

  getCollection(name: string): CollectionView | null {
    return this.#known.lookUp(name) === undefined ? null : this.#known.find(name).view;
  }

  async createCollection(body: unknown): Promise<CollectionView> {
    const schema = parseSchema(body);
    const { view } = await this.#parts.queue.submit(0, (ticket) => ({ kind: 'create', ticket, schema }));
    return assertPresent(view, 'new collection');
  }

  async dropCollection(name: string, force = false): Promise<void> {
    const collectionId = this.#known.findAny(name).id;
    await this.#parts.queue.submit(0, (ticket) => ({ kind: 'drop', ticket, collectionId, force }));
  }

  async changeCollection(name: string, body: unknown): Promise<CollectionView> {
    const { id } = this.#known.find(name);
    await this.#writes.change(id, body);
    const changed = this.#known.byNumber(id);
    // Where others write too, it may be gone by now.
    if (changed === undefined) throw new EngineError('collection_not_found', `collection "${name}" was deleted`);
    return changed.view;
  }

  async checkChange(name: string, body: unknown): Promise<SchemaChangeCheck> {
    const { id, view } = this.#known.find(name);
    return this.#writes.checkChange(id, view.num_documents, body);
  }

  async indexDocuments(
    collection: string,
    body: Uint8Array<ArrayBuffer>,
    format: BodyFormat,
    action: DocumentAction = 'upsert',
  ): Promise<IndexResult> {
    return this.#writes.index(this.#known.find(collection).id, body, format, action);
  }

  async patchDocument(
    collection: string,
    documentId: string,
    body: Uint8Array<ArrayBuffer>,
    format: BodyFormat,
  ): Promise<Uint8Array> {
    return this.#writes.patch(this.#known.find(collection).id, documentId, body, format);
  }

  async deleteDocuments(collection: string, filter: string): Promise<number> {
    return this.#writes.deleteMatching(this.#known.find(collection).id, filter);
  }

  async deleteDocument(collection: string, id: string): Promise<void> {
    await this.#writes.delete(this.#known.find(collection).id, id);
  }

  get replicated(): ProposedWrites | null {
    return this.#parts.replicated;
  }

  search(request: SearchRequest, done: ReadCallback, asker: Asker = NOBODY): ReadHandle {
    return this.#read({ operation: OPERATION_SEARCH, request }, done, asker);
  }

  suggest(request: SuggestRequest, done: ReadCallback, asker: Asker = NOBODY): ReadHandle {
    return this.#read({ operation: OPERATION_SUGGEST, request }, done, asker);
  }

  fetchDocument(request: FetchRequest, done: ReadCallback, asker: Asker = NOBODY): ReadHandle {
    return this.#read({ operation: OPERATION_FETCH, request }, done, asker);
  }

  versionOf(collection: string): CollectionVersion {
    return this.#parts.versionOf(this.#known.lookUp(collection)?.id ?? 0);
  }

  cancelRead(handle: ReadHandle): void {
    this.#parts.pool.cancel(this.#restarted.take(handle));
  }

  releaseAnswer(heldBytes: number): void {
    this.#parts.pool.releaseAnswer(heldBytes);
  }

  stats(): EngineStats {
    const writer = assertPresent(this.#stats, 'statistics of an open engine');
    return engineStats(this.#parts, writer, assertPresent(this.#durability, 'statistics of an open engine'));
  }

  collectionStats(): readonly CollectionStats[] {
    return this.#known.stats();
  }

  get readBacklogMs(): number {
    return this.#parts.pool.backlogMs;
  }

  snapshot(): Promise<SnapshotReport> {
    if (this.#isClosing) return Promise.reject(stopping());
    return this.#snapshots.request((ticket) => this.#parts.post({ kind: 'snapshot', ticket }));
  }

  close(snapshotWithinMs: number): Promise<void> {
    this.#closed ??= this.#stop(snapshotWithinMs);
    return this.#closed;
  }

  async #stop(snapshotWithinMs: number): Promise<void> {
    this.#isClosing = true;
    const stopped = new Promise<EngineError | null>((resolve) => {
      this.#stopped = resolve;
    });
    const endMs = performance.now() + snapshotWithinMs;
    await this.#parts.pool.stop(READS_WITHIN_MS);
    this.#parts.queue.stop(Math.max(0, Math.floor(endMs - performance.now())));
    const failure = await stopped;
    this.#snapshots.refuseAll(stopping());
    await this.#parts.endThreads();
    if (failure !== null) throw failure;
  }

  #read(read: Read, done: ReadCallback, asker: Asker): ReadHandle {
    let id: number;
    try {
      id = this.#known.find(read.request.collection).id;
    } catch (error) {
      assert(error instanceof EngineError, 'a collection is refused with an EngineError');
      return refuseLater(done, error);
    }
    let handle: ReadHandle = NO_READ;
    handle = this.#parts.pool.submit(read, id, asker, (error, result) => {
      if (error?.code === 'corrupt_data') this.#reportDamage(id, error);
      const now = error?.code === 'collection_not_found' ? this.#known.lookUp(read.request.collection) : undefined;
      if ((now?.id ?? id) === id) done(error, result);
      else this.#restarted.restart(handle, done, (again) => this.#read(read, again, asker));
    });
    return handle;
  }

  /** A reader met damage: the writer refuses the collection from now on. */
  #reportDamage(collectionId: number, { message }: EngineError): void {
    this.#parts.post({ kind: 'suspect', collectionId, message });
  }

  /** Hears that a thread has ended, with `code`. */
  noteEnd(name: string, code: number): void {
    if (!this.#isClosing) this.fail(new Error(`${name} ended with code ${code}`));
  }

  /** A thread that died reports an error and then its end, and may take others along: the first report counts. */
  fail(error: Error): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#options.onFatal(error);
  }

  #noteDurability(durability: DurabilityStats): void {
    this.#durability = durability;
    this.replicated?.noteDurability(durability);
  }

  /** Takes a message of the writer thread. */
  receive(message: WriterOutput): void {
    switch (message.kind) {
      case 'progress':
        this.#options.onProgress(message.progress);
        break;
      case 'ready':
        this.#noteDurability(message.durability);
        this.#takeResult(message.result);
        this.#isOpen();
        break;
      case 'failed':
        this.#isClosing = true;
        void this.#parts.endThreads();
        this.#cannotOpen(received(message.error));
        break;
      case 'durability':
        this.#noteDurability(message.durability);
        break;
      case 'change-end':
        this.replicated?.proposeChangeEnd(message.collectionId, message.schema);
        break;
      case 'snapshot':
        this.#snapshots.settle(message.ticket, message.report, message.error === null ? null : received(message.error));
        break;
      case 'held':
        this.exports.take(message.ticket, message.collection);
        break;
      case 'result':
        this.#takeResult(message.result);
        if (message.reports !== null) this.#parts.queue.settle(unpackReports(message.reports), message.result.applied);
        break;
      case 'log':
        this.#options.logger[message.level](message.details, message.message);
        break;
      case 'stopped':
        this.exports.stop();
        this.#parts.queue.settleAll();
        this.#stopped?.(message.error === null ? null : received(message.error));
        break;
    }
  }

  /** The views change before anybody is answered, so that whoever was answered finds what was promised. */
  #takeResult({ changed, dropped, rules, aliases, answers, stats, applied }: PostedResult): void {
    for (const id of dropped) {
      this.textRules.forget(id);
      this.#known.drop(id);
    }
    for (const posted of changed) {
      const { id, damage } = this.#known.take(posted);
      if (damage !== null) this.textRules.forget(id);
    }
    this.textRules.take(rules);
    this.aliases.take(aliases);
    this.#stats = stats;
    if (applied !== undefined) this.replicated?.noteApplied(applied);
    this.#parts.queue.settle(
      answers.map((answer) => this.#known.withView(answer)),
      applied,
    );
  }
}
