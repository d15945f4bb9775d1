/**
 * Every collection of the server as the write path knows it, and the changes that the commit under way stages.
 *
 * Applies single writes in order; a commit is then published or discarded whole. Knows nothing of the log, of threads or
 * of time.
 */
import { EngineError } from '../core/errors.js';
import { COLLECTIONS_MAX } from '../core/limits.js';
import type { IndexResult } from '../core/requests.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { CollectionState } from './collection-state.js';
import type { SegmentStore } from './segment-store.js';
import type { TextFormat } from './wal-records.js';

export class CollectionSet {
  readonly #store: SegmentStore;
  readonly #published = new Map<number, CollectionState>();
  /** Collections of the commit under way: new and unchanged ones; those dropped are missing. */
  #staged = new Map<number, CollectionState>();
  readonly #touched = new Set<CollectionState>();
  #nextId = 1;

  constructor(store: SegmentStore) {
    this.#store = store;
  }

  /** The published collections. */
  all(): Iterable<CollectionState> {
    return this.#published.values();
  }

  isPublished(collection: CollectionState): boolean {
    return this.#published.get(collection.id) === collection;
  }

  /** The number that the next collection gets. */
  get nextId(): number {
    return this.#nextId;
  }

  /** Stages a new collection. Errors: collection_exists, invalid_schema when there are COLLECTIONS_MAX already. */
  create(id: number, schema: CollectionSchema, createdAt: number): void {
    for (const { schema: other } of this.#staged.values())
      if (other.name === schema.name)
        throw new EngineError('collection_exists', `collection "${schema.name}" exists already`);
    if (this.#staged.size >= COLLECTIONS_MAX)
      throw new EngineError(
        'invalid_schema',
        `at most ${COLLECTIONS_MAX} collections expected, and there are as many already`,
      );
    this.#staged.set(id, new CollectionState(id, schema, createdAt, this.#store));
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  /** Stages the removal of a collection. Errors: collection_not_found. */
  drop(id: number): void {
    const collection = this.#find(id);
    collection.discard();
    this.#touched.delete(collection);
    this.#staged.delete(id);
  }

  /** Stages the documents of `body`. Errors: collection_not_found, invalid_json, payload_too_large. */
  index(id: number, body: Uint8Array, format: TextFormat): IndexResult {
    const collection = this.#find(id);
    this.#touched.add(collection);
    return collection.index(body, format).finish();
  }

  /** Stages the deletion of a document; false when there is none. Errors: collection_not_found. */
  deleteDocument(id: number, documentId: Uint8Array): boolean {
    const collection = this.#find(id);
    this.#touched.add(collection);
    return collection.delete(documentId);
  }

  /** Writes staged documents as segments; the last step that may fail. */
  seal(): void {
    for (const collection of this.#touched) collection.seal();
  }

  /** Makes the commit the published state; `generation` is the last that readers know. */
  publish(generation: number): { readonly changed: readonly CollectionState[]; readonly dropped: readonly number[] } {
    const dropped: number[] = [];
    for (const [id, collection] of this.#published) {
      if (this.#staged.has(id)) continue;
      for (const segment of collection.segments) if (!segment.merging) collection.release(segment, generation);
      dropped.push(id);
    }
    const changed = new Set<CollectionState>();
    for (const collection of this.#touched) {
      collection.publish(generation);
      changed.add(collection);
    }
    for (const [id, collection] of this.#staged) if (!this.#published.has(id)) changed.add(collection);
    for (const id of dropped) this.#published.delete(id);
    for (const collection of changed) this.#published.set(collection.id, collection);
    this.#touched.clear();
    return { changed: [...changed], dropped };
  }

  /** Forgets the commit under way. */
  discard(): void {
    for (const collection of this.#touched) collection.discard();
    this.#touched.clear();
    this.#staged = new Map(this.#published);
  }

  #find(id: number): CollectionState {
    const collection = this.#staged.get(id);
    if (collection === undefined) throw new EngineError('collection_not_found', 'the collection was deleted');
    return collection;
  }
}
