/**
 * The shared memory that the benchmarks of one process work in, and segments in it, built by the engine's own write path.
 *
 * This thread has one scratch slot and a reader thread may have the other.
 */

import { assertPresent } from '../../engine/core/assert.js';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import { IGNORED_OUTCOMES } from '../../engine/documents/batch-report.js';
import type { Arena, RegionViews } from '../../engine/memory/arena.js';
import { type ArenaBinding, bindArena, regionsStart } from '../../engine/memory/kernel-instance.js';
import type { RegionWriter } from '../../engine/memory/region-writer.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { ReadCatalog } from '../../engine/query/read-catalog.js';
import type { SearchTarget } from '../../engine/query/searcher.js';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import { BuilderPool } from '../../engine/segment/builder-pool.js';
import type { CollectionDescriptor } from '../../engine/segment/updates.js';
import { ReadPageMapper } from '../../engine/storage/mapping/read-page-mapper.js';
import { CollectionState } from '../../engine/writer/state/collection-state.js';
import { SegmentMemory } from '../../engine/writer/state/segment-memory.js';

/** Number and scratch slot of the one reader thread that a benchmark may start: of three, it takes reads of both lanes. */
export const MIDDLE_READER = 1;
const THIS_SLOT = 0;
const SLOTS = 2;

export const arenas: Arena[] = [];
const bindings: ArenaBinding[] = [];
const catalog = new ReadCatalog(THIS_SLOT, new CacheBudget(64 << 20));

export const memory = new SegmentMemory(regionsStart(SLOTS), new ReadPageMapper(), (arena) => {
  arenas.push(arena);
  bindings.push(bindArena(arena, THIS_SLOT));
  catalog.apply({ kind: 'arena', arena });
});

/** The kernels and the scratch of the arena in which `views` lie. */
export const bindingOf = (views: RegionViews): ArenaBinding =>
  assertPresent(bindings[views.region.arena], 'arena of the region');

/** Lets `write` fill a region that is kept for good. */
export function writeViews(estimate: number, write: (out: RegionWriter) => void): RegionViews {
  const region = memory.writeRegion(estimate, (out) => {
    write(out);
    return out.align(4);
  });
  return memory.view(region);
}

/** Lets `write` fill a region that is freed at once: the work of a writer, and nothing else. */
export function writeOnce(estimate: number, write: (out: RegionWriter) => number): void {
  memory.free(memory.writeRegion(estimate, write));
}

let nextCollection = 1;

/** A collection as a searcher gets it and as a reader thread is told of it. */
export interface BuiltCollection {
  readonly descriptor: CollectionDescriptor;
  readonly target: SearchTarget;
}

/** Indexes each of `bodies`, JSON arrays of documents, as a segment of its own. */
export function buildCollection(schema: CollectionSchema, bodies: Iterable<Uint8Array>): BuiltCollection {
  const state = new CollectionState(nextCollection++, schema, 0, memory, new BuilderPool());
  for (const body of bodies) {
    state.collect(body, 'json', IGNORED_OUTCOMES);
    state.stage();
  }
  state.publish(0);
  const descriptor = state.describe();
  catalog.apply({ kind: 'collection', collection: descriptor });
  return { descriptor, target: assertPresent(catalog.target(descriptor.id, NO_LIMIT), 'new collection') };
}
