/**
 * Names beside their own that collections have: what they are, and what can be asked of them.
 */

/** A name that stands wherever that of its collection does. */
export interface Alias {
  readonly name: string;
  /** Name of the collection. */
  readonly collection: string;
}

/** From here on the name stands for the collection of that number; null: for none. */
export interface AliasChange {
  readonly name: string;
  readonly collectionId: number | null;
}

/** They see every acknowledged write. Errors of changes: overloaded, disk_full, io_error, unknown_outcome. */
export interface AliasEngine {
  /** Ordered by name; stays as it is. */
  list(): readonly Alias[];
  get(name: string): Alias | null;
  /**
   * Makes `name` stand for the collection, in one step for all who ask. Errors: invalid_alias; collection_exists when a collection has the
   * name; collection_not_found, also for a `collection` that is an alias; corrupt_data.
   */
  put(name: string, collection: string): Promise<void>;
  /** Errors: alias_not_found. */
  delete(name: string): Promise<void>;
}
