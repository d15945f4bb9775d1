/**
 * The board on which one reader offers the chunks of its search, and others take some: the starter and its helpers. One
 * search at a time is shared; others that come meanwhile are run alone.
 *
 *   SHARE_OWNER     1 while a starter has the board. Exchanged by the starter, cleared by it when it has read the results
 *   SHARE_JOB + i   written by the starter before it opens the job: what is shared (SharedJob)
 *   SHARE_NEXT      0: the job is closed. Else whoever loads it may load SHARE_JOB: -1: it is announced, and helpers may get ready for it; more:
 *                   it is open, and that is 1 + the first chunk that nobody has taken. Announced, opened and closed by the starter, raised by
 *                   exchange by whoever takes chunks
 *   SHARE_HELPERS   helpers that have joined and not left, by addition. No job is opened before it is 0, so what a helper
 *                   reads of a job between joining and leaving is of one job
 *   SHARE_WORKING   helpers that may have taken chunks and have not said how that ended, by addition. The starter, which has
 *                   closed the job, waits on it until it is 0
 *   SHARE_RESULT + r  written by reader r, while it has joined: how its part ended; cleared by the next starter. LENT is made DONE by the
 *                   starter once it, or a helper for it, has read what was lent: until then r leaves that as it is, whatever it does meanwhile
 *
 * A job that is announced need not be opened. A helper takes chunks only of a job that its starter has not closed, and a starter keeps all that the search needs until it
 * has closed the job and nobody works at it any more. So a helper that has prepared what it found described, and then gets
 * a chunk, has prepared the right thing; one that is late gets none, and nobody has waited for it. The starter waits only for
 * chunks that have been taken.
 */
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';
import { clearTask } from './share-task.js';

const CLOSED = 0;
const ANNOUNCED = -1;

/** How the part of a helper ended. NONE: it took no part; DONE: its results are there; FAILED: chunks that it took are lost. */
const PART_NONE = 0;
export const PART_DONE = 1;
export const PART_FAILED = 2;
/** It cannot help with this search, and has taken no chunk. */
export const PART_DECLINED = 3;
/** As DONE, and some of it lies in the helper's own memory. */
export const PART_LENT = 4;
type PartEnd = typeof PART_DONE | typeof PART_FAILED | typeof PART_DECLINED | typeof PART_LENT;

/** What is shared: the read in `slot`. Integers of 32 bits. */
export interface SharedJob {
  readonly slot: number;
  /** Updates that the starter has taken in of the collection: a helper must have taken in the same. */
  readonly version: number;
  /** What the first stage found where this is the second; -1: this is the first. */
  readonly foundBefore: number;
  readonly chunks: number;
}

const JOB = { SLOT: 0, VERSION: 1, FOUND_BEFORE: 2, CHUNKS: 3 } as const;

export class ShareBoard {
  readonly #words: AtomicWords;
  readonly #readers: number;
  /** What take() has taken. */
  first = 0;
  end = 0;

  /** For `readers` readers. */
  constructor(words: AtomicWords, readers: number) {
    this.#words = words;
    this.#readers = readers;
  }

  /** Starter: opens `job`; false: another search is shared, or a helper of the last one has not left yet. */
  offer(job: SharedJob): boolean {
    return this.#describe(job, 1);
  }

  /** Starter: tells of `job`, which it is about to open(), unless it closes it; false as for offer(). */
  announce(job: SharedJob): boolean {
    return this.#describe(job, ANNOUNCED);
  }

  /** Starter: opens the job that it has announced. */
  open(): void {
    this.#words.store(WORD.SHARE_NEXT, 1);
  }

  #describe(job: SharedJob, next: number): boolean {
    const words = this.#words;
    if (words.compareExchange(WORD.SHARE_OWNER, 0, 1) !== 0) return false;
    if (words.load(WORD.SHARE_HELPERS) !== 0) {
      this.release();
      return false;
    }
    for (let reader = 0; reader < this.#readers; reader++) words.store(WORD.SHARE_RESULT + reader, PART_NONE);
    words.store(WORD.SHARE_JOB + JOB.SLOT, job.slot);
    words.store(WORD.SHARE_JOB + JOB.VERSION, job.version);
    words.store(WORD.SHARE_JOB + JOB.FOUND_BEFORE, job.foundBefore);
    words.store(WORD.SHARE_JOB + JOB.CHUNKS, job.chunks);
    clearTask(words);
    words.store(WORD.SHARE_NEXT, next);
    return true;
  }

  /**
   * Starter, or helper between begin() and finish(): takes chunks [first, end) for itself alone; false: none is left. While many are left it takes up to `most` at once, so that fewer segments are divided (Polychronopoulos & Kuck,
   * "Guided self-scheduling", 1987).
   */
  take(most: number): boolean {
    const words = this.#words;
    for (;;) {
      const next = words.load(WORD.SHARE_NEXT);
      const left = next <= CLOSED ? 0 : words.load(WORD.SHARE_JOB + JOB.CHUNKS) - (next - 1);
      if (left <= 0) return false;
      const count = Math.max(1, Math.min(most, Math.floor(left / (2 * this.#readers))));
      if (words.compareExchange(WORD.SHARE_NEXT, next, next + count) !== next) continue;
      this.first = next - 1;
      this.end = next - 1 + count;
      return true;
    }
  }

  /** Starter: nobody takes any more; returns once whoever has taken some has said how that ended. */
  close(): void {
    const words = this.#words;
    words.store(WORD.SHARE_NEXT, CLOSED);
    for (let now = words.load(WORD.SHARE_WORKING); now !== 0; now = words.load(WORD.SHARE_WORKING))
      words.waitSoon(WORD.SHARE_WORKING, now);
  }

  /** Starter, after close(): how reader `reader` ended its part. */
  partOf(reader: number): number {
    return this.#words.load(WORD.SHARE_RESULT + reader);
  }

  /** Starter, after close(): what helpers have lent is not needed any more. */
  giveBack(): void {
    const words = this.#words;
    for (let reader = 0; reader < this.#readers; reader++) {
      const place = WORD.SHARE_RESULT + reader;
      if (words.load(place) === PART_LENT) words.store(place, PART_DONE);
    }
  }

  /** Starter: gives the board to the next, and with it the room of the results. */
  release(): void {
    this.#words.store(WORD.SHARE_OWNER, 0);
  }

  /** Whether there is something to be taken for `reader`, which has had no part in it yet. */
  hasWork(reader: number): boolean {
    return this.#isOpen && this.#words.load(WORD.SHARE_RESULT + reader) === PART_NONE;
  }

  /** Helper: from now on there is no other job than this one, until leave(); null: it was closed before. */
  join(): SharedJob | null {
    const words = this.#words;
    words.add(WORD.SHARE_HELPERS, 1);
    if (!this.#isOpen) {
      this.leave();
      return null;
    }
    return {
      slot: words.load(WORD.SHARE_JOB + JOB.SLOT),
      version: words.load(WORD.SHARE_JOB + JOB.VERSION),
      foundBefore: words.load(WORD.SHARE_JOB + JOB.FOUND_BEFORE),
      chunks: words.load(WORD.SHARE_JOB + JOB.CHUNKS),
    };
  }

  /** Helper: what it has read of the starter's up to now was not overwritten; false: nobody needs help any more. */
  isWanted(): boolean {
    return this.#words.load(WORD.SHARE_NEXT) !== CLOSED;
  }

  /** Helper: looks for `ms` milliseconds whether the job that was announced is open, or closed; false: neither. */
  awaitOpen(ms: number): boolean {
    return this.#words.lookFor(WORD.SHARE_NEXT, ANNOUNCED, ms);
  }

  /** Helper: it is about to take chunks, and the starter waits for finish(). */
  begin(): void {
    this.#words.add(WORD.SHARE_WORKING, 1);
  }

  /** Helper `reader`, which takes no more chunks of this job: how its part ended. */
  noteEnd(reader: number, end: PartEnd): void {
    this.#words.store(WORD.SHARE_RESULT + reader, end);
  }

  /** Helper that has begun: the starter need not wait for it any more. */
  finish(): void {
    this.#words.add(WORD.SHARE_WORKING, -1);
    this.#words.notify(WORD.SHARE_WORKING);
  }

  /** Helper `reader`, whenever: what it has lent may still be read. */
  isLent(reader: number): boolean {
    return this.#words.load(WORD.SHARE_RESULT + reader) === PART_LENT;
  }

  /** Helper: it has forgotten the job. */
  leave(): void {
    this.#words.add(WORD.SHARE_HELPERS, -1);
  }

  get #isOpen(): boolean {
    const next = this.#words.load(WORD.SHARE_NEXT);
    return next !== CLOSED && next <= this.#words.load(WORD.SHARE_JOB + JOB.CHUNKS);
  }
}
