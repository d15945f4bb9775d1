/**
 * What is known of the order of the writes of one key: which of two came first, with everything that follows from it. Grows by one
 * relation at a time and refuses those that contradict. Used by history-checker.ts.
 */

const BITS = 32;

export class PartialOrder {
  readonly #count: number;
  readonly #words: number;
  /** Row a, bit b: a comes before b. */
  readonly #later: Uint32Array;

  /** Of `count` items nothing is known. */
  constructor(count: number, later?: Uint32Array) {
    this.#count = count;
    this.#words = Math.ceil(count / BITS);
    this.#later = later ?? new Uint32Array(count * this.#words);
  }

  copy(): PartialOrder {
    return new PartialOrder(this.#count, this.#later.slice());
  }

  isBefore(a: number, b: number): boolean {
    return (((this.#later[a * this.#words + (b >>> 5)] ?? 0) >>> (b & 31)) & 1) === 1;
  }

  /** Puts `a` before `b`, and all that is before `a` before all that is behind `b`. False: `b` is before `a`, or is it; nothing changes. */
  add(a: number, b: number): boolean {
    if (a === b || this.isBefore(b, a)) return false;
    if (this.isBefore(a, b)) return true;
    for (let item = 0; item < this.#count; item++) if (item === a || this.isBefore(item, a)) this.#follow(item, b);
    return true;
  }

  #follow(item: number, b: number): void {
    const [to, from] = [item * this.#words, b * this.#words];
    for (let word = 0; word < this.#words; word++)
      this.#later[to + word] = (this.#later[to + word] ?? 0) | (this.#later[from + word] ?? 0);
    const at = to + (b >>> 5);
    this.#later[at] = (this.#later[at] ?? 0) | (1 << (b & 31));
  }
}
