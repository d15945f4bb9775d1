/**
 * The collections that are refused because their files are damaged, and which of them the commit under way drops.
 *
 * A part of collection-set.ts, which decides what a refusal means for names and documents.
 */
import type { EngineError } from '../../core/errors.js';
import type { ManifestCollection } from '../../storage/types/manifest.js';

/** A collection that is refused: its files are not what the manifest says, or a record of the log cannot be read. */
export interface DamagedCollection {
  /** As the last manifest has it; of a newer one, what entryOf() makes of it. */
  readonly entry: ManifestCollection;
  readonly error: EngineError;
}

export class DamagedCollections {
  readonly #all = new Map<number, DamagedCollection>();
  readonly #dropped = new Set<number>();
  /** Whether there was one at any time. */
  hasHadAny = false;

  get count(): number {
    return this.#all.size;
  }

  all(): Iterable<DamagedCollection> {
    return this.#all.values();
  }

  has(id: number): boolean {
    return this.#all.has(id);
  }

  add(damaged: DamagedCollection): void {
    this.hasHadAny = true;
    this.#all.set(damaged.entry.id, damaged);
  }

  /** The collection, unless the commit under way drops it, or null. */
  find(id: number): DamagedCollection | null {
    return this.#dropped.has(id) ? null : (this.#all.get(id) ?? null);
  }

  /** Stages the removal of one that find() finds. */
  drop(id: number): void {
    this.#dropped.add(id);
  }

  get hasDropped(): boolean {
    return this.#dropped.size > 0;
  }

  /** Removes those that the commit drops, and returns their numbers. */
  publish(): number[] {
    const dropped = [...this.#dropped];
    for (const id of dropped) this.#all.delete(id);
    this.#dropped.clear();
    return dropped;
  }

  discard(): void {
    this.#dropped.clear();
  }

  /** What a new manifest says of them. */
  update(entries: readonly ManifestCollection[]): void {
    for (const entry of entries) {
      const damaged = this.#all.get(entry.id);
      if (damaged !== undefined) this.#all.set(entry.id, { ...damaged, entry });
    }
  }
}
