/**
 * Gives back what the threads that write have freed, once they have had nothing to do for a while. After an import their heaps are full of
 * garbage, and hold buffers outside of these that only a collection frees; the C library keeps what it was given back. The runtime
 * itself collects when more has been allocated, which in a pause may be never.
 *
 * Asked by the writer's loop at each of its ticks, of half a second.
 */

/**
 * Ticks without work after which garbage is collected: soon, and once more, as the collector makes a heap smaller only where little was
 * allocated in the last seconds.
 */
const COLLECT_TICK = 4;
const SHRINK_TICK = 20;
/** Those after which memory goes back to the system: behind each collection, and after a long merge. */
const TRIM_TICKS = [6, 22, 40];
/** From then on hardly anything is written. */
const TIGHT_TICK = 4;
/** Less in the log since the last collection leaves too little behind. */
const COLLECT_BYTES_MIN = 4 * 1024 * 1024;

/** What is given back, and how. */
export interface FreedMemory {
  /** Collects the garbage of the threads that write: some milliseconds to tens of them each. */
  readonly collectGarbage: () => void;
  readonly trimHeap: () => void;
  /** Has the C library keep little of what is freed; or much, which is faster where buffers of megabytes come and go. */
  readonly boundPools: (areTight: boolean) => void;
}

export class QuietHeap {
  readonly #memory: FreedMemory;
  #logBytes = 0;
  #writtenBytes = 0;
  #quietTicks = 0;
  /** Null: neither was said yet. */
  #areTight: boolean | null = null;
  /** Garbage was collected, and heaps are as large as they were. */
  #mayShrink = false;

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
    if (this.#quietTicks < TIGHT_TICK && this.#writtenBytes >= COLLECT_BYTES_MIN) this.#boundPools(false);
    if (isBusy) return;
    this.#quietTicks += 1;
    if (this.#quietTicks === TIGHT_TICK) this.#boundPools(true);
    if (this.#quietTicks === COLLECT_TICK && this.#writtenBytes >= COLLECT_BYTES_MIN) {
      this.#writtenBytes = 0;
      this.#mayShrink = true;
      this.#memory.collectGarbage();
    }
    if (this.#quietTicks === SHRINK_TICK && this.#mayShrink) {
      this.#mayShrink = false;
      this.#memory.collectGarbage();
    }
    if (TRIM_TICKS.includes(this.#quietTicks)) this.#memory.trimHeap();
  }

  #boundPools(areTight: boolean): void {
    if (this.#areTight === areTight) return;
    this.#areTight = areTight;
    this.#memory.boundPools(areTight);
  }
}
