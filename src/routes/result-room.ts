/**
 * Room in which an answer of several results is put together while they come in their order and within one call, so that each is
 * copied once and nothing is allocated. Used by gathered-results.ts, by one request at a time.
 */

/** What comes in is copied, and what stands there is overwritten by the next request. */
export class ResultRoom {
  /** Shared memory: reply() keeps a copy of what the socket does not take. */
  readonly #bytes: Uint8Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #count = 0;
  #usedBytes = 0;

  /** Room for `bytesMax` bytes and `countMax` results. */
  constructor(bytesMax: number, countMax: number) {
    this.#bytes = new Uint8Array(new SharedArrayBuffer(bytesMax));
    this.#starts = new Int32Array(countMax);
    this.#ends = new Int32Array(countMax);
  }

  /** Forgets what was there; `head` stands before the first result. */
  begin(head: Uint8Array): void {
    this.#bytes.set(head);
    this.#usedBytes = head.length;
    this.#count = 0;
  }

  /** Results that are in. */
  get count(): number {
    return this.#count;
  }

  /** Adds the next result behind `separator`, unless both do not fit. */
  add(separator: Uint8Array, result: Uint8Array): boolean {
    const start = this.#usedBytes + separator.length;
    const end = start + result.length;
    if (end > this.#bytes.length) return false;
    this.#bytes.set(separator, this.#usedBytes);
    this.#bytes.set(result, start);
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#usedBytes = end;
    this.#count += 1;
    return true;
  }

  /** All that is in, with `tail` behind it: valid until the next request begins. Null: that does not fit. */
  close(tail: Uint8Array): Uint8Array | null {
    if (this.#usedBytes + tail.length > this.#bytes.length) return null;
    this.#bytes.set(tail, this.#usedBytes);
    return this.#bytes.subarray(0, this.#usedBytes + tail.length);
  }

  /** A copy of result `index`. */
  copyOf(index: number): Uint8Array {
    return Uint8Array.from(this.#bytes.subarray(this.#starts[index], this.#ends[index]));
  }
}
