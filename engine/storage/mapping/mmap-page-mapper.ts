/**
 * Maps segment files over the memory of arenas, where their pages are the system's page cache: loaded on the first touch,
 * dropped when memory is short, back after a restart. Used by the writer thread; every other thread sees the result.
 *
 * The mappings are private, so nothing written to the memory reaches a file, and outlive the descriptor. Never map a
 * file that may get shorter: touching what is gone ends the process.
 *
 * One rule for every call that fails (system-memory.ts says why): memory that was kept holds what it held and stays in use,
 * memory that was lost is filled at once where nobody else reads it, and ends the process where others do.
 */
import { assert } from '../../core/assert.js';
import { REGION_ALIGN } from '../../layout/arena.js';
import type { StorageFile } from '../files/directory.js';
import type { PageMapper } from './page-mapper.js';
import { checkFileHolds, readFile } from './read-page-mapper.js';
import type { SystemMemory } from './system-memory.js';

/** Smaller files are read: a mapping would cost more than their bytes. */
const MAPPED_BYTES_MIN = 64 * 1024;
/** Mappings at once. Each may split an arena in two more ranges, and Linux gives a process 65,530 of them. */
const MAPPINGS_MAX = 16_384;
/**
 * Bytes that one call puts in place of memory in use. It keeps page faults of all threads waiting while it frees what was
 * there, so it is given little at a time; the system joins the neighbours to one mapping.
 */
const REMAP_STEP_BYTES = 4 * 1024 * 1024;

const wholePages = (bytes: number): number => Math.ceil(bytes / REGION_ALIGN) * REGION_ALIGN;

export class MmapPageMapper implements PageMapper {
  readonly kind = 'mmap';
  readonly #memory: SystemMemory;
  /** Bytes of each mapping, whole pages, by its address. */
  readonly #mappings = new Map<number, number>();
  #mappedBytes = 0;

  constructor(memory: SystemMemory) {
    this.#memory = memory;
  }

  /** In whole pages. */
  get mappedBytes(): number {
    return this.#mappedBytes;
  }

  load(file: StorageFile, target: Uint8Array): void {
    checkFileHolds(file, target);
    const descriptor = this.#descriptorToMap(file, target);
    if (descriptor === null) {
      readFile(file, target);
      return;
    }
    const address = this.#addressOf(target);
    assert(!this.#mappings.has(address), 'a mapping is released before its memory is used again');
    const outcome = this.#memory.mapFile(address, target.length, descriptor, 0);
    if (outcome === 'mapped') {
      this.#record(address, wholePages(target.length));
      return;
    }
    if (outcome === 'lost') this.#memory.fillHole(address, wholePages(target.length));
    readFile(file, target);
  }

  remap(file: StorageFile, target: Uint8Array): void {
    const descriptor = this.#descriptorToMap(file, target);
    if (descriptor === null) return;
    checkFileHolds(file, target);
    const address = this.#addressOf(target);
    if (this.#mappings.has(address)) return;
    let done = 0;
    while (done < target.length) {
      const bytes = Math.min(REMAP_STEP_BYTES, target.length - done);
      const outcome = this.#memory.mapFile(address + done, bytes, descriptor, done);
      // Zeros in the hole would be read as part of the segment before the file's bytes were back.
      if (outcome === 'lost')
        throw new Error(`the system took ${bytes} bytes that are in use away while it mapped ${file.name} over them`);
      // As beyond the limit on mappings: the region holds the same bytes, but in memory of the process.
      if (outcome === 'kept') break;
      done += bytes;
    }
    if (done > 0) this.#record(address, wholePages(done));
  }

  release(target: Uint8Array): void {
    if (target.length === 0) return;
    const address = this.#addressOf(target);
    const bytes = wholePages(target.length);
    const mapped = this.#mappings.get(address) ?? 0;
    if (mapped > 0) {
      assert(mapped <= bytes, 'a mapping is released as a whole');
      if (this.#memory.mapZeros(address, mapped) === 'lost') this.#memory.fillHole(address, mapped);
      this.#mappings.delete(address);
      this.#mappedBytes -= mapped;
    }
    if (mapped < bytes) this.#memory.discard(address + mapped, bytes - mapped);
  }

  trimHeap(): void {
    this.#memory.trimHeap();
  }

  boundPools(areTight: boolean): void {
    this.#memory.boundPools(areTight);
  }

  /** null: this file is to be read, or left in memory. */
  #descriptorToMap({ descriptor }: StorageFile, target: Uint8Array): number | null {
    if (descriptor === null || target.length < MAPPED_BYTES_MIN) return null;
    return this.#mappings.size < MAPPINGS_MAX && this.#memory.canMap(descriptor) ? descriptor : null;
  }

  #addressOf(target: Uint8Array): number {
    const address = this.#memory.addressOf(target);
    assert(address % REGION_ALIGN === 0, 'a target starts at a page');
    return address;
  }

  #record(address: number, bytes: number): void {
    this.#mappings.set(address, bytes);
    this.#mappedBytes += bytes;
  }
}
