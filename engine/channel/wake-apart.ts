/**
 * Has a reader that is woken to help wake on another processor than the one that its waker works on.
 *
 * Linux may place a thread that is woken where its waker runs, and one of both waits then: where a few processors have much to
 * do it does not look for an idle one (kernel/sched/fair.c, select_idle_cpu(), SIS_UTIL). So a waker forbids the sleeper its own
 * processor, and the sleeper has it back once it is awake.
 *
 *   SYSTEM_THREAD + r   written by reader r before it sleeps: the number by which the system knows it; 0: none
 *   KEPT_OFF + r        1 + the processor that reader r has not back yet; CLAIMED: a waker is about to forbid one. Exchanged for 0 by
 *                       a waker, which writes what it has forbidden, or 0; cleared by r once that is allowed again. So no two change
 *                       at once where r may run
 */
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';

const CLAIMED = -1;

/** Where threads may run. Threads and processors have the system's numbers. */
export interface ThreadAffinity {
  /** The calling thread; 0: there is no telling. */
  readonly thread: number;
  /** The processor that the calling thread is on. */
  processor(): number;
  /** Has `thread` not run on `processor` any more; false: it may still, because it may run on no other, or this cannot be done. */
  forbid(thread: number, processor: number): boolean;
  /** Lets the calling thread run on `processor`, too. */
  allow(processor: number): void;
}

/** Threads run where the system likes. */
export const ANYWHERE: ThreadAffinity = { thread: 0, processor: () => 0, forbid: () => false, allow() {} };

/** A reader's end. */
export class WakeApart {
  readonly #words: AtomicWords;
  readonly #reader: number;
  readonly #affinity: ThreadAffinity;

  /** For reader `reader`, on its thread. */
  constructor(words: AtomicWords, reader: number, affinity: ThreadAffinity) {
    this.#words = words;
    this.#reader = reader;
    this.#affinity = affinity;
    words.store(WORD.SYSTEM_THREAD + reader, affinity.thread);
  }

  /** Waker, which has taken the bell of reader `sleeper` down and has not rung yet. */
  keepOff(sleeper: number): void {
    const words = this.#words;
    const thread = words.load(WORD.SYSTEM_THREAD + sleeper);
    // One that was not asleep at all may not have come back to the last waker's processor.
    if (thread === 0 || words.compareExchange(WORD.KEPT_OFF + sleeper, 0, CLAIMED) !== 0) return;
    const processor = this.#affinity.processor();
    words.store(WORD.KEPT_OFF + sleeper, this.#affinity.forbid(thread, processor) ? processor + 1 : 0);
  }

  /** Sleeper, which has woken. */
  comeBack(): void {
    const place = WORD.KEPT_OFF + this.#reader;
    const kept = this.#words.load(place);
    if (kept === 0 || kept === CLAIMED) return;
    this.#affinity.allow(kept - 1);
    this.#words.store(place, 0);
  }
}
