/**
 * A write-ahead log on a simulated directory, driven as the collection write path drives it, and an oracle of what its
 * contract (engine/storage/log/wal.ts) promises about the records after a crash. Used by the crash tests of the log.
 */
import assert from 'node:assert/strict';
import { EngineError } from '../../engine/core/errors.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { openWal } from '../../engine/storage/log/open-wal.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import type { SimulatedDirectory, SimulationOptions } from './simulated-directory.js';
import { type OperationKind, SimulatedCrash } from './simulated-faults.js';

/**
 * sync beside: begins one and goes on; await: waits for it. remove: what is synced is safe elsewhere. fail: the next
 * `times` operations of that kind fail; read only: so do all that would change something; mend: none fails any more, and the disk has space. close: the process ends.
 */
export type LogStep =
  | { readonly do: 'append'; readonly bytes: number }
  | { readonly do: 'flush' | 'commit' | 'sync' | 'sync beside' | 'await' | 'rollback' | 'rotate' | 'remove' }
  | { readonly do: 'read only' | 'mend' | 'close' }
  | { readonly do: 'fail'; readonly kind: OperationKind; readonly times: number };

const textOf = (sequence: number, payload: Uint8Array): string =>
  `${sequence}:${Buffer.from(payload).toString('latin1')}`;

/**
 * What the log has promised, over all its lives. Records are numbered from 1 without a gap, so counts say which ones:
 * safe <= synced <= committed <= flushed <= records.length. `flushed` counts what was handed over for certain.
 */
export class LogPromises {
  records: string[] = [];
  /** Safe elsewhere: may be missing, and is not replayed. */
  safe = 0;
  /** Survive a power failure. */
  synced = 0;
  /** Acknowledged: survive a rollback. */
  committed = 0;
  /** Survive the death of the process. */
  flushed = 0;
  /** Covered by the sync under way. */
  syncing = 0;
  /** As `records`, but with dropped ones at the end, of which nobody knows whether they are gone. */
  undead: string[][] = [];

  /**
   * Everything after what rollback() has to keep is dropped. It may come back until the log has said otherwise, by what
   * `rollback` returns.
   */
  drop(rollback: () => boolean): void {
    const dropped = this.records;
    this.undead.push(dropped);
    const kept = Math.max(this.committed, this.syncing);
    this.records = this.records.slice(0, kept);
    this.flushed = Math.min(this.flushed, kept);
    if (rollback()) this.undead = this.undead.filter((one) => one !== dropped);
  }

  /** Takes what a log replayed after a crash as the new truth, after checking that it keeps every promise. */
  recover(replayed: readonly string[], mode: 'kill' | 'power'): void {
    const found = [...this.records.slice(0, this.safe), ...replayed];
    const promised = this.records.slice(0, mode === 'kill' ? this.flushed : this.synced);
    assert.deepEqual(found.slice(0, promised.length), promised, 'a promised record is lost');
    const isKnown = [this.records, ...this.undead].some((known) => found.every((record, at) => record === known[at]));
    assert.ok(isKnown, `refused records are back: ${found} of ${this.records}, or ${this.undead.join(' or ')}`);
    this.records = found;
    // What a recovery replays is served from then on, so it must not go any more.
    this.synced = found.length;
    this.committed = found.length;
    this.flushed = found.length;
    this.syncing = 0;
    this.undead = [];
  }

  copy(): LogPromises {
    const copy = Object.assign(new LogPromises(), this);
    copy.records = [...this.records];
    copy.undead = [...this.undead];
    return copy;
  }
}

/** One process that owns the log. It ends when its directory dies. */
class LogProcess {
  readonly #directory: SimulatedDirectory;
  readonly #promises: LogPromises;
  readonly #wal: WriteAheadLog;
  readonly #ends: (() => void)[];
  #underWay: Promise<void> | null = null;
  #appended = 0;
  #isClosed = false;

  constructor(directory: SimulatedDirectory, ends: (() => void)[], promises: LogPromises, mode: 'kill' | 'power') {
    this.#directory = directory;
    this.#promises = promises;
    this.#ends = ends;
    const replayed: string[] = [];
    const replay = ({ sequence, payload }: { sequence: number; payload: Uint8Array }): void => {
      replayed.push(textOf(sequence, payload));
    };
    const { wal } = openWal(directory, crc32c, { replay, replayAfter: promises.safe, fileBytesMax: 900 });
    this.#wal = wal;
    promises.recover(replayed, mode);
    assert.equal(wal.sequence, promises.records.length);
  }

  async run(step: LogStep): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#run(step);
    } catch (error) {
      // The log takes the crash for an I/O error, as it does whatever comes from below.
      this.#directory.throwIfDead();
      if (!(error instanceof EngineError)) throw error;
      if (!this.#isClosed) this.#rollback();
    }
  }

  async #run(step: LogStep): Promise<void> {
    const promises = this.#promises;
    if (step.do === 'append') this.#append(step.bytes);
    else if (step.do === 'fail') this.#directory.failWhen(({ kind }) => kind === step.kind, { times: step.times });
    else if (step.do === 'read only') this.#directory.makeReadOnly();
    else if (step.do === 'mend') {
      this.#directory.clearFaults();
      this.#directory.capacityBytes = Number.POSITIVE_INFINITY;
    } else if (step.do === 'flush') {
      this.#wal.flush();
      promises.flushed = promises.records.length;
    } else if (step.do === 'commit') {
      this.#wal.commit();
      promises.committed = promises.flushed;
    } else if (step.do === 'sync beside') {
      if (this.#underWay === null) this.#beginSync();
    } else if (step.do === 'await') await this.#endSync();
    else if (step.do === 'sync') {
      await this.#endSync();
      this.#beginSync();
      await this.#endSync();
    } else if (step.do === 'rollback') this.#rollback();
    else if (step.do === 'close') await this.#close();
    else if (step.do === 'rotate') {
      if (this.#underWay === null && promises.records.length === promises.committed) this.#wal.rotate();
    } else {
      promises.safe = promises.synced;
      this.#wal.removeThrough(promises.safe);
    }
  }

  #append(bytes: number): void {
    this.#appended++;
    const payload = Buffer.alloc(bytes, `${this.#appended}/${this.#promises.records.length} `);
    const sequence = this.#wal.append(1, 1, [payload]);
    // Frames go to a file that is in order, or a fresh one: either rid the log of what was refused before.
    this.#promises.undead = [];
    this.#promises.records.push(textOf(sequence, payload));
  }

  #beginSync(): void {
    const promises = this.#promises;
    const covered = promises.flushed;
    promises.syncing = covered;
    this.#underWay = this.#wal.sync().then(
      () => {
        promises.syncing = 0;
        promises.synced = Math.max(promises.synced, covered);
        promises.committed = Math.max(promises.committed, covered);
      },
      (error) => {
        promises.syncing = 0;
        throw error;
      },
    );
    // Whoever waits for it hears of it too.
    this.#underWay.catch(() => {});
  }

  async #endSync(): Promise<void> {
    const underWay = this.#underWay;
    if (underWay === null) return;
    this.#underWay = null;
    for (const end of this.#ends.splice(0)) end();
    await underWay;
  }

  #rollback(): void {
    this.#promises.drop(() => {
      const isGone = this.#wal.rollback();
      this.#directory.throwIfDead();
      assert.ok(isGone || this.#directory.failures > 0, 'a disk in order keeps nothing that is dropped');
      return isGone;
    });
  }

  /** As a server that stops: whatever was not flushed or synced is. */
  async #close(): Promise<void> {
    const promises = this.#promises;
    this.#isClosed = true;
    for (const end of this.#ends.splice(0)) end();
    const closed = this.#wal.close();
    // Whoever waits for it hears of it too.
    closed.catch(() => {});
    // A sync that it begins ends by itself.
    for (let turns = 0; turns < 3; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const end of this.#ends.splice(0)) end();
    }
    await closed;
    this.#directory.throwIfDead();
    if (this.#underWay === null) {
      promises.synced = promises.records.length;
      promises.committed = promises.synced;
      promises.flushed = promises.synced;
    }
    if (this.#directory.isInOrder) promises.undead = [];
  }
}

/**
 * Opens the log in what `crashed` left, checks the promises, and runs the steps until they end or the directory dies.
 * Returns the directory as it is then.
 */
export async function liveOn(
  crashed: (options: SimulationOptions) => SimulatedDirectory,
  promises: LogPromises,
  mode: 'kill' | 'power',
  steps: readonly LogStep[],
  options: SimulationOptions = {},
): Promise<SimulatedDirectory> {
  const ends: (() => void)[] = [];
  const directory = crashed({ ...options, scheduleSync: (end) => ends.push(end) });
  try {
    const process = new LogProcess(directory, ends, promises, mode);
    for (const step of steps) await process.run(step);
  } catch (error) {
    const isDeath = error instanceof SimulatedCrash || (directory.isDead && error instanceof EngineError);
    if (!isDeath) throw error;
  }
  return directory;
}
