/**
 * Cuts off bodies that come too slowly: they hold memory that others wait for.
 *
 * Used by body.ts. A body must bring its least rate over each window of time, so neither a fast beginning nor a pause is
 * held for or against it. One timer looks at all of them, so that a body that is there at once costs next to nothing.
 */

export interface WatchedBody {
  /** Bytes received so far. */
  readonly receivedBytes: number;
  /** Called once, when the body is no longer watched: it was too slow. */
  onTooSlow(): void;
}

interface Window {
  elapsedMs: number;
  /** Bytes received before it. */
  startBytes: number;
}

const TICK_MS_MAX = 1000;
const TICKS_OF_WINDOW = 4;

export class BodyWatch {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
  readonly #bodies = new Map<WatchedBody, Window>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | null = null;
  #lastTickMs = 0;

  /** `bytesPerSecond` 0: no body is too slow. */
  constructor(bytesPerSecond: number, windowMs: number) {
    this.bytesPerSecond = bytesPerSecond;
    this.windowMs = windowMs;
    this.#tickMs = Math.min(TICK_MS_MAX, Math.ceil(windowMs / TICKS_OF_WINDOW));
  }

  add(body: WatchedBody): void {
    if (this.bytesPerSecond === 0) return;
    // The running tick may have begun before the body.
    this.#bodies.set(body, { elapsedMs: -this.#tickMs, startBytes: 0 });
    if (this.#timer !== null) return;
    this.#lastTickMs = performance.now();
    // Looked at after the sockets were read: when this thread was busy for long, the bytes lie there unread.
    this.#timer = setInterval(() => setImmediate(() => this.#tick()), this.#tickMs).unref();
  }

  remove(body: WatchedBody): void {
    this.#bodies.delete(body);
  }

  #tick(): void {
    const nowMs = performance.now();
    // A thread or a machine that stood still is not the client's fault.
    const passedMs = Math.min(nowMs - this.#lastTickMs, 2 * this.#tickMs);
    this.#lastTickMs = nowMs;
    for (const [body, window] of this.#bodies) {
      window.elapsedMs += passedMs;
      if (window.elapsedMs < this.windowMs) continue;
      const neededBytes = (this.bytesPerSecond * window.elapsedMs) / 1000;
      if (body.receivedBytes - window.startBytes < neededBytes) {
        this.#bodies.delete(body);
        body.onTooSlow();
      } else {
        window.elapsedMs = 0;
        window.startBytes = body.receivedBytes;
      }
    }
    if (this.#bodies.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
