/**
 * The limits of a read that the HTTP thread answers itself: whatever takes longer than to hand it over, about, is given
 * up for the readers, as soon as that is known. Most is known before anything was read; the rest a look at the clock tells.
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import { ReadStopped } from '../core/read-stopped.js';
import type { ReadBudget } from '../query/read-budget.js';

/**
 * What a read may be estimated at, in microseconds: handing it over costs the threads as much, and wakes two. One that comes alone
 * keeps nobody waiting, and is answered sooner by a thread that is awake.
 */
const COST_US_MAX = 150;
const LONE_COST_US_MAX = 400;
/** Terms that a read may look at beside those that were typed; and one that finds out what its tokens stand for. */
const TERMS_MAX = 512;
const LEARNED_TERMS_MAX = 1 << 20;
/** What a read may go through of texts and documents byte by byte, all together: half a millisecond to several. */
const SCANNED_BYTES_MAX = 128 * 1024;
/** One that has taken longer, whatever was expected, is given up. */
const ELAPSED_MS_MAX = 2;
/** Looks at the budget for one at the clock. */
const LOOKS_PER_CLOCK = 4;

/** Thrown again and again: what an error notes of its place costs more than the read. */
const TOO_DEAR = new ReadStopped('demoted');
const TOO_LONG = new ReadStopped('demoted', true);

/** Why a read was given up: too many terms, which it would not have to look at had it been answered here; the clock; all else. */
export type GivenUpFor = 'terms' | 'time' | 'cost';

export class InlineBudget implements ReadBudget {
  readonly #answerBytesMax: number;
  #untilMs = 0;
  #costUsMax = COST_US_MAX;
  #termsMax = TERMS_MAX;
  #terms = 0;
  #scannedBytes = 0;
  #looks = 0;
  /** Of the last read that was given up. */
  givenUpFor: GivenUpFor = 'cost';
  /** What it was estimated at, in microseconds; 0: it was given up before. */
  costUs = 0;

  constructor(answerBytesMax: number) {
    this.#answerBytesMax = answerBytesMax;
  }

  /** A read begins at `nowMs`. `isPatient`: nobody would be done with it sooner. `isLearning`: it may look at many terms. */
  begin(nowMs: number, isPatient: boolean, isLearning: boolean): void {
    this.#costUsMax = isPatient ? LONE_COST_US_MAX : COST_US_MAX;
    this.#untilMs = nowMs + ELAPSED_MS_MAX;
    this.#termsMax = isLearning ? LEARNED_TERMS_MAX : TERMS_MAX;
    this.#terms = 0;
    this.#scannedBytes = 0;
    this.#looks = 0;
    this.costUs = 0;
  }

  check(): void {
    if (++this.#looks % LOOKS_PER_CLOCK === 0) this.#checkClock();
  }

  expectTerms(count: number): void {
    this.#terms += count;
    if (this.#terms > this.#termsMax) this.#giveUp('terms');
    if (this.#terms > TERMS_MAX) this.#checkClock();
  }

  expectCost(us: number): void {
    if (us <= this.#costUsMax) return;
    this.costUs = us;
    this.#giveUp('cost');
  }

  expectBytes(bytes: number): void {
    if (bytes > this.#answerBytesMax) this.#giveUp('cost');
  }

  expectScan(bytes: number): void {
    this.#scannedBytes += bytes;
    if (this.#scannedBytes > SCANNED_BYTES_MAX) this.#giveUp('cost');
  }

  #checkClock(): void {
    if (performance.now() <= this.#untilMs) return;
    this.givenUpFor = 'time';
    throw TOO_LONG;
  }

  #giveUp(why: GivenUpFor): never {
    this.givenUpFor = why;
    throw TOO_DEAR;
  }
}
