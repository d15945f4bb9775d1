/**
 * The names of all collections, their own and their aliases, as the writer knows them, with what the commit under way changes.
 *
 * A name stands for one collection. Changes of aliases are made at once and noted with what takes them back, so nobody but the
 * commit under way may ask between the first change and publish() or discard(). Only the writer thread touches it.
 */
import type { AliasChange } from '../../core/aliases.js';
import { EngineError } from '../../core/errors.js';
import { ALIASES_MAX } from '../../core/limits.js';

const NO_CHANGES: readonly AliasChange[] = [];

export class CollectionNames {
  /** Names that the collections of the commit under way and the damaged ones have. */
  #own = new Set<string>();
  /** Numbers of collections by their aliases. */
  readonly #aliases = new Map<string, number>();
  #staged: AliasChange[] = [];
  /** What takes back each of them. */
  #undo: AliasChange[] = [];
  /** What the last publish() made public. */
  published: readonly AliasChange[] = NO_CHANGES;

  /** How many collections there are. */
  get count(): number {
    return this.#own.size;
  }

  /** All aliases, in no order. */
  *aliases(): Iterable<{ readonly name: string; readonly collectionId: number }> {
    for (const [name, collectionId] of this.#aliases) yield { name, collectionId };
  }

  /** Errors: collection_exists when a collection cannot get this name. */
  checkFree(name: string): void {
    if (this.#own.has(name)) throw new EngineError('collection_exists', `collection "${name}" exists already`);
    if (this.#aliases.has(name))
      throw new EngineError('collection_exists', `"${name}" is an alias of a collection already`);
  }

  add(name: string): void {
    this.#own.add(name);
  }

  /** The collection with this name and number goes, and its aliases with it. */
  drop(name: string, id: number): void {
    this.#own.delete(name);
    for (const alias of this.#aliasesOf(id)) this.replay({ name: alias, collectionId: null });
  }

  /** Collections have these names, and no others. */
  reset(names: Iterable<string>): void {
    this.#own = new Set(names);
  }

  /** Errors: collection_has_aliases. */
  checkNoAlias(id: number): void {
    const aliases = this.#aliasesOf(id).sort();
    if (aliases.length === 0) return;
    const more = aliases.length === 1 ? '' : ` and ${aliases.length - 1} more`;
    const message = `the alias "${aliases[0]}"${more} would stand for nothing: point it to another collection first, or delete with force=true, which deletes it too`;
    throw new EngineError('collection_has_aliases', message);
  }

  /**
   * Stages `change`, whose collection is there. Returns the number of the collection that gets the alias, or loses it. Errors:
   * collection_exists when a collection has the name; alias_not_found; invalid_alias when there are ALIASES_MAX already.
   */
  stage(change: AliasChange): number {
    const { name, collectionId } = change;
    const before = this.#aliases.get(name);
    const about = collectionId ?? before;
    if (about === undefined) throw new EngineError('alias_not_found', `there is no alias "${name}"`);
    if (this.#own.has(name))
      throw new EngineError('collection_exists', `a collection has the name "${name}", which no alias can have`);
    if (before === undefined && this.#aliases.size >= ALIASES_MAX)
      throw new EngineError('invalid_alias', `at most ${ALIASES_MAX} aliases expected, and there are as many already`);
    this.replay(change);
    return about;
  }

  /** Stages a change that was accepted when it was logged. */
  replay(change: AliasChange): void {
    this.#undo.push({ name: change.name, collectionId: this.#aliases.get(change.name) ?? null });
    this.#staged.push(change);
    this.#apply(change);
  }

  /** Takes in what a snapshot holds, as published. */
  restore(aliases: readonly AliasChange[]): void {
    for (const alias of aliases) this.#apply(alias);
  }

  publish(): void {
    if (this.#staged.length === 0) {
      this.published = NO_CHANGES;
      return;
    }
    this.published = this.#staged;
    this.#staged = [];
    this.#undo = [];
  }

  discard(): void {
    for (const change of this.#undo.reverse()) this.#apply(change);
    this.#undo = [];
    this.#staged = [];
  }

  #apply({ name, collectionId }: AliasChange): void {
    if (collectionId === null) this.#aliases.delete(name);
    else this.#aliases.set(name, collectionId);
  }

  #aliasesOf(id: number): string[] {
    const names: string[] = [];
    for (const [name, collectionId] of this.#aliases) if (collectionId === id) names.push(name);
    return names;
  }
}
