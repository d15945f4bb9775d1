/**
 * Takes memory for one query and segment from the scratch heap of a reader thread. The heap is reset before each segment;
 * nothing is ever given back alone.
 */
import { EngineError } from '../core/errors.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';

/** Takes `bytes` from the scratch heap. Errors: overloaded when it has no room. */
export function allocateScratch(binding: ArenaBinding, bytes: number): number {
  const ptr = binding.heap.allocate(bytes);
  if (ptr === 0) throw noRoom();
  return ptr;
}

/** The error of a query that the heap has no room for. */
export function noRoom(): EngineError {
  return new EngineError('overloaded', 'the query expands to more postings lists than a reader thread has room for');
}
