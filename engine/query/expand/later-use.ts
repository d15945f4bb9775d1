/**
 * Values that are worth making only for what comes again and again. Used for what is kept of lists (kept-lists.ts).
 */

/**
 * Uses before the one at which a value is made. To make what is kept of a token's lists takes two to four times as long as to read
 * them once: who waits until about as much was spent spends at most twice what would have been best (the ski rental problem:
 * Karlin, Manasse, Rudolph & Sleator, Competitive Snoopy Caching, 1988).
 */
const USES_BEFORE = 3;

export class LaterUse<K extends object, V extends object> {
  /** A number: uses so far. */
  readonly #known = new WeakMap<K, V | number>();

  /** The value of `key`, made at its fourth use; null before. */
  get(key: K, make: () => V): V | null {
    const known = this.#known.get(key) ?? 0;
    if (typeof known === 'object') return known;
    const made = known < USES_BEFORE ? null : make();
    this.#known.set(key, made ?? known + 1);
    return made;
  }
}
