/**
 * Ends the process at once. process.exit() waits for every thread, even for one that hangs in a call of the system.
 */
import { createRequire } from 'node:module';

type Exit = (code: number) => void;

/** The C library's _exit(), which runs nothing and waits for nobody; null where it is not to be had. */
function bindExit(): Exit | null {
  try {
    // Not imported: there are platforms without a build of it.
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
    return koffi.load(null).func('void _exit(int)');
  } catch {
    return null;
  }
}

/** Whether exitNow() can end the process with a status. */
export const canExitNow = (): boolean => bindExit() !== null;

/** Ends the process with status `code`, or by SIGKILL where that cannot be. */
export function exitNow(code: number): never {
  bindExit()?.(code);
  return killNow();
}

/** Ends the process by SIGKILL. The kernel spares the first process of a container from that: it exits in another way. */
export function killNow(): never {
  process.kill(process.pid, 'SIGKILL');
  bindExit()?.(1);
  return process.exit(1);
}
