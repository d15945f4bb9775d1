/**
 * The HTTP thread as a reader: answers at once what costs less than to hand it over and to wake two threads for it.
 *
 * A fetch always is tried here; a search until a bound of its work is known, from document frequencies and the number of terms
 * that it looks at (inline-budget.ts): what turns out dearer goes to the readers as if nothing had been tried, and so does
 * everything once this thread has read enough for now (time-share.ts). Whatever is odd is the readers' business, too: they tell damage
 * from a bug, and have the time for it. An epoch is held only while a read runs, so the thread holds no generation back.
 *
 * Called by reader-pool.ts before it takes a slot.
 */
import { EngineError } from '../core/errors.js';
import { ReadStopped } from '../core/read-stopped.js';
import { OPERATION_SEARCH, OPERATION_SUGGEST, type Read } from '../core/requests.js';
import type { ReadCallback } from '../engine.js';
import type { Answer, ReadServer } from '../query/read-server.js';
import type { Epoch } from './generations.js';
import type { InlineBudget } from './inline-budget.js';
import type { UpdateReceiver } from './publication.js';
import { MESSAGE_CHARS_MAX, RESPONSE_BYTES } from './read-mailbox.js';
import type { ReaderCounters } from './reader-counters.js';
import { hashOf, RecentlyDear } from './recently-dear.js';
import { TimeShare } from './time-share.js';

export interface InlineReaderParts {
  readonly epoch: Epoch;
  readonly budget: InlineBudget;
  readonly server: ReadServer;
  readonly updates: UpdateReceiver;
  readonly counters: ReaderCounters;
}

/** How fast measured times are taken over, and what one may count for: the thread may have waited. */
const SEARCH_US_SHARE = 0.05;
const SEARCH_US_MAX = 100;

export class InlineReader {
  readonly #parts: InlineReaderParts;
  readonly #time = new TimeShare();
  readonly #dear = new RecentlyDear();
  /** Shared memory, as a reader's answers lie in: whoever sends it keeps a copy of what the socket does not take. */
  readonly #room = new Uint8Array(new SharedArrayBuffer(RESPONSE_BYTES));
  /** How the last read ended that has no answer: with an error of its own; or stopped by the clock. */
  #error: EngineError | null = null;
  #isTooLong = false;
  /** What a search here takes, by the last ones. */
  #searchUs = 0;
  /** An answer lies in the room that its callback may still read. */
  #isAnswering = false;
  /** Reads that were begun here and went to the readers. */
  givenUp = 0;

  constructor(parts: InlineReaderParts) {
    this.#parts = parts;
  }

  /** Answers `read` on collection `collectionId`, and calls `done`; false: it is the readers'. */
  answer(read: Read, collectionId: number, done: ReadCallback): boolean {
    if (read.operation === OPERATION_SUGGEST || this.#isAnswering) return false;
    const startMs = performance.now();
    const isSearch = read.operation === OPERATION_SEARCH;
    if (!this.#time.hasTime(isSearch ? this.#searchUs : 0, startMs)) return false;
    const hash = isSearch ? hashOf(read.request, collectionId) : 0;
    if (hash !== 0 && this.#dear.has(hash, startMs)) return false;
    const answer = this.#read(read, collectionId, startMs);
    const error = this.#error;
    const endMs = performance.now();
    const elapsedUs = Math.round((endMs - startMs) * 1000);
    this.#time.spend(elapsedUs, endMs);
    if (isSearch) this.#searchUs += SEARCH_US_SHARE * (Math.min(elapsedUs, SEARCH_US_MAX) - this.#searchUs);
    if (answer === null && error === null) {
      this.givenUp++;
      this.#dear.note(hash, this.#isTooLong);
      this.#parts.counters.countTime(elapsedUs);
      return false;
    }
    this.#parts.counters.count(elapsedUs);
    this.#isAnswering = true;
    try {
      if (error !== null) done(cut(error), null);
      else if (answer !== null)
        done(null, { body: answer.body, found: answer.found, elapsedUs: answer.elapsedUs, heldBytes: 0 });
    } finally {
      this.#isAnswering = false;
    }
    return true;
  }

  /** Takes in what was posted, which else piles up while nobody asks. To be called now and then. */
  idle(): void {
    this.#parts.updates.receive();
  }

  /** Ends it. */
  close(): void {
    this.#parts.updates.close();
  }

  /** The answer; null: there is an error, or it is the readers'. */
  #read(read: Read, collectionId: number, startMs: number): Answer | null {
    const { epoch, budget, server, updates } = this.#parts;
    this.#error = null;
    this.#isTooLong = false;
    budget.begin(startMs);
    const generation = epoch.enter();
    try {
      updates.catchUp(generation);
      return server.answer(read, collectionId, this.#room);
    } catch (error) {
      if (error instanceof EngineError) this.#error = error;
      else this.#isTooLong = error instanceof ReadStopped && error.isMidway;
      return null;
    } finally {
      epoch.leave();
    }
  }
}

/** `error` as a reader's would arrive. */
function cut(error: EngineError): EngineError {
  const { code, message } = error;
  return message.length <= MESSAGE_CHARS_MAX ? error : new EngineError(code, message.slice(0, MESSAGE_CHARS_MAX));
}
