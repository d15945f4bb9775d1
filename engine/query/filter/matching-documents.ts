/**
 * Finds documents by a filter for a thread that answers no searches: the writer's DocumentMatcher.
 *
 * Opens segments anew each time: whoever deletes by a filter does not do so a thousand times a second.
 */
import { assertPresent } from '../../core/assert.js';
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { Arena, RegionViews } from '../../memory/arena.js';
import { type ArenaBinding, bindArena } from '../../memory/kernel-instance.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { SegmentReader } from '../../segment/segment-reader.js';
import type { ColumnReader } from '../../values/column-reader.js';
import type { FilterNode } from './filter-node.js';
import type { FilterSource } from './filter-source.js';
import { joinPredicates } from './join-predicates.js';
import { parseFilter } from './parse-filter.js';
import { SegmentFilter } from './segment-filter.js';

class Source implements FilterSource {
  readonly binding: ArenaBinding;
  readonly #reader: SegmentReader;

  constructor(views: RegionViews, binding: ArenaBinding) {
    this.binding = binding;
    this.#reader = new SegmentReader(views);
  }

  get maxDoc(): number {
    return this.#reader.maxDoc;
  }

  column(field: number): ColumnReader | null {
    return this.#reader.column(field);
  }

  findDocument(id: Uint8Array): number {
    return this.#reader.ids.find(id, 0, id.length);
  }
}

export class MatchingDocuments {
  readonly #slot: number;
  readonly #bindings: ArenaBinding[] = [];

  /** `slot`: the thread's scratch slot in every arena. */
  constructor(slot: number) {
    this.#slot = slot;
  }

  /** Hears of an arena before there is a segment in it. */
  addArena(arena: Arena): void {
    this.#bindings[arena.id] = bindArena(arena, this.#slot);
  }

  /** As DocumentMatcher.match() says. */
  match(
    filter: string,
    schema: CollectionSchema,
    segments: readonly RegionViews[],
    take: (segment: number, doc: number) => void,
  ): void {
    const node = joinPredicates(parseFilter(filter, schema));
    for (const [i, views] of segments.entries()) {
      const binding = assertPresent(this.#bindings[views.region.arena], 'arena of the segment');
      binding.heap.reset();
      matchSegment(node, new Source(views, binding), (doc) => take(i, doc));
    }
  }
}

function matchSegment(node: FilterNode, source: Source, take: (doc: number) => void): void {
  const filter = new SegmentFilter(node, source);
  if (filter.matchesNothing) return;
  const { scratch } = source.binding;
  for (let first = 0; first < source.maxDoc; first += CHUNK_DOCS) {
    const at = (filter.fillChunk(first / CHUNK_DOCS) - scratch.ptr) >> 2;
    const count = Math.min(CHUNK_DOCS, source.maxDoc - first);
    for (let word = 0; word * 32 < count; word++) {
      for (let bits = scratch.u32[at + word]; bits !== 0; bits &= bits - 1)
        take(first + word * 32 + (31 - Math.clz32(bits & -bits)));
    }
  }
}
