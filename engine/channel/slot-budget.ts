/**
 * The limits of a read in flight: the HTTP thread interrupts it, its reader looks and ends it.
 *
 *   INTERRUPT + slot   written by the HTTP thread: 0 when it fills the slot, 1 when nobody waits for the answer any more.
 *                      The reader looks with one load between chunks and in every long loop.
 */
import { ReadStopped } from '../core/read-stopped.js';
import type { ReadBudget } from '../query/read-budget.js';
import { type AnswerRoom, kibOf } from './answer-room.js';
import type { AtomicWords } from './atomic-words.js';
import { WORD } from './control-words.js';
import { RESPONSE_BYTES } from './read-mailbox.js';

/** A read that will take longer is not for a reader that is kept free. */
export const QUICK_COST_US_MAX = 1500;
/** One that has taken longer, whatever was expected, gives way. */
const QUICK_ELAPSED_MS_MAX = 5;
/** Longer answers are dear. */
const QUICK_ANSWER_BYTES_MAX = 1 << 20;
/** So are reads that go through more of texts and documents at a time. */
const QUICK_SCAN_BYTES_MAX = 1 << 18;

/** HTTP thread: the read in `slot` is wanted. */
export const clearInterrupt = (words: AtomicWords, slot: number): void => words.store(WORD.INTERRUPT + slot, 0);

/** HTTP thread: nobody waits for the read in `slot`. */
export const interrupt = (words: AtomicWords, slot: number): void => words.store(WORD.INTERRUPT + slot, 1);

/** A reader's end. */
export class SlotBudget implements ReadBudget {
  readonly #words: AtomicWords;
  readonly #room: AnswerRoom;
  #place = 0;
  #isQuick = true;
  #untilMs = 0;
  /** Microseconds that the read was estimated at; 0: it was not, or has taken longer. */
  costUs = 0;
  /** Length of its answer that needs room which was not there, in KiB. */
  wantedKib = 0;
  /** Room that its answer has, in KiB. */
  reservedKib = 0;

  constructor(words: AtomicWords, room: AnswerRoom) {
    this.#words = words;
    this.#room = room;
  }

  /** Goes on to the read in `slot`. `isQuick`: it gives way to others. */
  begin(slot: number, isQuick: boolean): void {
    this.#place = WORD.INTERRUPT + slot;
    this.#isQuick = isQuick;
    this.#untilMs = isQuick ? performance.now() + QUICK_ELAPSED_MS_MAX : 0;
    this.costUs = 0;
    this.wantedKib = 0;
    this.reservedKib = 0;
  }

  check(): void {
    if (this.#words.load(this.#place) !== 0) throw new ReadStopped('interrupted');
    if (!this.#isQuick || performance.now() < this.#untilMs) return;
    if (this.costUs < QUICK_ELAPSED_MS_MAX * 1000) this.costUs = 0;
    throw new ReadStopped('demoted', true);
  }

  expectTerms(): void {
    this.check();
  }

  expectCost(us: number): void {
    this.check();
    this.costUs = us;
    if (this.#isQuick && us > QUICK_COST_US_MAX) throw new ReadStopped('demoted');
  }

  expectScan(bytes: number): void {
    this.check();
    if (this.#isQuick && bytes > QUICK_SCAN_BYTES_MAX) throw new ReadStopped('demoted');
  }

  expectBytes(bytes: number): void {
    this.check();
    if (bytes <= RESPONSE_BYTES) return;
    const kib = kibOf(bytes);
    if (kib <= this.reservedKib) return;
    const isTooLong = this.#isQuick && bytes > QUICK_ANSWER_BYTES_MAX;
    // The longest answers get room when nobody has any: not the read itself either.
    if (this.reservedKib > 0) this.#room.release(this.reservedKib);
    this.reservedKib = !isTooLong && this.#room.tryReserve(kib) ? kib : 0;
    if (this.reservedKib > 0) return;
    this.wantedKib = kib;
    throw new ReadStopped('demoted');
  }
}
