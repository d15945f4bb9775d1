/**
 * Opens the engine: starts its threads, wires them, and gives the HTTP thread one object to call.
 *
 * Runs on the HTTP thread. Holds a view of each collection, kept in step with acknowledgements; evaluates nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { createControlWords, isMerging } from '../channel/control-words.js';
import type {
  MaintenanceData,
  PostedError,
  PostedResult,
  ReaderData,
  WriterData,
  WriterInput,
  WriterOutput,
} from '../channel/messages.js';
import { unpackReports } from '../channel/packed-writes.js';
import { unpackView } from '../channel/posted-views.js';
import { createMailbox } from '../channel/read-mailbox.js';
import { OPERATION_FETCH, OPERATION_SEARCH, OPERATION_SUGGEST, type Read } from '../channel/read-request.js';
import { type PostedBody, ReaderPool } from '../channel/reader-pool.js';
import { WriteQueue } from '../channel/write-queue.js';
import { assert, assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { READER_THREADS_MAX } from '../core/limits.js';
import type { BodyFormat, FetchRequest, IndexResult, SearchRequest, SuggestRequest } from '../core/requests.js';
import type {
  CollectionView,
  DurabilityStats,
  Engine,
  EngineOptions,
  EngineStats,
  ReadCallback,
  SnapshotReport,
} from '../engine.js';
import { reserveMemory } from '../memory/address-space.js';
import { loadKernels } from '../memory/kernel-instance.js';
import { parseSchema } from '../schema/parse-schema.js';
import { statsOf, type ViewedCollection, type WriterStats } from '../writer/state/write-requests.js';
import { spawnWorker } from './spawn.js';

/** Starts the engine on `options.dataDir` and resolves once it has recovered. Errors: corrupt_data, io_error, disk_full, memory_full. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const engine = new ThreadedEngine(options);
  await engine.ready;
  return engine;
}

/** How long a close waits for reads. What takes longer is given up with its thread: the writer needs its time. */
const READS_WITHIN_MS = 1000;

interface WaitingSnapshot {
  readonly resolve: (report: SnapshotReport) => void;
  readonly reject: (error: EngineError) => void;
}

const received = ({ code, message }: PostedError): EngineError => new EngineError(code, message);

class ThreadedEngine implements Engine {
  readonly ready: Promise<void>;
  readonly #options: EngineOptions;
  readonly #pool: ReaderPool;
  readonly #words: Int32Array;
  readonly #writer: Worker;
  readonly #queue: WriteQueue;
  readonly #threads: Worker[] = [];
  readonly #byName = new Map<string, ViewedCollection>();
  readonly #byId = new Map<number, ViewedCollection>();
  readonly #snapshots = new Map<number, WaitingSnapshot>();
  #nextSnapshotTicket = 1;
  #stats: WriterStats | null = null;
  #durability: DurabilityStats | null = null;
  #stopped: ((error: EngineError | null) => void) | null = null;
  #closing = false;
  #closed: Promise<void> | null = null;
  #dead = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    const readers = Math.min(options.readerThreads, READER_THREADS_MAX);
    const words = createControlWords();
    this.#words = words;
    loadKernels();
    // The readers, the writer and the maintenance thread.
    const { arenas, others: mailbox } = reserveMemory(options.memoryBytes, readers + 2, createMailbox);
    const maintenance = new MessageChannel();
    const readerPorts: MessagePort[] = [];
    this.#pool = new ReaderPool(words, mailbox, readers);
    for (let index = 0; index < readers; index++) {
      const { port1, port2 } = new MessageChannel();
      readerPorts.push(port1);
      const cacheBytes = options.readerCacheBytes;
      const data: ReaderData = { index, words, mailbox, cacheBytes, updates: port2 };
      const reader = this.#start('reader-thread', data, [port2]);
      reader.on('message', (message: PostedBody) => this.#pool.receivePosted(message));
    }
    const { dataDir, memoryBytes, syncIntervalMs, snapshotWalBytes, snapshotIntervalMs, verify, mapFiles } = options;
    const maintenanceData: MaintenanceData = { dataDir, writerPort: maintenance.port2 };
    this.#start('maintenance-thread', maintenanceData, [maintenance.port2]);
    const maintenancePort = maintenance.port1;
    const writerData: WriterData = {
      ...{ dataDir, memoryBytes, arenas, syncIntervalMs, snapshotWalBytes, snapshotIntervalMs, verify, mapFiles },
      ...{ readers, words, readerPorts, maintenancePort },
    };
    this.#writer = this.#start('writer-thread', writerData, [...readerPorts, maintenancePort]);
    this.#queue = new WriteQueue(this.#writer);
    this.ready = new Promise((resolve, reject) => {
      this.#writer.on('message', (message: WriterOutput) => this.#receive(message, resolve, reject));
    });
  }

  listCollections(): readonly CollectionView[] {
    const views = [...this.#byName.values()].map(({ view }) => view);
    return views.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  getCollection(name: string): CollectionView | null {
    const found = this.#byName.get(name);
    if (found === undefined) return null;
    assertSound(found);
    return found.view;
  }

  async createCollection(body: unknown): Promise<CollectionView> {
    const schema = parseSchema(body);
    const { collectionId } = await this.#queue.submit(0, (ticket) => ({ kind: 'create', ticket, schema }));
    return assertPresent(this.#byId.get(assertPresent(collectionId, 'number of the collection')), 'new collection')
      .view;
  }

  async dropCollection(name: string): Promise<void> {
    const collectionId = this.#findAny(name).id;
    await this.#queue.submit(0, (ticket) => ({ kind: 'drop', ticket, collectionId }));
  }

  async indexDocuments(collection: string, body: Uint8Array<ArrayBuffer>, format: BodyFormat): Promise<IndexResult> {
    const collectionId = this.#find(collection).id;
    const { report } = await this.#queue.submit(body.length, (ticket) => ({
      kind: 'index',
      ticket,
      collectionId,
      body,
      format,
    }));
    return assertPresent(report, 'report of a batch');
  }

  async deleteDocument(collection: string, id: string): Promise<void> {
    const collectionId = this.#find(collection).id;
    await this.#queue.submit(0, (ticket) => ({ kind: 'delete', ticket, collectionId, documentId: id }));
  }

  search(request: SearchRequest, done: ReadCallback): void {
    this.#read({ operation: OPERATION_SEARCH, request }, done);
  }

  suggest(request: SuggestRequest, done: ReadCallback): void {
    this.#read({ operation: OPERATION_SUGGEST, request }, done);
  }

  fetchDocument(request: FetchRequest, done: ReadCallback): void {
    this.#read({ operation: OPERATION_FETCH, request }, done);
  }

  stats(): EngineStats {
    const readers = this.#pool.stats();
    return {
      ...assertPresent(this.#stats, 'statistics of an open engine'),
      ...assertPresent(this.#durability, 'statistics of an open engine'),
      collections: [...this.#byName.values()].map(statsOf),
      readers,
      readQueueDepth: this.#pool.depth,
      writeQueueDepth: this.#queue.depth,
      mergeRunning: isMerging(this.#words, readers.length),
    };
  }

  snapshot(): Promise<SnapshotReport> {
    if (this.#closing) return Promise.reject(new EngineError('overloaded', 'the server is stopping'));
    const ticket = this.#nextSnapshotTicket++;
    return new Promise((resolve, reject) => {
      this.#snapshots.set(ticket, { resolve, reject });
      this.#writer.postMessage({ kind: 'snapshot', ticket } satisfies WriterInput);
    });
  }

  close(snapshotWithinMs: number): Promise<void> {
    this.#closed ??= this.#stop(snapshotWithinMs);
    return this.#closed;
  }

  async #stop(snapshotWithinMs: number): Promise<void> {
    this.#closing = true;
    const stopped = new Promise<EngineError | null>((resolve) => {
      this.#stopped = resolve;
    });
    await Promise.race([this.#pool.stop(), sleep(READS_WITHIN_MS)]);
    this.#queue.stop(snapshotWithinMs);
    const failure = await stopped;
    for (const { reject } of this.#snapshots.values()) reject(new EngineError('overloaded', 'the server is stopping'));
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
    if (failure !== null) throw failure;
  }

  #findAny(name: string): ViewedCollection {
    const found = this.#byName.get(name);
    if (found === undefined) throw new EngineError('collection_not_found', `there is no collection "${name}"`);
    return found;
  }

  #find(name: string): ViewedCollection {
    const found = this.#findAny(name);
    assertSound(found);
    return found;
  }

  #read(read: Read, done: ReadCallback): void {
    let found: ViewedCollection;
    try {
      found = this.#find(read.request.collection);
    } catch (error) {
      assert(error instanceof EngineError, 'a collection is refused with an EngineError');
      queueMicrotask(() => done(error, null));
      return;
    }
    const { id } = found;
    this.#pool.submit(read, id, (error, result) => {
      if (error !== null && error.code === 'corrupt_data') this.#reportDamage(id, error);
      done(error, result);
    });
  }

  /** A reader met damage: the writer refuses the collection from now on. */
  #reportDamage(collectionId: number, { message }: EngineError): void {
    this.#writer.postMessage({ kind: 'suspect', collectionId, message } satisfies WriterInput);
  }

  #start(name: string, data: object, transfer: MessagePort[]): Worker {
    const thread = spawnWorker(name, { workerData: data, transferList: transfer });
    thread.on('error', (error) => this.#fail(new Error(`${name} died: ${error.message}`, { cause: error })));
    thread.on('exit', (code) => {
      if (!this.#closing) this.#fail(new Error(`${name} ended with code ${code}`));
    });
    this.#threads.push(thread);
    return thread;
  }

  /** A thread that died reports an error and then its end, and may take others along: the first report counts. */
  #fail(error: Error): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#options.onFatal(error);
  }

  #receive(message: WriterOutput, ready: () => void, failed: (error: Error) => void): void {
    switch (message.kind) {
      case 'progress':
        this.#options.onProgress(message.progress);
        break;
      case 'ready':
        this.#durability = message.durability;
        this.#takeResult(message.result);
        ready();
        break;
      case 'failed':
        this.#closing = true;
        for (const thread of this.#threads) void thread.terminate();
        failed(received(message.error));
        break;
      case 'durability':
        this.#durability = message.durability;
        break;
      case 'snapshot': {
        const waiting = assertPresent(this.#snapshots.get(message.ticket), 'a snapshot was asked for');
        this.#snapshots.delete(message.ticket);
        if (message.report !== null) waiting.resolve(message.report);
        else waiting.reject(received(assertPresent(message.error, 'why there is no snapshot')));
        break;
      }
      case 'result':
        this.#takeResult(message.result);
        if (message.reports !== null) this.#queue.settle(unpackReports(message.reports));
        break;
      case 'log':
        this.#options.logger[message.level](message.details, message.message);
        break;
      case 'stopped':
        this.#queue.settleAll();
        this.#stopped?.(message.error === null ? null : received(message.error));
        break;
    }
  }

  /** The views change before anybody is answered, so that whoever was answered finds what was promised. */
  #takeResult({ changed, dropped, answers, stats }: PostedResult): void {
    for (const id of dropped) {
      const gone = this.#byId.get(id);
      this.#byId.delete(id);
      if (gone !== undefined && this.#byName.get(gone.view.name) === gone) this.#byName.delete(gone.view.name);
    }
    for (const posted of changed) {
      const viewed = unpackView(posted, this.#byId.get(posted.id));
      this.#byId.set(viewed.id, viewed);
      this.#byName.set(viewed.view.name, viewed);
    }
    this.#stats = stats;
    this.#queue.settle(answers);
  }
}

/** Errors: corrupt_data when the collection's files are damaged. */
function assertSound({ damage }: ViewedCollection): void {
  if (damage !== null) throw new EngineError('corrupt_data', damage);
}
