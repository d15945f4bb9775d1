/**
 * Gives back what the threads that write have freed, once they have had nothing to do for a while. After an import their heaps are full of
 * garbage, and hold buffers outside of these that only a collection frees; the C library keeps what it was given back. The runtime
 * itself collects when more has been allocated, which in a pause may be never.
 *
 * Asked by the writer's loop at each of its ticks, of half a second.
 */

/** Ticks without work after which garbage is collected, and those after which memory goes back to the system: soon, and again after a long merge. */
const COLLECT_TICK = 4;
const TRIM_TICKS = [6, 40];
/** Less in the log since the last collection leaves too little behind. */
const COLLECT_BYTES_MIN = 4 * 1024 * 1024;

/** What is given back, and how. */
export interface FreedMemory {
  /** Collects the garbage of the threads that write: some milliseconds each. */
  readonly collectGarbage: () => void;
  readonly trimHeap: () => void;
}

export class QuietHeap {
  readonly #memory: FreedMemory;
  #logBytes = 0;
  #writtenBytes = 0;
  #quietTicks = 0;

  constructor(memory: FreedMemory) {
    this.#memory = memory;
  }

  /** There was something to do but reading. */
  stir(): void {
    this.#quietTicks = 0;
  }

  /** A tick is over, with `logBytes` in the log now. `isBusy`: there is something to do. */
  tick(logBytes: number, isBusy: boolean): void {
    this.#writtenBytes += Math.max(0, logBytes - this.#logBytes);
    this.#logBytes = logBytes;
    if (isBusy) return;
    this.#quietTicks += 1;
    if (this.#quietTicks === COLLECT_TICK && this.#writtenBytes >= COLLECT_BYTES_MIN) {
      this.#writtenBytes = 0;
      this.#memory.collectGarbage();
    }
    if (TRIM_TICKS.includes(this.#quietTicks)) this.#memory.trimHeap();
  }
}
