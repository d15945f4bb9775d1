/**
 * The writer thread: takes writes as they come, commits what has gathered, hands large merges to the maintenance thread.
 *
 * Started by open-engine.ts. The only thread that allocates shared memory, appends to the log and publishes.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CollectionSet } from '../collection/collection-set.js';
import type { MergeOrder, MergeOutcome } from '../collection/merge-job.js';
import { MergeScheduler } from '../collection/merge-scheduler.js';
import { recover } from '../collection/recovery.js';
import { SegmentStore } from '../collection/segment-store.js';
import type { ReaderUpdate } from '../collection/updates.js';
import { type Publisher, WritePath } from '../collection/write-path.js';
import type { WriteRequest, WriterNews } from '../collection/write-requests.js';
import { assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import type { EngineLogger } from '../engine.js';
import { regionsStart } from '../memory/kernel-instance.js';
import { lockDirectory } from '../storage/directory-lock.js';
import { openDirectory } from '../storage/node-directory.js';
import { EPOCH_IDLE, oldestGenerationInUse, WORD, wakeReaders } from './control-words.js';
import type { MaintenanceInput, WriterData, WriterInput, WriterOutput } from './messages.js';

/** How often what nobody reads any more is freed while no commit comes along to do it. */
const RECLAIM_INTERVAL_MS = 500;
/** A commit takes at most this many bytes of bodies, so that a flood of batches is answered piece by piece. */
const COMMIT_BYTES_MAX = 16 << 20;

const data = workerData as WriterData;
const port = assertPresent(parentPort, 'port to the HTTP thread');
const send = (message: WriterOutput, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const logger: EngineLogger = {
  debug: (details, message) => send({ kind: 'log', level: 'debug', details, message }),
  info: (details, message) => send({ kind: 'log', level: 'info', details, message }),
  warn: (details, message) => send({ kind: 'log', level: 'warn', details, message }),
  error: (details, message) => send({ kind: 'log', level: 'error', details, message }),
};

class SharedPublisher implements Publisher {
  get generation(): number {
    return Atomics.load(data.words, WORD.GENERATION);
  }

  publish(updates: readonly ReaderUpdate[]): void {
    for (const update of updates) for (const reader of data.readerPorts) reader.postMessage(update);
    Atomics.add(data.words, WORD.GENERATION, 1);
    wakeReaders(data.words, data.readers);
  }

  oldestGenerationInUse(): number {
    return oldestGenerationInUse(data.words, data.readers);
  }
}

/** Hands merges to the maintenance thread, one at a time, holding an epoch so that what it reads stays. */
class MaintenanceRunner {
  readonly #port: MessagePort;
  #done: ((outcome: MergeOutcome) => void) | null = null;

  constructor(maintenance: MessagePort) {
    this.#port = maintenance;
    this.#port.on('message', (outcome: MergeOutcome) => {
      const done = assertPresent(this.#done, 'a merge is under way');
      this.#done = null;
      Atomics.store(data.words, WORD.EPOCH + data.readers, EPOCH_IDLE);
      done(outcome);
    });
  }

  run(order: MergeOrder): Promise<MergeOutcome> {
    Atomics.store(data.words, WORD.EPOCH + data.readers, Atomics.load(data.words, WORD.GENERATION));
    this.#port.postMessage({ kind: 'merge', order } satisfies MaintenanceInput);
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }
}

/** The reports of a commit travel without a copy. */
function sendNews(news: WriterNews): void {
  const transfer: ArrayBuffer[] = [];
  for (const answer of news.answers)
    if (answer.error === null && answer.report !== null) transfer.push(answer.report.body.buffer as ArrayBuffer);
  send({ kind: 'news', news }, transfer);
}

class WriterLoop {
  readonly #path: WritePath;
  readonly #merges: MergeScheduler;
  #queue: WriteRequest[] = [];
  #committing = false;
  #stopping = false;
  #dirty = false;

  constructor(path: WritePath, merges: MergeScheduler) {
    this.#path = path;
    this.#merges = merges;
    setInterval(() => this.#path.reclaim(), RECLAIM_INTERVAL_MS).unref();
    if (data.syncIntervalMs > 0) setInterval(() => void this.#syncLater().catch(fail), data.syncIntervalMs).unref();
  }

  receive(message: WriterInput): void {
    if (message.kind === 'stop') this.#stopping = true;
    else this.#queue.push(message.request);
    if (this.#committing) return;
    this.#committing = true;
    // What else has arrived by then joins the commit.
    setImmediate(() => void this.#run().catch(fail));
  }

  /** Commits until the queue is empty. */
  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#merges.throttle();
      sendNews(await this.#path.commit(this.#takeGroup()));
      this.#dirty = true;
      this.#merges.schedule();
    }
    this.#committing = false;
    if (this.#stopping) await this.#stop();
  }

  #takeGroup(): WriteRequest[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && bytes < COMMIT_BYTES_MAX) {
      const request = this.#queue[count++];
      if (request.kind === 'index') bytes += request.body.length;
    }
    return this.#queue.splice(0, count);
  }

  async #syncLater(): Promise<void> {
    if (!this.#dirty) return;
    this.#dirty = false;
    try {
      await this.#path.sync();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#dirty = true;
      logger.error({ code: error.code }, `syncing the write-ahead log failed: ${error.message}`);
    }
  }

  /** Leaves a merge that is under way to itself: the next start would repeat it anyway. */
  async #stop(): Promise<void> {
    let failure: EngineError | null = null;
    try {
      await this.#path.close();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      failure = error;
    }
    data.maintenancePort.close();
    send({ kind: 'stopped', error: failure === null ? null : { code: failure.code, message: failure.message } });
    port.close();
  }
}

function fail(error: unknown): void {
  // A bug: let it end the thread, and with it the process.
  setImmediate(() => {
    throw error;
  });
}

function start(): void {
  const directory = openDirectory(data.dataDir);
  lockDirectory(data.dataDir);
  const publisher = new SharedPublisher();
  const store = new SegmentStore(regionsStart(data.readers), (arena) => {
    for (const reader of data.readerPorts) reader.postMessage({ kind: 'arena', arena } satisfies ReaderUpdate);
    data.maintenancePort.postMessage({ kind: 'arena', arena } satisfies MaintenanceInput);
  });
  const collections = new CollectionSet(store);
  const wal = recover(directory, collections, store, logger);
  const path = new WritePath(collections, store, wal, publisher, data.syncIntervalMs === 0);
  const runner = new MaintenanceRunner(data.maintenancePort);
  const merges = new MergeScheduler(path, store, publisher, runner, sendNews);
  const loop = new WriterLoop(path, merges);
  send({ kind: 'ready', news: path.publishAll() });
  port.on('message', (message: WriterInput) => loop.receive(message));
}

try {
  start();
} catch (error) {
  if (!(error instanceof EngineError)) throw error;
  send({ kind: 'failed', code: error.code, message: error.message });
  port.close();
}
