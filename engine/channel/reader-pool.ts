/**
 * The HTTP thread's end of the read protocol: fills slots, hands them to readers as read-lanes.ts decides, gets them
 * back, and calls back exactly once for each read.
 *
 * Never blocks. A read that is not answered in time, or that nobody waits for any more, is interrupted: its caller has its
 * answer at once, its slot comes back when its reader has noticed.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import type { InnerRead, Read } from '../core/requests.js';
import type { Asker, ReadCallback, ReaderStats } from '../engine.js';
import { AnswerRoom } from './answer-room.js';
import type { AtomicWords } from './atomic-words.js';
import { CompletionRing } from './completion-ring.js';
import { RING_SLOTS, WORD } from './control-words.js';
import type { Doorbell } from './doorbell.js';
import { type InlineReader, patienceFor } from './inline-reader.js';
import { DEAR_LANE, QUICK_LANE, ReadLanes, type Shed } from './read-lanes.js';
import { dearBells, quickBells } from './read-loop.js';
import { createSlotViews, OUTCOME_DEMOTED, OUTCOME_ERROR, OUTCOME_OK, SLOT, type Slot } from './read-mailbox.js';
import { NO_READ, refuseLater, stopping, tooManyDear, tooManyInFlight } from './read-refusals.js';
import { encodeRead, errorIn, resultIn } from './read-request.js';
import { ReaderTotals } from './reader-counters.js';
import { DEAR_RING, QUICK_RING, RequestRing } from './request-ring.js';
import { clearInterrupt, interrupt, QUICK_COST_US_MAX } from './slot-budget.js';

export interface ReaderPoolOptions {
  /** Reader threads, the one for dear reads included: 2 at least. */
  readonly readers: number;
  /** A read that is not answered within it is refused. */
  readonly timeoutMs: number;
  /** Memory of answers that are on their way to their clients. */
  readonly answerBytesMax: number;
  /** Answers what it can without the readers. */
  readonly inline: Pick<InlineReader, 'answer' | 'costUs' | 'idle' | 'close'>;
  /** HTTP threads, which read too: this one is the first of them. */
  readonly httpThreads: number;
}

/** Dear reads are refused when they would wait longer than this share of the time they have. */
const BACKLOG_SHARE = 0.5;
/** Deadlines are looked at so often, and at least ten times within the time that a read has. */
const SWEEP_MS_MAX = 100;

const NOBODY: Asker = { client: '' };
const NOTHING = (): void => {};

const FREE = 0;
const WAITING = 1;
const WITH_READER = 2;

export class ReaderPool {
  readonly #words: AtomicWords;
  readonly #totals: ReaderTotals;
  readonly #options: ReaderPoolOptions;
  readonly #slots: readonly Slot[];
  readonly #lanes: ReadLanes;
  readonly #room: AnswerRoom;
  readonly #quickRing: RequestRing;
  readonly #dearRing: RequestRing;
  readonly #completions: CompletionRing;
  readonly #quickBells: readonly Doorbell[];
  readonly #dearBells: readonly Doorbell[];
  readonly #free: number[] = [];
  /** By slot. The callback is null once it was called, or when nobody wants it called; `backs` hear that the slot is free. */
  readonly #callbacks: (ReadCallback | null)[];
  readonly #askers: Asker[];
  readonly #backs: (() => void)[];
  readonly #states = new Uint8Array(RING_SLOTS);
  readonly #lane = new Uint8Array(RING_SLOTS);
  readonly #deadlinesMs = new Float64Array(RING_SLOTS);
  /** Counts the reads that had the slot: a part of their handles. */
  readonly #serials = new Float64Array(RING_SLOTS);
  readonly #sweep: NodeJS.Timeout;
  readonly #takeBack = (slot: number): void => this.#finish(slot, null);
  readonly #hasRoom = (kib: number): boolean => this.#room.hasRoom(kib);
  #stopped = false;
  timeouts = 0;
  abandoned = 0;
  shed = 0;

  constructor(words: AtomicWords, mailbox: SharedArrayBuffer, options: ReaderPoolOptions) {
    const { readers, timeoutMs, answerBytesMax } = options;
    assert(readers >= 2, 'a reader for dear reads, and one for the others');
    this.#words = words;
    this.#totals = new ReaderTotals(words);
    this.#options = options;
    this.#slots = createSlotViews(mailbox);
    this.#callbacks = new Array<ReadCallback | null>(RING_SLOTS).fill(null);
    this.#askers = new Array<Asker>(RING_SLOTS).fill(NOBODY);
    this.#backs = new Array<() => void>(RING_SLOTS).fill(NOTHING);
    for (let slot = RING_SLOTS - 1; slot >= 0; slot--) this.#free.push(slot);
    this.#quickBells = quickBells(words, readers);
    this.#dearBells = dearBells(words, readers);
    this.#lanes = new ReadLanes(this.#quickBells.length, this.#dearBells.length, timeoutMs * 1000 * BACKLOG_SHARE);
    this.#room = new AnswerRoom(words, answerBytesMax);
    this.#quickRing = new RequestRing(words, QUICK_RING);
    this.#dearRing = new RequestRing(words, DEAR_RING);
    this.#completions = new CompletionRing(words);
    this.#sweep = setInterval(() => this.#endLate(), Math.min(SWEEP_MS_MAX, Math.ceil(timeoutMs / 10)));
    this.#sweep.unref();
    this.#listen();
  }

  /** Reads handed over whose slots have not come back. */
  get depth(): number {
    return RING_SLOTS - this.#free.length;
  }

  /** How long a dear read that came now would wait, about, in milliseconds. */
  get backlogMs(): number {
    return this.#lanes.backlogUs / 1000;
  }

  /** Bytes of answers that are on their way to their clients, beside the slots. */
  get answerBytes(): number {
    return this.#room.heldKib * 1024;
  }

  /**
   * Answers `read` at once, or queues it for `asker`; `done` is called once, now or later, unless cancel() is called before.
   * Returns the handle of the read, or NO_READ.
   */
  submit(read: Read, collectionId: number, asker: Asker, done: ReadCallback): number {
    if (this.#stopped) return refuseLater(done, stopping());
    const patience = patienceFor(asker.place, this.depth === 0);
    const { inline } = this.#options;
    if (patience !== null && inline.answer(read, collectionId, patience, done)) return NO_READ;
    const costUs = patience === null ? 0 : inline.costUs;
    const slot = this.#take(read, collectionId, asker, done);
    if (slot < 0) return NO_READ;
    // A reader for quick ones would find out the same, and give it back.
    if (costUs > QUICK_COST_US_MAX) {
      this.#addDear(slot, costUs, 0);
      this.#dispatch();
    } else if (this.#lanes.admitQuick()) this.#hand(slot, QUICK_LANE, this.#quickRing, this.#quickBells);
    else this.#lanes.add(slot, asker.client);
    return this.#serials[slot] * RING_SLOTS + slot;
  }

  /**
   * As submit(), for what is known to take `costUs`. `back` is called when no reader has to do with the read any more, which may
   * be long after `done`.
   */
  submitDear(read: InnerRead, costUs: number, asker: Asker, done: ReadCallback, back: () => void): void {
    const slot = this.#stopped ? NO_READ : this.#take(read, 0, asker, done);
    if (this.#stopped) refuseLater(done, stopping());
    if (slot < 0) queueMicrotask(back);
    else {
      this.#backs[slot] = back;
      this.#addDear(slot, costUs, 0);
      this.#dispatch();
    }
  }

  /** Fills a slot with `read`; NO_READ: it is refused. */
  #take(read: InnerRead, collectionId: number, asker: Asker, done: ReadCallback): number {
    if (this.#free.length === 0) {
      const shed = this.#lanes.shedFor(asker.client);
      if (shed !== null) this.#refuse(shed);
    }
    const slot = this.#free.pop();
    if (slot === undefined) {
      this.shed++;
      return refuseLater(done, tooManyInFlight(this.#lanes.retryAfterS));
    }
    try {
      encodeRead(this.#slots[slot], read, collectionId);
    } catch (error) {
      this.#free.push(slot);
      assert(error instanceof EngineError, 'encoding fails only for size');
      return refuseLater(done, error);
    }
    clearInterrupt(this.#words, slot);
    this.#serials[slot]++;
    this.#callbacks[slot] = done;
    this.#askers[slot] = asker;
    this.#states[slot] = WAITING;
    this.#deadlinesMs[slot] = performance.now() + this.#options.timeoutMs;
    return slot;
  }

  /** Nobody waits for the read with this handle any more: its callback is not called, and it takes nobody's time. */
  cancel(handle: number): void {
    if (handle < 0) return;
    const slot = handle % RING_SLOTS;
    if (this.#serials[slot] !== Math.floor(handle / RING_SLOTS) || this.#callbacks[slot] === null) return;
    this.#callbacks[slot] = null;
    this.abandoned++;
    this.#giveUp(slot);
  }

  /** Takes the body of the read in `slot`, which was posted. */
  receivePosted(slot: number, body: Uint8Array): void {
    this.#finish(slot, body);
    this.#dispatch();
  }

  /** A body of `heldBytes` bytes is not needed any more. */
  releaseAnswer(heldBytes: number): void {
    if (heldBytes === 0) return;
    this.#room.release(heldBytes / 1024);
    this.#dispatch();
  }

  stats(): ReaderStats[] {
    return Array.from({ length: this.#options.readers }, (_, reader) => this.#totals.of(reader));
  }

  /** Of the HTTP threads' own reads. */
  inlineStats(): ReaderStats[] {
    const { readers, httpThreads } = this.#options;
    return Array.from({ length: httpThreads }, (_, thread) => this.#totals.of(readers + thread));
  }

  /** Refuses new reads and lets readers end once all have been answered, or after `withinMs`; resolves then. */
  async stop(withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    this.#stopped = true;
    const endMs = performance.now() + withinMs;
    while (this.depth > 0 && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 1));
    clearInterval(this.#sweep);
    this.#options.inline.close();
    this.#words.store(WORD.STOP, 1);
    for (const bell of [...this.#quickBells, ...this.#dearBells]) bell.ring();
  }

  /** Gives the readers what they may have at hand. */
  #dispatch(): void {
    for (let slot = this.#lanes.nextQuick(); slot >= 0; slot = this.#lanes.nextQuick())
      this.#hand(slot, QUICK_LANE, this.#quickRing, this.#quickBells);
    for (let slot = this.#lanes.nextDear(this.#hasRoom); slot >= 0; slot = this.#lanes.nextDear(this.#hasRoom))
      this.#hand(slot, DEAR_LANE, this.#dearRing, this.#dearBells);
  }

  #hand(slot: number, lane: number, ring: RequestRing, bells: readonly Doorbell[]): void {
    this.#states[slot] = WITH_READER;
    this.#lane[slot] = lane;
    this.#slots[slot].header[SLOT.LANE] = lane;
    ring.put(slot);
    // When none sleeps, all look at the ring before they do.
    for (const bell of bells) if (bell.ring()) return;
  }

  /**
   * Takes back what readers have finished, whenever they have. While some comes back this thread looks again in the next
   * turn of its loop, after the requests that have come meanwhile, and nobody need wake it.
   */
  #listen(): void {
    for (;;) {
      if (this.#completions.collect(this.#takeBack)) {
        this.#dispatch();
        setImmediate(() => this.#listen());
        return;
      }
      const rung = this.#completions.bell.sleepAsync();
      if (rung === null) continue;
      void rung.then(() => this.#listen());
      return;
    }
  }

  #finish(slot: number, posted: Uint8Array | null): void {
    const { header, response } = this.#slots[slot];
    const outcome = header[SLOT.OUTCOME];
    const reserved = header[SLOT.RESERVED_KIB];
    const isAnswered = outcome < OUTCOME_DEMOTED;
    this.#lanes.handedBack(slot, this.#lane[slot], header[SLOT.SPENT_US], isAnswered);
    const done = this.#callbacks[slot];
    if (done === null || !isAnswered) {
      if (reserved > 0) this.#room.release(reserved);
      if (done === null) this.#release(slot);
      else this.#demote(slot);
      return;
    }
    this.#callbacks[slot] = null;
    // An answer that fitted into its slot after all holds nothing.
    const held = posted === null ? 0 : reserved;
    if (held !== reserved) this.#room.release(reserved);
    const body = posted ?? response.subarray(0, header[SLOT.BODY_BYTES]);
    if (outcome === OUTCOME_ERROR) {
      done(errorIn(body), null);
    } else {
      assert(outcome === OUTCOME_OK || posted !== null, 'an answer lies in its slot or was posted');
      const tookMs = performance.now() - (this.#deadlinesMs[slot] - this.#options.timeoutMs);
      done(null, resultIn(this.#slots[slot], body, held * 1024, tookMs * 1000));
    }
    // Only now: the callback may read the slot's bytes, and no request it makes may get this slot.
    this.#release(slot);
  }

  /** The read waits on as a dear one. */
  #demote(slot: number): void {
    const { header } = this.#slots[slot];
    assert(header[SLOT.OUTCOME] === OUTCOME_DEMOTED, 'only a read that nobody waits for is interrupted');
    this.#states[slot] = WAITING;
    this.#addDear(slot, header[SLOT.COST_US], header[SLOT.WANTED_KIB]);
  }

  /** The read waits as a dear one, unless it is refused. `costUs`, `kib`: as ReadLanes.addDear(). */
  #addDear(slot: number, costUs: number, kib: number): void {
    const shed = this.#lanes.addDear(slot, this.#askers[slot].client, costUs, kib);
    if (shed !== null) this.#refuse(shed);
  }

  #refuse({ slot, retryAfterS }: Shed): void {
    this.shed++;
    const done = this.#callbacks[slot];
    this.#callbacks[slot] = null;
    this.#release(slot);
    if (done !== null) refuseLater(done, tooManyDear(retryAfterS));
  }

  /** Refuses the reads whose time is over; called at a steady pace. */
  #endLate(): void {
    this.#options.inline.idle();
    if (this.depth === 0) return;
    const nowMs = performance.now();
    const { timeoutMs } = this.#options;
    for (let slot = 0; slot < RING_SLOTS; slot++) {
      const done = this.#callbacks[slot];
      if (done === null || this.#deadlinesMs[slot] > nowMs) continue;
      this.#callbacks[slot] = null;
      this.timeouts++;
      this.#giveUp(slot);
      const message = `the query was not answered within ${timeoutMs} ms`;
      done(new EngineError('query_timeout', message, { retryAfterS: this.#lanes.retryAfterS }), null);
    }
    this.#dispatch();
  }

  #giveUp(slot: number): void {
    if (this.#states[slot] === WITH_READER) {
      interrupt(this.#words, slot);
      return;
    }
    const waited = this.#lanes.remove(slot, this.#askers[slot].client);
    assert(waited, 'a read waits or is with a reader');
    this.#release(slot);
  }

  #release(slot: number): void {
    assert(this.#states[slot] !== FREE, 'a slot is given back once');
    this.#states[slot] = FREE;
    this.#askers[slot] = NOBODY;
    this.#free.push(slot);
    const back = this.#backs[slot];
    this.#backs[slot] = NOTHING;
    back();
  }
}
