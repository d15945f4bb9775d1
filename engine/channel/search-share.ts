/**
 * A reader's ends of the board (share-board.ts): offers its own searches, and helps with those of others.
 *
 * Every reader has a room in shared memory for what came of its part in a search of another (query/share/search-part.ts), and behind that for
 * what it is to add up (query/facets/count-totals.ts).
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import { assert } from '../core/assert.js';
import { TASK_WORDS } from '../query/facets/count-totals.js';
import type { HelperSource, OfferedSearch, WorkShare } from '../query/share/work-share.js';
import type { AtomicWords } from './atomic-words.js';
import type { Doorbell, Waking } from './doorbell.js';
import { mayHelp, readerBell, takesQuick } from './read-loop.js';
import { PART_DECLINED, PART_DONE, PART_FAILED, PART_LENT, ShareBoard, type SharedJob } from './share-board.js';
import { ShareTask, TASK_WAIT_MS } from './share-task.js';
import { type ThreadAffinity, wakingApart } from './wake-apart.js';

/** What a part and a task may take. */
const ROOM_BYTES = 4 << 20;
const ROOM_WORDS = ROOM_BYTES / Uint32Array.BYTES_PER_ELEMENT;
/** What a part may take. */
const PART_WORDS = ROOM_WORDS - TASK_WORDS;

/** In the place of a reader. */
const NOBODY = -1;

/** Chunks that are taken at once at most: so often a search is looked at anew. One where quick reads may come meanwhile. */
const CHUNKS_MAX = 4;

/** So long a helper waits for a search that is announced; and looks whether it is called away each time that has passed. */
const OPEN_WAIT_MS = 1;
const OPEN_LOOK_MS = 0.02;

/** The rooms of `readers` readers, touched as they are used. */
export const createShareRooms = (readers: number): SharedArrayBuffer => new SharedArrayBuffer(readers * ROOM_BYTES);

export interface SearchSharing {
  /** Searches that take less than this, in microseconds, are not shared; and of larger ones, a reader is woken for each so many. */
  readonly aboveUs: number;
  /** Readers that are woken to help at most; 0: nothing is shared. */
  readonly helpersMax: number;
}

const roomOf = (rooms: SharedArrayBuffer, reader: number): Uint32Array =>
  new Uint32Array(rooms, reader * ROOM_BYTES, ROOM_WORDS);

const taskIn = (room: Uint32Array): Uint32Array => room.subarray(PART_WORDS);

/** Offers the searches of one reader. */
export class SearchShare implements WorkShare {
  readonly aboveUs: number;
  readonly #board: ShareBoard;
  readonly #task: ShareTask;
  readonly #helpersMax: number;
  /** The other readers that may help: by number, with their bells and how they are woken. */
  readonly #helpers: readonly { readonly reader: number; readonly bell: Doorbell; readonly waking: Waking }[];
  readonly #rooms: readonly Uint32Array[];
  #slot = 0;
  #isDear = false;
  #version = 0;
  /** Chunks of the search that is announced; 0: none is. */
  #announced = 0;
  /** The helper that was called for the search, and is awake unless its bell is armed again; NOBODY: none was. */
  #called = NOBODY;
  /** By part that close() has given: whose it is; and who was asked to add up. */
  readonly #partners: number[] = [];
  #asked = NOBODY;

  /** For reader `reader` of `readers`. */
  constructor(
    words: AtomicWords,
    reader: number,
    readers: number,
    rooms: SharedArrayBuffer,
    { aboveUs, helpersMax }: SearchSharing,
    affinity: ThreadAffinity,
  ) {
    this.#board = new ShareBoard(words, readers);
    this.#task = new ShareTask(words);
    this.#helpersMax = helpersMax;
    const all = Array.from({ length: readers }, (_, helper) => helper).reverse();
    this.#helpers = all
      .filter((helper) => helper !== reader && mayHelp(helper, readers))
      .map((helper) => {
        const waking = wakingApart(words, helper, affinity);
        return { reader: helper, bell: readerBell(words, helper), waking };
      });
    this.#rooms = all.map((_, helper) => roomOf(rooms, helper));
    this.aboveUs = this.#helpers.length === 0 || helpersMax === 0 ? Number.POSITIVE_INFINITY : aboveUs;
  }

  get first(): number {
    return this.#board.first;
  }

  get end(): number {
    return this.#board.end;
  }

  /** Goes on to the read in `slot`. `isDear`: it is known to take long. */
  beginSlot(slot: number, isDear: boolean): void {
    this.#slot = slot;
    this.#isDear = isDear;
  }

  begin(version: number): void {
    this.#version = version;
    this.#called = NOBODY;
  }

  announce(chunks: number): void {
    if (!this.#isDear || this.aboveUs === Number.POSITIVE_INFINITY) return;
    if (!this.#board.announce({ slot: this.#slot, version: this.#version, foundBefore: -1, chunks })) return;
    this.#announced = chunks;
    for (const { reader, bell, waking } of this.#helpers) {
      if (!bell.ring(waking)) continue;
      this.#called = reader;
      return;
    }
  }

  offer({ costUs, chunks, foundBefore, partWords }: OfferedSearch): boolean {
    const isReady = this.#announced === chunks && foundBefore === -1;
    if (!isReady) this.withdraw();
    if (chunks < 2 || partWords > PART_WORDS) return false;
    if (isReady) {
      this.#announced = 0;
      this.#board.open();
    } else if (!this.#board.offer({ slot: this.#slot, version: this.#version, foundBefore, chunks })) return false;
    let wanted = Math.min(this.#helpersMax, chunks - 1, costUs / this.aboveUs);
    for (const { reader, bell, waking } of this.#helpers)
      if (wanted >= 1 && (bell.ring(waking) || reader === this.#called)) wanted--;
    this.#called = NOBODY;
    return true;
  }

  withdraw(): void {
    if (this.#announced === 0) return;
    this.#announced = 0;
    this.release();
  }

  take(): boolean {
    return this.#board.take(CHUNKS_MAX);
  }

  close(): readonly Uint32Array[] | null {
    this.#board.close();
    const parts: Uint32Array[] = [];
    this.#partners.length = 0;
    for (const { reader } of this.#helpers) {
      const end = this.#board.partOf(reader);
      if (end === PART_FAILED) return null;
      if (end !== PART_DONE && end !== PART_LENT) continue;
      this.#partners.push(reader);
      parts.push(this.#rooms[reader]);
    }
    return parts;
  }

  askForTotals(write: (task: Uint32Array, adder: number) => boolean): boolean {
    const reader = this.#task.waiting();
    const adder = this.#partners.indexOf(reader);
    if (adder < 0 || !write(taskIn(this.#rooms[reader]), adder) || !this.#task.ask(reader)) return false;
    this.#asked = reader;
    return true;
  }

  takeTotals(total: (task: Uint32Array) => void): Uint32Array {
    const reader = this.#asked;
    assert(reader !== NOBODY, 'a helper was asked');
    const task = taskIn(this.#rooms[reader]);
    if (this.#task.takeBack(reader)) total(task);
    else if (!this.#task.awaitAnswer(reader)) throw new Error(`reader ${reader} has not added up what it was asked to`);
    return task;
  }

  giveBack(): void {
    this.#task.dismiss();
    this.#board.giveBack();
  }

  release(): void {
    this.#asked = NOBODY;
    this.#board.close();
    this.giveBack();
    this.#board.release();
  }
}

/** Takes a part in the searches of other readers. */
export class SearchHelper implements HelperSource {
  readonly #board: ShareBoard;
  readonly #task: ShareTask;
  readonly #reader: number;
  readonly #chunksMax: number;
  readonly #waitMs: number;
  readonly #openWaitMs: number;
  #isCalledAway: () => boolean = () => false;
  /** It has waited in vain for the search to begin. */
  #hasGivenUp = false;
  /** It may have taken chunks; it has. */
  #hasBegun = false;
  #hasTaken = false;
  /** Of its part some lies in its own memory; and of that or an earlier one, as far as it knows, some is read there still. */
  #lends = false;
  #isLent = false;
  /** Adds up what lies in its own memory; null: it cannot. */
  #total: ((task: Uint32Array) => void) | null = null;
  /** Where what comes of its part is written. */
  readonly room: Uint32Array;

  /** For reader `reader` of `readers`, which waits for a task of the starter's for `waitMs`, and for a search that is announced for `openWaitMs`. */
  constructor(
    words: AtomicWords,
    reader: number,
    readers: number,
    rooms: SharedArrayBuffer,
    waitMs: number = TASK_WAIT_MS,
    openWaitMs: number = OPEN_WAIT_MS,
  ) {
    this.#board = new ShareBoard(words, readers);
    this.#task = new ShareTask(words);
    this.#waitMs = waitMs;
    this.#openWaitMs = openWaitMs;
    this.#reader = reader;
    this.#chunksMax = takesQuick(reader, readers) ? 1 : CHUNKS_MAX;
    this.room = roomOf(rooms, reader);
  }

  get first(): number {
    return this.#board.first;
  }

  get end(): number {
    return this.#board.end;
  }

  /** Whether what was read of the job's slot since help() was called of `work` was what it describes. */
  isWanted(): boolean {
    return this.#board.isWanted();
  }

  take(): boolean {
    if (this.#isCalledAway()) return false;
    if (!this.#hasBegun) {
      if (!this.#awaitOpen()) return false;
      this.#board.begin();
    }
    this.#hasBegun = true;
    if (!this.#board.take(this.#chunksMax)) return false;
    this.#hasTaken = true;
    return true;
  }

  /** Whether the search has begun, or is over; false: it may still begin, and this one does not wait for it. */
  #awaitOpen(): boolean {
    const untilMs = performance.now() + this.#openWaitMs;
    do {
      if (this.#board.awaitOpen(OPEN_LOOK_MS)) return true;
      if (this.#isCalledAway()) return false;
    } while (performance.now() < untilMs);
    this.#hasGivenUp = true;
    return false;
  }

  lend(total: ((task: Uint32Array) => void) | null): boolean {
    this.#lends = this.#hasTaken;
    this.#total = total;
    return this.#lends;
  }

  /** Between reads: whether all that it has lent is its own again, and was not when this was asked last. */
  isBack(): boolean {
    if (!this.#isLent || this.#board.isLent(this.#reader)) return false;
    this.#isLent = false;
    return true;
  }

  /**
   * Has `work` done on the search that is offered, which takes chunks here and writes to `room`, and returns whether it has.
   * No more chunks are to be had once `isCalledAway`. If what came of them is lent, it waits for a moment whether the starter has a task for it.
   * Returns whether it has taken any.
   */
  help(isCalledAway: () => boolean, work: (job: SharedJob) => boolean): boolean {
    const board = this.#board;
    const job = board.join();
    if (job === null) return false;
    this.#isCalledAway = isCalledAway;
    this.#hasGivenUp = false;
    this.#hasBegun = false;
    this.#hasTaken = false;
    this.#lends = false;
    let isDone = false;
    let mayWait = false;
    try {
      isDone = work(job);
      mayWait = isDone && this.#lends && this.#total !== null && this.#task.announce(this.#reader);
    } finally {
      if (this.#hasTaken) board.noteEnd(this.#reader, this.#endOf(isDone));
      else if (!isDone || this.#hasGivenUp) board.noteEnd(this.#reader, PART_DECLINED);
      this.#isLent ||= this.#lends;
      if (this.#hasBegun) board.finish();
      try {
        if (mayWait && this.#task.waitForTask(this.#reader, this.#waitMs, isCalledAway)) this.#addUp();
      } finally {
        this.#total = null;
        board.leave();
      }
    }
    return this.#hasTaken;
  }

  /** Does the task in its room. */
  #addUp(): void {
    let isDone = false;
    try {
      this.#total?.(taskIn(this.room));
      isDone = true;
    } finally {
      this.#task.answer(this.#reader, isDone);
    }
  }

  #endOf(isDone: boolean): typeof PART_LENT | typeof PART_DONE | typeof PART_FAILED {
    if (!isDone) return PART_FAILED;
    return this.#lends ? PART_LENT : PART_DONE;
  }
}
