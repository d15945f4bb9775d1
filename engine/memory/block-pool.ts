/**
 * Blocks of memory that outlive a query: a fixed part of a thread's scratch area in one arena, so that kernels address them and
 * nothing can take more.
 *
 * Owned by the thread's binding to the arena; segment/kept-unions.ts takes blocks from it. Where there is no room, who used its
 * block longest ago loses it, but only to who was here after that: where more is asked for in turn than there is room for, some
 * keep theirs for good, instead of all losing theirs before they come again.
 */
import { assert } from '../core/assert.js';
import { SCRATCH_KEPT, SCRATCH_UNIONS } from '../layout/scratch.js';

/** Who holds a block. */
export interface BlockHolder {
  /** Absolute address of its block. */
  readonly ptr: number;
  readonly bytes: number;
  /** When it was used last, by whichever clock its users go. */
  usedAt: number;
  /** Hears that its block is gone. */
  readonly forget: () => void;
}

/** Blocks begin at multiples of this. */
const BLOCK_ALIGN = 64;
/** Bytes of all blocks of a pool. */
export const POOLED_BYTES = SCRATCH_KEPT - SCRATCH_UNIONS;

/** With less than a quarter of it free it is time to know who uses what. */
const CROWDED_FREE_BYTES = POOLED_BYTES >> 2;

/** A free range. */
interface FreeRange {
  ptr: number;
  bytes: number;
}

const roundUp = (bytes: number): number => Math.ceil(bytes / BLOCK_ALIGN) * BLOCK_ALIGN;

export class BlockPool {
  /** By address; no two touch. */
  readonly #free: FreeRange[];
  /** What was used longest ago comes first. */
  readonly #holders = new Set<BlockHolder>();
  #freeBytes = POOLED_BYTES;
  /** Holders that have lost their blocks so far, or let go of them. */
  released = 0;

  /** `scratchPtr`: where the thread's scratch area begins. */
  constructor(scratchPtr: number) {
    this.#free = [{ ptr: scratchPtr + SCRATCH_UNIONS, bytes: POOLED_BYTES }];
  }

  /** Bytes of the blocks that are taken. */
  get usedBytes(): number {
    return POOLED_BYTES - this.#freeBytes;
  }

  /** Whether some may have to go before long: who uses theirs should say so more often. */
  get isCrowded(): boolean {
    return this.#freeBytes < CROWDED_FREE_BYTES;
  }

  /** Whether take() may find room for `bytes` bytes, for one who was here at `since`. */
  mayTake(bytes: number, since: number): boolean {
    if (this.#free.some((range) => range.bytes >= bytes)) return true;
    const [oldest] = this.#holders;
    return oldest !== undefined && oldest.usedAt < since;
  }

  /**
   * Address of `bytes` bytes of undefined content, for hold() or giveBack(); 0 when there is no room. Those who used theirs before
   * `since` may lose it.
   */
  take(bytes: number, since: number): number {
    assert(bytes > 0, 'a block is not empty');
    for (;;) {
      const ptr = this.#takeFirstFit(roundUp(bytes));
      if (ptr !== 0) return ptr;
      const [oldest] = this.#holders;
      if (oldest === undefined || oldest.usedAt >= since) return 0;
      this.release(oldest);
      oldest.forget();
    }
  }

  giveBack(ptr: number, bytes: number): void {
    const { length } = this.#free;
    let index = 0;
    while (index < length && this.#free[index].ptr < ptr) index++;
    this.#free.splice(index, 0, { ptr, bytes: roundUp(bytes) });
    this.#freeBytes += roundUp(bytes);
    this.#join(index);
    if (index > 0) this.#join(index - 1);
  }

  /** Keeps the block of `holder`, which it took, until release() or until others need it. */
  hold(holder: BlockHolder): void {
    this.#holders.add(holder);
  }

  /** Notes that `holder` is used at `now`: nobody was later. */
  touch(holder: BlockHolder, now: number): void {
    holder.usedAt = now;
    this.#holders.delete(holder);
    this.#holders.add(holder);
  }

  /** Takes the block of `holder` back, if it still holds it. */
  release(holder: BlockHolder): void {
    if (!this.#holders.delete(holder)) return;
    this.giveBack(holder.ptr, holder.bytes);
    this.released++;
  }

  #takeFirstFit(bytes: number): number {
    const index = this.#free.findIndex((range) => range.bytes >= bytes);
    if (index < 0) return 0;
    const range = this.#free[index];
    const { ptr } = range;
    range.ptr += bytes;
    range.bytes -= bytes;
    this.#freeBytes -= bytes;
    if (range.bytes === 0) this.#free.splice(index, 1);
    return ptr;
  }

  /** Joins free range `index` with the next one when they touch. */
  #join(index: number): void {
    const range = this.#free[index];
    const next = this.#free[index + 1];
    if (next === undefined) return;
    assert(range.ptr + range.bytes <= next.ptr, 'a block is given back once');
    if (range.ptr + range.bytes !== next.ptr) return;
    range.bytes += next.bytes;
    this.#free.splice(index + 1, 1);
  }
}
