/**
 * Decides which of the waiting reads goes to the readers next, and which is refused when too much waits.
 *
 * A read begins in the quick lane unless it is known or likely to be dear. A reader that finds it dear gives it back, and it waits in the dear lane; one whose
 * answer needs more memory than there is waits until some is given back. In each lane the clients take turns. Readers are
 * given few reads at a time, so that order, fairness and refusal stay decisions of this file. Dear reads are refused
 * first: when what is ahead of one takes longer than the bound, of the client with the most of them the last. One that
 * comes when nothing is ahead of it is let in, so that whatever was measured wrongly is measured again.
 *
 * Used by reader-pool.ts on the HTTP thread. Pure: knows slots by number, and neither shared memory nor time.
 */
import { assert } from '../core/assert.js';
import { RING_SLOTS } from './control-words.js';
import { FairQueue } from './fair-queue.js';

export const QUICK_LANE = 0;
export const DEAR_LANE = 1;

/**
 * Quick reads that each reader has at hand: as many as take it this long, by what the last ones took, so that it has enough
 * until the HTTP thread looks again, and who comes now waits no longer than that for what is at hand.
 */
const QUICK_AT_HAND_US = 2000;
const QUICK_AT_HAND_MIN = 2;
const QUICK_AT_HAND_MAX = 128;
/** And all of them: the other slots are for reads that wait, whose order, fairness and refusal are decided here. */
const ALL_AT_HAND_MAX = RING_SLOTS >> 1;
/** How fast measured costs are taken over. */
const COST_SHARE = 0.1;
const SCALE_MIN = 0.01;
const SCALE_MAX = 100;
/** What a dear read is thought to take of which nothing is known, before any was measured. */
const UNKNOWN_US = 5000;

/** A refusal: the slot is free again, and a new attempt is worth it after so long. */
export interface Shed {
  readonly slot: number;
  readonly retryAfterS: number;
}

export class ReadLanes {
  readonly #quick = new FairQueue();
  readonly #dear = new FairQueue();
  /** Dear reads that wait for room for their answer. */
  readonly #large = new FairQueue();
  readonly #quickReaders: number;
  readonly #dearAtHandMax: number;
  readonly #dearReaders: number;
  readonly #backlogUsMax: number;
  /** By slot, of a dear read: what its query was estimated at, in microseconds, 0: not at all; and the room its answer needs. */
  readonly #costUs = new Float64Array(RING_SLOTS);
  /** By slot: what is expected of a dear read, by what others have taken. */
  readonly #expectedUs = new Float64Array(RING_SLOTS);
  readonly #kib = new Float64Array(RING_SLOTS);
  #quickAtHand = 0;
  /** What a quick read takes, in microseconds, up to where it is demoted. */
  #quickUs = 0;
  #dearAtHand = 0;
  /** The last dear read handed over was one that had waited for room. */
  #wasLarge = false;
  /** Expected microseconds of all dear reads, waiting or being read. */
  #dearUs = 0;
  /** Measured against estimated cost of dear reads. */
  #scale = 1;
  /** What those take that were not estimated. */
  #unknownUs = UNKNOWN_US;

  /** `backlogUsMax`: a dear read that would wait longer is refused. */
  constructor(quickReaders: number, dearReaders: number, backlogUsMax: number) {
    this.#quickReaders = quickReaders;
    this.#dearAtHandMax = dearReaders + 1;
    this.#dearReaders = dearReaders;
    this.#backlogUsMax = backlogUsMax;
  }

  /** How long a dear read that came now would wait, about, in microseconds. */
  get backlogUs(): number {
    return this.#dearUs / this.#dearReaders;
  }

  /** Reads that wait, in all lanes. */
  get waiting(): number {
    return this.#quick.size + this.#dear.size + this.#large.size;
  }

  get retryAfterS(): number {
    return Math.max(1, Math.ceil(this.backlogUs / 1e6));
  }

  /** A new read waits in the quick lane. */
  add(slot: number, client: string): void {
    this.#quick.push(slot, client);
  }

  /**
   * The read is known to be dear, or a reader has given it back as that: it waits on. Returns a read that is refused for it, which may be itself.
   * `costUs`: what it was estimated at, 0: it was not, or takes longer; `kib`: room that its answer needs, 0: that was not why.
   */
  addDear(slot: number, client: string, costUs: number, kib: number): Shed | null {
    const aheadUs = this.backlogUs;
    this.#costUs[slot] = costUs;
    this.#expectedUs[slot] = costUs > 0 ? costUs * this.#scale : this.#unknownUs;
    this.#kib[slot] = kib;
    this.#dearUs += this.#expectedUs[slot];
    (kib > 0 ? this.#large : this.#dear).push(slot, client);
    return aheadUs <= this.#backlogUsMax ? null : this.#shedDear();
  }

  /** Room for one more read is wanted: of the client with the most reads waiting the last, dear ones first. */
  shedFor(client: string): Shed | null {
    const most = this.#mostDear();
    if (most !== null) return this.#shedDear();
    const quick = this.#quick.largest();
    // Nobody gives way to one who has as many waiting.
    if (quick === null || quick.count <= this.#quick.countOf(client) + 1) return null;
    return { slot: this.#quick.popOf(quick.client), retryAfterS: this.retryAfterS };
  }

  #mostDear(): FairQueue | null {
    const dear = this.#dear.largest()?.count ?? 0;
    const large = this.#large.largest()?.count ?? 0;
    if (dear + large === 0) return null;
    return dear >= large ? this.#dear : this.#large;
  }

  #shedDear(): Shed | null {
    const queue = this.#mostDear();
    const most = queue?.largest() ?? null;
    if (queue === null || most === null) return null;
    const { retryAfterS } = this;
    const slot = queue.popOf(most.client);
    this.#forgetCost(slot);
    return { slot, retryAfterS };
  }

  /** Whether a new read may go to the readers at once, which it then does: none waits, and they have not enough. */
  admitQuick(): boolean {
    if (this.#quick.size > 0 || this.#quickAtHand >= this.#quickAtHandMax) return false;
    this.#quickAtHand++;
    return true;
  }

  get #quickAtHandMax(): number {
    const most = QUICK_AT_HAND_US / Math.max(1, this.#quickUs);
    const each = Math.min(QUICK_AT_HAND_MAX, Math.max(QUICK_AT_HAND_MIN, most));
    return Math.min(each * this.#quickReaders, ALL_AT_HAND_MAX);
  }

  /** The next quick read for the readers, or -1: none waits, or they have enough. */
  nextQuick(): number {
    if (this.#quick.size === 0 || this.#quickAtHand >= this.#quickAtHandMax) return -1;
    const slot = this.#quick.shift();
    if (slot >= 0) this.#quickAtHand++;
    return slot;
  }

  /** The next dear read, or -1. `hasRoom` tells whether an answer of so many KiB may be written now. */
  nextDear(hasRoom: (kib: number) => boolean): number {
    if (this.#dearAtHand >= this.#dearAtHandMax) return -1;
    const large = this.#large.peek();
    const mayBeLarge = large >= 0 && hasRoom(this.#kib[large]);
    // In turn, so that neither kind keeps the other waiting.
    const isLarge = mayBeLarge && (!this.#wasLarge || this.#dear.size === 0);
    const slot = (isLarge ? this.#large : this.#dear).shift();
    if (slot < 0) return -1;
    this.#wasLarge = isLarge;
    this.#dearAtHand++;
    return slot;
  }

  /** A reader has handed `slot` back, which it got from lane `lane` and worked at for `elapsedUs`. */
  handedBack(slot: number, lane: number, elapsedUs: number, isAnswered: boolean): void {
    if (lane === QUICK_LANE) {
      this.#quickAtHand--;
      this.#quickUs += COST_SHARE * (elapsedUs - this.#quickUs);
      assert(this.#quickAtHand >= 0, 'a read is handed back once');
      return;
    }
    this.#dearAtHand--;
    assert(this.#dearAtHand >= 0, 'a read is handed back once');
    const estimated = this.#costUs[slot];
    // One that was ended would have taken longer than it did: that tells something where it is longer than expected.
    const isTelling = isAnswered || elapsedUs > (estimated > 0 ? estimated * this.#scale : this.#unknownUs);
    if (isTelling && estimated > 0) {
      const scale = Math.min(SCALE_MAX, Math.max(SCALE_MIN, elapsedUs / estimated));
      this.#scale += COST_SHARE * (scale - this.#scale);
    } else if (isTelling) this.#unknownUs += COST_SHARE * (elapsedUs - this.#unknownUs);
    this.#forgetCost(slot);
  }

  /** Takes out a read that waits; false: it is with a reader. */
  remove(slot: number, client: string): boolean {
    if (this.#quick.remove(slot, client)) return true;
    if (!this.#dear.remove(slot, client) && !this.#large.remove(slot, client)) return false;
    this.#forgetCost(slot);
    return true;
  }

  #forgetCost(slot: number): void {
    this.#dearUs = Math.max(0, this.#dearUs - this.#expectedUs[slot]);
    this.#costUs[slot] = 0;
    this.#expectedUs[slot] = 0;
    this.#kib[slot] = 0;
  }
}
