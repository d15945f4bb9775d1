/**
 * Opens the engine: starts its threads, wires them, and gives the HTTP thread one object to call.
 *
 * Runs on the HTTP thread. Holds a mirror of the collections, kept in step with acknowledgements; evaluates nothing.
 */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { type CollectionMirror, statsOf, type WriterNews, type WriterStats } from '../collection/write-requests.js';
import { assertPresent } from '../core/assert.js';
import { EngineError, type EngineErrorCode } from '../core/errors.js';
import { READER_THREADS_MAX } from '../core/limits.js';
import type { BodyFormat, FetchRequest, IndexResult, SearchRequest, SuggestRequest } from '../core/requests.js';
import type { CollectionView, Engine, EngineOptions, EngineStats, ReadCallback } from '../engine.js';
import { parseSchema } from '../schema/parse-schema.js';
import { createControlWords } from './control-words.js';
import type { MaintenanceData, ReaderData, WriterData, WriterOutput } from './messages.js';
import { createMailbox } from './read-mailbox.js';
import { OPERATION_FETCH, OPERATION_SEARCH, OPERATION_SUGGEST, type Read } from './read-request.js';
import { type PostedBody, ReaderPool } from './reader-pool.js';
import { spawnWorker } from './spawn.js';
import { WriteQueue } from './write-queue.js';

/** Starts the engine on `options.dataDir` and resolves once its log is replayed. Errors: corrupt_data, io_error, disk_full. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const engine = new ThreadedEngine(options);
  await engine.ready;
  return engine;
}

class ThreadedEngine implements Engine {
  readonly ready: Promise<void>;
  readonly #options: EngineOptions;
  readonly #pool: ReaderPool;
  readonly #writer: Worker;
  readonly #queue: WriteQueue;
  readonly #threads: Worker[] = [];
  readonly #byName = new Map<string, CollectionMirror>();
  readonly #byId = new Map<number, CollectionMirror>();
  #stats: WriterStats | null = null;
  #stopped: ((error: EngineError | null) => void) | null = null;
  #closing = false;
  #closed: Promise<void> | null = null;
  #dead = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    const readers = Math.min(options.readerThreads, READER_THREADS_MAX);
    const words = createControlWords();
    const mailbox = createMailbox();
    const maintenance = new MessageChannel();
    const readerPorts: MessagePort[] = [];
    this.#pool = new ReaderPool(words, mailbox, readers);
    for (let index = 0; index < readers; index++) {
      const { port1, port2 } = new MessageChannel();
      readerPorts.push(port1);
      const data: ReaderData = { index, words, mailbox, updates: port2 };
      const reader = this.#start('reader-thread', data, [port2]);
      reader.on('message', (message: PostedBody) => this.#pool.receivePosted(message));
    }
    const maintenanceData: MaintenanceData = { writerPort: maintenance.port2 };
    this.#start('maintenance-thread', maintenanceData, [maintenance.port2]);
    const { dataDir, syncIntervalMs } = options;
    const maintenancePort = maintenance.port1;
    const writerData: WriterData = { dataDir, syncIntervalMs, readers, words, readerPorts, maintenancePort };
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
    return this.#byName.get(name)?.view ?? null;
  }

  async createCollection(body: unknown): Promise<CollectionView> {
    const schema = parseSchema(body);
    const { collectionId } = await this.#queue.submit({ kind: 'create', schema });
    return assertPresent(this.#byId.get(assertPresent(collectionId, 'number of the collection')), 'new collection')
      .view;
  }

  async dropCollection(name: string): Promise<void> {
    await this.#queue.submit({ kind: 'drop', collectionId: this.#find(name).id });
  }

  async indexDocuments(collection: string, body: Uint8Array<ArrayBuffer>, format: BodyFormat): Promise<IndexResult> {
    const collectionId = this.#find(collection).id;
    const { report } = await this.#queue.submit({ kind: 'index', collectionId, body, format });
    return assertPresent(report, 'report of a batch');
  }

  async deleteDocument(collection: string, id: string): Promise<void> {
    await this.#queue.submit({ kind: 'delete', collectionId: this.#find(collection).id, documentId: id });
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
    return {
      ...assertPresent(this.#stats, 'statistics of an open engine'),
      collections: [...this.#byName.values()].map(statsOf),
      readers: this.#pool.stats(),
      readQueueDepth: this.#pool.depth,
      writeQueueDepth: this.#queue.depth,
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#stop();
    return this.#closed;
  }

  async #stop(): Promise<void> {
    this.#closing = true;
    const stopped = new Promise<EngineError | null>((resolve) => {
      this.#stopped = resolve;
    });
    await this.#pool.stop();
    this.#queue.stop();
    const failure = await stopped;
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
    if (failure !== null) throw failure;
  }

  #find(name: string): CollectionMirror {
    const found = this.#byName.get(name);
    if (found === undefined) throw new EngineError('collection_not_found', `there is no collection "${name}"`);
    return found;
  }

  #read(read: Read, done: ReadCallback): void {
    const found = this.#byName.get(read.request.collection);
    if (found !== undefined) {
      this.#pool.submit(read, found.id, done);
      return;
    }
    const { collection } = read.request;
    queueMicrotask(() => done(new EngineError('collection_not_found', `there is no collection "${collection}"`), null));
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
      case 'ready':
        this.#takeNews(message.news);
        ready();
        break;
      case 'failed':
        this.#closing = true;
        for (const thread of this.#threads) void thread.terminate();
        failed(new EngineError(message.code as EngineErrorCode, message.message));
        break;
      case 'news':
        this.#takeNews(message.news);
        break;
      case 'log':
        this.#options.logger[message.level](message.details, message.message);
        break;
      case 'stopped':
        this.#stopped?.(
          message.error === null ? null : new EngineError(message.error.code as EngineErrorCode, message.error.message),
        );
        break;
    }
  }

  /** The mirror changes before anybody is answered, so that whoever was answered finds what was promised. */
  #takeNews({ changed, dropped, answers, stats }: WriterNews): void {
    for (const id of dropped) {
      const gone = this.#byId.get(id);
      this.#byId.delete(id);
      if (gone !== undefined && this.#byName.get(gone.view.name) === gone) this.#byName.delete(gone.view.name);
    }
    for (const mirror of changed) {
      this.#byId.set(mirror.id, mirror);
      this.#byName.set(mirror.view.name, mirror);
    }
    this.#stats = stats;
    this.#queue.settle(answers);
  }
}
