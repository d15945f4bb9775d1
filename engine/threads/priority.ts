/**
 * The priority of the calling thread, where the system counts priorities by thread.
 */
import os from 'node:os';
import { systemThread } from './thread-affinity.js';

/**
 * Lets the calling thread come after others that want the same core: `niceness` steps of nice(1), ten of which are a tenth
 * of the share. Linux counts priorities by thread; elsewhere, or where it is not allowed, nothing happens.
 */
export function lowerPriority(niceness: number): void {
  const thread = systemThread();
  if (thread === 0) return;
  try {
    os.setPriority(thread, niceness);
  } catch {
    // The thread then competes with the others on equal terms.
  }
}
