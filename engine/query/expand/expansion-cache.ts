/**
 * Remembers the expansions and splits of tokens for as long as the collection stays as it is: people ask for the same
 * words, and a generation never changes. One per generation and reader thread, in that thread's budget; released with its
 * generation.
 */
import { BudgetedCache, type CacheBudget } from '../../core/cache-budget.js';
import type { Expansion } from './token-expansion.js';
import type { Split } from './word-splits.js';

/** Bytes of an expansion beside its numbers: its objects, and of two arrays the heads, buffers and what those cost the system. */
const EXPANSION_BYTES = 840;
/** A larger expansion is not remembered: many others would have to go for it. */
const EXPANSION_BYTES_MAX = 8 << 20;

/** Bytes that `expansion` takes, remembered under `key`. */
const expansionBytes = (key: string, { ranges: { words, starts } }: Expansion): number =>
  EXPANSION_BYTES + key.length + words.byteLength + starts.byteLength;

/** The list of a token's splits, and each of them: a pair of tokens that share their bytes with it. */
const SPLITS_BYTES = 120;
const SPLIT_BYTES = 480;

export class ExpansionCache {
  readonly #expansions: BudgetedCache<string, Expansion>;
  readonly #splits: BudgetedCache<string, readonly Split[]>;

  constructor(budget: CacheBudget) {
    this.#expansions = new BudgetedCache(budget);
    this.#splits = new BudgetedCache(budget);
  }

  get(key: string): Expansion | undefined {
    return this.#expansions.get(key);
  }

  set(key: string, expansion: Expansion): void {
    const bytes = expansionBytes(key, expansion);
    if (bytes <= EXPANSION_BYTES_MAX) this.#expansions.add(key, expansion, bytes);
  }

  /** What setSplits() took under `key`. */
  splits(key: string): readonly Split[] | undefined {
    return this.#splits.get(key);
  }

  setSplits(key: string, splits: readonly Split[]): void {
    this.#splits.add(key, splits, SPLITS_BYTES + splits.length * SPLIT_BYTES + key.length);
  }

  /** Forgets everything, for good. */
  release(): void {
    this.#expansions.release();
    this.#splits.release();
  }
}
