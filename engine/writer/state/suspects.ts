/**
 * Collections whose segments proved to be damaged while they were used, until they are refused. A part of collection-set.ts.
 */
import type { EngineError } from '../../core/errors.js';
import type { CollectionState } from './collection-state.js';

export interface Suspect {
  readonly collection: CollectionState;
  readonly error: EngineError;
}

export class Suspects {
  readonly #errors = new Map<CollectionState, EngineError>();
  /** Whether there was one at any time. */
  hasHadAny = false;

  get count(): number {
    return this.#errors.size;
  }

  has(collection: CollectionState): boolean {
    return this.#errors.has(collection);
  }

  /** What is wrong with it, or null. */
  errorOf(collection: CollectionState): EngineError | null {
    return this.#errors.get(collection) ?? null;
  }

  /** Notes what is wrong with a collection; the first error counts. */
  add(collection: CollectionState, error: EngineError): void {
    this.hasHadAny = true;
    if (!this.#errors.has(collection)) this.#errors.set(collection, error);
  }

  /** Takes all that were noted. */
  take(): Suspect[] {
    const suspects = [...this.#errors].map(([collection, error]) => ({ collection, error }));
    this.#errors.clear();
    return suspects;
  }
}
