/**
 * Reads that are asked again, because the collection that their alias stood for was deleted while they waited: whoever asked knows
 * the handle of the first read only, and may take that one back.
 */
import type { ReadCallback, ReadHandle } from '../engine.js';

export class RestartedReads {
  /** By the handle of a read: that of the one that stands for it now. Entries last until their read is answered or taken back. */
  readonly #successors = new Map<ReadHandle, ReadHandle>();

  /** Asks again by `start`, for the read with handle `first`; `done` is called as `start` would call it. */
  restart(first: ReadHandle, done: ReadCallback, start: (done: ReadCallback) => ReadHandle): void {
    let isOver = false;
    let isNoted = false;
    const again = start((error, result) => {
      isOver = true;
      // What is not noted any more was taken back: one that is refused has no handle of its own by which it could be.
      if (this.#successors.delete(first) || !isNoted) done(error, result);
    });
    if (isOver) return;
    isNoted = true;
    this.#successors.set(first, again);
  }

  /** The read that stands for `handle` now, which may be `handle` itself; forgets that it does. */
  take(handle: ReadHandle): ReadHandle {
    let latest = handle;
    for (;;) {
      const next = this.#successors.get(latest);
      if (next === undefined) return latest;
      this.#successors.delete(latest);
      latest = next;
    }
  }
}
