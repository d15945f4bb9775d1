/**
 * What ends with the process of a measurement, whatever ends that but SIGKILL: the processes that it has started, and then its temporary folders.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a process that was just killed writes last may be in the way. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const;

const children = new Set<ChildProcess>();
const folders = new Set<string>();
let isWatching = false;

function end(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, REMOVAL);
}

/** Signals end the process by way of 'exit'. */
function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}

/** Lets `child` not outlive the process. */
export function endWithUs(child: ChildProcess): void {
  watch();
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** Makes a folder whose name begins with `prefix` in `parent`; `isKept`: it stays. Errors: those of the file system. */
export function makeScratchFolder(prefix: string, parent = tmpdir(), isKept = false): string {
  watch();
  const folder = mkdtempSync(join(parent, prefix));
  if (!isKept) folders.add(folder);
  return folder;
}
