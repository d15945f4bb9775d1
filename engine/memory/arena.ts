/**
 * Arenas: shared WebAssembly memories of 4 GiB address space each, and the regions inside them.
 *
 * Created by the writer thread and handed to the others as they are; a segment lies in exactly one. Nothing here knows
 * what a region holds.
 */

import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { ARENA_PAGES, REGION_ALIGN } from '../layout/arena.js';

/** A range of an arena's bytes. `ptr` is the absolute address, a multiple of REGION_ALIGN. */
export interface Region {
  readonly arena: number;
  readonly ptr: number;
  readonly bytes: number;
}

/** One arena as every thread sees it. */
export interface Arena {
  readonly id: number;
  readonly memory: WebAssembly.Memory;
}

/**
 * Typed arrays over one region. Index i of `u32` is byte 4 * i of the region. Offsets stay below 2^31, so that engines
 * keep them in machine integers; absolute addresses go up to 2^32.
 */
export interface RegionViews {
  readonly region: Region;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
}

/**
 * Reserves a new arena. Costs address space only: pages come with the first touch. Errors: memory_full when the system
 * gives no more of it.
 */
export function createArena(id: number): Arena {
  try {
    return { id, memory: new WebAssembly.Memory({ initial: ARENA_PAGES, maximum: ARENA_PAGES, shared: true }) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EngineError('memory_full', `no address space for arena ${id}: ${error.message}`, { cause: error });
  }
}

/** Views over `region`, which lies in `arena`. Its size is a multiple of 4. */
export function viewRegion(arena: Arena, region: Region): RegionViews {
  assert(region.arena === arena.id, 'region lies in the arena');
  assert(region.ptr % REGION_ALIGN === 0, 'region is aligned');
  assert(region.bytes % 4 === 0, 'region size is a multiple of 4');
  assert(region.bytes < 0x80000000, 'region is below 2 GiB');
  const { buffer } = arena.memory;
  const { ptr, bytes } = region;
  return {
    region,
    u8: new Uint8Array(buffer, ptr, bytes),
    u16: new Uint16Array(buffer, ptr, bytes >> 1),
    u32: new Uint32Array(buffer, ptr, bytes >> 2),
    i32: new Int32Array(buffer, ptr, bytes >> 2),
    f32: new Float32Array(buffer, ptr, bytes >> 2),
  };
}
