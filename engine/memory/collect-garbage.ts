/**
 * Has the calling thread's garbage collected at once. For pauses, and for a process that is short of memory: the runtime itself knows
 * nothing of the budget, and lets buffers lie that nobody refers to, and pages in which a few objects are left.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** What lives is moved together. Takes some milliseconds to tens of them, more with a large heap. */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  setFlagsFromString('--compact-on-every-full-gc');
  collect();
  setFlagsFromString('--no-compact-on-every-full-gc');
}
