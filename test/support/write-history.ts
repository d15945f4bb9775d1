/**
 * Histories of writes, merges and snapshots over a simulated disk.
 *
 * A life is one process: it recovers what the crash before it left, compares that with what was promised
 * (write-promises.ts), and goes on until its directory dies.
 */
import assert from 'node:assert/strict';
import { EngineError } from '../../engine/core/errors.js';
import type { Region } from '../../engine/memory/arena.js';
import { patchSchema } from '../../engine/schema/patch-schema.js';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import type { WriteAnswer, WriteRequest } from '../../engine/writer/state/write-requests.js';
import { WriteHarness } from './engine-writes.js';
import { HarnessChanges } from './harness-changes.js';
import { HeldSyncs, turn } from './held-syncs.js';
import { observedState } from './observed-state.js';
import type { SimulatedDirectory, SimulationOptions } from './simulated-directory.js';
import { SimulatedCrash } from './simulated-faults.js';
import {
  applyWrite,
  changedModel,
  fieldChange,
  requestOf,
  textOf,
  type Write,
  type WritePromises,
} from './write-promises.js';
import type { Step } from './write-steps.js';

const DISK_ERRORS: ReadonlySet<string> = new Set(['io_error', 'disk_full', 'unknown_outcome']);

/** A snapshot under way. */
interface RunningSnapshot {
  readonly report: Promise<unknown>;
  readonly ended: Promise<void>;
  /** States that it holds. */
  readonly models: number;
  /** The disk was out of order when it began, and may have been mended since. */
  readonly mayFail: boolean;
}

/** A commit that is asked for. */
interface Asked {
  readonly requests: readonly WriteRequest[];
  /** The error that each is to be refused with, or ''. */
  readonly codes: readonly string[];
  /** How many states there are once it is done. */
  readonly models: number;
}

interface RunningMerge {
  readonly name: string;
  readonly job: MergeJob;
  readonly region: Region | null;
}

const ignore = (): void => {};
/** One file to be written is one of its own, two are a compound file: histories are too short for more. */
const SMALL_COMPOUNDS = { partBytesMax: 1 << 16, ownFilesMax: 1 };

export interface LifeOptions extends SimulationOptions {
  /** Whether an acknowledgement waits for the disk. Default true. */
  readonly syncEach?: boolean;
  /** Whether recovery compares whole segment files. Default false. */
  readonly verify?: boolean;
}

/** One process. It ends when its directory dies. */
class Life {
  readonly #directory: SimulatedDirectory;
  readonly #promises: WritePromises;
  readonly #harness: WriteHarness;
  readonly #changes: HarnessChanges;
  readonly #held: HeldSyncs;
  readonly #syncEach: boolean;
  #snapshot: RunningSnapshot | null = null;
  #merge: RunningMerge | null = null;
  #isStopped = false;

  constructor(
    directory: SimulatedDirectory,
    held: HeldSyncs,
    promises: WritePromises,
    { syncEach = true, verify = false }: LifeOptions,
  ) {
    this.#directory = directory;
    this.#held = held;
    this.#promises = promises;
    this.#syncEach = syncEach;
    this.#harness = new WriteHarness(directory, syncEach, verify, { compounds: SMALL_COMPOUNDS });
    this.#changes = new HarnessChanges(this.#harness);
    directory.throwIfDead();
    const { collections, snapshots } = this.#harness;
    assert.deepEqual(
      Array.from(collections.refused.all(), ({ error }) => error.message),
      [],
    );
    promises.recover(this.#observe());
    promises.checkFiles(snapshots.manifest, directory);
    promises.checkNames(snapshots.manifest, directory);
  }

  /** What readers see, as textOf() says it. */
  #observe(): string {
    return observedState(this.#harness, !this.#held.holds.log);
  }

  async run(step: Step): Promise<void> {
    if (this.#isStopped) return;
    const { path, snapshots } = this.#harness;
    if (step.do === 'commit') await this.#commit(step.writes, step.beside ?? [], step.next ?? []);
    else if (step.do === 'change') await this.#change(step.name, step.field);
    else if (step.do === 'sync') await this.#sync();
    else if (step.do === 'begin merge') this.#beginMerge(step.name, step.from, step.count);
    else if (step.do === 'end merge') this.#endMerge();
    else if (step.do === 'begin snapshot') await this.#beginSnapshot();
    else if (step.do === 'step snapshot') await this.#held.endOne('snapshot');
    else if (step.do === 'end snapshot') await this.#endSnapshot();
    else if (step.do === 'fail') this.#directory.failWhen(({ kind }) => kind === step.kind, { times: step.times });
    else if (step.do === 'read only') this.#directory.makeReadOnly();
    else if (step.do === 'stop') await this.#stop();
    else {
      this.#directory.clearFaults();
      this.#directory.capacityBytes = Number.POSITIVE_INFINITY;
    }
    this.#directory.throwIfDead();
    path.reclaim();
    if (step.do !== 'commit') assert.equal(this.#observe(), textOf(this.#promises.models[this.#visible - 1]));
    assert.ok(snapshots.manifest.snapshot >= this.#promises.snapshot);
  }

  /** Ends the changes of schemas that a crash has left under way. */
  async resume(): Promise<void> {
    for (const { change, schema } of this.#harness.collections.all())
      if (change !== null) this.#promises.models.push(changedModel(this.#promises.model, schema.name, change));
    await this.#hearChange(this.#changes.resume());
  }

  async #change(name: string, field: number): Promise<void> {
    const collection = [...this.#harness.collections.all()].find(({ schema }) => schema.name === name);
    const isBetweenCommits = !this.#held.holds.log && this.#merge === null;
    if (collection === undefined || collection.change !== null || !isBetweenCommits) return;
    const change = fieldChange(collection.schema, field);
    const schema = patchSchema(collection.schema, change);
    this.#promises.models.push(changedModel(this.#promises.model, name, schema));
    await this.#hearChange(this.#changes.run(collection.id, change));
  }

  async #hearChange(ended: Promise<string>): Promise<void> {
    const code = await ended;
    this.#directory.throwIfDead();
    this.#harness.snapshots.noteWrite();
    if (code === '') this.#promises.acknowledge(this.#syncEach);
    else {
      assert.ok(DISK_ERRORS.has(code) && this.#mayFail, code);
      this.#promises.refuse(code === 'unknown_outcome');
    }
  }

  /** States that readers may see. */
  get #visible(): number {
    return this.#promises.acknowledged;
  }

  get #mayFail(): boolean {
    const { failures, capacityBytes } = this.#directory;
    return failures > 0 || capacityBytes < Number.POSITIVE_INFINITY || this.#snapshot?.mayFail === true;
  }

  async #commit(writes: readonly Write[], beside: readonly Step[], next: readonly Write[]): Promise<void> {
    const { path, collections } = this.#harness;
    const ids = new Map(Array.from(collections.all(), ({ id, schema }) => [schema.name, id]));
    const one = this.#ask(writes, ids);
    const two = this.#ask(next, ids);
    // With relaxed durability a commit waits for nothing.
    this.#held.holds.log = beside.length + next.length > 0 && this.#syncEach;
    const meanwhile = (): void => {
      for (const request of two.requests) assert.ok(path.prepare(request));
    };
    const first = path.commit(one.requests, meanwhile);
    const heard = first.then(({ answers }) => this.#hear(one, answers));
    heard.catch(ignore);
    if (this.#syncEach) for (const step of beside) await this.run(step);
    await (next.length === 0 ? this.#held.end('log') : this.#held.endOne('log'));
    // What was built upon a refused commit is never sent again.
    if (!(await heard) || next.length === 0) return this.#held.end('log');
    const heardNext = path.commit(two.requests).then(({ answers }) => this.#hear(two, answers));
    heardNext.catch(ignore);
    await turn();
    await this.#held.end('log');
    await heardNext;
  }

  /** Makes the requests of a commit, and says what they come to if it succeeds. Keeps the numbers of collections. */
  #ask(writes: readonly Write[], ids: Map<string, number>): Asked {
    const promises = this.#promises;
    let nextId = this.#harness.collections.nextId;
    const codes: string[] = [];
    const requests = writes.map((write, ticket): WriteRequest => {
      const { model, code } = applyWrite(promises.model, write, () => promises.serial++);
      codes.push(code);
      if (code === '') promises.models.push(model);
      const collectionId = ids.get(write.name) ?? 9999;
      if (code === '' && write.do === 'create') ids.set(write.name, nextId++);
      if (code === '' && write.do === 'drop') ids.delete(write.name);
      return requestOf(write, ticket, collectionId, model);
    });
    return { requests, codes, models: promises.models.length };
  }

  /** Takes the answers to a commit; false: the disk refused it. */
  #hear({ requests, codes, models }: Asked, answers: readonly WriteAnswer[]): boolean {
    const promises = this.#promises;
    this.#directory.throwIfDead();
    assert.equal(answers.length, requests.length, 'every request is answered once');
    const got = codes.map((_, ticket) => answers.find((answer) => answer.ticket === ticket)?.error?.code ?? '');
    const isRefused = got.some((code) => DISK_ERRORS.has(code));
    if (isRefused) {
      assert.ok(this.#mayFail, 'a disk in order refuses nothing');
      assert.ok(codes.every((code, ticket) => code !== '' || DISK_ERRORS.has(got[ticket])));
      promises.refuse(got.includes('unknown_outcome'));
    } else {
      assert.deepEqual(got, codes);
      if (got.includes('')) promises.acknowledge(this.#syncEach, models);
    }
    this.#harness.snapshots.noteWrite();
    assert.equal(this.#observe(), textOf(promises.models[this.#visible - 1]));
    return !isRefused;
  }

  /** As the writer stops. Nothing that was refused, or whose fate nobody knew, returns once a disk in order has seen that. */
  async #stop(): Promise<void> {
    if (this.#held.holds.log || this.#snapshot !== null) return;
    this.#isStopped = true;
    const { path } = this.#harness;
    if (await this.#succeeds(path.close())) this.#promises.synced = this.#promises.acknowledged;
    if (this.#directory.isInOrder) this.#promises.undead = [];
  }

  async #sync(): Promise<void> {
    // It would wait for the one under way.
    if (this.#held.holds.log) return;
    const covered = this.#promises.acknowledged;
    if (await this.#succeeds(this.#harness.wal.sync()))
      this.#promises.synced = Math.max(this.#promises.synced, covered);
  }

  async #succeeds(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      this.#directory.throwIfDead();
      return true;
    } catch (error) {
      this.#directory.throwIfDead();
      if (!(error instanceof EngineError) || !DISK_ERRORS.has(error.code) || !this.#mayFail) throw error;
      return false;
    }
  }

  #beginMerge(name: string, from: number, count: number): void {
    if (this.#merge !== null) return;
    const { collections, memory, generation } = this.#harness;
    const collection = [...collections.all()].find(({ schema }) => schema.name === name);
    const sources = collection?.segments.slice(from, from + count) ?? [];
    if (collection === undefined || sources.length === 0) return;
    const job = new MergeJob(collection, sources, memory);
    // One that runs elsewhere holds its generation, as a reader does.
    this.#harness.heldGeneration = generation;
    this.#merge = { name, job, region: job.liveCount === 0 ? null : job.run() };
  }

  #endMerge(): void {
    if (this.#merge === null) return;
    const { job, region } = this.#merge;
    const { collections, path, memory, snapshots, generation } = this.#harness;
    this.#merge = null;
    this.#harness.heldGeneration = null;
    if (collections.isPublished(job.collection)) {
      job.finish(region, generation);
      path.publishMerge(job.collection);
      snapshots.noteMerge();
      return;
    }
    if (region !== null) memory.free(region);
    for (const source of job.sources) job.collection.release(source, generation - 1);
  }

  async #beginSnapshot(): Promise<void> {
    // The writer starts one between two commits, and never two.
    if (this.#snapshot !== null || this.#held.holds.log) return;
    const { snapshots } = this.#harness;
    const models = this.#promises.models.length;
    const mayFail = this.#mayFail;
    this.#held.holds.snapshot = true;
    const report = snapshots.request();
    report.catch(ignore);
    await snapshots.start();
    const ended = snapshots.idle();
    ended.catch(ignore);
    this.#snapshot = { report, ended, models, mayFail };
    await turn();
  }

  async #endSnapshot(): Promise<void> {
    if (this.#snapshot === null) return;
    const { report, ended, models } = this.#snapshot;
    await this.#held.end('snapshot');
    await this.#succeeds(ended);
    const isWritten = await this.#succeeds(report);
    this.#snapshot = null;
    if (!isWritten) return;
    const { manifest } = this.#harness.snapshots;
    // Its log was synced before it was cut.
    this.#promises.synced = Math.max(this.#promises.synced, models);
    assert.ok(manifest.snapshot > this.#promises.snapshot, 'snapshots are numbered upwards');
    this.#promises.checkFiles(manifest, this.#directory);
    if (!this.#mayFail) this.#promises.checkNames(manifest, this.#directory);
  }
}

/**
 * Recovers what `crashed` leaves, checks the promises, and runs the steps until they end or the directory dies. Returns
 * the directory as it is then.
 */
export async function liveOn(
  crashed: (options: SimulationOptions) => SimulatedDirectory,
  promises: WritePromises,
  mode: 'kill' | 'power',
  steps: readonly Step[],
  options: LifeOptions = {},
): Promise<SimulatedDirectory> {
  promises.crash(mode);
  const held = new HeldSyncs();
  const directory = crashed({
    ...options,
    // The operation that asks is the last one that began.
    scheduleSync: (end) => held.schedule(directory.operations.at(-1)?.name ?? '', end),
  });
  try {
    const life = new Life(directory, held, promises, options);
    await life.resume();
    for (const step of steps) await life.run(step);
  } catch (error) {
    const isDeath = error instanceof SimulatedCrash || (directory.isDead && error instanceof EngineError);
    if (!isDeath) throw error;
  }
  return directory;
}
