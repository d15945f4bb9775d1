/**
 * Syncs whose end waits for the test: those of snapshot files, and of the log, as `holds` says. Used by write-history.ts.
 */
import { walFileNumber } from '../../engine/storage/log/wal-format.js';

/** Lets everything run that waits for nothing. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class HeldSyncs {
  readonly holds = { snapshot: false, log: false };
  readonly #ends: Record<'snapshot' | 'log', (() => void)[]> = { snapshot: [], log: [] };

  schedule(name: string, end: () => void): void {
    const kind = walFileNumber(name) === null ? 'snapshot' : 'log';
    if (this.holds[kind]) this.#ends[kind].push(end);
    else queueMicrotask(end);
  }

  async endOne(kind: 'snapshot' | 'log'): Promise<void> {
    this.#ends[kind].shift()?.();
    await turn();
  }

  async end(kind: 'snapshot' | 'log'): Promise<void> {
    this.holds[kind] = false;
    for (const end of this.#ends[kind].splice(0)) end();
    await turn();
  }
}
