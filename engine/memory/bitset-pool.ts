/**
 * Bitsets of chunks that outlive a query: a fixed part of a thread's scratch area in one arena, so that kernels address them
 * and nothing can take more.
 *
 * Owned by the thread's binding to the arena; segment/kept-filters.ts takes bitsets from it. Where none is left, those who
 * used theirs longest ago lose them.
 */
import { assert } from '../core/assert.js';
import { CHUNK_BITSET_BYTES, SCRATCH_BYTES, SCRATCH_KEPT } from '../layout/scratch.js';

/** Who holds bitsets. */
export interface BitsetHolder {
  /** Absolute addresses of its bitsets, CHUNK_BITSET_BYTES each. */
  readonly bitsets: readonly number[];
  /** Hears that its bitsets are gone. */
  readonly forget: () => void;
}

/** Bitsets that a pool has. */
export const POOLED_BITSETS = (SCRATCH_BYTES - SCRATCH_KEPT) / CHUNK_BITSET_BYTES;

export class BitsetPool {
  readonly #free: number[] = [];
  /** What was used longest ago comes first. */
  readonly #holders = new Set<BitsetHolder>();

  /** `scratchPtr`: where the thread's scratch area begins. */
  constructor(scratchPtr: number) {
    for (let i = POOLED_BITSETS - 1; i >= 0; i--) this.#free.push(scratchPtr + SCRATCH_KEPT + i * CHUNK_BITSET_BYTES);
  }

  /** Addresses of `count` bitsets of undefined content, for hold() or giveBack(); null when the pool has not as many. */
  take(count: number): number[] | null {
    if (count > POOLED_BITSETS) return null;
    while (this.#free.length < count) {
      const [oldest] = this.#holders;
      // All others are taken by who has not held them yet.
      if (oldest === undefined) return null;
      this.release(oldest);
      oldest.forget();
    }
    return this.#free.splice(this.#free.length - count, count);
  }

  giveBack(bitsets: readonly number[]): void {
    this.#free.push(...bitsets);
    assert(this.#free.length <= POOLED_BITSETS, 'a bitset is given back once');
  }

  /** Keeps the bitsets of `holder`, which it took, until release() or until others need them. */
  hold(holder: BitsetHolder): void {
    this.#holders.add(holder);
  }

  /** Makes `holder` the one that used its bitsets last. */
  touch(holder: BitsetHolder): void {
    this.#holders.delete(holder);
    this.#holders.add(holder);
  }

  /** Takes the bitsets of `holder` back, if it still holds them. */
  release(holder: BitsetHolder): void {
    if (this.#holders.delete(holder)) this.giveBack(holder.bitsets);
  }
}
