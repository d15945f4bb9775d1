/**
 * What has been told, so that it is not told again: of a few things, as what others word may have no end of words. Used by
 * whoever tries something again and again.
 */

const TOLD_MAX = 64;

export class ToldOnce {
  readonly #told = new Set<string>();

  /** Whether `text` is to be told: it was not, and there is room to remember it. */
  isNews(text: string): boolean {
    if (this.#told.has(text) || this.#told.size === TOLD_MAX) return false;
    this.#told.add(text);
    return true;
  }

  forget(): void {
    this.#told.clear();
  }
}
