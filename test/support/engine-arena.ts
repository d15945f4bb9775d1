/**
 * One arena with its kernels for the in-process tests of the engine, and regions in it handed out one after the other.
 *
 * Regions are filled with garbage first, as a reused one is. resetRegions() starts again at the bottom, so that a test
 * that runs many times touches few pages.
 */
import { createArena, type Region, type RegionViews, viewRegion } from '../../engine/memory/arena.js';
import { bindArena, regionsStart } from '../../engine/memory/kernel-instance.js';
import { RegionFullError, RegionWriter } from '../../engine/memory/region-writer.js';

const PAGE = 4096;
const FIRST_PTR = regionsStart(1);

export const arena = createArena(0);
export const binding = bindArena(arena, 0);

let nextPtr = FIRST_PTR;

/** Forgets every region handed out. */
export function resetRegions(): void {
  nextPtr = FIRST_PTR;
}

function takeRegion(bytes: number): Region {
  const size = Math.ceil(bytes / PAGE) * PAGE;
  const ptr = nextPtr;
  nextPtr += size;
  return { arena: 0, ptr, bytes: size };
}

/** A region of at least `bytes` bytes, filled with garbage. */
export function takeViews(bytes: number): RegionViews {
  const views = viewRegion(arena, takeRegion(bytes));
  views.u8.fill(0xa5);
  return views;
}

/** Lets `write` fill a region that is large enough, and returns what it wrote: a region of the size that it returned. */
export function writeViews(estimate: number, write: (out: RegionWriter) => number): RegionViews {
  for (let size = Math.max(estimate, PAGE); ; size *= 2) {
    const mark = nextPtr;
    try {
      const { region } = takeViews(size);
      const bytes = write(new RegionWriter(viewRegion(arena, region)));
      nextPtr = mark + Math.ceil(bytes / PAGE) * PAGE;
      return viewRegion(arena, { arena: 0, ptr: region.ptr, bytes });
    } catch (error) {
      nextPtr = mark;
      if (!(error instanceof RegionFullError)) throw error;
    }
  }
}

/** A small generator of pseudo-random integers below `bound`, from a seed (Marsaglia, "Xorshift RNGs", 2003). */
export function randomNumbers(seed: number): (bound: number) => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) | 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}
