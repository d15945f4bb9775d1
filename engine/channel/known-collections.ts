/**
 * The collections as the HTTP thread knows them: a view of each, by name and by number, kept in step with acknowledgements.
 */
import { EngineError } from '../core/errors.js';
import type { CollectionStats, CollectionView } from '../engine.js';
import { SharedFields } from '../schema/shared-fields.js';
import { statsOf, type ViewedCollection, type WriteAnswer } from '../writer/state/write-requests.js';
import { type PostedView, unpackView } from './posted-views.js';
import { assertSound } from './read-refusals.js';

export class KnownCollections {
  readonly #byName = new Map<string, ViewedCollection>();
  readonly #byId = new Map<number, ViewedCollection>();
  readonly #fields = new SharedFields();
  readonly #numberOfAlias: (name: string) => number | undefined;

  constructor(numberOfAlias: (name: string) => number | undefined) {
    this.#numberOfAlias = numberOfAlias;
  }

  get count(): number {
    return this.#byName.size;
  }

  /** Ordered by name. */
  list(): readonly CollectionView[] {
    return Array.from(this.#byName.values(), ({ view }) => view).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  stats(): readonly CollectionStats[] {
    return [...this.#byName.values()].map(statsOf);
  }

  byNumber(id: number): ViewedCollection | undefined {
    return this.#byId.get(id);
  }

  /** The collection that `name` stands for, as its own name or as an alias. */
  lookUp(name: string): ViewedCollection | undefined {
    return this.#byName.get(name) ?? this.#byId.get(this.#numberOfAlias(name) ?? 0);
  }

  /** The same, also where it is damaged. Errors: collection_not_found. */
  findAny(name: string): ViewedCollection {
    const found = this.lookUp(name);
    if (found === undefined) throw new EngineError('collection_not_found', `there is no collection "${name}"`);
    return found;
  }

  /** The same. Errors: collection_not_found, corrupt_data. */
  find(name: string): ViewedCollection {
    const found = this.findAny(name);
    assertSound(found);
    return found;
  }

  drop(id: number): void {
    const gone = this.#byId.get(id);
    this.#byId.delete(id);
    if (gone !== undefined && this.#byName.get(gone.view.name) === gone) this.#byName.delete(gone.view.name);
  }

  /** Takes a collection as it is now. */
  take(posted: PostedView): ViewedCollection {
    const viewed = unpackView(posted, this.#byId.get(posted.id), this.#fields);
    this.#byId.set(viewed.id, viewed);
    this.#byName.set(viewed.view.name, viewed);
    return viewed;
  }

  /** The answer to a create gets the new collection's view, which may be gone when the answer is given. */
  withView(answer: WriteAnswer): WriteAnswer {
    if (answer.error !== null || answer.collectionId === null) return answer;
    const view = this.#byId.get(answer.collectionId)?.view;
    return view === undefined ? answer : { ...answer, view };
  }
}
