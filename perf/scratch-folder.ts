/**
 * Temporary folders of a measurement, which go with its process, whatever ends it but SIGKILL: so do the servers that it has started, before them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a process that was just killed writes last may be in the way. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const;

let endsBySignal = false;

/** Signals end the process by way of 'exit', for which whoever has something to end listens. */
function endBySignal(): void {
  if (endsBySignal) return;
  endsBySignal = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}

/** Makes a folder whose name begins with `prefix` in `parent`. Errors: those of the file system. */
export function makeScratchFolder(prefix: string, parent = tmpdir(), isKept = false): string {
  endBySignal();
  const folder = mkdtempSync(join(parent, prefix));
  if (!isKept) process.once('exit', () => rmSync(folder, REMOVAL));
  return folder;
}
