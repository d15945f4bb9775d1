/**
 * How much each collection has grown by since all of it was merged into one segment, or since the start. Asked by the merge scheduler, which
 * writes everything once more only when enough has come.
 */

/** A collection, of which it is asked what its segments take. */
interface Growing {
  readonly segmentBytes: number;
}

export class FreshBytes {
  /** What those that have been merged, or were there at the start, took then. */
  readonly #mergedBytes = new WeakMap<Growing, number>();

  /** `started`: the collections that a start found. */
  constructor(started: Iterable<Growing>) {
    for (const collection of started) this.#mergedBytes.set(collection, collection.segmentBytes);
  }

  /** What the collection has grown by since, or since it was smallest. */
  of(collection: Growing): number {
    const bytes = collection.segmentBytes;
    const merged = Math.min(bytes, this.#mergedBytes.get(collection) ?? 0);
    this.#mergedBytes.set(collection, merged);
    return bytes - merged;
  }

  /** All of the collection is being merged. */
  noteMerged(collection: Growing): void {
    this.#mergedBytes.set(collection, collection.segmentBytes);
  }
}
