/**
 * The processors that a thread of this process may run on, by the system's own account. Linux alone.
 */
import { readFileSync } from 'node:fs';

/** Those of thread `thread`, rising. */
export function processorsOf(thread: number): number[] {
  const status = readFileSync(`/proc/self/task/${thread}/status`, 'utf8');
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? [];
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    if (first === undefined || last === undefined) throw new Error(`expected a range of processors, got ${range}`);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
