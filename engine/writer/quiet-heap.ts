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
/**
 * From then on whoever merges is not kept for the next time, and garbage is collected once more: the collector makes a heap
 * smaller only where little was allocated in the last seconds. A thread has ended so many ticks after it was told to.
 */
const REST_TICK = 20;
const ENDED_TICKS = 2;
/** Less in the log since the last collection leaves too little behind. */
const COLLECT_BYTES_MIN = 4 * 1024 * 1024;

/** What is given back, and how. */
export interface FreedMemory {
  /** Collects the garbage of the threads that write: some milliseconds each. */
  readonly collectGarbage: () => void;
  readonly trimHeap: () => void;
  /** Has the C library keep little of what is freed; or much, which is faster where buffers of megabytes come and go. */
  readonly boundPools: (areTight: boolean) => void;
  /** Ends the thread that merges, unless it does so now; returns whether one was ended. */
  readonly restRunner: () => boolean;
}

export class QuietHeap {
  readonly #memory: FreedMemory;
  #logBytes = 0;
  #writtenBytes = 0;
  #quietTicks = 0;
  /** Null: neither was said yet. */
  #areTight: boolean | null = null;
  /** Garbage was collected since the last rest. */
  #wasCollected = false;
  /** When a thread will have ended that was told to, and garbage is gone. */
  #endedTick = 0;

  constructor(memory: FreedMemory) {
    this.#memory = memory;
  }

  /** There was something to do but reading. */
  stir(): void {
    this.#quietTicks = 0;
    this.#endedTick = 0;
  }

  /** A tick is over, with `logBytes` in the log now. `isBusy`: there is something to do. */
  tick(logBytes: number, isBusy: boolean): void {
    this.#writtenBytes += Math.max(0, logBytes - this.#logBytes);
    this.#logBytes = logBytes;
    if (this.#quietTicks < COLLECT_TICK && this.#writtenBytes >= COLLECT_BYTES_MIN) this.#boundPools(false);
    if (isBusy) return;
    this.#quietTicks += 1;
    if (this.#quietTicks === COLLECT_TICK) this.#boundPools(true);
    if (this.#quietTicks === COLLECT_TICK && this.#writtenBytes >= COLLECT_BYTES_MIN) {
      this.#writtenBytes = 0;
      this.#wasCollected = true;
      this.#memory.collectGarbage();
    }
    if (this.#quietTicks >= REST_TICK) this.#rest();
    if (TRIM_TICKS.includes(this.#quietTicks) || this.#quietTicks === this.#endedTick) this.#memory.trimHeap();
  }

  #boundPools(areTight: boolean): void {
    if (this.#areTight === areTight) return;
    this.#areTight = areTight;
    this.#memory.boundPools(areTight);
  }

  #rest(): void {
    const hasEnded = this.#memory.restRunner();
    if (!hasEnded && !this.#wasCollected) return;
    if (this.#wasCollected) this.#memory.collectGarbage();
    this.#wasCollected = false;
    this.#endedTick = this.#quietTicks + ENDED_TICKS;
  }
}
