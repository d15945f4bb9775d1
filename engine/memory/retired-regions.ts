/**
 * Regions that no new reader can reach, waiting until the readers that still might have moved on.
 *
 * Owned by the writer thread. Never frees a region while a generation that reaches it is in use, or while it is pinned.
 */
import type { Region } from './arena.js';

interface RetiredRegion {
  readonly region: Region;
  readonly generation: number;
}

export class RetiredRegions {
  readonly #free: (region: Region) => void;
  readonly #isPinned: (region: Region) => boolean;
  #waiting: RetiredRegion[] = [];
  #bytes = 0;

  /** `free` takes a region back once nobody can reach it; one that `isPinned` waits longer. */
  constructor(free: (region: Region) => void, isPinned: (region: Region) => boolean) {
    this.#free = free;
    this.#isPinned = isPinned;
  }

  /** Bytes that wait to be freed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes `region` out of use. `generation` is the last published one that reaches it. */
  retire(region: Region, generation: number): void {
    this.#waiting.push({ region, generation });
    this.#bytes += region.bytes;
  }

  /**
   * Frees every region not pinned that was retired at a generation below `oldestGenerationInUse`: the smallest that any
   * reader has noted, or the current one when no reader is at work. Returns the number of regions freed.
   */
  reclaim(oldestGenerationInUse: number): number {
    const waiting = this.#waiting;
    const isReachable = ({ region, generation }: RetiredRegion): boolean =>
      generation >= oldestGenerationInUse || this.#isPinned(region);
    if (waiting.every(isReachable)) return 0;
    this.#waiting = waiting.filter(isReachable);
    for (const retired of waiting) {
      if (isReachable(retired)) continue;
      this.#bytes -= retired.region.bytes;
      this.#free(retired.region);
    }
    return waiting.length - this.#waiting.length;
  }
}
