/**
 * A cgroup with a limit on memory, for a process that is to live in it: version 2 or 1, whichever there is. Needs root.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryCgroup {
  /** Runs the command after it inside the cgroup. */
  readonly wrapper: readonly string[];
  /** How often the system killed somebody for want of memory. */
  kills(): number;
  dispose(): void;
}

const KILLS = /^oom_kill (\d+)$/m;

function candidates(): { readonly parent: string; readonly limit: string; readonly kills: string }[] {
  const found = [];
  for (const line of readFileSync('/proc/self/cgroup', 'latin1').split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    if (controllers === '')
      found.push({ parent: join('/sys/fs/cgroup', path), limit: 'memory.max', kills: 'memory.events' });
    if (controllers.split(',').includes('memory'))
      found.push({
        parent: join('/sys/fs/cgroup/memory', path),
        limit: 'memory.limit_in_bytes',
        kills: 'memory.oom_control',
      });
  }
  return found;
}

/** Makes a cgroup of at most `bytes` bytes, or says why that cannot be done here. */
export function limitMemory(bytes: number): MemoryCgroup | { readonly reason: string } {
  const reasons: string[] = [];
  if (!existsSync('/proc/self/cgroup')) return { reason: 'there are no cgroups here' };
  for (const { parent, limit, kills } of candidates()) {
    const folder = join(parent, `sabre-test-${process.pid}`);
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, limit), String(bytes));
      return {
        wrapper: ['sh', '-c', `echo $$ > ${join(folder, 'cgroup.procs')} && exec "$@"`, 'sh'],
        kills: () => Number(KILLS.exec(readFileSync(join(folder, kills), 'latin1'))?.[1] ?? 0),
        dispose: () => remove(folder),
      };
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
      remove(folder);
    }
  }
  return { reason: `no cgroup can be made: ${reasons.join('; ') || 'no controller of memory'}` };
}

/** A cgroup in use, or one that was never made, stays as it is. */
function remove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Nothing depends on it.
  }
}
