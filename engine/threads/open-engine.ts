/**
 * Opens the engine: makes what its threads share, starts them, and gives the HTTP thread one object to call.
 */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { SharedWords } from '../channel/atomic-words.js';
import { CONTROL_WORDS } from '../channel/control-words.js';
import { EngineClient } from '../channel/engine-client.js';
import { clearEpochs, Epoch } from '../channel/generations.js';
import { InlineBudget } from '../channel/inline-budget.js';
import { InlineReader } from '../channel/inline-reader.js';
import type { MaintenanceData, ReaderData, WriterData, WriterInput, WriterOutput } from '../channel/messages.js';
import { UpdateReceiver } from '../channel/publication.js';
import { readerCount } from '../channel/read-loop.js';
import { createMailbox } from '../channel/read-mailbox.js';
import { ReaderCounters } from '../channel/reader-counters.js';
import { type PostedBody, ReaderPool } from '../channel/reader-pool.js';
import { createShareRooms } from '../channel/search-share.js';
import { WriteQueue } from '../channel/write-queue.js';
import { CacheBudget } from '../core/cache-budget.js';
import { READER_THREADS_MAX } from '../core/limits.js';
import type { Engine, EngineOptions } from '../engine.js';
import { reserveMemory } from '../memory/address-space.js';
import { loadKernels } from '../memory/kernel-instance.js';
import { ReadServer } from '../query/read-server.js';
import { receiveOnceLoaded, spawnWorker } from './spawn.js';

/** What the HTTP thread may remember for its own reads, as a share of what a reader may: it knows less. */
const INLINE_CACHE_SHARE = 0.25;

/**
 * A thread that is started opens the files of its modules all at once. So that descriptors are enough where few are allowed,
 * threads start in turn, or of this many readers one more at a time.
 */
const READERS_PER_LOADING = 8;

/** The HTTP thread's own reader: number `reader`, after all others. */
function createInlineReader(
  words: SharedWords,
  reader: number,
  cacheBytes: number,
  updates: MessagePort,
): InlineReader {
  const budget = new InlineBudget();
  const caches = new CacheBudget(cacheBytes);
  const server = new ReadServer(reader, budget, caches, false);
  return new InlineReader({
    ...{ epoch: new Epoch(words, reader), budget, server },
    updates: new UpdateReceiver(updates, (update) => server.apply(update)),
    counters: new ReaderCounters(words, reader, caches),
  });
}

/** Starts the engine on `options.dataDir` and resolves once it has recovered. Errors: corrupt_data, io_error, disk_full, memory_full. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { dataDir, memoryBytes, syncIntervalMs, snapshotWalBytes, snapshotIntervalMs, verify, mapFiles } = options;
  const readers = readerCount(Math.min(options.readerThreads, READER_THREADS_MAX));
  const words = new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT));
  const shared = new SharedWords(words);
  clearEpochs(shared);
  // The readers, the writer and the maintenance thread.
  const { arenas, others } = reserveMemory(memoryBytes, readers + 2, () => ({
    mailbox: createMailbox(),
    rooms: createShareRooms(readers),
  }));
  const { mailbox, rooms } = others;
  const sharing = { aboveUs: options.shareAboveUs, helpersMax: options.searchHelpers };
  const { queryTimeoutMs: timeoutMs, answerBytesMax, readerCacheBytes: cacheBytes } = options;
  loadKernels();
  const { port1: inlinePort, port2: inlineUpdates } = new MessageChannel();
  const inline = createInlineReader(shared, readers, cacheBytes * INLINE_CACHE_SHARE, inlineUpdates);
  const pool = new ReaderPool(shared, mailbox, { readers, timeoutMs, answerBytesMax, inline });
  const threads: Worker[] = [];
  const start = (name: string, data: object, transferList: MessagePort[]): Worker => {
    const thread = spawnWorker(name, { workerData: data, transferList });
    thread.on('error', (error) => client.fail(new Error(`${name} died: ${error.message}`, { cause: error })));
    thread.on('exit', (code) => client.noteEnd(name, code));
    threads.push(thread);
    return thread;
  };
  const updates = Array.from({ length: readers }, () => new MessageChannel());
  const readerPorts = [...updates.map(({ port1 }) => port1), inlinePort];
  const { port1: maintenancePort, port2: writerPort } = new MessageChannel();
  const writerData: WriterData = {
    ...{ dataDir, memoryBytes, arenas, syncIntervalMs, snapshotWalBytes, snapshotIntervalMs, verify, mapFiles },
    ...{ words, readerPorts, maintenancePort },
  };
  const writer = start('writer-thread', writerData, [...readerPorts, maintenancePort]);
  const merging = new Epoch(shared, readerPorts.length);
  const client = new EngineClient(options, {
    pool,
    queue: new WriteQueue(writer),
    post: (message: WriterInput) => writer.postMessage(message),
    isMerging: () => !merging.isIdle,
    endThreads: async () => void (await Promise.all(threads.map((thread) => thread.terminate()))),
  });
  const isLoaded = async (thread: Worker, receive: (message: never) => void): Promise<void> => {
    const loaded = receiveOnceLoaded(thread, receive);
    await Promise.race([loaded, client.ready.then(() => loaded)]);
  };
  const startReader = (index: number): Promise<void> => {
    const { port2 } = updates[index];
    const data: ReaderData = {
      index,
      readers,
      answerBytesMax,
      cacheBytes,
      words,
      mailbox,
      updates: port2,
      rooms,
      sharing,
    };
    const reader = start('reader-thread', data, [port2]);
    return isLoaded(reader, (message: PostedBody) => pool.receivePosted(message));
  };
  await isLoaded(writer, (message: WriterOutput) => client.receive(message));
  const maintenance = start('maintenance-thread', { dataDir, writerPort } satisfies MaintenanceData, [writerPort]);
  await isLoaded(maintenance, () => {});
  const together = 1 + Math.floor(readers / READERS_PER_LOADING);
  for (let first = 0; first < readers; first += together) {
    const end = Math.min(readers, first + together);
    await Promise.all(Array.from({ length: end - first }, (_, i) => startReader(first + i)));
  }
  await client.ready;
  return client;
}
