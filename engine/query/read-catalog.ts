/**
 * What one reader thread knows of all collections: built from the writer's updates, asked at the start of each query.
 *
 * A segment is opened once per thread and kept from generation to generation. Applying an update touches no shared
 * memory: what an update names may be gone by the time it is received, when a later one is waiting behind it. Only
 * target() looks at memory, and the caller's epoch protects what the newest update names.
 */
import { assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { type Arena, type Region, type RegionViews, viewRegion } from '../memory/arena.js';
import { type ArenaBinding, bindArena, clearScratch } from '../memory/kernel-instance.js';
import { readingSegments } from '../segment/damage-check.js';
import { OpenSegment, SearchableSegment } from '../segment/searchable-segment.js';
import type { CollectionDescriptor, ReaderUpdate, SegmentDescriptor } from '../segment/updates.js';
import { ExpansionCache } from './expansion-cache.js';
import type { SearchTarget } from './searcher.js';

export class ReadCatalog {
  readonly #slot: number;
  readonly #bindings: ArenaBinding[] = [];
  /** The newest update of each collection. */
  readonly #descriptors = new Map<number, CollectionDescriptor>();
  /** What has been made of it, once somebody asked. */
  readonly #targets = new Map<number, SearchTarget>();
  readonly #open = new Map<number, Map<number, OpenSegment>>();
  /** What is wrong with damaged collections. */
  readonly #damaged = new Map<number, string>();

  /** `slot`: the thread's scratch slot in every arena. */
  constructor(slot: number) {
    this.#slot = slot;
  }

  /** Takes in one update; they come in the order in which they were posted. */
  apply(update: ReaderUpdate): void {
    if (update.kind === 'arena') this.#addArena(update.arena);
    else if (update.kind === 'drop') this.#forget(update.collectionId);
    else if (update.kind === 'damage') {
      this.#forget(update.collectionId);
      this.#damaged.set(update.collectionId, update.message);
    } else {
      this.#descriptors.set(update.collection.id, update.collection);
      this.#targets.delete(update.collection.id);
    }
  }

  /**
   * The collection with number `id` as last updated, or null. The thread's epoch is noted and every update applied.
   * Errors: corrupt_data.
   */
  target(id: number): SearchTarget | null {
    const known = this.#targets.get(id);
    if (known !== undefined) return known;
    const damage = this.#damaged.get(id);
    if (damage !== undefined) throw new EngineError('corrupt_data', damage);
    const descriptor = this.#descriptors.get(id);
    if (descriptor === undefined) return null;
    const target = this.#makeTarget(descriptor);
    this.#targets.set(id, target);
    return target;
  }

  /** Runs `read`, which reads the segments of `target`. Errors: its own; corrupt_data when it met damaged bytes. */
  reading<T>(target: SearchTarget, read: () => T): T {
    try {
      return readingSegments(() => target.segments.map(({ reader }) => reader.views), read);
    } catch (error) {
      // What was interrupted left its work behind, and the next query would take that for its own.
      if (error instanceof EngineError && error.code === 'corrupt_data')
        for (const { scratch } of this.#bindings) clearScratch(scratch);
      throw error;
    }
  }

  #forget(id: number): void {
    this.#descriptors.delete(id);
    this.#targets.delete(id);
    this.#open.delete(id);
    this.#damaged.delete(id);
  }

  #addArena(arena: Arena): void {
    this.#bindings[arena.id] = bindArena(arena, this.#slot);
  }

  #makeTarget({ id, schema, segments }: CollectionDescriptor): SearchTarget {
    const before = this.#open.get(id);
    const after = new Map<number, OpenSegment>();
    const searchable = segments.map((descriptor) => {
      const open = before?.get(descriptor.id) ?? this.#openSegment(descriptor);
      after.set(descriptor.id, open);
      const live = descriptor.liveDocs === null ? null : this.#view(descriptor.liveDocs);
      return new SearchableSegment(open, live, descriptor.liveCount);
    });
    this.#open.set(id, after);
    return { schema, segments: searchable, expansions: new ExpansionCache() };
  }

  #openSegment({ region }: SegmentDescriptor): OpenSegment {
    const views = this.#view(region);
    return readingSegments(
      () => [views],
      () => new OpenSegment(views, this.#binding(region)),
    );
  }

  #view(region: Region): RegionViews {
    return viewRegion(this.#binding(region).arena, region);
  }

  #binding(region: Region): ArenaBinding {
    return assertPresent(this.#bindings[region.arena], 'arena of a published region');
  }
}
