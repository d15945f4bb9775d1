/**
 * Chooses how segment files come into memory: mapped where that works, read elsewhere. Called once by the writer thread.
 */
import { MmapPageMapper } from './mmap-page-mapper.js';
import type { PageMapper } from './page-mapper.js';
import { ReadPageMapper } from './read-page-mapper.js';
import { bindSystemMemory } from './system-memory.js';

/** A mapper for this system. `mapFiles` false: never one that maps. `reason`: why files are read, '' when mapped. */
export function openPageMapper(mapFiles: boolean): { readonly mapper: PageMapper; readonly reason: string } {
  const memory = mapFiles ? bindSystemMemory() : 'mapping is switched off';
  if (typeof memory === 'string') return { mapper: new ReadPageMapper(), reason: memory };
  return { mapper: new MmapPageMapper(memory), reason: '' };
}
