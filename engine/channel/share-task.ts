/**
 * What one helper does for the starter of a shared search when all chunks are collected, while the starter goes on with something else: the
 * task lies in the helper's room, and so does the answer.
 *
 *   SHARE_TASK   0: nobody waits for a task, or the one who did has gone. Else 4 * r + 1, 2, 3 or 4, r being a helper that has joined
 *                (share-board.ts) and has lent what it has collected:
 *     WAITS      exchanged for 0 by the helper before it says how its part ended. For a moment it waits; then it exchanges it back, or the
 *                starter does, which has nothing for it to do
 *     ASKED      exchanged for WAITS by the starter, which has written the task
 *     DONE       written by the helper, which has answered, and FAILED where it could not. Nothing is left to be done but to leave the board
 *
 * The starter, which has asked, need not wait for the answer: then nobody reads it. No other search is shared before the helper has left, and
 * the starter of that clears the word. So there is one task at a time, and what is written to it is for who reads it.
 */
import { performance } from 'node:perf_hooks';
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';

const NOBODY = 0;
const WAITS = 1;
const ASKED = 2;
/** @internal The state of a task that was done, for tests. */
export const TASK_DONE = 3;
const FAILED = 4;

/** What SHARE_TASK is for helper `reader`. */
const wordOf = (state: number, reader: number): number => 4 * reader + state;
/** A helper waits about as long as a chunk takes. */
export const TASK_WAIT_MS = 0.15;
const LOOKS_PER_CLOCK = 20;

/** Starter, before it opens a job: no helper has joined. */
export const clearTask = (words: AtomicWords): void => words.store(WORD.SHARE_TASK, NOBODY);

export class ShareTask {
  readonly #words: AtomicWords;
  readonly #waitMs: number;

  constructor(words: AtomicWords, waitMs: number) {
    this.#words = words;
    this.#waitMs = waitMs;
  }

  /** Helper `reader`, before it says how its part ended: it will waitForTask(); false: another one will. */
  announce(reader: number): boolean {
    return this.#words.compareExchange(WORD.SHARE_TASK, NOBODY, wordOf(WAITS, reader)) === NOBODY;
  }

  /** Helper `reader`, which has announced that: whether it is asked within a moment, in which it is not called away. */
  waitForTask(reader: number, isCalledAway: () => boolean): boolean {
    const words = this.#words;
    const waits = wordOf(WAITS, reader);
    const untilMs = performance.now() + this.#waitMs;
    do
      for (let look = 0; look < LOOKS_PER_CLOCK; look++) {
        const now = words.load(WORD.SHARE_TASK);
        if (now !== waits) return now === wordOf(ASKED, reader);
        if (this.#waitMs === 0 || isCalledAway()) return this.#withdraw(reader);
      }
    while (performance.now() < untilMs);
    return this.#withdraw(reader);
  }

  /** Whether it was asked before it could go. */
  #withdraw(reader: number): boolean {
    return this.#words.compareExchange(WORD.SHARE_TASK, wordOf(WAITS, reader), NOBODY) === wordOf(ASKED, reader);
  }

  /** Helper `reader`, which was asked: what came of it is in its room, if `isDone`. */
  answer(reader: number, isDone: boolean): void {
    this.#words.store(WORD.SHARE_TASK, wordOf(isDone ? TASK_DONE : FAILED, reader));
    this.#words.notify(WORD.SHARE_TASK);
  }

  /** Starter, after the job is closed: the helper that waits; -1: none does. */
  waiting(): number {
    const now = this.#words.load(WORD.SHARE_TASK);
    return now % 4 === WAITS ? (now - WAITS) / 4 : -1;
  }

  /** Starter: asks helper `reader`, in whose room the task is; false: it has gone. */
  ask(reader: number): boolean {
    const waits = wordOf(WAITS, reader);
    return this.#words.compareExchange(WORD.SHARE_TASK, waits, wordOf(ASKED, reader)) === waits;
  }

  /** Starter: there is nothing to be done, if a helper waits. */
  dismiss(): void {
    const reader = this.waiting();
    if (reader >= 0) this.#words.compareExchange(WORD.SHARE_TASK, wordOf(WAITS, reader), NOBODY);
  }

  /** Starter, which has asked `reader`: waits for its answer; false: it has failed. */
  awaitAnswer(reader: number): boolean {
    const words = this.#words;
    const asked = wordOf(ASKED, reader);
    for (;;) {
      const now = words.load(WORD.SHARE_TASK);
      if (now !== asked) return now === wordOf(TASK_DONE, reader);
      words.waitSoon(WORD.SHARE_TASK, asked);
    }
  }
}
