/**
 * An ext4 file system on a thinly provisioned disk, as a pool of storage gives it: the disk promises more than there is.
 * When that runs out, writes still succeed in memory and their fsync fails. Made of a sparse image in a file system in
 * memory; mounting needs root, loop devices and ext4.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROMISED_BYTES = 64 << 20;
const THERE_BYTES = 24 << 20;
const BLOCK_BYTES = 4096;
/** Commits that go once around the journal, which has 4 MiB at this size of file system. */
const JOURNAL_COMMITS = 600;

export interface ThinDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Takes everything that the pool has left. */
  exhaust(): void;
  /** Gives it back. A file system that has become read-only stays so until it is mounted again. */
  refill(): void;
  isReadOnly(): boolean;
  /** Unmounts and mounts it, as a reboot does. Nothing of it may be open. */
  remount(): void;
  dispose(): void;
}

const quietly = (command: string, args: readonly string[]): void => {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
};

/** Writes through every block of the journal, so that none of them must be taken from the pool later. */
function wearJournal(path: string): void {
  const name = join(path, 'worn');
  const file = openSync(name, 'w');
  for (let i = 0; i < JOURNAL_COMMITS; i++) {
    writeSync(file, 'x', i);
    fsyncSync(file);
  }
  closeSync(file);
  rmSync(name);
}

/**
 * Mounts one, or says why that cannot be done here. `journal`: whether the pool holds all of the journal, so that the file
 * system stays writable when there is no room for data.
 */
export function mountThinDisk(journal: boolean): ThinDisk | { readonly reason: string } {
  const base = mkdtempSync(join(tmpdir(), 'sabre-thin-'));
  const pool = join(base, 'pool');
  const path = join(base, 'mounted');
  const image = join(pool, 'image');
  mkdirSync(pool);
  mkdirSync(path);
  const mounted: string[] = [];
  const mount = (): void => {
    quietly('mount', ['-o', 'loop,errors=remount-ro', image, path]);
    mounted.push(path);
  };
  const unmount = (): void => quietly('umount', [mounted.pop() ?? '']);
  const dispose = (): void => {
    while (mounted.length > 0) unmount();
    rmSync(base, { recursive: true });
  };
  try {
    quietly('mount', ['-t', 'tmpfs', '-o', `size=${THERE_BYTES}`, 'tmpfs', pool]);
    mounted.push(pool);
    writeFileSync(image, '');
    truncateSync(image, PROMISED_BYTES);
    quietly('mkfs.ext4', ['-q', '-F', '-b', `${BLOCK_BYTES}`, '-E', 'nodiscard,lazy_itable_init=0', image]);
    mount();
    if (journal) wearJournal(path);
  } catch (error) {
    dispose();
    const why = error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : String(error);
    return { reason: `no thinly provisioned disk can be mounted here (${why})` };
  }
  const taken = join(pool, 'taken');
  return {
    path,
    exhaust: () => {
      quietly('sync', ['-f', path]);
      const file = openSync(taken, 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(BLOCK_BYTES, 1));
      } catch {
        // There is no more.
      } finally {
        closeSync(file);
      }
    },
    refill: () => rmSync(taken),
    isReadOnly: () => {
      const line = readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .find((text) => text.split(' ')[1] === path);
      const options = line?.split(' ')[3]?.split(',') ?? [];
      return options.includes('ro') || options.includes('emergency_ro');
    },
    remount: () => {
      unmount();
      mount();
    },
    dispose,
  };
}
