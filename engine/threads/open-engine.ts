/**
 * Opens the engine: makes what its threads share, starts them, and gives the HTTP thread one object to call.
 */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { SharedWords } from '../channel/atomic-words.js';
import { CONTROL_WORDS, WORD } from '../channel/control-words.js';
import { EngineClient } from '../channel/engine-client.js';
import { clearEpochs, Epoch } from '../channel/generations.js';
import type { MaintenanceData, ReaderData, WriterData, WriterInput, WriterOutput } from '../channel/messages.js';
import { ProposedWrites } from '../channel/proposed-writes.js';
import { readerBell, readerCount } from '../channel/read-loop.js';
import { createMailbox, type PostedBody, RESPONSE_BYTES } from '../channel/read-mailbox.js';
import { ReaderPool } from '../channel/reader-pool.js';
import { createShareRooms } from '../channel/search-share.js';
import { WriteQueue } from '../channel/write-queue.js';
import { HTTP_THREADS_MAX, READER_THREADS_MAX } from '../core/limits.js';
import type { Engine, EngineOptions, ReadSeat } from '../engine.js';
import { reserveMemory } from '../memory/address-space.js';
import { loadKernels } from '../memory/kernel-instance.js';
import { createInlineReader } from './inline-seat.js';
import { receiveOnceLoaded, spawnWorker } from './spawn.js';

/** What an HTTP thread may remember for its own reads, as a share of what a reader may: it knows less. */
const INLINE_CACHE_SHARE = 0.25;
/** What of this thread's time is for reads of its own: it has writes, and what the readers have answered, to see to as well. */
const INLINE_TIME_SHARE = 0.5;

/** How long the end of all threads waits for that of the readers. */
const READERS_END_WITHIN_MS = 250;
/** Of so many readers one more loads at a time than EngineOptions.loadingsAtOnce says. */
const READERS_PER_LOADING = 8;
/** So long a thread that has failed may take to say why. */
const REASON_WITHIN_MS = 1000;

/** Starts the engine on `options.dataDir` and resolves once it has recovered. Errors: corrupt_data, io_error, disk_full, memory_full. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { dataDir, memoryBytes, syncIntervalMs, snapshotWalBytes, snapshotIntervalMs, verify, mapFiles } = options;
  const { replication = null } = options;
  const readers = readerCount(Math.min(options.readerThreads, READER_THREADS_MAX));
  const words = new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT));
  const shared = new SharedWords(words);
  clearEpochs(shared);
  const httpThreads = Math.min(options.httpThreads, HTTP_THREADS_MAX);
  // The readers, the writer, the maintenance thread and the other HTTP threads.
  const { arenas, others } = reserveMemory(memoryBytes, readers + 1 + httpThreads, () => ({
    mailbox: createMailbox(),
    rooms: createShareRooms(readers),
  }));
  const { mailbox, rooms } = others;
  const sharing = { aboveUs: options.shareAboveUs, helpersMax: options.searchHelpers };
  const { queryTimeoutMs: timeoutMs, answerBytesMax, responseBytesMax, readerCacheBytes: cacheBytes } = options;
  loadKernels();
  const inlinePorts: MessagePort[] = [];
  // The HTTP threads' numbers as readers come after all others.
  const [ownSeat, ...readSeats] = Array.from({ length: httpThreads }, (_, thread): ReadSeat => {
    const { port1, port2: updates } = new MessageChannel();
    inlinePorts.push(port1);
    return { reader: readers + thread, words, cacheBytes: cacheBytes * INLINE_CACHE_SHARE, updates };
  });
  const inline = createInlineReader(ownSeat, RESPONSE_BYTES, INLINE_TIME_SHARE);
  const pool = new ReaderPool(shared, mailbox, { readers, timeoutMs, answerBytesMax, inline, httpThreads });
  const threads: Worker[] = [];
  const readersEnded: Promise<unknown>[] = [];
  const start = (name: string, data: object, transferList: MessagePort[]): Worker => {
    const thread = spawnWorker(name, { workerData: data, transferList });
    thread.on('error', (error) => client.fail(new Error(`${name} died: ${error.message}`, { cause: error })));
    thread.on('exit', (code) => client.noteEnd(name, code));
    threads.push(thread);
    return thread;
  };
  /** Readers end by themselves if they can: one that is ended while it loads native code takes the process along. */
  const endThreads = async (): Promise<void> => {
    shared.store(WORD.STOP, 1);
    for (let reader = 0; reader < readers; reader++) readerBell(shared, reader).ring();
    await within(READERS_END_WITHIN_MS, Promise.all(readersEnded));
    await Promise.all(threads.map((thread) => thread.terminate()));
  };
  const updates = Array.from({ length: readers }, () => new MessageChannel());
  const readerPorts = [...updates.map(({ port1 }) => port1), ...inlinePorts];
  const { port1: maintenancePort, port2: writerPort } = new MessageChannel();
  const writerData: WriterData = {
    ...{ dataDir, memoryBytes, arenas, syncIntervalMs, snapshotWalBytes, snapshotIntervalMs, verify, mapFiles },
    ...{ words, readerPorts, maintenancePort },
    followed: replication && { streamId: replication.streamId, deliveries: replication.deliveries },
  };
  const followedPorts = replication === null ? [] : [replication.deliveries];
  const writer = start('writer-thread', writerData, [...readerPorts, maintenancePort, ...followedPorts]);
  const post = (message: WriterInput): void => writer.postMessage(message);
  const replicated = replication && new ProposedWrites(replication, post);
  const merging = new Epoch(shared, readerPorts.length);
  const client = new EngineClient(options, {
    pool,
    queue: replicated ?? new WriteQueue(writer),
    replicated,
    versionOf: (collectionId) => inline.versionOf(collectionId),
    post,
    isMerging: () => !merging.isIdle,
    readSeats,
    rest: () => inline.rest(),
    endThreads,
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
      responseBytesMax,
      cacheBytes,
      words,
      mailbox,
      updates: port2,
      rooms,
      sharing,
    };
    const reader = start('reader-thread', data, [port2]);
    readersEnded.push(new Promise((resolve) => reader.once('exit', resolve)));
    return isLoaded(reader, ({ slot, body }: PostedBody) => pool.receivePosted(slot, body));
  };
  const writerLoaded = isLoaded(writer, (message: WriterOutput) => client.receive(message));
  if (options.loadingsAtOnce === 1) await writerLoaded;
  const maintenance = start('maintenance-thread', { writerPort } satisfies MaintenanceData, [writerPort]);
  await Promise.all([writerLoaded, isLoaded(maintenance, () => {})]);
  const together = options.loadingsAtOnce + Math.floor(readers / READERS_PER_LOADING);
  try {
    for (let first = 0; first < readers; first += together) {
      const end = Math.min(readers, first + together);
      await Promise.all(Array.from({ length: end - first }, async (_, i) => startReader(first + i)));
    }
  } catch (error) {
    throw await reasonBehind(error, client.ready);
  }
  await client.ready;
  return client;
}

/** Ports are closed with the writer: what fails for want of one, as `error` may, fails for the reason that `ready` gives within a moment. */
async function reasonBehind(error: unknown, ready: Promise<unknown>): Promise<unknown> {
  let reason = error;
  const told = ready.catch((cause: unknown) => {
    reason = cause;
  });
  await within(REASON_WITHIN_MS, told);
  return reason;
}

/** Resolves once `done` has, or `ms` milliseconds are over. */
const within = (ms: number, done: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void done.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
