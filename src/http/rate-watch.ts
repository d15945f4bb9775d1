/**
 * Cuts off transfers that go too slowly: request bodies, and answers that wait for their clients. They hold memory that
 * others need.
 *
 * A transfer must go at its least rate over each window of time, so neither a fast beginning nor a pause is held for or
 * against it. One timer looks at all of them, so that one that is done at once costs next to nothing.
 */

export interface WatchedTransfer {
  /** Bytes received, or sent, so far. */
  readonly movedBytes: number;
  /** Called once, when it is no longer watched: it was too slow. */
  onTooSlow(): void;
}

interface Window {
  elapsedMs: number;
  /** Bytes moved before it. */
  startBytes: number;
}

const TICK_MS_MAX = 1000;
const TICKS_OF_WINDOW = 4;

export class RateWatch {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
  readonly #transfers = new Map<WatchedTransfer, Window>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | null = null;
  #lastTickMs = 0;

  /** `bytesPerSecond` 0: nothing is too slow. */
  constructor(bytesPerSecond: number, windowMs: number) {
    this.bytesPerSecond = bytesPerSecond;
    this.windowMs = windowMs;
    this.#tickMs = Math.min(TICK_MS_MAX, Math.ceil(windowMs / TICKS_OF_WINDOW));
  }

  add(transfer: WatchedTransfer): void {
    if (this.bytesPerSecond === 0) return;
    // The running tick may have begun before the transfer.
    this.#transfers.set(transfer, { elapsedMs: -this.#tickMs, startBytes: 0 });
    if (this.#timer !== null) return;
    this.#lastTickMs = performance.now();
    // Looked at after the sockets were read: when this thread was busy for long, bytes lie there unread.
    this.#timer = setInterval(() => setImmediate(() => this.#tick()), this.#tickMs).unref();
  }

  remove(transfer: WatchedTransfer): void {
    this.#transfers.delete(transfer);
  }

  #tick(): void {
    const nowMs = performance.now();
    // A thread or a machine that stood still is not the client's fault.
    const passedMs = Math.min(nowMs - this.#lastTickMs, 2 * this.#tickMs);
    this.#lastTickMs = nowMs;
    for (const [transfer, window] of this.#transfers) {
      window.elapsedMs += passedMs;
      if (window.elapsedMs < this.windowMs) continue;
      const neededBytes = (this.bytesPerSecond * window.elapsedMs) / 1000;
      if (transfer.movedBytes - window.startBytes < neededBytes) {
        this.#transfers.delete(transfer);
        transfer.onTooSlow();
      } else {
        window.elapsedMs = 0;
        window.startBytes = transfer.movedBytes;
      }
    }
    if (this.#transfers.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
