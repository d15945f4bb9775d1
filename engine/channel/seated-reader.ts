/**
 * An inline reader on an HTTP thread that has no views of collections: knows their numbers by the writer's updates alone.
 *
 * A name that it does not know is no error: its caller hands on every read that has no answer here.
 */
import type { CollectionVersion, Read } from '../core/requests.js';
import type { QuickReader, ReadCallback } from '../engine.js';
import type { ReaderUpdate } from '../segment/updates.js';
import type { InlineReader } from './inline-reader.js';

type Seat = Pick<InlineReader, 'answer' | 'versionOf' | 'catchUp' | 'idle' | 'rest' | 'close'>;

export class SeatedReader implements QuickReader {
  readonly #reader: Seat;
  readonly #idsByName = new Map<string, number>();
  readonly #namesById = new Map<number, string>();
  readonly #idsByAlias = new Map<string, number>();

  /** `create` makes a reader that tells `onUpdate` of each update. */
  constructor(create: (onUpdate: (update: ReaderUpdate) => void) => Seat) {
    this.#reader = create((update) => this.#note(update));
  }

  answer(read: Read, done: ReadCallback): boolean {
    // What was acknowledged before the read may have changed what its name stands for.
    this.#reader.catchUp();
    const id = this.#numberOf(read.request.collection);
    // What is under way the owner of all reads knows.
    return id !== undefined && this.#reader.answer(read, id, 'none', done);
  }

  versionOf(collection: string): CollectionVersion {
    this.#reader.catchUp();
    return this.#reader.versionOf(this.#numberOf(collection) ?? 0);
  }

  idle(): void {
    this.#reader.idle();
  }

  rest(): void {
    this.#reader.rest();
  }

  close(): void {
    this.#reader.close();
  }

  #numberOf(collection: string): number | undefined {
    return this.#idsByName.get(collection) ?? this.#idsByAlias.get(collection);
  }

  #note(update: ReaderUpdate): void {
    if (update.kind === 'collection') {
      const { id, schema } = update.collection;
      this.#idsByName.set(schema.name, id);
      this.#namesById.set(id, schema.name);
    } else if (update.kind === 'alias') {
      const { name, collectionId } = update.alias;
      if (collectionId === null) this.#idsByAlias.delete(name);
      else this.#idsByAlias.set(name, collectionId);
    } else if (update.kind === 'drop') {
      const name = this.#namesById.get(update.collectionId);
      this.#namesById.delete(update.collectionId);
      if (name !== undefined && this.#idsByName.get(name) === update.collectionId) this.#idsByName.delete(name);
    }
  }
}
