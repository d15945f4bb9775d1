/**
 * A number that several threads add to, such as the connections that are open. Its word is written by all of them.
 */

export class SharedCounter {
  /** To be given to another thread, which makes its own counter of it. */
  readonly word: Int32Array<SharedArrayBuffer>;

  constructor(word = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))) {
    this.word = word;
  }

  get value(): number {
    return Atomics.load(this.word, 0);
  }

  /** Returns the value after `change`. */
  add(change: number): number {
    return Atomics.add(this.word, 0, change) + change;
  }
}
