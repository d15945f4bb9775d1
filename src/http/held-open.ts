/**
 * Keeps connections on which a body or an answer is on its way. The library drops one once nothing of an answer could be written for ten
 * seconds, or a body brought less than 16 KiB a second over as long, whatever is allowed here: those who are too slow are cut off by a rate
 * watch (rate-watch.ts), or as an export is. Pausing a socket and letting it go on begins the library's time anew.
 *
 * One timer for all transfers of a thread.
 */

/** A socket whose reading can be held up. */
export interface HoldablePort {
  pause(): unknown;
  resume(): unknown;
}

/** The library's clock ticks every four seconds, so that ten may be over after eight. */
const AGAIN_MS = 3500;

export class HeldOpen {
  readonly #ports = new Set<HoldablePort>();
  #timer: NodeJS.Timeout | null = null;

  /** Keeps the connection of `port` until remove(), which must come before `port` may not be used any more. */
  add(port: HoldablePort): void {
    this.#ports.add(port);
    this.#timer ??= setInterval(() => this.#tick(), AGAIN_MS).unref();
  }

  remove(port: HoldablePort): void {
    this.#ports.delete(port);
  }

  #tick(): void {
    for (const port of this.#ports) {
      port.pause();
      port.resume();
    }
  }
}

/** Of this thread. */
export const heldOpen = new HeldOpen();
