/**
 * Room for what buffers grow to while the documents of a segment are collected: one document of many words or values may take
 * far more than its bytes tell, and more documents are kept away only before one, not within it.
 *
 * Buffers tell of each growth, which is rare, before they grow. Up to `freeBytes`, which were asked for with the documents, nobody
 * else hears of it.
 */

export class GrowthRoom {
  readonly #freeBytes: number;
  readonly #claim: (bytes: number) => void;
  #bytes = 0;

  /** `claim`: asks for so many bytes, all in all, once they are more than `freeBytes`; it throws when there is no room. */
  constructor(freeBytes = Number.POSITIVE_INFINITY, claim: (bytes: number) => void = () => {}) {
    this.#freeBytes = freeBytes;
    this.#claim = claim;
  }

  /** A buffer is about to grow, so that it and what is made of it take `bytes` bytes more. Errors: those of `claim`. */
  add(bytes: number): void {
    const wanted = this.#bytes + bytes;
    if (wanted > this.#freeBytes) this.#claim(wanted);
    this.#bytes = wanted;
  }

  /** The buffers are emptied; what they keep is little. */
  reset(): void {
    this.#bytes = 0;
  }
}

/** Room without a bound, for documents that were taken before: they must not be refused. */
export const NO_BOUND = new GrowthRoom();
