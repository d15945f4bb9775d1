/**
 * The unions of lists that one thread keeps of one segment, by what they are unions of.
 *
 * Owned by OpenSegment, and so gone with it: a segment never changes, and another one in the same place of the arena is another
 * OpenSegment. They hold deleted documents like any list. Lists lie in the thread's block pool, and what is known of them
 * counts towards the thread's budget; what was used longest ago goes first from either.
 */
import { BudgetedCache, type CacheBudget } from '../core/cache-budget.js';
import type { BlockHolder } from '../memory/block-pool.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';

/** What an entry takes beside its key and its ranges: the object, its closure, the head and the buffer of the ranges. */
const KEPT_BYTES = 480;

/** Lists that stand for others in one segment. */
export interface KeptUnion extends BlockHolder {
  /** What to read in the place of those, as ranges of entries: low, high, weight index, repeated (layout/list-union.ts). */
  readonly ranges: readonly number[];
  /** Whether it may be read still. */
  isHeld: boolean;
}

export class KeptUnions {
  readonly #binding: ArenaBinding;
  readonly #kept: BudgetedCache<string, KeptUnion>;
  /** For release(): those that hold blocks. */
  readonly #held = new Set<KeptUnion>();

  constructor(binding: ArenaBinding, budget: CacheBudget) {
    this.#binding = binding;
    this.#kept = new BudgetedCache(budget, (kept) => this.#release(kept));
  }

  /** What keep() took under `key`, unless it had to go; it is used at `now`. */
  get(key: string, now: number): KeptUnion | undefined {
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#binding.unions.touch(kept, now);
    return kept;
  }

  /**
   * Keeps the lists in the block of `bytes` bytes at `ptr`, which was taken from the pool, under `key`, to be read by `ranges`. They
   * are used at `now`. null: there is no room.
   */
  keep(key: string, ptr: number, bytes: number, ranges: readonly number[], now: number): KeptUnion | null {
    const kept: KeptUnion = { ptr, bytes, ranges, isHeld: true, usedAt: now, forget: () => this.#forget(key, kept) };
    this.#binding.unions.hold(kept);
    this.#held.add(kept);
    if (this.#kept.add(key, kept, KEPT_BYTES + 2 * key.length + 8 * ranges.length)) return kept;
    this.#release(kept);
    return null;
  }

  /** Forgets everything, for good. */
  release(): void {
    this.#kept.release();
    for (const kept of [...this.#held]) this.#release(kept);
  }

  #release(kept: KeptUnion): void {
    this.#binding.unions.release(kept);
    this.#letGo(kept);
  }

  #letGo(kept: KeptUnion): void {
    kept.isHeld = false;
    this.#held.delete(kept);
  }

  /** The pool has taken the block of `kept` back. */
  #forget(key: string, kept: KeptUnion): void {
    this.#letGo(kept);
    this.#kept.delete(key);
  }
}
