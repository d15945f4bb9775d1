/**
 * The bits of filters that one thread keeps of one segment, by the filters' keys.
 *
 * Owned by OpenSegment, and so gone with it: a segment never changes, and another one in the same place of the arena is
 * another OpenSegment. What is deleted has bits like any other document. Bits lie in the thread's bitset pool, and count towards the
 * thread's budget; what was used longest ago goes first from either.
 */
import { BudgetedCache, type CacheBudget } from '../core/cache-budget.js';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch.js';
import type { BitsetHolder } from '../memory/bitset-pool.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';

/** What a filter's entry takes beside its bits and its key: the object, its closure and its list. */
const KEPT_BYTES = 320;

/** What passes a filter in one segment. */
export interface KeptFilter extends BitsetHolder {
  /** By chunk; none when every document passes, or none does. */
  readonly bitsets: readonly number[];
  /** Documents that pass, deleted ones included. */
  readonly count: number;
}

export class KeptFilters {
  readonly #binding: ArenaBinding;
  readonly #maxDoc: number;
  readonly #kept: BudgetedCache<string, KeptFilter>;
  /** For release(): those that hold bitsets. */
  readonly #held = new Set<KeptFilter>();

  constructor(binding: ArenaBinding, maxDoc: number, budget: CacheBudget) {
    this.#binding = binding;
    this.#maxDoc = maxDoc;
    this.#kept = new BudgetedCache(budget, (kept) => this.#release(kept));
  }

  /** What keep() took under `key`, unless it had to go; now it is what was used last. */
  get(key: string): KeptFilter | undefined {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.bitsets.length > 0) this.#binding.bitsets.touch(kept);
    return kept;
  }

  has(key: string): boolean {
    return this.#kept.peek(key) !== undefined;
  }

  /**
   * Keeps what passes a filter under `key`. `fillChunk` gives the address of a chunk's bits, valid until it is called again, and bits past
   * the last document are 0; what it throws is thrown. null: there is no room.
   */
  keep(key: string, fillChunk: (chunk: number) => number): KeptFilter | null {
    const pool = this.#binding.bitsets;
    const bitsets = pool.take(Math.ceil(this.#maxDoc / CHUNK_DOCS));
    if (bitsets === null) return null;
    let count = 0;
    try {
      count = this.#fill(bitsets, fillChunk);
    } catch (error) {
      pool.giveBack(bitsets);
      throw error;
    }
    const isMixed = count > 0 && count < this.#maxDoc;
    if (!isMixed) pool.giveBack(bitsets);
    const kept: KeptFilter = { bitsets: isMixed ? bitsets : [], count, forget: () => this.#forget(key, kept) };
    if (isMixed) this.#hold(kept);
    const bytes = KEPT_BYTES + 2 * key.length + kept.bitsets.length * CHUNK_BITSET_BYTES;
    if (this.#kept.add(key, kept, bytes)) return kept;
    this.#release(kept);
    return null;
  }

  /** Forgets everything, for good. */
  release(): void {
    this.#kept.release();
    for (const kept of this.#held) this.#binding.bitsets.release(kept);
    this.#held.clear();
  }

  /** Copies the bits of all chunks to `bitsets`, and returns how many are set. */
  #fill(bitsets: readonly number[], fillChunk: (chunk: number) => number): number {
    const { kernels } = this.#binding;
    let count = 0;
    for (let chunk = 0; chunk < bitsets.length; chunk++) {
      const docs = Math.min(CHUNK_DOCS, this.#maxDoc - chunk * CHUNK_DOCS);
      kernels.bitsetCopy(bitsets[chunk], fillChunk(chunk), docs);
      count += kernels.bitsetCount(bitsets[chunk], docs);
    }
    return count;
  }

  #hold(kept: KeptFilter): void {
    this.#binding.bitsets.hold(kept);
    this.#held.add(kept);
  }

  #release(kept: KeptFilter): void {
    this.#binding.bitsets.release(kept);
    this.#held.delete(kept);
  }

  /** The pool has taken the bitsets of `kept` back. */
  #forget(key: string, kept: KeptFilter): void {
    this.#held.delete(kept);
    this.#kept.delete(key);
  }
}
