/**
 * A Directory in memory that can lose power, for the proofs of what the engine writes: a crash at any operation leaves any
 * state that a file system may leave, a chosen operation fails, the disk fills up.
 *
 * Towards the code under test it behaves as node-directory.ts does; test/storage/simulated-process.test.ts
 * compares the two.
 */
import assert from 'node:assert/strict';
import type { Directory, OpenMode, StorageFile } from '../../engine/storage/files/directory.js';
import { type NameOrder, SimulatedDisk } from './simulated-disk.js';
import { type FaultOptions, type Operation, OperationGate, SimulatedCrash, systemError } from './simulated-faults.js';
import type { Inode } from './simulated-inode.js';
import type { Random } from './simulated-random.js';

export interface SimulationOptions {
  /** The process dies at this operation, counted from 1: a part of it may be done. Default: it lives. */
  readonly crashAfter?: number;
  /** How much an operation that dies or fails does. Default: all of it. */
  readonly random?: Random;
  /** Bytes of all files. Default: endless. */
  readonly capacityBytes?: number;
  /** Called with what ends a sync() that began. Default: a microtask. */
  readonly scheduleSync?: (end: () => void) => void;
}

/** kill: the process dies, the system lives on. power: so does the system; `random` says what it leaves. */
export type Crash =
  | { readonly mode: 'kill' }
  | { readonly mode: 'power'; readonly random: Random; readonly names?: NameOrder };

export class SimulatedDirectory implements Directory {
  readonly path = 'simulated';
  readonly #disk: SimulatedDisk;
  readonly #gate: OperationGate;
  readonly #random: Random;
  readonly #scheduleSync: (end: () => void) => void;
  capacityBytes: number;

  constructor(options: SimulationOptions = {}, disk = new SimulatedDisk()) {
    this.#disk = disk;
    this.#gate = new OperationGate(this.path, options.crashAfter ?? 0);
    this.#random = options.random ?? (() => 0);
    this.#scheduleSync = options.scheduleSync ?? queueMicrotask;
    this.capacityBytes = options.capacityBytes ?? Number.POSITIVE_INFINITY;
  }

  /** The directory that the next process finds. This one stays as it is, so that several crashes can be tried. */
  crash(crash: Crash, options: SimulationOptions = {}): SimulatedDirectory {
    const disk =
      crash.mode === 'kill'
        ? this.#disk.afterKill()
        : this.#disk.afterPowerFailure(crash.random, crash.names ?? 'prefix');
    return new SimulatedDirectory({ capacityBytes: this.capacityBytes, ...options }, disk);
  }

  /** The operations that changed or synced something, in order. */
  get operations(): readonly Operation[] {
    return this.#gate.operations;
  }

  get isDead(): boolean {
    return this.#gate.isDead;
  }

  /** For a caller whose code under test may have taken the crash for an I/O error. */
  throwIfDead(): void {
    this.#gate.throwIfDead();
  }

  /** Operations that were made to fail. */
  get failures(): number {
    return this.#gate.failures;
  }

  /** Whether nothing that is done now can fail. */
  get isInOrder(): boolean {
    return !this.#gate.hasFaults && this.capacityBytes === Number.POSITIVE_INFINITY;
  }

  get usedBytes(): number {
    return this.#disk.usedBytes;
  }

  /** Lets the operations fail that `matches` picks. Returns what ends that. */
  failWhen(matches: (operation: Operation) => boolean, options: FaultOptions = {}): () => void {
    return this.#gate.failWhen(matches, options);
  }

  /** From now on nothing can be changed or synced, as when the system has remounted a failing disk. */
  makeReadOnly(): void {
    this.#gate.isReadOnly = true;
  }

  clearFaults(): void {
    this.#gate.clearFaults();
  }

  /** A copy of a file as the process sees it. Counts nothing, never fails for a file that is there. */
  content(name: string): Uint8Array {
    const inode = this.#disk.find(name);
    assert.ok(inode !== null, `no file ${name}`);
    return inode.bytes.slice();
  }

  list(): string[] {
    const failure = this.#gate.begin('list', '');
    if (failure !== null) throw failure;
    return this.#disk.names;
  }

  open(name: string, mode: OpenMode): StorageFile {
    const failure = this.#gate.begin(mode === 'create' ? 'create' : 'open', name);
    if (failure instanceof SimulatedCrash && mode === 'create' && this.#isDone()) this.#disk.create(name);
    if (failure !== null) throw failure;
    const path = `${this.path}/${name}`;
    const old = this.#disk.find(name);
    if (mode === 'create' && old === null && this.#room <= 0) throw systemError('ENOSPC', 'create', path);
    const inode = mode === 'create' ? this.#disk.create(name) : old;
    if (inode === null) throw systemError('ENOENT', 'open', path);
    const disk: FileDisk = {
      gate: this.#gate,
      random: this.#random,
      scheduleSync: this.#scheduleSync,
      room: () => this.#room,
      close: () => this.#disk.close(inode),
    };
    inode.openCount++;
    return new SimulatedFile(name, path, mode, inode, disk);
  }

  rename(from: string, to: string): void {
    const failure = this.#gate.begin('rename', to);
    if (this.#disk.find(from) === null) throw failure ?? systemError('ENOENT', 'rename', `${this.path}/${to}`);
    if (failure === null || (failure instanceof SimulatedCrash && this.#isDone())) this.#disk.rename(from, to);
    if (failure !== null) throw failure;
  }

  remove(name: string): void {
    const failure = this.#gate.begin('remove', name);
    if (this.#disk.find(name) === null) throw failure ?? systemError('ENOENT', 'remove', `${this.path}/${name}`);
    if (failure === null || (failure instanceof SimulatedCrash && this.#isDone())) this.#disk.remove(name);
    if (failure !== null) throw failure;
  }

  sync(): void {
    const failure = this.#gate.begin('syncDirectory', '');
    if (failure instanceof SimulatedCrash) throw failure;
    this.#disk.syncNames(failure === null);
    if (failure !== null) throw failure;
  }

  freeBytes(): number {
    return this.#room;
  }

  get #room(): number {
    return this.capacityBytes === Number.POSITIVE_INFINITY ? this.capacityBytes : this.capacityBytes - this.usedBytes;
  }

  /** Whether the operation in which the process dies is done nevertheless. */
  #isDone(): boolean {
    return this.#random() < 0.5;
  }
}

/** What a file needs of its directory. */
interface FileDisk {
  readonly gate: OperationGate;
  readonly random: Random;
  readonly scheduleSync: (end: () => void) => void;
  /** Bytes that files may still grow by. */
  readonly room: () => number;
  readonly close: () => void;
}

class SimulatedFile implements StorageFile {
  readonly name: string;
  readonly descriptor = null;
  readonly #path: string;
  readonly #mode: OpenMode;
  readonly #inode: Inode;
  readonly #disk: FileDisk;
  #isOpen = true;

  constructor(name: string, path: string, mode: OpenMode, inode: Inode, disk: FileDisk) {
    this.name = name;
    this.#path = path;
    this.#mode = mode;
    this.#inode = inode;
    this.#disk = disk;
  }

  size(): number {
    this.#beginOrThrow('size');
    return this.#inode.size;
  }

  read(target: Uint8Array, position: number): number {
    this.#beginOrThrow('read');
    const bytes = this.#inode.bytes.subarray(position, position + target.length);
    target.set(bytes);
    return bytes.length;
  }

  write(parts: readonly Uint8Array[], position: number): void {
    const failure = this.#begin('write');
    if (this.#mode === 'read' && parts.length > 0) throw failure ?? systemError('EBADF', 'write', this.#path);
    const bytes = Buffer.concat(parts);
    const wanted =
      failure === null ? bytes.length : bytes.length - Math.floor(this.#disk.random() * (bytes.length + 1));
    const room = this.#disk.room() + this.#inode.size - position;
    this.#inode.write(bytes.subarray(0, Math.max(0, Math.min(wanted, room))), position);
    if (failure !== null) throw failure;
    if (room < wanted) throw systemError('ENOSPC', 'write', this.#path);
  }

  truncate(bytes: number): void {
    const failure = this.#begin('truncate');
    if (this.#mode === 'read') throw failure ?? systemError('EINVAL', 'truncate', this.#path);
    if (failure === null || (failure instanceof SimulatedCrash && this.#disk.random() < 0.5)) {
      if (bytes - this.#inode.size > this.#disk.room()) throw failure ?? systemError('ENOSPC', 'truncate', this.#path);
      this.#inode.truncate(bytes);
    }
    if (failure !== null) throw failure;
  }

  async sync(): Promise<void> {
    const mark = this.#inode.syncMark;
    this.#endSync(mark, this.#begin('sync'), false);
    await new Promise<void>((resolve) => this.#disk.scheduleSync(resolve));
    this.#endSync(mark, this.#disk.gate.begin('syncEnd', this.name), true);
  }

  syncNow(): void {
    const mark = this.#inode.syncMark;
    this.#endSync(mark, this.#begin('sync'), true);
  }

  #endSync(mark: number, failure: Error | null, isWhole: boolean): void {
    if (failure instanceof SimulatedCrash) throw failure;
    if (failure !== null || isWhole) this.#inode.endSync(mark, failure === null);
    if (failure !== null) throw failure;
  }

  close(): void {
    const failure = this.#begin('close');
    this.#isOpen = false;
    this.#disk.close();
    if (failure !== null) throw failure;
  }

  /** A closed file is a bug of the caller: on a real disk its descriptor may belong to another file by now. */
  #begin(kind: Operation['kind']): Error | null {
    this.#disk.gate.throwIfDead();
    assert.ok(this.#isOpen, `${this.#path}: ${kind} of a file that is closed`);
    return this.#disk.gate.begin(kind, this.name);
  }

  #beginOrThrow(kind: Operation['kind']): void {
    const failure = this.#begin(kind);
    if (failure !== null) throw failure;
  }
}
