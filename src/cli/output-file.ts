/**
 * What holds of every file that a command writes: nothing that is there is replaced unless that is asked for, and what is no regular
 * file, as a device or a pipe, is written to as it is.
 */
import { type Stats, statSync } from 'node:fs';
import { CommandError } from './api-client.js';

/** What is at `path`, undefined where nothing is. Errors: CommandError. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Whether a device, a pipe or the like is at `path`. Errors: CommandError. */
export function isSpecialFile(path: string): boolean {
  const there = statsOf(path);
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

/** Whether `error`, met as a file was made, says that there is one already. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

export const existsAlready = (path: string, advice: string): CommandError =>
  new CommandError(`${path} exists already (${advice})`);

export const writeError = (path: string, error: unknown): CommandError =>
  new CommandError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
