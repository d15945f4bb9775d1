/**
 * Remembers the expansions of tokens for as long as the collection stays as it is: people ask for the same words, and a
 * generation never changes. One per generation and reader thread; dropped with its generation.
 */
import type { Expansion } from './token-expansion.js';

/** Numbers kept in all, 8 bytes each; beyond, everything is forgotten. */
const NUMBERS_MAX = 1 << 20;
/** What an entry costs beside its ranges. */
const ENTRY_NUMBERS = 32;

export class ExpansionCache {
  readonly #expansions = new Map<string, Expansion>();
  #numbers = 0;

  get(key: string): Expansion | undefined {
    return this.#expansions.get(key);
  }

  set(key: string, expansion: Expansion): void {
    let numbers = ENTRY_NUMBERS + key.length;
    for (const ranges of expansion.ranges) numbers += ranges.length;
    if (numbers > NUMBERS_MAX) return;
    if (this.#numbers + numbers > NUMBERS_MAX) {
      this.#expansions.clear();
      this.#numbers = 0;
    }
    this.#expansions.set(key, expansion);
    this.#numbers += numbers;
  }
}
