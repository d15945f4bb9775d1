/**
 * Has the calling thread's garbage collected at once. For a process that is short of memory: the runtime itself knows
 * nothing of the budget, and lets buffers lie that nobody refers to.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Takes some milliseconds, more with a large heap. */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
