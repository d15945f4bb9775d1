/**
 * The shared memory that segments and bitmaps lie in, as the writer manages it: opens arenas, has segments and bitmaps
 * written into fresh regions, brings segment files into memory, and frees regions once no reader can reach them.
 */
import { assert, assertPresent } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import { REGION_ALIGN } from '../../layout/arena.js';
import { type Arena, createArena, type Region, type RegionViews, viewRegion } from '../../memory/arena.js';
import { type MemoryBudget, unlimitedMemory } from '../../memory/memory-budget.js';
import { REGION_BYTES_MAX, RegionAllocator } from '../../memory/region-allocator.js';
import { RegionFullError, RegionWriter } from '../../memory/region-writer.js';
import { RetiredRegions } from '../../memory/retired-regions.js';
import type { StorageFile } from '../../storage/files/directory.js';
import type { PageMapper } from '../../storage/mapping/page-mapper.js';

/** A region that proved too small is asked for again this much larger. */
const RETRY_FACTOR = 2;
/** A freed region this large goes back to the system at once; smaller ones wait for an idle moment. */
const RELEASE_BYTES_MIN = 1 << 20;

/** The part of the memory budget that documents may fill before they are written, and its bounds. */
const BUILDER_SHARE = 16;
const BUILDER_BYTES_MIN = 4 << 20;
const BUILDER_BYTES_MAX = 1 << 29;
/** Address space kept free beside what documents claim: for deletions, which never wait for any. */
const TAIL_BYTES_MIN = 64 << 20;

/** The region as the allocator handed it out: a segment's own size need not be aligned. */
function wholeRegion(region: Region): Region {
  return { ...region, bytes: Math.ceil(region.bytes / REGION_ALIGN) * REGION_ALIGN };
}

/** Tells regions apart: an arena is 2^32 bytes. */
const keyOf = ({ arena, ptr }: Region): number => arena * 2 ** 32 + ptr;

const tooLarge = (what: string, most: number): EngineError =>
  new EngineError(
    'memory_full',
    `${what}, and beside the scratch memory of so many threads there is room for ${most}: start with fewer reader and HTTP threads`,
  );

export class SegmentMemory {
  readonly #arenas: Arena[] = [];
  readonly #allocator: RegionAllocator;
  readonly #retired: RetiredRegions;
  readonly #mapper: PageMapper;
  /** Regions that came from files, or were remapped to them. */
  readonly #mapped = new Set<number>();
  readonly #pins = new Map<number, number>();
  /** Small regions were freed since free memory was last given back. */
  #holdsFreed = false;
  #nextSegmentId = 1;

  /** Of the synonyms and stop words of all collections, as text-rule-set.ts counts them. */
  textRuleBytes = 0;

  /** What documents and merges may take. */
  readonly budget: MemoryBudget;

  /**
   * `firstPtr`: where regions begin in each arena. `onArena` hears of a new arena before any region in it. `reserved`: the
   * first arenas.
   */
  constructor(
    firstPtr: number,
    mapper: PageMapper,
    onArena: (arena: Arena) => void,
    budget: MemoryBudget = unlimitedMemory(),
    reserved: readonly Arena[] = [],
  ) {
    this.budget = budget;
    this.#mapper = mapper;
    this.#allocator = new RegionAllocator(firstPtr, (id) => {
      const arena = reserved.at(id) ?? createArena(id);
      onArena(arena);
      this.#arenas.push(arena);
    });
    this.#retired = new RetiredRegions(
      (region) => this.free(region),
      (region) => this.#pins.has(keyOf(region)),
    );
  }

  /** Bytes of all regions in use, those waiting for readers included. */
  get usedBytes(): number {
    return this.#allocator.usedBytes;
  }

  /** The most that usedBytes could have touched: up to the highest address used in each arena. */
  get highWaterBytes(): number {
    return this.#allocator.highWaterBytes;
  }

  /** Bytes of regions that are memory of this process, not a file's. */
  get unmappedBytes(): number {
    return this.#allocator.usedBytes - this.#mapper.mappedBytes;
  }

  /** The largest region that there is room for. */
  get regionBytesMax(): number {
    return this.#allocator.regionBytesMax;
  }

  /** What the documents of one collection may take before they are written as a segment. */
  get builderBytesMax(): number {
    return Math.min(Math.max(this.budget.bytesMax / BUILDER_SHARE, BUILDER_BYTES_MIN), BUILDER_BYTES_MAX);
  }

  /** Errors: memory_full when there is no room for `bytes` bytes of documents, or for the segments that they become. */
  claim(bytes: number): void {
    this.budget.claim(bytes);
    this.#allocator.ensureTail(Math.min(TAIL_BYTES_MIN + 2 * bytes, this.regionBytesMax));
  }

  /** Bytes that are mapped from files. */
  get mappedBytes(): number {
    return this.#mapper.mappedBytes;
  }

  get mapping(): PageMapper['kind'] {
    return this.#mapper.kind;
  }

  /** The number that the next segment of the data directory gets. */
  get nextSegmentId(): number {
    return this.#nextSegmentId;
  }

  takeSegmentId(): number {
    return this.#nextSegmentId++;
  }

  /** Numbers below `id` were used by earlier processes. */
  reserveSegmentIds(id: number): void {
    this.#nextSegmentId = Math.max(this.#nextSegmentId, id);
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
    const whole = wholeRegion(region);
    const isMapped = this.#mapped.delete(keyOf(region));
    // A file's pages must not be written on: each would be read and copied first, and the file could not go.
    if (isMapped || whole.bytes >= RELEASE_BYTES_MIN) this.#mapper.release(this.view(whole).u8);
    else this.#holdsFreed = true;
    this.#allocator.free(whole);
  }

  /** Gives back the memory of all free ranges. For idle moments: what is taken next must be zeroed by the system again. */
  releaseFreed(): void {
    if (!this.#holdsFreed) return;
    this.#holdsFreed = false;
    for (const range of this.#allocator.freeRanges()) {
      for (let done = 0; done < range.bytes; done += this.regionBytesMax) {
        const bytes = Math.min(range.bytes - done, this.regionBytesMax);
        this.#mapper.release(this.view({ ...range, ptr: range.ptr + done, bytes }).u8);
      }
    }
  }

  /** Gives back what the process has freed outside of regions and keeps. For idle moments: takes milliseconds. */
  trimHeap(): void {
    this.#mapper.trimHeap();
  }

  /** Has the process keep little, or much, of what it frees outside of the arenas from now on, where that can be done. */
  boundPools(areTight: boolean): void {
    this.#mapper.boundPools(areTight);
  }

  /** Frees a published region once no reader uses `generation`, the last that reaches it. */
  retire(region: Region, generation: number): void {
    this.#retired.retire(region, generation);
  }

  reclaim(oldestGenerationInUse: number): void {
    this.#retired.reclaim(oldestGenerationInUse);
  }

  /** Keeps a region as it is, though it may be retired, until unpin() was called as often. */
  pin(region: Region): void {
    this.#pins.set(keyOf(region), (this.#pins.get(keyOf(region)) ?? 0) + 1);
  }

  unpin(region: Region): void {
    const count = assertPresent(this.#pins.get(keyOf(region)), 'a pinned region');
    if (count === 1) this.#pins.delete(keyOf(region));
    else this.#pins.set(keyOf(region), count - 1);
  }

  view(region: Region): RegionViews {
    return viewRegion(assertPresent(this.#arenas[region.arena], 'arena of the region'), region);
  }

  /** Brings the first `bytes` bytes of `file` into a region of their own. Errors: io_error, memory_full. */
  load(file: StorageFile, bytes: number): Region {
    if (bytes > this.regionBytesMax) throw tooLarge(`a segment file has ${bytes} bytes`, this.regionBytesMax);
    const region = this.shrink(this.allocate(bytes), bytes);
    this.#mapped.add(keyOf(region));
    try {
      this.#mapper.load(file, this.view(region).u8);
    } catch (error) {
      this.free(region);
      throw error;
    }
    return region;
  }

  /** Lets the pages of `file`, which holds the bytes of `region`, take the place of its memory. */
  remap(region: Region, file: StorageFile): void {
    assert(!this.#mapped.has(keyOf(region)), 'a region is remapped once');
    this.#mapped.add(keyOf(region));
    this.#mapper.remap(file, this.view(region).u8);
  }

  /**
   * Allocates, lets `write` fill the region, and cuts it to the size that `write` returns. Errors: RegionFullError when it needs more than
   * REGION_BYTES_MAX; memory_full when that is more than there is room for.
   */
  writeRegion(estimate: number, write: (out: RegionWriter) => number): Region {
    let size = Math.min(estimate, this.regionBytesMax);
    for (;;) {
      const region = this.allocate(size);
      try {
        return this.shrink(region, write(new RegionWriter(this.view(region))));
      } catch (error) {
        this.free(region);
        if (!(error instanceof RegionFullError) || size === REGION_BYTES_MAX) throw error;
        if (size === this.regionBytesMax) throw tooLarge(`a document needs more than ${size} bytes`, size);
        size = Math.min(size * RETRY_FACTOR, this.regionBytesMax);
      }
    }
  }
}
