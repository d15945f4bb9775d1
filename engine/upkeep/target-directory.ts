/**
 * The folder that a backup or a restore writes to: that it is apart from the source, and that nobody else writes to it.
 */
import fs from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { EngineError } from '../core/errors.js';
import type { Directory } from '../storage/files/directory.js';
import { LOCK_FILE, lockDirectory } from '../storage/files/directory-lock.js';
import { openDirectory } from '../storage/files/node-directory.js';

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return fs.realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realPath(parent), basename(absolute));
  }
}

/** An error of the kind of io_error about the folder at `path`. */
export const refusal = (path: string, expected: string, got: string): EngineError =>
  new EngineError('io_error', `${path}: expected ${expected}, got ${got}`);

/** Errors: io_error when `target` is the folder `source` or lies inside it. */
export function refuseOverlap(source: string, target: string): void {
  const path = relative(realPath(source), realPath(target));
  const isInside = path === '' || (path !== '..' && !path.startsWith('../') && resolve(path) !== path);
  if (isInside) throw refusal(target, `a folder outside of ${source}`, path === '' ? 'the same' : 'one inside of it');
}

/** Names in the folder, its lock excluded. */
export const namesIn = (directory: Directory): string[] => directory.list().filter((name) => name !== LOCK_FILE);

/**
 * Runs `write` on the folder at `path`, created when missing, as the only one who writes there, with what `check` says of
 * it. A folder that `check` throws for is left as it is. Errors: io_error, also when a server or another such command
 * holds its lock.
 */
export async function withTarget<Found, Result>(
  path: string,
  check: (directory: Directory) => Found,
  write: (directory: Directory, found: Found) => Promise<Result>,
): Promise<Result> {
  const directory = openDirectory(path);
  check(directory);
  const lock = lockDirectory(path);
  try {
    return await write(directory, check(directory));
  } finally {
    lock.release();
  }
}
