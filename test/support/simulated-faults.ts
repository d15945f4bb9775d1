/**
 * The operations of a simulated directory: counts them, lets chosen ones fail, and ends the process at a chosen one.
 *
 * Used by simulated-directory.ts. A failure has the errors of node-directory.ts; a crash has its own, which no code under
 * test may take for one of them.
 */
import type { EngineError } from '../../engine/core/errors.js';
import { storageError } from '../../engine/storage/files/storage-error.js';

/**
 * Those that change something are counted: create, write, truncate, sync (of a file, its beginning when it runs beside
 * the caller), syncEnd (the end of such a sync), rename, remove, syncDirectory. The others can fail, and count nothing.
 */
export type OperationKind = keyof typeof VERBS;

const VERBS = {
  create: 'open',
  write: 'write',
  truncate: 'truncate',
  sync: 'sync',
  syncEnd: 'sync',
  rename: 'rename',
  remove: 'remove',
  syncDirectory: 'sync',
  open: 'open',
  read: 'read',
  size: 'stat',
  list: 'list',
  close: 'close',
} as const;

const COUNTED: ReadonlySet<OperationKind> = new Set([
  'create',
  'write',
  'truncate',
  'sync',
  'syncEnd',
  'rename',
  'remove',
  'syncDirectory',
]);

export interface Operation {
  readonly kind: OperationKind;
  /** Of the file, the new name of a renamed one; '' for the directory. */
  readonly name: string;
  /** From 1 among the counted operations; 0 for one that is not counted. */
  readonly index: number;
}

/** The process is dead: thrown by the operation that it died in, and by every later one. Never an EngineError. */
export class SimulatedCrash extends Error {
  constructor(operation: Operation) {
    super(`the process died at operation ${operation.index}: ${operation.kind} ${operation.name}`);
    this.name = 'SimulatedCrash';
  }
}

const REASONS = {
  ENOSPC: 'no space left on device',
  EIO: 'i/o error',
  ENOENT: 'no such file or directory',
  EBADF: 'bad file descriptor',
  EINVAL: 'invalid argument',
  EROFS: 'read-only file system',
} as const;

/** The error that node-directory.ts throws when the system answers `code` to an operation. */
export function systemError(code: keyof typeof REASONS, kind: OperationKind, path: string): EngineError {
  const cause = Object.assign(new Error(`${code}: ${REASONS[code]}, ${VERBS[kind]}`), { code });
  return storageError(cause, VERBS[kind], path);
}

export interface FaultOptions {
  /** Default io_error. */
  readonly code?: 'io_error' | 'disk_full';
  /** Operations that fail before the fault is gone. Default: until it is cleared. */
  readonly times?: number;
}

interface Fault {
  readonly matches: (operation: Operation) => boolean;
  readonly code: 'io_error' | 'disk_full';
  left: number;
}

export class OperationGate {
  readonly #path: string;
  readonly #crashAfter: number;
  readonly #faults = new Set<Fault>();
  readonly #log: Operation[] = [];
  #crash: SimulatedCrash | null = null;
  /** Operations that were made to fail. */
  failures = 0;
  /** Whether everything that would change or sync something fails, and does nothing. */
  isReadOnly = false;

  constructor(path: string, crashAfter: number) {
    this.#path = path;
    this.#crashAfter = crashAfter;
  }

  /** The counted operations so far. */
  get operations(): readonly Operation[] {
    return this.#log;
  }

  get isDead(): boolean {
    return this.#crash !== null;
  }

  /** Returns what clears the fault. */
  failWhen(
    matches: Fault['matches'],
    { code = 'io_error', times = Number.POSITIVE_INFINITY }: FaultOptions,
  ): () => void {
    const fault: Fault = { matches, code, left: times };
    this.#faults.add(fault);
    return () => this.#faults.delete(fault);
  }

  clearFaults(): void {
    this.isReadOnly = false;
    this.#faults.clear();
  }

  get hasFaults(): boolean {
    return this.#faults.size > 0 || this.isReadOnly;
  }

  throwIfDead(): void {
    if (this.#crash !== null) throw this.#crash;
  }

  /** Begins an operation. Returns what it must throw after doing a part of its work, or null when it is to succeed. */
  begin(kind: OperationKind, name: string): SimulatedCrash | EngineError | null {
    this.throwIfDead();
    const operation: Operation = { kind, name, index: COUNTED.has(kind) ? this.#log.length + 1 : 0 };
    if (operation.index > 0) this.#log.push(operation);
    if (operation.index > 0 && operation.index === this.#crashAfter) {
      this.#crash = new SimulatedCrash(operation);
      return this.#crash;
    }
    const path = name === '' ? this.#path : `${this.#path}/${name}`;
    if (this.isReadOnly && operation.index > 0) {
      this.failures++;
      throw systemError('EROFS', kind, path);
    }
    for (const fault of this.#faults) {
      if (!fault.matches(operation)) continue;
      this.failures++;
      fault.left--;
      if (fault.left <= 0) this.#faults.delete(fault);
      return systemError(fault.code === 'disk_full' ? 'ENOSPC' : 'EIO', kind, path);
    }
    return null;
  }
}
