/**
 * Makes the reader that an HTTP thread has beside what else it does: of the thread that opened the engine, and of others that
 * were given a seat.
 */
import { SharedWords } from '../channel/atomic-words.js';
import { Epoch } from '../channel/generations.js';
import { InlineBudget } from '../channel/inline-budget.js';
import { InlineReader } from '../channel/inline-reader.js';
import { UpdateReceiver } from '../channel/publication.js';
import { ReaderCounters } from '../channel/reader-counters.js';
import { SeatedReader } from '../channel/seated-reader.js';
import { CacheBudget } from '../core/cache-budget.js';
import { RESPONSE_BYTES_MAX } from '../core/limits.js';
import type { QuickReader, ReadSeat } from '../engine.js';
import { loadKernels } from '../memory/kernel-instance.js';
import { ReadServer } from '../query/read-server.js';
import type { ReaderUpdate } from '../segment/updates.js';
import { ReaderRest } from './reader-rest.js';

/** A thread with a seat does little else than read, and what it leaves costs two threads more. */
const SEAT_SHARE = 0.9;

/** The reader of `seat`, which has `share` of its thread's time, and whose answers have at most `answerBytesMax` bytes; `onUpdate` hears of updates first. */
export function createInlineReader(
  { reader, words, cacheBytes, updates }: ReadSeat,
  answerBytesMax: number,
  share: number,
  onUpdate: (update: ReaderUpdate) => void = () => {},
): InlineReader {
  const shared = new SharedWords(words);
  const budget = new InlineBudget(answerBytesMax);
  const caches = new CacheBudget(cacheBytes);
  const server = new ReadServer({
    ...{ slot: reader, budget, caches },
    // What is long, and what is damaged, the readers find out.
    ...{ responseBytesMax: RESPONSE_BYTES_MAX, checksDamage: false },
  });
  return new InlineReader({
    ...{ epoch: new Epoch(shared, reader), budget, server, share, answerBytesMax },
    updates: new UpdateReceiver(updates, (update) => {
      onUpdate(update);
      server.apply(update);
    }),
    counters: new ReaderCounters(shared, reader, caches),
    rest: new ReaderRest(server),
  });
}

/** Opens `seat` on the calling thread. */
export function openQuickReader(seat: ReadSeat, answerBytesMax: number): QuickReader {
  loadKernels();
  return new SeatedReader((onUpdate) => createInlineReader(seat, answerBytesMax, SEAT_SHARE, onUpdate));
}
