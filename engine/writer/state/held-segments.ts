/**
 * Segments that stay as they were at one moment, for as long as somebody outside reads them piece by piece: exports.
 *
 * Held between two commits, so that what is held is what one generation consists of. A region that is held is not freed, though
 * merges and commits have replaced it; nothing waits for it.
 */
import { assert } from '../../core/assert.js';
import type { CollectionDescriptor } from '../../segment/updates.js';
import type { CollectionSet } from './collection-set.js';
import type { SegmentMemory } from './segment-memory.js';

export class HeldSegments {
  readonly #collections: Pick<CollectionSet, 'find'>;
  readonly #memory: Pick<SegmentMemory, 'pin' | 'unpin'>;
  readonly #held = new Map<number, CollectionDescriptor>();

  constructor(collections: Pick<CollectionSet, 'find'>, memory: Pick<SegmentMemory, 'pin' | 'unpin'>) {
    this.#collections = collections;
    this.#memory = memory;
  }

  /** Holds the published segments and live docs of a collection until letGo(`ticket`); null: there is no such collection. */
  hold(ticket: number, collectionId: number): CollectionDescriptor | null {
    assert(!this.#held.has(ticket), 'a ticket is used once');
    const collection = this.#collections.find(collectionId)?.describe() ?? null;
    if (collection === null) return null;
    for (const { region, liveDocs } of collection.segments) {
      this.#memory.pin(region);
      if (liveDocs !== null) this.#memory.pin(liveDocs);
    }
    this.#held.set(ticket, collection);
    return collection;
  }

  /** Lets go of what was held. No reader may have to do with it any more. */
  letGo(ticket: number): void {
    const collection = this.#held.get(ticket);
    assert(collection !== undefined, 'what is let go is held');
    this.#held.delete(ticket);
    for (const { region, liveDocs } of collection.segments) {
      this.#memory.unpin(region);
      if (liveDocs !== null) this.#memory.unpin(liveDocs);
    }
  }
}
