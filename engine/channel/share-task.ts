/**
 * What one helper does for the starter of a shared search when all chunks are collected, while the starter goes on with something else: the
 * task lies in the helper's room, and so does the answer.
 *
 *   SHARE_TASK   0: nobody waits for a task, or has one. Else 8 * r + 1 to 5, r being a helper that has joined (share-board.ts) and has lent
 *                what it has collected:
 *     WAITS      exchanged for 0 by the helper before it says how its part ended. It exchanges it back when it has waited for a moment, or
 *                the starter does, which has nothing for it to do
 *     ASKED      exchanged for WAITS by the starter, which has written the task; for 0 when it wants the answer and nobody is at it
 *     BEGUN      exchanged for ASKED by the helper
 *     DONE       written by the helper, which has answered; FAILED where it could not. It has nothing left to do but to leave the board
 *
 * A starter that does not want the answer any more need not wait for it: the helper writes it all the same, and nobody reads it. No other
 * search is shared before the helper has left, and the starter of that one clears the word. So there is one task at a time.
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';

const NOBODY = 0;
const WAITS = 1;
const ASKED = 2;
const BEGUN = 3;
/** @internal The state of a task that was done, for tests. */
export const TASK_DONE = 4;
const FAILED = 5;
/** @internal */
export const TASK_STATES = 8;

/** What SHARE_TASK is for helper `reader`. */
const wordOf = (state: number, reader: number): number => TASK_STATES * reader + state;

/** A helper waits about as long as a chunk takes. */
export const TASK_WAIT_MS = 0.15;
const LOOKS_PER_CLOCK = 20;

/** Starter, before it opens a job: nobody who has joined waits for a task. */
export const clearTask = (words: AtomicWords): void => words.store(WORD.SHARE_TASK, NOBODY);

export class ShareTask {
  readonly #words: AtomicWords;

  constructor(words: AtomicWords) {
    this.#words = words;
  }

  /** Helper `reader`, before it says how its part ended: it will waitForTask(); false: another one will. */
  announce(reader: number): boolean {
    return this.#exchange(NOBODY, wordOf(WAITS, reader));
  }

  /** Helper `reader`, which has announced that: whether there is a task, which it has begun, within `waitMs` in which it is not called away. */
  waitForTask(reader: number, waitMs: number, isCalledAway: () => boolean): boolean {
    const waits = wordOf(WAITS, reader);
    const untilMs = performance.now() + waitMs;
    do
      for (let look = 0; look < LOOKS_PER_CLOCK; look++) {
        if (this.#words.load(WORD.SHARE_TASK) !== waits) return this.#begin(reader);
        if (waitMs === 0 || isCalledAway()) return this.#leave(reader);
      }
    while (performance.now() < untilMs);
    return this.#leave(reader);
  }

  /** Whether it was asked before it could go, and has begun. */
  #leave(reader: number): boolean {
    return !this.#exchange(wordOf(WAITS, reader), NOBODY) && this.#begin(reader);
  }

  #begin(reader: number): boolean {
    return this.#exchange(wordOf(ASKED, reader), wordOf(BEGUN, reader));
  }

  /** Helper `reader`, which has begun: what came of it is in its room, if `isDone`. */
  answer(reader: number, isDone: boolean): void {
    this.#words.store(WORD.SHARE_TASK, wordOf(isDone ? TASK_DONE : FAILED, reader));
    this.#words.notify(WORD.SHARE_TASK);
  }

  /** Starter, after the job is closed: the helper that waits; -1: none does. */
  waiting(): number {
    const now = this.#words.load(WORD.SHARE_TASK);
    return now % TASK_STATES === WAITS ? (now - WAITS) / TASK_STATES : -1;
  }

  /** Starter: asks helper `reader`, in whose room the task is; false: it has gone. */
  ask(reader: number): boolean {
    return this.#exchange(wordOf(WAITS, reader), wordOf(ASKED, reader));
  }

  /** Starter: there is nothing to be done, if a helper waits. */
  dismiss(): void {
    const reader = this.waiting();
    if (reader >= 0) this.#exchange(wordOf(WAITS, reader), NOBODY);
  }

  /** Starter, which has asked `reader`: whether nobody has begun the task, and nobody will. */
  takeBack(reader: number): boolean {
    return this.#exchange(wordOf(ASKED, reader), NOBODY);
  }

  /** Starter, which could not take the task back from `reader`: waits for its answer; false: it has failed. */
  awaitAnswer(reader: number): boolean {
    const words = this.#words;
    const begun = wordOf(BEGUN, reader);
    for (;;) {
      const now = words.load(WORD.SHARE_TASK);
      if (now !== begun) return now === wordOf(TASK_DONE, reader);
      words.waitSoon(WORD.SHARE_TASK, begun);
    }
  }

  #exchange(expected: number, value: number): boolean {
    return this.#words.compareExchange(WORD.SHARE_TASK, expected, value) === expected;
  }
}
