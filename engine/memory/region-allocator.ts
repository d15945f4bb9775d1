/**
 * Hands out regions of the arenas: first fit at the lowest address, so that live data stays compact.
 *
 * Owned by the writer thread alone, so nothing here is atomic. Knows sizes and addresses only: it never touches memory,
 * and a region handed out holds whatever its bytes held before.
 */
import { assert, assertPresent } from '../core/assert.js';
import { ARENA_PAGES, REGION_ALIGN } from '../layout/arena.js';
import type { Region } from './arena.js';

/** The last page is never handed out: the end of a region stays a 32-bit address, and a kernel may load past it. */
const ARENA_END = (ARENA_PAGES - 1) * 65536;
/** Offsets inside a region stay below 2^31. Behind the scratch of very many threads there is less room: see RegionAllocator. */
export const REGION_BYTES_MAX = 0x7ff00000;

/** A free range of an arena. */
interface FreeRange {
  ptr: number;
  bytes: number;
}

/** One arena's books. */
interface ArenaSpace {
  /** By address; no two touch. */
  readonly free: FreeRange[];
  /** Regions handed out: address to bytes. */
  readonly used: Map<number, number>;
  /** End of the highest region ever handed out. */
  top: number;
  /** The region that last raised `top`, and where it was before: a shrink of that region lowers it again. */
  topRegion: number;
  topBefore: number;
}

const roundUp = (bytes: number): number => Math.ceil(bytes / REGION_ALIGN) * REGION_ALIGN;

export class RegionAllocator {
  /** The largest region that there is room for. */
  readonly regionBytesMax: number;
  readonly #firstPtr: number;
  readonly #onNewArena: (id: number) => void;
  readonly #spaces: ArenaSpace[] = [];
  #usedBytes = 0;

  /**
   * `firstPtr`: the first address of every arena that regions may take, REGION_ALIGN aligned. `onNewArena` is called
   * before the first region of arena `id` (0, 1, 2, ...) is handed out; when it throws, nothing has changed.
   */
  constructor(firstPtr: number, onNewArena: (id: number) => void) {
    assert(firstPtr % REGION_ALIGN === 0, 'the first region is aligned');
    this.regionBytesMax = Math.min(REGION_BYTES_MAX, ARENA_END - firstPtr);
    this.#firstPtr = firstPtr;
    this.#onNewArena = onNewArena;
  }

  /** Bytes of the regions handed out now. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Arenas opened so far. */
  get arenas(): number {
    return this.#spaces.length;
  }

  /** Bytes that regions have ever reached, over all arenas: what they can hold of physical memory. */
  get highWaterBytes(): number {
    return this.#spaces.reduce((sum, space) => sum + space.top - this.#firstPtr, 0);
  }

  /** Free ranges that regions have lain in since the arena was opened: what may hold memory for nothing. */
  *freeRanges(): Iterable<Region> {
    for (const [arena, { free, top }] of this.#spaces.entries()) {
      for (const { ptr, bytes } of free) if (ptr < top) yield { arena, ptr, bytes: Math.min(bytes, top - ptr) };
    }
  }

  /** Opens an arena unless the last one has `bytes` bytes behind all its regions, so that the next regions have room. */
  ensureTail(bytes: number): void {
    const last = this.#spaces.at(-1);
    if (last === undefined || ARENA_END - last.top < bytes) this.#openArena();
  }

  /** Takes at least `bytes` bytes (1..regionBytesMax), rounded up to REGION_ALIGN. Their content is undefined. */
  allocate(bytes: number): Region {
    assert(bytes > 0, 'a region is not empty');
    assert(bytes <= this.regionBytesMax, 'a region fits into an arena, and is below 2 GiB');
    const rounded = roundUp(bytes);
    for (let arena = 0; arena < this.#spaces.length; arena++) {
      const ptr = this.#takeFirstFit(this.#space(arena), rounded);
      if (ptr !== 0) return { arena, ptr, bytes: rounded };
    }
    const arena = this.#spaces.length;
    const ptr = this.#takeFirstFit(this.#openArena(), rounded);
    assert(ptr === this.#firstPtr, 'a new arena starts with its first region');
    return { arena, ptr, bytes: rounded };
  }

  /** Gives back all but the first `bytes` bytes (at least 1, rounded up) of `region` and returns what is left of it. */
  shrink(region: Region, bytes: number): Region {
    const { arena, ptr } = region;
    const kept = roundUp(bytes);
    assert(kept > 0, 'a shrunk region is not empty');
    assert(kept <= region.bytes, 'a shrink does not grow');
    const space = this.#checkedSpace(region);
    if (kept === region.bytes) return region;
    space.used.set(ptr, kept);
    this.#usedBytes -= region.bytes - kept;
    this.#insertFree(space, ptr + kept, region.bytes - kept);
    if (space.topRegion === ptr) space.top = Math.max(space.topBefore, ptr + kept);
    return { arena, ptr, bytes: kept };
  }

  /** Gives `region` back. It must be one that allocate() or the last shrink() of it returned. */
  free(region: Region): void {
    const space = this.#checkedSpace(region);
    space.used.delete(region.ptr);
    this.#usedBytes -= region.bytes;
    if (space.topRegion === region.ptr) space.topRegion = 0;
    this.#insertFree(space, region.ptr, region.bytes);
  }

  #openArena(): ArenaSpace {
    this.#onNewArena(this.#spaces.length);
    const space = this.#newSpace();
    this.#spaces.push(space);
    return space;
  }

  #newSpace(): ArenaSpace {
    const first = this.#firstPtr;
    return {
      free: [{ ptr: first, bytes: ARENA_END - first }],
      used: new Map(),
      top: first,
      topRegion: 0,
      topBefore: first,
    };
  }

  #space(arena: number): ArenaSpace {
    return assertPresent(this.#spaces[arena], `arena ${arena}`);
  }

  #checkedSpace(region: Region): ArenaSpace {
    const space = this.#space(region.arena);
    assert(space.used.get(region.ptr) === region.bytes, 'the region is handed out with this size');
    return space;
  }

  /** Returns the address taken, or 0 when no free range has room. */
  #takeFirstFit(space: ArenaSpace, bytes: number): number {
    const index = space.free.findIndex((range) => range.bytes >= bytes);
    const range = space.free[index];
    if (range === undefined) return 0;
    const { ptr } = range;
    range.ptr += bytes;
    range.bytes -= bytes;
    if (range.bytes === 0) space.free.splice(index, 1);
    space.used.set(ptr, bytes);
    this.#usedBytes += bytes;
    if (ptr + bytes > space.top) {
      space.topBefore = space.top;
      space.topRegion = ptr;
      space.top = ptr + bytes;
    }
    return ptr;
  }

  /** Adds a free range and joins it with the ones it touches. */
  #insertFree(space: ArenaSpace, ptr: number, bytes: number): void {
    const { free } = space;
    let index = free.findIndex((range) => range.ptr > ptr);
    if (index < 0) index = free.length;
    const before = free[index - 1];
    const after = free[index];
    assert(before === undefined || before.ptr + before.bytes <= ptr, 'a freed range was not free before');
    assert(after === undefined || ptr + bytes <= after.ptr, 'a freed range was not free after');
    const joinsAfter = after !== undefined && ptr + bytes === after.ptr;
    const joined = joinsAfter ? bytes + after.bytes : bytes;
    if (before !== undefined && before.ptr + before.bytes === ptr) {
      before.bytes += joined;
      if (joinsAfter) free.splice(index, 1);
    } else if (joinsAfter) {
      after.ptr = ptr;
      after.bytes = joined;
    } else {
      free.splice(index, 0, { ptr, bytes });
    }
  }
}
