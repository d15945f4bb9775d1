/**
 * How much memory there is for this process: that of the machine, or what its cgroup and those around it allow. Called
 * for the default of --memory-bytes.
 */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

/**
 * The part that the server takes by default. The rest is for what it needs and does not own: the page cache that mapped
 * segments are read through and the log is written through, the kernel's share, and others on the machine.
 */
const SHARE = 0.75;
/** A limit of version 1 that is none: the largest number of pages. */
const NO_LIMIT = 2 ** 62;

export interface LimitSources {
  /** The text of a file, '' when it cannot be read. */
  readonly read: (path: string) => string;
  readonly totalBytes: number;
}

const systemSources = (): LimitSources => ({
  read: (path) => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  },
  totalBytes: totalmem(),
});

/** Memory of the machine, or the least that a cgroup of this process or one around it allows (version 1 and 2). */
export function memoryLimit(sources: LimitSources = systemSources()): number {
  let limit = sources.totalBytes;
  for (const line of sources.read('/proc/self/cgroup').split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    if (controllers === '') limit = Math.min(limit, leastOf(sources, '/sys/fs/cgroup', path, 'memory.max'));
    else if (controllers.split(',').includes('memory'))
      limit = Math.min(limit, leastOf(sources, '/sys/fs/cgroup/memory', path, 'memory.limit_in_bytes'));
  }
  return limit;
}

/** The least limit from the cgroup at `path` up. In a container its own cgroup lies at the root of what it sees. */
function leastOf({ read }: LimitSources, root: string, path: string, file: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = path; ; at = join(at, '..')) {
    const text = read(join(root, at, file)).trim();
    const bytes = /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (bytes > 0 && bytes < NO_LIMIT) least = Math.min(least, bytes);
    if (at === '/') return least;
  }
}

/** What --memory-bytes is when nobody says. */
export function defaultMemoryBytes(sources?: LimitSources): number {
  return Math.floor(memoryLimit(sources) * SHARE);
}
