/**
 * Reserves at start the address space that the engine is going to need, and says in words why that fails.
 *
 * Called on the HTTP thread before any other thread runs: what the system refuses later, inside a thread that is being
 * made, would end the process without a word.
 */
import { readFileSync } from 'node:fs';
import { EngineError } from '../core/errors.js';
import { ARENA_PAGES } from '../layout/arena.js';
import { type Arena, createArena } from './arena.js';

const ARENA_BYTES = ARENA_PAGES * 65536;
/** Arenas reserved at start at most; further ones are reserved when they are needed. */
const RESERVED_ARENAS_MAX = 16;
/** Address space that a thread takes at most: its heap, the range for its machine code, its stacks. */
const THREAD_BYTES = 1 << 30;

/** How many arenas a process reserves that may hold `memoryBytes` bytes; scratch areas are counted generously. */
function arenasWanted(memoryBytes: number): number {
  return Math.min(RESERVED_ARENAS_MAX, Math.max(1, Math.ceil(memoryBytes / (ARENA_BYTES / 2))));
}

/**
 * Reserves what the engine needs before it starts `threads` threads: the arenas for `memoryBytes` bytes, and the shared
 * memory that `others` makes. Errors: memory_full, with what there is and what the system allows.
 */
export function reserveMemory<Others>(
  memoryBytes: number,
  threads: number,
  others: () => Others,
): { readonly arenas: readonly Arena[]; readonly others: Others } {
  const count = arenasWanted(memoryBytes);
  try {
    const made = others();
    const arenas = Array.from({ length: count }, (_, id) => createArena(id));
    checkRoomForThreads(threads);
    return { arenas, others: made };
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof EngineError)) throw error;
    const message = `cannot reserve address space for ${count} x 4 GiB and ${threads} threads (${error.message})`;
    throw new EngineError('memory_full', `${message}${describeLimits()}`, { cause: error });
  }
}

/** Errors: memory_full when the limit on address space leaves too little for `threads` threads. */
function checkRoomForThreads(threads: number): void {
  const limit = addressSpaceLimit(readText('/proc/self/limits'));
  const used = Number(/^VmSize:\s+(\d+) kB$/m.exec(readText('/proc/self/status'))?.[1] ?? 0) * 1024;
  if (limit === null || used + threads * THREAD_BYTES <= limit) return;
  throw new EngineError('memory_full', `the arenas leave ${limit - used} bytes`);
}

/** The limit in the text of /proc/self/limits, null when there is none. */
function addressSpaceLimit(limits: string): number | null {
  const found = /^Max address space\s+(\d+)\s/m.exec(limits);
  return found === null ? null : Number(found[1]);
}

/** What the system says about address space, as the end of a message. */
function describeLimits(): string {
  const limit = addressSpaceLimit(readText('/proc/self/limits'));
  if (limit !== null)
    return `: the limit on address space is ${limit} bytes; remove it (ulimit -v unlimited), memory itself is bounded by --memory-bytes`;
  if (readText('/proc/sys/vm/overcommit_memory').trim() === '2')
    return ': the system allows no more than it has memory for; set vm.overcommit_memory to 0 or 1';
  return ': the system refuses it; see its limits for a process and a container';
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
