/**
 * Aliases as the HTTP thread has them: a view of all, kept in step with acknowledgements, and the writes that change them.
 */
import type { Alias, AliasChange, AliasEngine } from '../core/aliases.js';
import { EngineError } from '../core/errors.js';
import { parseName } from '../schema/parse-field.js';
import type { Writes } from './write-queue.js';

export class AliasClient implements AliasEngine {
  readonly #queue: Writes;
  readonly #numberOf: (collection: string) => number;
  readonly #nameOf: (collectionId: number) => string;
  readonly #byName = new Map<string, number>();

  /** Number of a collection by name, errors: collection_not_found, corrupt_data; and its name by number. */
  constructor(queue: Writes, numberOf: (collection: string) => number, nameOf: (collectionId: number) => string) {
    this.#queue = queue;
    this.#numberOf = numberOf;
    this.#nameOf = nameOf;
  }

  list(): readonly Alias[] {
    const aliases = Array.from(this.#byName, ([name, id]) => ({ name, collection: this.#nameOf(id) }));
    return aliases.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Alias | null {
    const id = this.#byName.get(name);
    return id === undefined ? null : { name, collection: this.#nameOf(id) };
  }

  async put(name: string, collection: string): Promise<void> {
    checkAliasName(name);
    if (this.#byName.has(collection))
      throw new EngineError(
        'collection_not_found',
        `"${collection}" is an alias, and aliases point to collections alone: expected the name of one`,
      );
    await this.#change({ name, collectionId: this.#numberOf(collection) });
  }

  async delete(name: string): Promise<void> {
    await this.#change({ name, collectionId: null });
  }

  /** Number of the collection that `name` stands for as an alias. */
  numberOf(name: string): number | undefined {
    return this.#byName.get(name);
  }

  /** Takes what a commit has changed. */
  take(changes: readonly AliasChange[]): void {
    for (const { name, collectionId } of changes) {
      if (collectionId === null) this.#byName.delete(name);
      else this.#byName.set(name, collectionId);
    }
  }

  async #change(change: AliasChange): Promise<void> {
    await this.#queue.submit(0, (ticket) => ({ kind: 'alias', ticket, change }));
  }
}

/** Errors: invalid_alias when `name` could not be that of a collection. */
function checkAliasName(name: string): void {
  try {
    parseName(name, 'name of the alias');
  } catch (error) {
    throw error instanceof EngineError ? new EngineError('invalid_alias', error.message) : error;
  }
}
