/**
 * Binds kernels.wasm to an arena for one thread. The only file that knows where the kernels' bytes come from.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData, type Serializable, setEnvironmentData } from 'node:worker_threads';
import { assert } from '../core/assert.js';
import { ARENA_SCRATCH } from '../layout/arena.js';
import {
  CHUNK_DOCS,
  SCRATCH_BYTES,
  SCRATCH_HEAP,
  SCRATCH_MATCHED,
  SCRATCH_PHRASE_MATCHED,
  SCRATCH_TMP,
  SCRATCH_UNIONS,
} from '../layout/scratch.js';
import type { Arena } from './arena.js';
import { BitsetPool } from './bitset-pool.js';
import { BlockPool } from './block-pool.js';
import type { Kernels } from './kernel-exports.js';

const KERNELS_FILE = join('dist', 'kernels.wasm');

/** Under which threads are handed the compiled kernels. */
const KERNELS_KEY = 'sabre kernels';

let compiled: WebAssembly.Module | null = null;

/** The project's root: the nearest folder upward with a package.json, from the source tree or from dist alike. */
function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    assert(parent !== folder, 'package.json lies above the engine');
    folder = parent;
  }
  return folder;
}

/**
 * Reads and compiles the kernels now, for this thread and every one that is started later. A thread that came to that by
 * itself would do it at its first segment, when there may be no descriptor left to open a file with.
 */
export function loadKernels(): void {
  compiled ??= readKernels();
  setEnvironmentData(KERNELS_KEY, compiled as unknown as Serializable);
}

function readKernels(): WebAssembly.Module {
  const file = join(findRoot(), KERNELS_FILE);
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build"`);
  return new WebAssembly.Module(readFileSync(file));
}

function kernelModule(): WebAssembly.Module {
  compiled ??= (getEnvironmentData(KERNELS_KEY) as unknown as WebAssembly.Module | undefined) ?? readKernels();
  return compiled;
}

/** One thread's scratch area in one arena; see layout/scratch.ts. Typed arrays count from the scratch base. */
export interface Scratch {
  readonly ptr: number;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

/** The bump allocator of a scratch area's heap. Reset at the start of each query on each segment. */
export class ScratchHeap {
  readonly #base: number;
  readonly #end: number;
  /** What lies below stays as it is. */
  #floor: number;
  #top: number;

  constructor(scratchPtr: number) {
    this.#base = scratchPtr + SCRATCH_HEAP;
    this.#end = scratchPtr + SCRATCH_UNIONS;
    this.#floor = this.#base;
    this.#top = this.#base;
  }

  /** Absolute address of `bytes` bytes of undefined content, 16-byte aligned; 0 when they do not fit. */
  allocate(bytes: number): number {
    const ptr = this.#top;
    const top = ptr + Math.ceil(bytes / 16) * 16;
    if (top > this.#end) return 0;
    this.#top = top;
    return ptr;
  }

  get free(): number {
    return this.#end - this.#top;
  }

  /** Bytes that are taken, those that are held included. */
  get used(): number {
    return this.#top - this.#base;
  }

  /** Where the heap ends. */
  get end(): number {
    return this.#end;
  }

  /** Takes what lies between mark() and `end`, a multiple of 16: a kernel has used it. */
  takeUpTo(end: number): void {
    assert(end >= this.#top, 'what is taken was free');
    assert(end <= this.#end, 'what is taken lies in the heap');
    this.#top = end;
  }

  /** A mark to return to with release(). */
  mark(): number {
    return this.#top;
  }

  release(mark: number): void {
    assert(mark >= this.#floor, 'mark lies in the heap');
    assert(mark <= this.#top, 'mark was taken before');
    this.#top = mark;
  }

  reset(): void {
    this.#top = this.#floor;
  }

  /** What has been allocated stays as it is, through resets, until letGo(), or holdOnly() with what this returns: where that ended before. */
  hold(): number {
    const before = this.#floor;
    this.#floor = this.#top;
    return before;
  }

  /** Of what is held only what was so when hold() returned `before` still is. */
  holdOnly(before: number): void {
    assert(before >= this.#base && before <= this.#floor, 'more was held');
    this.#floor = before;
  }

  /** Nothing that is held is needed any more: the next reset() gives it back. */
  letGo(): void {
    this.#floor = this.#base;
  }

  get isHeld(): boolean {
    return this.#floor > this.#base;
  }
}

/** An arena as one thread works on it: its kernels and its scratch. */
export interface ArenaBinding {
  readonly arena: Arena;
  readonly kernels: Kernels;
  readonly scratch: Scratch;
  readonly heap: ScratchHeap;
  readonly bitsets: BitsetPool;
  readonly unions: BlockPool;
}

/** The kernels over `memory`, which is shared: an arena's, or a smaller one. */
export function instantiateKernels(memory: WebAssembly.Memory): Kernels {
  return new WebAssembly.Instance(kernelModule(), { env: { memory } }).exports as unknown as Kernels;
}

/** Binds `arena` for the thread with scratch slot `slot` (0-based; each thread of the process has its own). */
export function bindArena(arena: Arena, slot: number): ArenaBinding {
  const kernels = instantiateKernels(arena.memory);
  const ptr = ARENA_SCRATCH + slot * SCRATCH_BYTES;
  const { buffer } = arena.memory;
  const scratch: Scratch = {
    ptr,
    u8: new Uint8Array(buffer, ptr, SCRATCH_BYTES),
    u16: new Uint16Array(buffer, ptr, SCRATCH_BYTES >> 1),
    u32: new Uint32Array(buffer, ptr, SCRATCH_BYTES >> 2),
    i32: new Int32Array(buffer, ptr, SCRATCH_BYTES >> 2),
    f32: new Float32Array(buffer, ptr, SCRATCH_BYTES >> 2),
    f64: new Float64Array(buffer, ptr, SCRATCH_BYTES >> 3),
  };
  return {
    arena,
    kernels,
    scratch,
    heap: new ScratchHeap(ptr),
    bitsets: new BitsetPool(ptr),
    unions: new BlockPool(ptr),
  };
}

/** Clears what queries expect to be all zero between them (layout/scratch.ts): after one that ended in its middle. */
export function clearScratch({ u8 }: Scratch): void {
  u8.fill(0, SCRATCH_TMP, SCRATCH_MATCHED);
  u8.fill(0, SCRATCH_MATCHED, SCRATCH_MATCHED + CHUNK_DOCS);
  u8.fill(0, SCRATCH_PHRASE_MATCHED, SCRATCH_PHRASE_MATCHED + CHUNK_DOCS);
}

/** The first address past the scratch of `slots` threads: where regions begin. */
export function regionsStart(slots: number): number {
  return ARENA_SCRATCH + slots * SCRATCH_BYTES;
}
