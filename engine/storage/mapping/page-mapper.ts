/**
 * How segment files come into memory and memory goes back to the system. Used by the writer thread, which owns the
 * regions of all arenas.
 *
 * mmap-page-mapper.ts maps files over the arena, so that their pages are the system's page cache; read-page-mapper.ts
 * reads them, for platforms without such calls.
 */
import type { StorageFile } from '../files/directory.js';

/**
 * `target` always is a view over whole pages of an arena: it starts at a multiple of REGION_ALIGN, and what lies between
 * its end and the next such multiple belongs to it too.
 */
export interface PageMapper {
  readonly kind: 'mmap' | 'read';
  /** Bytes mapped from files now. */
  readonly mappedBytes: number;
  /** Brings the first target.length bytes of `file` to `target`. Errors: io_error, also when the file is shorter. */
  load(file: StorageFile, target: Uint8Array): void;
  /**
   * Replaces memory that holds exactly what `file` holds by the file's pages, while other threads read it. Does nothing
   * where files cannot be mapped.
   */
  remap(file: StorageFile, target: Uint8Array): void;
  /** Gives the memory of `target` back, mapped or not. It reads as zeros or as before, and may be written again. */
  release(target: Uint8Array): void;
  /** Gives back what the process has freed outside of the arenas and keeps, where that can be done. Takes milliseconds. */
  trimHeap(): void;
  /** Has the process keep little, or much, of what it frees outside of the arenas from now on, where that can be done. */
  boundPools(areTight: boolean): void;
}
