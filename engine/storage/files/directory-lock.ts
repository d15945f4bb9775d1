/**
 * Keeps two servers out of one data directory.
 *
 * The lock is flock(2) on the file LOCK, which the kernel drops with the last descriptor, so nothing is left over after
 * kill -9 and processes in other containers are kept out too. Node has no such call: the flock(1) command is run with
 * our open file as its descriptor 3, and the lock stays with that open file after the command ended. Where there is no
 * such command, the file names its owner by process id and start time, and an owner that is gone is replaced.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../core/errors.js';
import { storageError, systemCode } from './storage-error.js';

/** Its name in every directory that was ever locked. */
export const LOCK_FILE = 'LOCK';
/** Exit status of flock(1) when another holds the lock. */
const FLOCK_HELD = 1;

export interface DirectoryLock {
  /** How it is held, for the log. */
  readonly method: 'flock' | 'process id';
  /** Gives the lock back; the end of the process does the same. */
  release(): void;
}

interface LockOwner {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * Locks the existing folder at `path` for this process, at once or not at all. Errors: io_error, naming the process that
 * holds it.
 */
export function lockDirectory(path: string): DirectoryLock {
  const file = join(path, LOCK_FILE);
  try {
    return lockByFlock(file) ?? lockByProcessId(file);
  } catch (error) {
    throw storageError(error, 'lock', path);
  }
}

/** Field 22 of /proc/pid/stat, in clock ticks since boot, with the boot's id; '' when the process is gone. */
function startTimeOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return '';
  }
}

function describeSelf(): string {
  return JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) } satisfies LockOwner);
}

/** The owner a lock file names, or null when it names none. */
function parseOwner(text: string): LockOwner | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startTime' in value)) return null;
    const { pid, startTime } = value;
    return typeof pid === 'number' && typeof startTime === 'string' ? { pid, startTime } : null;
  } catch {
    return null;
  }
}

function heldError(file: string, owner: LockOwner | null): EngineError {
  const who = owner === null ? 'another process' : `process ${owner.pid}`;
  return new EngineError('io_error', `${file} is locked by ${who}: one server alone may use a data directory`);
}

/**
 * Writes into the locked file who holds it, for people. When the disk is full the file stays empty: a server may still
 * start.
 */
function nameOwner(fd: number): void {
  try {
    fs.ftruncateSync(fd, 0);
    fs.writeSync(fd, describeSelf(), 0);
  } catch (error) {
    if (storageError(error, 'write', LOCK_FILE).code !== 'disk_full') throw error;
  }
}

/** Returns null when there is no flock command, or the file system has no such locks. */
function lockByFlock(file: string): DirectoryLock | null {
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o640);
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (status === FLOCK_HELD) {
    fs.closeSync(fd);
    throw heldError(file, parseOwner(fs.readFileSync(file, 'utf8')));
  }
  if (status !== 0) {
    fs.closeSync(fd);
    return null;
  }
  nameOwner(fd);
  const release = (): void => {
    fs.ftruncateSync(fd, 0);
    fs.closeSync(fd);
  };
  return { method: 'flock', release };
}

/** Whether the process that a lock file names still runs. Without /proc, any process of that id counts as it. */
function isAlive(owner: LockOwner): boolean {
  if (owner.startTime !== '') return startTimeOf(owner.pid) === owner.startTime;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/**
 * The fallback. A complete file is linked into place, which fails when the name is taken; a dead owner's file is first
 * moved aside, and put back if somebody else was quicker and it was theirs that moved.
 */
function lockByProcessId(file: string): DirectoryLock {
  const self = describeSelf();
  const unique = `${file}.${process.pid}.${randomInt(2 ** 32)}`;
  fs.writeFileSync(unique, self, { flag: 'wx', mode: 0o640 });
  try {
    while (!tryLink(unique, file)) moveDeadAside(file, `${unique}.old`);
  } finally {
    fs.unlinkSync(unique);
  }
  const release = (): void => {
    if (fs.readFileSync(file, 'utf8') === self) fs.unlinkSync(file);
  };
  return { method: 'process id', release };
}

function tryLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function moveDeadAside(file: string, aside: string): void {
  try {
    const text = fs.readFileSync(file, 'utf8');
    const owner = parseOwner(text);
    if (owner !== null && isAlive(owner)) throw heldError(file, owner);
    fs.renameSync(file, aside);
    const isTheDead = fs.readFileSync(aside, 'utf8') === text;
    if (!isTheDead) tryLink(aside, file);
    fs.unlinkSync(aside);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
