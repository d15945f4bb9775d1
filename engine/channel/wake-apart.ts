/**
 * Has a reader that is woken to help wake on another processor than the one that its waker works on.
 *
 * Linux may place a thread that is woken where its waker runs, and one of both waits then: where a few processors have much to
 * do it does not look for an idle one (kernel/sched/fair.c, select_idle_cpu(), SIS_UTIL). A thread is placed while its waker is in the
 * call that wakes it: for as long as that takes, the sleeper may not run on the waker's processor.
 *
 *   SYSTEM_THREAD + r   written by reader r before it sleeps: the number by which the system knows it; 0: none
 *
 * What each waker does last is to let the sleeper run wherever the process may, so however several meet, it may in the end.
 */
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';
import type { Waking } from './doorbell.js';

/** Where threads may run. Threads and processors have the system's numbers. */
export interface ThreadAffinity {
  /** The calling thread; 0: there is no telling. */
  readonly thread: number;
  /** The processor that the calling thread is on. */
  processor(): number;
  /** Lets `thread` run wherever the process may but on `processor`; false: it is left as it is, as that would be nowhere, or cannot be done. */
  keepOff(thread: number, processor: number): boolean;
  /** Lets `thread` run wherever the process may. */
  letBack(thread: number): void;
}

/** Threads run where the system likes. */
export const ANYWHERE: ThreadAffinity = { thread: 0, processor: () => 0, keepOff: () => false, letBack() {} };

/** Makes the calling thread, reader `reader`, known to those that wake it. */
export function introduceReader(words: AtomicWords, reader: number, { thread }: ThreadAffinity): void {
  words.store(WORD.SYSTEM_THREAD + reader, thread);
}

/** How the calling thread wakes reader `sleeper`. */
export function wakingApart(words: AtomicWords, sleeper: number, affinity: ThreadAffinity): Waking {
  let thread = 0;
  return {
    before() {
      const known = words.load(WORD.SYSTEM_THREAD + sleeper);
      thread = known !== 0 && affinity.keepOff(known, affinity.processor()) ? known : 0;
    },
    after() {
      if (thread !== 0) affinity.letBack(thread);
    },
  };
}
