/** Regions for tests of segment structures, handed out one after the other from one arena. */
import { createArena, type RegionViews, viewRegion } from '../../engine/memory/arena.js';
import { RegionWriter } from '../../engine/memory/region-writer.js';

const PAGE = 4096;
const FIRST_PTR = 0x100000;
/** Tests run many times over: start again rather than touch ever more pages. */
const LAST_PTR = 0x8000000;

const arena = createArena(0);
let nextPtr = FIRST_PTR;

/** A region of at least `bytes` bytes, filled with garbage as a reused one is. */
function takeRegion(bytes: number): RegionViews {
  const size = Math.ceil((bytes + 1) / PAGE) * PAGE;
  if (nextPtr + size > LAST_PTR) nextPtr = FIRST_PTR;
  const views = viewRegion(arena, { arena: 0, ptr: nextPtr, bytes: size });
  views.u8.fill(0xa5);
  nextPtr += size;
  return views;
}

export const takeWriter = (bytes: number): RegionWriter => new RegionWriter(takeRegion(bytes));
