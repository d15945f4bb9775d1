/**
 * A disk that hangs, for a real server: a small library that holds fsync and fdatasync while a file exists, compiled here
 * and loaded by LD_PRELOAD.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from './project.js';

/** Of the sources: what is compiled to dist/ is without it. */
const SOURCE = join(PROJECT_ROOT, 'test', 'support', 'hold-syncs.c');

export interface SyncHolder {
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on every sync waits. */
  hold(): void;
  release(): void;
  /** Releases, and removes what was made. */
  dispose(): void;
}

/** Returns null, and says so, where nothing can be compiled or preloaded. */
export function makeSyncHolder(): SyncHolder | null {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-hold-'));
  const library = join(folder, 'hold-syncs.so');
  const file = join(folder, 'held');
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], { encoding: 'utf8' });
  if (process.platform !== 'linux' || compiled.status !== 0 || !existsSync(library)) {
    process.stderr.write(`NO SYNCS ARE HELD: there is no C compiler that makes a library: ${compiled.stderr}\n`);
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    env: { LD_PRELOAD: library, HOLD_SYNCS_FILE: file },
    hold: () => writeFileSync(file, ''),
    release: () => rmSync(file, { force: true }),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
