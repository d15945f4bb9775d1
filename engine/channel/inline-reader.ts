/**
 * An HTTP thread as a reader: answers at once what costs less than to hand it over and to wake two threads for it.
 *
 * A fetch always is tried here; a search, unless others of its kind were all dear of late (dear-kinds.ts), or a suggestion until a bound
 * of its work is known, from document frequencies and the number of terms that it looks at (inline-budget.ts): what turns out dearer goes to the readers as if nothing had been tried, and
 * so does everything once this thread has read enough for now (time-share.ts). What was given up for its terms alone, such as
 * the corrections of a rare word, is answered here once when it is asked for again soon, for a small share of the time: then
 * they are known. Whatever is odd is the readers' business, too: they tell damage from a bug, and have the time for it. An
 * epoch is held only while a read runs, so the thread holds no generation back.
 *
 * Called by reader-pool.ts before it takes a slot.
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import { EngineError } from '../core/errors.js';
import { ReadStopped } from '../core/read-stopped.js';
import {
  type CollectionVersion,
  OPERATION_FETCH,
  OPERATION_SEARCH,
  type Read,
  type ReadPlace,
} from '../core/requests.js';
import type { ReadCallback } from '../engine.js';
import type { Answer, ReadServer } from '../query/read-server.js';
import { DearKinds, kindOf } from './dear-kinds.js';
import type { Epoch } from './generations.js';
import type { GivenUpFor, InlineBudget } from './inline-budget.js';
import type { UpdateReceiver } from './publication.js';
import { MESSAGE_CHARS_MAX } from './read-mailbox.js';
import type { ReaderCounters } from './reader-counters.js';
import { hashOf, RecentlyDear } from './recently-dear.js';
import { QUICK_COST_US_MAX } from './slot-budget.js';
import { TimeShare } from './time-share.js';

/**
 * How long a read may take here: no longer than to hand it over; longer, since the readers have no other one of this thread's; or
 * longer and out of turn, since the time for it and for others of its request was planned.
 */
export type Patience = 'none' | 'lone' | 'planned';

/** Patience with a read that is best answered at `place`; `isIdle`: the readers have no other. Null: it is the readers'. */
export function patienceFor(place: ReadPlace | undefined, isIdle: boolean): Patience | null {
  if (place === undefined) return isIdle ? 'lone' : 'none';
  if (place === 'readers') return null;
  return place === 'here' ? 'planned' : 'none';
}

export interface InlineReaderParts {
  readonly epoch: Epoch;
  readonly budget: InlineBudget;
  readonly server: ReadServer;
  readonly updates: UpdateReceiver;
  readonly counters: ReaderCounters;
  /** Gives back memory that reads have left behind. */
  readonly rest: { rest(): void };
  /** What of the thread's time is for reads. */
  readonly share: number;
  /** The longest answer. */
  readonly answerBytesMax: number;
}

/** How fast measured times are taken over, and what one may count for: the thread may have waited. */
const SEARCH_US_SHARE = 0.05;
const SEARCH_US_MAX = 100;
/** What of the time is for reads that look at many terms, so that others need not. */
const LEARNING_SHARE = 0.25;

export class InlineReader {
  readonly #parts: InlineReaderParts;
  readonly #time: TimeShare;
  readonly #learningTime = new TimeShare(LEARNING_SHARE);
  readonly #dear = new RecentlyDear();
  readonly #kinds = new DearKinds();
  /** Shared memory, as a reader's answers lie in: whoever sends it keeps a copy of what the socket does not take. */
  readonly #room: Uint8Array;
  /** How the last read ended that has no answer: with an error of its own, or given up. */
  #error: EngineError | null = null;
  #givenUpFor: GivenUpFor = 'cost';
  /** What a search here takes, by the last ones. */
  #searchUs = 0;
  /** What the read that answer() was last asked for was estimated at, or others of its kind were, in microseconds; 0: that is not known. */
  costUs = 0;
  /** An answer lies in the room that its callback may still read. */
  #isAnswering = false;

  constructor(parts: InlineReaderParts) {
    this.#parts = parts;
    this.#time = new TimeShare(parts.share);
    this.#room = new Uint8Array(new SharedArrayBuffer(parts.answerBytesMax));
  }

  /** Answers `read` on collection `collectionId`, and calls `done`; false: it is the readers'. What `done` throws is thrown on. */
  answer(read: Read, collectionId: number, patience: Patience, done: ReadCallback): boolean {
    this.costUs = 0;
    if (this.#isAnswering) return false;
    const startMs = performance.now();
    const isFetch = read.operation === OPERATION_FETCH;
    // A filter is evaluated for thousands of documents at once.
    if (isFetch && read.request.requiredFilter !== null) return false;
    const isCheap = isFetch || patience === 'planned';
    if (!this.#time.hasTime(isCheap ? 0 : this.#searchUs, startMs)) return false;
    const kind = read.operation === OPERATION_SEARCH && patience !== 'planned' ? kindOf(read.request, collectionId) : 0;
    this.costUs = this.#kinds.expectedUs(kind);
    if (this.costUs > 0) return false;
    const hash = read.operation === OPERATION_FETCH ? 0 : hashOf(read, collectionId);
    const isLearning = this.#mayLearn(read, hash, startMs);
    if (!isFetch && !isLearning && this.#isKnownDear(hash, patience, startMs)) {
      this.costUs = this.#dear.costUsOf(hash);
      return false;
    }
    const answer = this.#read(read, collectionId, startMs, patience, isLearning);
    const error = this.#error;
    const endMs = performance.now();
    const elapsedUs = Math.round((endMs - startMs) * 1000);
    this.#time.spend(elapsedUs, endMs);
    if (isLearning) {
      this.#learningTime.spend(elapsedUs, endMs);
      this.#dear.noteLearned(hash);
    } else if (!isFetch) this.#searchUs += SEARCH_US_SHARE * (Math.min(elapsedUs, SEARCH_US_MAX) - this.#searchUs);
    if (answer === null && error === null) {
      // Too many terms for one that may look at many: nothing is to be learned.
      const why = isLearning && this.#givenUpFor === 'terms' ? 'cost' : this.#givenUpFor;
      const { costUs } = this.#parts.budget;
      this.costUs = costUs;
      this.#kinds.note(kind, costUs > QUICK_COST_US_MAX ? costUs : 0);
      this.#dear.note(why === 'cost' && patience === 'none' ? ~hash : hash, why, costUs);
      this.#parts.counters.countGivenUp(elapsedUs);
      return false;
    }
    this.#kinds.note(kind, 0);
    this.#isAnswering = true;
    let isTaken = false;
    try {
      if (error !== null) done(cut(error), null);
      else if (answer !== null)
        done(null, {
          body: answer.body,
          found: answer.found,
          elapsedUs: answer.elapsedUs,
          waitedUs: 0,
          heldBytes: 0,
          collectionId,
          version: answer.version,
        });
      isTaken = true;
    } finally {
      this.#isAnswering = false;
      // A front thread leaves what went wrong to the main one by throwing, which reads it and counts it again.
      if (isTaken) this.#parts.counters.count(elapsedUs);
      else this.#parts.counters.countGivenUp(elapsedUs);
    }
    return true;
  }

  /** Whether a read was given up of late. With ~hash those are noted that cost more than could be waited for when there was no patience. */
  #isKnownDear(hash: number, patience: Patience, nowMs: number): boolean {
    return this.#dear.has(hash, nowMs) || (patience === 'none' && this.#dear.has(~hash, nowMs));
  }

  /** Whether `read` is to find out what its tokens stand for, which is remembered: it was asked before, and given up for that. */
  #mayLearn(read: Read, hash: number, nowMs: number): boolean {
    const isWorthIt = read.operation === OPERATION_SEARCH && this.#dear.isUnlearned(hash);
    return isWorthIt && this.#learningTime.hasTime(SEARCH_US_MAX, nowMs);
  }

  /** The state of collection `collectionId` in the generation in force. */
  versionOf(collectionId: number): CollectionVersion {
    this.catchUp();
    return { collectionId, version: this.#parts.server.versionOf(collectionId) };
  }

  /** Takes in all that the generation in force reaches. */
  catchUp(): void {
    const { epoch, updates } = this.#parts;
    updates.catchUp(epoch.enter());
    epoch.leave();
  }

  /** Takes in what was posted, which else piles up while nobody asks. To be called now and then. */
  idle(): void {
    this.#parts.updates.receive();
  }

  /** As QuickReader.rest(). */
  rest(): void {
    this.#parts.rest.rest();
  }

  /** Ends it. */
  close(): void {
    this.#parts.updates.close();
  }

  /** The answer; null: there is an error, or it is the readers'. */
  #read(read: Read, collectionId: number, startMs: number, patience: Patience, isLearning: boolean): Answer | null {
    const { epoch, budget, server, updates } = this.#parts;
    this.#error = null;
    budget.begin(startMs, patience !== 'none', isLearning);
    const generation = epoch.enter();
    try {
      updates.catchUp(generation);
      return server.answer(read, collectionId, this.#room);
    } catch (error) {
      // Of a collection that is gone whoever has the views knows what its name stands for by now.
      if (error instanceof EngineError && error.code !== 'collection_not_found') this.#error = error;
      else this.#givenUpFor = error instanceof ReadStopped ? budget.givenUpFor : 'cost';
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
