/**
 * Handing out and taking back regions while some hundreds are in use, as a server with many segments has them.
 */
import { Bench } from 'tinybench';
import { REGION_ALIGN } from '../../engine/layout/arena.js';
import type { Region } from '../../engine/memory/arena.js';
import { RegionAllocator } from '../../engine/memory/region-allocator.js';
import { benchOptions, type SuiteSize } from '../suites.js';

const FIRST_PTR = 0x100000;

/** Each call frees the oldest region and takes one of another size. */
export function suite(size: SuiteSize): Bench {
  const live = size === 'tiny' ? 10 : 500;
  const allocator = new RegionAllocator(FIRST_PTR, () => {});
  const bytesOf = (step: number): number => REGION_ALIGN * (1 + ((step * 7919) % 97));
  const regions: Region[] = Array.from({ length: live }, (_, step) => allocator.allocate(bytesOf(step)));
  let step = live;
  return new Bench(benchOptions(size, `region allocator, ${live} regions in use`)).add('free and allocate', () => {
    const slot = step % live;
    allocator.free(regions[slot]);
    regions[slot] = allocator.allocate(bytesOf(step++));
  });
}
