/**
 * The writer thread: recovers what is on disk, then takes writes as they come (writer-loop.ts).
 *
 * Started by open-engine.ts. The only thread that allocates shared memory, appends to the log and publishes.
 */
import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { cachedBytes, oldestGenerationInUse, WORD, wakeReaders } from '../channel/control-words.js';
import { MaintenanceClient } from '../channel/maintenance-client.js';
import type { PostedError, WriterData, WriterInput, WriterOutput } from '../channel/messages.js';
import { UpdatePacker } from '../channel/packed-updates.js';
import { packAnswers, unpackWrites } from '../channel/packed-writes.js';
import { ViewPacker } from '../channel/posted-views.js';
import { ReplayClient } from '../channel/replay-client.js';
import { assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import type { DurabilityStats, EngineLogger, RecoveryProgress } from '../engine.js';
import type { Arena } from '../memory/arena.js';
import { collectGarbage } from '../memory/collect-garbage.js';
import { regionsStart } from '../memory/kernel-instance.js';
import { MemoryBudget } from '../memory/memory-budget.js';
import { processBytes } from '../memory/process-memory.js';
import type { ReaderUpdate } from '../segment/updates.js';
import { lockDirectory } from '../storage/files/directory-lock.js';
import { openDirectory } from '../storage/files/node-directory.js';
import { openPageMapper } from '../storage/mapping/open-page-mapper.js';
import { type Publisher, WritePath } from '../writer/commit/write-path.js';
import { MergeScheduler } from '../writer/merge/merge-scheduler.js';
import { recover } from '../writer/recovery/recovery.js';
import { Snapshotter } from '../writer/snapshot/snapshotter.js';
import { CollectionSet } from '../writer/state/collection-set.js';
import { SegmentMemory } from '../writer/state/segment-memory.js';
import type { CommitResult } from '../writer/state/write-requests.js';
import { WriterLoop } from '../writer/writer-loop.js';

const data = workerData as WriterData;
const port = assertPresent(parentPort, 'port to the HTTP thread');
/** Publications after which readers that sleep are woken to receive them. */
const WAKE_EVERY = 64;

const send = (message: WriterOutput, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const logger: EngineLogger = {
  debug: (details, message) => send({ kind: 'log', level: 'debug', details, message }),
  info: (details, message) => send({ kind: 'log', level: 'info', details, message }),
  warn: (details, message) => send({ kind: 'log', level: 'warn', details, message }),
  error: (details, message) => send({ kind: 'log', level: 'error', details, message }),
};

const updatePacker = new UpdatePacker();

class SharedPublisher implements Publisher {
  get generation(): number {
    return Atomics.load(data.words, WORD.GENERATION);
  }

  publish(updates: readonly ReaderUpdate[]): void {
    for (const update of updates) {
      const posted = updatePacker.pack(update);
      for (const reader of data.readerPorts) reader.postMessage(posted);
    }
    const generation = Atomics.add(data.words, WORD.GENERATION, 1);
    // A reader that sleeps needs no update before its next query; it is woken only so that they do not pile up.
    if (generation % WAKE_EVERY === 0) wakeReaders(data.words, data.readers);
  }

  oldestGenerationInUse(): number {
    return oldestGenerationInUse(data.words, data.readers);
  }
}

function fail(error: unknown): void {
  // A bug: let it end the thread, and with it the process.
  setImmediate(() => {
    throw error;
  });
}

/** Documents that are being collected take their room in the builder, and again as the segment that they become. */
const PENDING_FACTOR = 2;
/** Reports at most this often how recovery goes on. */
const PROGRESS_INTERVAL_MS = 50;

function progressReporter(): (progress: RecoveryProgress) => void {
  let lastMs = 0;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < PROGRESS_INTERVAL_MS && progress.doneBytes < progress.totalBytes) return;
    lastMs = nowMs;
    send({ kind: 'progress', progress });
  };
}

const posted = (error: EngineError | null): PostedError | null =>
  error === null ? null : { code: error.code, message: error.message };

function receive(message: WriterInput, loop: WriterLoop): void {
  switch (message.kind) {
    case 'write':
      loop.write([message.request]);
      break;
    case 'writes':
      loop.write(unpackWrites(message.writes));
      break;
    case 'snapshot':
      loop.requestSnapshot(message.ticket);
      break;
    case 'suspect':
      loop.suspect(message.collectionId, new EngineError('corrupt_data', message.message));
      break;
    case 'stop':
      loop.stop(message.snapshotWithinMs);
      break;
  }
}

function start(): void {
  const directory = openDirectory(data.dataDir);
  lockDirectory(data.dataDir);
  const { mapper, reason } = openPageMapper(data.mapFiles);
  logger.info({ mapping: mapper.kind, ...(reason === '' ? {} : { reason }) }, 'how segment files come into memory');
  const publisher = new SharedPublisher();
  const maintenance = new MaintenanceClient(data.maintenancePort, data.words, data.readers);
  const onArena = (arena: Arena): void => {
    for (const reader of data.readerPorts) reader.postMessage({ kind: 'arena', arena } satisfies ReaderUpdate);
    maintenance.addArena(arena);
  };
  let waitingBytes = (): number => 0;
  // Asked for while documents are taken, when all of them are there.
  const knownBytes = (): number =>
    memory.unmappedBytes +
    PENDING_FACTOR * collections.pendingBytes +
    cachedBytes(data.words, data.readers) +
    waitingBytes();
  const budget = new MemoryBudget(data.memoryBytes, { knownBytes, processBytes, nowMs: () => performance.now() });
  budget.isEnforced = false;
  const memory = new SegmentMemory(regionsStart(data.readers), mapper, onArena, budget, data.arenas);
  const collections = new CollectionSet(memory);
  const worker = new ReplayClient(data.maintenancePort);
  const options = { logger, verify: data.verify === 'open', onProgress: progressReporter() };
  const isAlone = availableParallelism() === 1;
  const replay = { worker: isAlone ? null : worker };
  const { wal, manifest, verifiedBytes } = recover(directory, collections, memory, options, replay);
  worker.end();
  const path = new WritePath(collections, memory, wal, publisher, data.syncIntervalMs === 0);
  const policy = { walBytes: data.snapshotWalBytes, intervalMs: data.snapshotIntervalMs };
  const onEnd = (): void => {
    sendResult({ changed: [], dropped: [], answers: [], stats: path.stats() });
    sendDurability();
    loop.wake();
  };
  const parts = { directory, collections, memory, wal, runner: maintenance, policy, logger, onEnd };
  const snapshots = new Snapshotter(parts, manifest);
  const durability = (): DurabilityStats => ({
    mappedBytes: memory.mappedBytes,
    mapping: memory.mapping,
    snapshots: snapshots.stats(),
    verifiedBytes: loop.verifiedBytes,
    damagedCollections: collections.damagedCount,
  });
  const sendDurability = (): void => send({ kind: 'durability', durability: durability() });
  const views = new ViewPacker();
  /** Large reports travel without a copy. */
  const sendResult = (result: CommitResult): void => {
    const { reports, others } = packAnswers(result.answers);
    const transfer: ArrayBuffer[] = [];
    for (const answer of others)
      if (answer.error === null && answer.report !== null) transfer.push(answer.report.body.buffer as ArrayBuffer);
    const changed = views.pack(result.changed, result.dropped);
    send({ kind: 'result', result: { ...result, changed, answers: others }, reports }, transfer);
  };
  const merges = new MergeScheduler(path, memory, publisher, maintenance, (result) => {
    snapshots.noteChange();
    sendResult(result);
  });
  const { syncIntervalMs } = data;
  const loop = new WriterLoop(
    {
      ...{ path, memory, merges, snapshots, verifier: maintenance, logger, syncIntervalMs, verifiedBytes },
      collectGarbage: () => {
        collectGarbage();
        maintenance.collectGarbage();
      },
    },
    {
      result: sendResult,
      durability: sendDurability,
      snapshot: (ticket, report, error) => send({ kind: 'snapshot', ticket, report, error: posted(error) }),
      stopped: (error) => {
        maintenance.close();
        send({ kind: 'stopped', error: posted(error) });
        port.close();
      },
      fail,
    },
  );
  waitingBytes = () => loop.waitingBytes;
  collectGarbage();
  budget.measureBase();
  budget.isEnforced = true;
  const all = path.publishAll();
  const ready = { ...all, changed: views.pack(all.changed, []) };
  send({ kind: 'ready', result: ready, durability: durability() });
  port.on('message', (message: WriterInput) => receive(message, loop));
  merges.schedule();
  if (data.verify === 'background') void loop.verifyAll().catch(fail);
}

try {
  start();
} catch (error) {
  if (!(error instanceof EngineError)) throw error;
  const { code, message } = error;
  send({ kind: 'failed', error: { code, message } });
  port.close();
}
