/**
 * What one reader thread knows of all collections: built from the writer's updates, asked at the start of each query.
 *
 * A segment is opened once per thread and kept from generation to generation; one that no collection names any more is
 * forgotten at the update that drops it, so that its memory is never looked at again.
 */
import { assertPresent } from '../core/assert.js';
import { type Arena, type Region, type RegionViews, viewRegion } from '../memory/arena.js';
import { type ArenaBinding, bindArena } from '../memory/kernel-instance.js';
import { ExpansionCache } from '../query/expansion-cache.js';
import type { SearchTarget } from '../query/searcher.js';
import { OpenSegment, SearchableSegment } from '../segment/searchable-segment.js';
import type { CollectionDescriptor, ReaderUpdate, SegmentDescriptor } from './updates.js';

export class ReadCatalog {
  readonly #slot: number;
  readonly #bindings: ArenaBinding[] = [];
  readonly #targets = new Map<number, SearchTarget>();
  readonly #open = new Map<number, Map<number, OpenSegment>>();

  /** `slot`: the thread's scratch slot in every arena. */
  constructor(slot: number) {
    this.#slot = slot;
  }

  /** Takes in one update; they come in the order in which they were posted. */
  apply(update: ReaderUpdate): void {
    if (update.kind === 'arena') this.#addArena(update.arena);
    else if (update.kind === 'drop') {
      this.#targets.delete(update.collectionId);
      this.#open.delete(update.collectionId);
    } else this.#replace(update.collection);
  }

  /** The collection with number `id` as last updated, or null. */
  target(id: number): SearchTarget | null {
    return this.#targets.get(id) ?? null;
  }

  #addArena(arena: Arena): void {
    this.#bindings[arena.id] = bindArena(arena, this.#slot);
  }

  #replace({ id, schema, segments }: CollectionDescriptor): void {
    const before = this.#open.get(id);
    const after = new Map<number, OpenSegment>();
    const searchable = segments.map((descriptor) => {
      const open = before?.get(descriptor.id) ?? this.#openSegment(descriptor);
      after.set(descriptor.id, open);
      const live = descriptor.liveDocs === null ? null : this.#view(descriptor.liveDocs);
      return new SearchableSegment(open, live, descriptor.liveCount);
    });
    this.#open.set(id, after);
    this.#targets.set(id, { schema, segments: searchable, expansions: new ExpansionCache() });
  }

  #openSegment({ region }: SegmentDescriptor): OpenSegment {
    return new OpenSegment(this.#view(region), this.#binding(region));
  }

  #view(region: Region): RegionViews {
    return viewRegion(this.#binding(region).arena, region);
  }

  #binding(region: Region): ArenaBinding {
    return assertPresent(this.#bindings[region.arena], 'arena of a published region');
  }
}
