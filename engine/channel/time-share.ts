/**
 * How much of its time the HTTP thread may spend on reads of its own: a share of it in the long run, and so much at a stretch, so
 * that requests, acknowledgements and clients that wait for the rest of an answer have theirs. What comes beyond is the
 * readers', who then work side by side with this thread. What counts is what a read takes beyond handing it over: the rest of this
 * thread's time nobody else would have.
 *
 * A read that waited for bytes from a disk is paid for with a pause, so that such reads take a small share of the thread's time
 * however many come. One that took long for want of a processor is not: whatever the thread does takes longer then. Used by
 * inline-reader.ts. Pure but for what it is made with.
 */

const majorFaults = (): number => process.resourceUsage().majorPageFault;

/** Microseconds of reads at a stretch, and of those that take less than handing them over. */
const STRETCH_US_MAX = 200;
const CHEAP_STRETCH_US_MAX = 2000;
/** What handing a read over takes of this thread. */
const HAND_OVER_US = 15;
/** A read that took longer, and met pages that were not in memory, is followed by a pause of PAUSE_FACTOR times as long. */
const LONG_READ_US = 1000;
const PAUSE_FACTOR = 20;

export class TimeShare {
  readonly #share: number;
  readonly #faultCount: () => number;
  #faults = 0;
  /** Microseconds of reads that the time since has not made up for, at #atMs. */
  #spentUs = 0;
  #atMs = 0;
  #pausedUntilMs = 0;

  /** `share` of each microsecond that passes is for reads. `faultCount` tells how often the process waited for a page so far. */
  constructor(share: number, faultCount = majorFaults) {
    this.#share = share;
    this.#faultCount = faultCount;
  }

  /** Whether a read that takes `expectedUs`, about, may begin at `nowMs`, no earlier than any moment named before. */
  hasTime(expectedUs: number, nowMs: number): boolean {
    this.#spentUs = Math.max(0, this.#spentUs - (nowMs - this.#atMs) * 1000 * this.#share);
    this.#atMs = nowMs;
    const most = expectedUs <= HAND_OVER_US ? CHEAP_STRETCH_US_MAX : STRETCH_US_MAX;
    return this.#spentUs < most && nowMs >= this.#pausedUntilMs;
  }

  /** The read took `elapsedUs`, and is over at `nowMs`. */
  spend(elapsedUs: number, nowMs: number): void {
    this.#spentUs += Math.max(0, elapsedUs - HAND_OVER_US);
    if (elapsedUs > LONG_READ_US && this.#hasFaulted()) this.#pausedUntilMs = nowMs + (elapsedUs / 1000) * PAUSE_FACTOR;
  }

  /** Whether the process has waited for a page since the last call. */
  #hasFaulted(): boolean {
    const before = this.#faults;
    this.#faults = this.#faultCount();
    return this.#faults > before;
  }
}
