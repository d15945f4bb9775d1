/**
 * How much room the file system of the data directory has, asked of the system when a scrape comes.
 *
 * A disk that hangs must not hold up the scrape that would show it: the figures are then those of the last time.
 */
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A sound disk answers within a fraction of a millisecond. */
const WAIT_MS = 500;

export interface DiskSpace {
  /** What a process without privileges may still write. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** Not known. */
const NO_FIGURES: DiskSpace = { freeBytes: Number.NaN, sizeBytes: Number.NaN };

export class DiskWatch {
  readonly #folder: string;
  #last = NO_FIGURES;
  #asking: Promise<void> | null = null;

  /** Watches the file system that `folder` lies in. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The figures of now; NaN while they are not known. */
  async read(): Promise<DiskSpace> {
    this.#asking ??= this.#ask();
    const late = new AbortController();
    await Promise.race([this.#asking, sleep(WAIT_MS, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    return this.#last;
  }

  async #ask(): Promise<void> {
    try {
      const { bavail, blocks, bsize } = await statfs(this.#folder);
      this.#last = { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
    } catch {
      // The folder is not there yet, or the disk is gone.
      this.#last = NO_FIGURES;
    } finally {
      this.#asking = null;
    }
  }
}
