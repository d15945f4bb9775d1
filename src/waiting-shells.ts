/**
 * Notices that a shell, npm or npx that waited for this process was ended, which would leave it behind as an orphan that
 * goes on holding its port.
 *
 * A shell does not pass a signal on to the command it runs, and npx runs `sh -c 'sabre ...'`. A process is taken to wait
 * for us only if it cannot end by itself before we do: npm, or a shell whose whole script was given as an argument and
 * puts nothing into the background. So a server that a script or a terminal started with `&` outlives it. Where there is no
 * /proc nothing is noticed. Called by serve.ts.
 */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;

/** An `&` that is neither part of `&&` nor of a redirection such as `2>&1` or `&>file`. */
const BACKGROUND = /(?<![&>])&(?![&>])/;

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // No such process, or no such system.
  }
}

/** Parent of `pid`, 0 when there is no such process. The name of a process, in parentheses, may hold anything. */
function parentOf(pid: number): number {
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Whether a process with the command line `args` cannot end by itself before the command that it runs does. */
export function waitsForItsCommand(args: readonly string[]): boolean {
  const [program = '', ...rest] = args;
  if (/^np[mx]( |$)/.test(program)) return true; // They show their command as their name.
  if (!/^(.*\/)?(ba|da|a|k|z)?sh$/.test(program)) return false;
  const at = rest.findIndex((arg) => !/^-[a-z]+$/.test(arg) || arg.endsWith('c'));
  const script = rest[at + 1] === '--' ? rest[at + 2] : rest[at + 1];
  return rest[at]?.endsWith('c') === true && script !== undefined && !BACKGROUND.test(script);
}

/** Our parent, its parent and so on, as long as they wait. */
function waitingAncestors(): number[] {
  const chain: number[] = [];
  let pid = process.ppid;
  while (pid > 0 && waitsForItsCommand(readProc(pid, 'cmdline').split('\0'))) {
    chain.push(pid);
    pid = parentOf(pid);
  }
  return chain;
}

/** Calls `handle` once when a process that waits for this one is gone. Keeps no process alive. */
export function onWaitingShellEnd(handle: () => void): void {
  const chain = waitingAncestors();
  if (chain.length === 0) return;
  const timer = setInterval(() => {
    const isWhole = chain.every((pid, at) => (at === 0 ? process.ppid : parentOf(chain[at - 1] ?? 0)) === pid);
    if (isWhole) return;
    clearInterval(timer);
    handle();
  }, LOOK_EVERY_MS);
  timer.unref();
}
