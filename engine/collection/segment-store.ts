/**
 * The writer's hold on shared memory: opens arenas, writes segments and bitmaps into fresh regions, and frees regions
 * once no reader can reach them.
 */
import { assertPresent } from '../core/assert.js';
import { REGION_ALIGN } from '../layout/arena.js';
import { type Arena, createArena, type Region, type RegionViews, viewRegion } from '../memory/arena.js';
import { REGION_BYTES_MAX, RegionAllocator } from '../memory/region-allocator.js';
import { RegionFullError, RegionWriter } from '../memory/region-writer.js';
import { RetiredRegions } from '../memory/retired-regions.js';

/** A region that proved too small is asked for again this much larger. */
const RETRY_FACTOR = 2;

/** The region as the allocator handed it out: a segment's own size need not be aligned. */
function wholeRegion(region: Region): Region {
  return { ...region, bytes: Math.ceil(region.bytes / REGION_ALIGN) * REGION_ALIGN };
}

export class SegmentStore {
  readonly #arenas: Arena[] = [];
  readonly #allocator: RegionAllocator;
  readonly #retired: RetiredRegions;

  /** `firstPtr`: where regions begin in each arena. `onArena` hears of a new arena before any region in it. */
  constructor(firstPtr: number, onArena: (arena: Arena) => void) {
    this.#allocator = new RegionAllocator(firstPtr, (id) => {
      const arena = createArena(id);
      onArena(arena);
      this.#arenas.push(arena);
    });
    this.#retired = new RetiredRegions((region) => this.free(region));
  }

  /** Bytes of all regions in use, those waiting for readers included. */
  get usedBytes(): number {
    return this.#allocator.usedBytes;
  }

  /** The most that usedBytes could have touched: up to the highest address used in each arena. */
  get highWaterBytes(): number {
    return this.#allocator.highWaterBytes;
  }

  allocate(bytes: number): Region {
    return this.#allocator.allocate(bytes);
  }

  /** Cuts `region` down to its first `bytes` bytes, which is the size of the region returned. */
  shrink(region: Region, bytes: number): Region {
    return { ...this.#allocator.shrink(wholeRegion(region), bytes), bytes };
  }

  /** Frees a region that was never published. */
  free(region: Region): void {
    this.#allocator.free(wholeRegion(region));
  }

  /** Frees a published region once no reader uses `generation`, the last that reaches it. */
  retire(region: Region, generation: number): void {
    this.#retired.retire(region, generation);
  }

  reclaim(oldestGenerationInUse: number): void {
    this.#retired.reclaim(oldestGenerationInUse);
  }

  view(region: Region): RegionViews {
    return viewRegion(assertPresent(this.#arenas[region.arena], 'arena of the region'), region);
  }

  /** Allocates, lets `write` fill the region, and cuts it to the size that `write` returns. */
  writeRegion(estimate: number, write: (out: RegionWriter) => number): Region {
    let size = Math.min(estimate, REGION_BYTES_MAX);
    for (;;) {
      const region = this.allocate(size);
      try {
        return this.shrink(region, write(new RegionWriter(this.view(region))));
      } catch (error) {
        this.free(region);
        if (!(error instanceof RegionFullError) || size === REGION_BYTES_MAX) throw error;
        size = Math.min(size * RETRY_FACTOR, REGION_BYTES_MAX);
      }
    }
  }
}
