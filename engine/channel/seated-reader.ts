/**
 * An inline reader on an HTTP thread that has no views of collections: knows their numbers by the writer's updates alone.
 *
 * A name that it does not know, or that has meanwhile become another collection's, is no error: its caller hands on every
 * read that has no answer here.
 */
import type { Read } from '../core/requests.js';
import type { QuickReader, ReadCallback } from '../engine.js';
import type { ReaderUpdate } from '../segment/updates.js';
import type { InlineReader } from './inline-reader.js';

export class SeatedReader implements QuickReader {
  readonly #reader: Pick<InlineReader, 'answer' | 'idle' | 'close'>;
  readonly #idsByName = new Map<string, number>();
  readonly #namesById = new Map<number, string>();

  /** `create` makes a reader that tells `onUpdate` of each update. */
  constructor(create: (onUpdate: (update: ReaderUpdate) => void) => Pick<InlineReader, 'answer' | 'idle' | 'close'>) {
    this.#reader = create((update) => this.#note(update));
  }

  answer(read: Read, done: ReadCallback): boolean {
    const id = this.#idsByName.get(read.request.collection);
    // What is under way the owner of all reads knows.
    return id !== undefined && this.#reader.answer(read, id, false, done);
  }

  idle(): void {
    this.#reader.idle();
  }

  close(): void {
    this.#reader.close();
  }

  #note(update: ReaderUpdate): void {
    if (update.kind === 'collection') {
      const { id, schema } = update.collection;
      this.#idsByName.set(schema.name, id);
      this.#namesById.set(id, schema.name);
    } else if (update.kind === 'drop') {
      const name = this.#namesById.get(update.collectionId);
      this.#namesById.delete(update.collectionId);
      if (name !== undefined && this.#idsByName.get(name) === update.collectionId) this.#idsByName.delete(name);
    }
  }
}
