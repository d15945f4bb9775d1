/**
 * A file system of a few megabytes of its own, for tests that fill it: ext4 in a file where the system lets us mount one,
 * because its fsync can fail and its metadata take space; else one in memory. Mounting needs root.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly kind: 'ext4' | 'tmpfs';
  /** Where it is mounted. */
  readonly path: string;
  dispose(): void;
}

const quietly = (command: string, args: readonly string[]): void => {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
};

function mountExt4(base: string, path: string, bytes: number): void {
  const image = join(base, 'image');
  writeFileSync(image, '');
  truncateSync(image, bytes);
  // No blocks are kept for root, whose writes would otherwise succeed for longer than those of others.
  quietly('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  quietly('mount', ['-o', 'loop', image, path]);
}

function mountTmpfs(path: string, bytes: number): void {
  quietly('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]);
}

/** Mounts a file system of about `bytes`, or says why that cannot be done here. */
export function mountSmallDisk(bytes: number): SmallDisk | { readonly reason: string } {
  const base = mkdtempSync(join(tmpdir(), 'sabre-disk-'));
  const path = join(base, 'mounted');
  mkdirSync(path);
  const reasons: string[] = [];
  for (const [kind, mount] of [
    ['ext4', () => mountExt4(base, path, bytes)],
    ['tmpfs', () => mountTmpfs(path, bytes)],
  ] as const) {
    try {
      mount();
      return { kind, path, dispose: () => unmount(base, path) };
    } catch (error) {
      reasons.push(`${kind}: ${error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : String(error)}`);
    }
  }
  rmSync(base, { recursive: true });
  return { reason: `no small file system can be mounted here (${reasons.join('; ')})` };
}

function unmount(base: string, path: string): void {
  quietly('umount', [path]);
  rmSync(base, { recursive: true });
}
