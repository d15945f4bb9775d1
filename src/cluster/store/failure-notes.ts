/**
 * Tells of something that fails again and again once, and once that it works again; and when to try it next.
 */
import type { ClusterLog } from './cluster-log.js';

const FIRST_WAIT_MS = 5_000;
const WAIT_MAX_MS = 300_000;

export class FailureNotes {
  readonly #log: ClusterLog;
  readonly #what: string;
  #last: string | null = null;
  #failures = 0;
  #nextMs = 0;

  /** `what` does not happen while it fails. */
  constructor(log: ClusterLog, what: string) {
    this.#log = log;
    this.#what = what;
  }

  /** Whether it may be tried at `nowMs`, of any clock that goes on. */
  mayTry(nowMs: number): boolean {
    return nowMs >= this.#nextMs;
  }

  failed(error: unknown, nowMs: number): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#nextMs = nowMs + Math.min(FIRST_WAIT_MS * 2 ** this.#failures, WAIT_MAX_MS);
    this.#failures++;
    if (reason === this.#last) return;
    this.#last = reason;
    this.#log.warn({ reason }, `${this.#what}, until it works again: ${reason}`);
  }

  succeeded(): void {
    if (this.#failures > 0) this.#log.info({}, `${this.#what}: it works again`);
    this.#failures = 0;
    this.#nextMs = 0;
    this.#last = null;
  }
}
