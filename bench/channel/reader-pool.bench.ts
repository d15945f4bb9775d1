/**
 * The hand-over of reads to a reader thread and back: fetches of one small document, so that little else is measured.
 */
import { MessageChannel } from 'node:worker_threads';
import { Bench } from 'tinybench';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS } from '../../engine/channel/control-words.js';
import { clearEpochs } from '../../engine/channel/generations.js';
import type { ReaderData } from '../../engine/channel/messages.js';
import { createMailbox } from '../../engine/channel/read-mailbox.js';
import { ReaderPool } from '../../engine/channel/reader-pool.js';
import { createShareRooms } from '../../engine/channel/search-share.js';
import { assertPresent } from '../../engine/core/assert.js';
import { OPERATION_FETCH, type Read } from '../../engine/core/requests.js';
import { spawnWorker } from '../../engine/threads/spawn.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { makeProducts, PRODUCTS } from '../support/corpus.js';
import { arenas, buildCollection, MIDDLE_READER } from '../support/engine-memory.js';
import { Vocabulary } from '../support/zipf.js';

const DOCUMENTS = 100;
const ANSWER_BYTES_MAX = 1 << 28;
const FETCH: Read = {
  operation: OPERATION_FETCH,
  request: {
    ...{ collection: 'bench', id: `product-${DOCUMENTS / 2}`, format: 'json' as const },
    ...{ includeFields: null, excludeFields: null, requiredFilter: null },
  },
};

/** Starts a reader thread that knows one collection; returns its pool and the collection's number. */
function startReader(): { readonly pool: ReaderPool; readonly collection: number } {
  const { descriptor } = buildCollection(PRODUCTS, [makeProducts(0, DOCUMENTS, new Vocabulary(100, 1), 1)]);
  const words = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS));
  const shared = new SharedWords(words);
  clearEpochs(shared);
  const mailbox = createMailbox();
  const { port1, port2 } = new MessageChannel();
  for (const arena of arenas) port1.postMessage({ kind: 'arena', arena });
  port1.postMessage({ kind: 'collection', collection: descriptor });
  // The middle one of three takes reads of both lanes; the others are not started.
  const readers = {
    ...{ readers: 3, cacheBytes: 64 << 20 },
    ...{ answerBytesMax: ANSWER_BYTES_MAX, responseBytesMax: ANSWER_BYTES_MAX },
  };
  const sharing = { aboveUs: Number.POSITIVE_INFINITY, helpersMax: 0 };
  const rooms = createShareRooms(readers.readers);
  const workerData: ReaderData = { index: MIDDLE_READER, ...readers, words, mailbox, updates: port2, rooms, sharing };
  spawnWorker('reader-thread', { workerData, transferList: [port2] });
  const inline = { answer: () => false, costUs: 0, idle() {}, close() {} };
  return {
    pool: new ReaderPool(shared, mailbox, { ...readers, timeoutMs: 60_000, inline, httpThreads: 1 }),
    collection: descriptor.id,
  };
}

/** One call makes some reads at once and waits for all of them. The thread ends with the suite. */
export function suite(size: SuiteSize): Bench {
  const { pool, collection } = startReader();
  const read = (): Promise<number> =>
    new Promise((resolve, reject) => {
      pool.submit(FETCH, collection, { client: '' }, (error, result) => {
        if (error === null) resolve(assertPresent(result, 'answer').body.length);
        else reject(error);
      });
    });
  const bench = new Bench(benchOptions(size, 'reads handed to one reader thread'));
  for (const count of [1, 8, 64]) {
    bench.add(work(`round trip, ${count} at once`, count, 'reads'), async () => {
      await Promise.all(Array.from({ length: count }, read));
    });
  }
  bench.addEventListener('complete', () => void pool.stop());
  return bench;
}
