/**
 * Counts 64-bit codes in a hash table of typed arrays: for columns whose codes are too many or too spread for a
 * histogram, or of which few documents match.
 *
 * Owned by SegmentCounts. Open addressing with linear probing, at most half full; a slot is free when its count is 0.
 */
import { hashWords } from '../../core/hash-words.js';

const SLOTS_MIN = 1024;
/** Tables beyond this are given up by clear(): clearing and draining them would cost small queries more. */
const SLOTS_KEPT_MAX = 8192;
/** Larger tables grow twofold: they may be of hundreds of megabytes. */
const SLOTS_LARGE_MIN = 1 << 20;

export class CodeCounter {
  /** By slot: the halves of the code, unsigned, and how often it was added. */
  lo = new Uint32Array(SLOTS_MIN);
  hi = new Uint32Array(SLOTS_MIN);
  counts = new Uint32Array(SLOTS_MIN);
  /** A power of two. */
  slotCount = SLOTS_MIN;
  /** Distinct codes. */
  size = 0;

  /** Forgets every code. */
  clear(): void {
    if (this.slotCount > SLOTS_KEPT_MAX) this.#allocate(SLOTS_MIN);
    else if (this.size > 0) this.counts.fill(0);
    this.size = 0;
  }

  /** Counts the code once more. */
  add(lo: number, hi: number): void {
    const { counts } = this;
    const slot = this.#find(lo, hi);
    const count = counts[slot];
    counts[slot] = count + 1;
    if (count === 0) this.#take(slot, lo, hi);
  }

  #take(slot: number, lo: number, hi: number): void {
    this.lo[slot] = lo;
    this.hi[slot] = hi;
    if (2 * ++this.size > this.slotCount) this.#grow();
  }

  /** The code's slot, or the free one where it belongs. */
  #find(lo: number, hi: number): number {
    const { counts, lo: los, hi: his } = this;
    const mask = this.slotCount - 1;
    let slot = hashWords(lo, hi) & mask;
    while (counts[slot] !== 0 && (los[slot] !== lo || his[slot] !== hi)) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const { lo, hi, counts, slotCount } = this;
    this.#allocate((slotCount < SLOTS_LARGE_MIN ? 4 : 2) * slotCount);
    for (let from = 0; from < slotCount; from++) {
      if (counts[from] === 0) continue;
      const slot = this.#find(lo[from], hi[from]);
      this.lo[slot] = lo[from];
      this.hi[slot] = hi[from];
      this.counts[slot] = counts[from];
    }
  }

  #allocate(slotCount: number): void {
    this.lo = new Uint32Array(slotCount);
    this.hi = new Uint32Array(slotCount);
    this.counts = new Uint32Array(slotCount);
    this.slotCount = slotCount;
  }
}
