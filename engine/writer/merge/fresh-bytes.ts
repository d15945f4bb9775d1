/**
 * How much each collection has grown by since all of it was merged into one segment, or since the start. Asked by the merge scheduler, which
 * writes everything once more only when enough has come.
 */
import type { CollectionState } from '../state/collection-state.js';

export class FreshBytes {
  /** What those that have been merged, or were there at the start, took then. */
  readonly #mergedBytes = new WeakMap<CollectionState, number>();

  /** `started`: the collections that a start found. */
  constructor(started: Iterable<CollectionState>) {
    for (const collection of started) this.#mergedBytes.set(collection, collection.segmentBytes);
  }

  /** What the collection has grown by, at least: bytes that were deleted meanwhile count against it. */
  of(collection: CollectionState): number {
    return Math.max(0, collection.segmentBytes - (this.#mergedBytes.get(collection) ?? 0));
  }

  /** All of the collection is being merged. */
  noteMerged(collection: CollectionState): void {
    this.#mergedBytes.set(collection, collection.segmentBytes);
  }
}
