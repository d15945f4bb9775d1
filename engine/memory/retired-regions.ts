/**
 * Regions that no new reader can reach, waiting until the readers that still might have moved on.
 *
 * Owned by the writer thread. Never frees a region while a generation that reaches it is in use.
 */
import type { Region } from './arena.js';

interface RetiredRegion {
  readonly region: Region;
  readonly generation: number;
}

export class RetiredRegions {
  readonly #free: (region: Region) => void;
  #waiting: RetiredRegion[] = [];
  #bytes = 0;

  /** `free` takes a region back once nobody can reach it. */
  constructor(free: (region: Region) => void) {
    this.#free = free;
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
   * Frees every region retired at a generation below `oldestGenerationInUse`: the smallest that any reader has noted,
   * or the current one when no reader is at work. Returns the number of regions freed.
   */
  reclaim(oldestGenerationInUse: number): number {
    const waiting = this.#waiting;
    const isReachable = (retired: RetiredRegion): boolean => retired.generation >= oldestGenerationInUse;
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
