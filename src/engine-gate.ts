/**
 * Stands between the routes and the engine while the engine recovers: requests wait here for a while instead of failing.
 *
 * Once the engine serves, passing the gate costs one comparison.
 */
import type { Engine, RecoveryProgress } from '../engine/index.js';
import { formatBytes } from './format-bytes.js';
import type { Exchange } from './http/exchange.js';
import { RequestError } from './http/request-error.js';

export type ServerState = 'recovering' | 'serving' | 'draining';

const WAITING_MAX = 1024;
const WAIT_MS = 5000;

const PHASE_WORDS: Readonly<Record<RecoveryProgress['phase'], string>> = {
  segments: 'opening segments',
  log: 'replaying the log',
};

/** Returns `progress` in words: "recovering: opening segments, 41 % of 412 MB"; null: nothing is known yet. */
export function describeRecovery(progress: RecoveryProgress | null): string {
  if (progress === null) return 'recovering';
  const { phase, doneBytes, totalBytes } = progress;
  const percent = doneBytes >= totalBytes ? 100 : Math.floor((100 * doneBytes) / totalBytes);
  return `recovering: ${PHASE_WORDS[phase]}, ${percent} % of ${formatBytes(totalBytes)}`;
}

export class EngineGate {
  #engine: Engine | null = null;
  #progress: RecoveryProgress | null = null;
  #recoveryMs = 0;
  #isDraining = false;
  /** What waits for the engine: how it is let through, and how it is told that there will be none. */
  readonly #waiting = new Map<(engine: Engine) => void, () => void>();

  /** null while the engine recovers. */
  get engine(): Engine | null {
    return this.#engine;
  }

  get state(): ServerState {
    if (this.#isDraining) return 'draining';
    return this.#engine === null ? 'recovering' : 'serving';
  }

  /** How far the recovery is; null: it has not said yet, or is over. */
  get progress(): RecoveryProgress | null {
    return this.#engine === null ? this.#progress : null;
  }

  /** How long the recovery took; 0: it goes on. */
  get recoveryMs(): number {
    return this.#recoveryMs;
  }

  noteProgress(progress: RecoveryProgress): void {
    this.#progress = progress;
  }

  /** Lets through what waits, and everything from now on. `recoveryMs`: what it took to get here. */
  open(engine: Engine, recoveryMs: number): void {
    this.#engine = engine;
    this.#recoveryMs = recoveryMs;
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear();
    for (const run of waiting) run(engine);
  }

  /** Refuses what waits for an engine that recovers. */
  startDraining(): void {
    this.#isDraining = true;
    const refusals = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const refuse of refusals) refuse();
  }

  /**
   * Calls `run` with the engine: at once when it serves, else when it does, unless the client has gone by then.
   *
   * Fails the exchange with `overloaded` when that takes more than 5 s, or when 1,024 requests wait already. An error
   * thrown by a late `run` fails the exchange too.
   */
  pass(exchange: Exchange, run: (engine: Engine) => void): void {
    if (this.#engine !== null) {
      run(this.#engine);
      return;
    }
    if (this.#isDraining || this.#waiting.size >= WAITING_MAX) throw this.#notReady();
    const refuse = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(admit);
      exchange.fail(this.#notReady());
    };
    const timer = setTimeout(refuse, WAIT_MS);
    const admit = (engine: Engine): void => {
      clearTimeout(timer);
      if (!exchange.isOpen) return;
      try {
        run(engine);
      } catch (error) {
        exchange.fail(error);
      }
    };
    this.#waiting.set(admit, refuse);
  }

  /** Calls `run` when the engine serves, or after `waitMs`, whichever comes first. */
  passWithin(waitMs: number, run: () => void): void {
    if (this.#engine !== null) {
      run();
      return;
    }
    const admit = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(admit);
      run();
    };
    const timer = setTimeout(admit, waitMs);
    this.#waiting.set(admit, admit);
  }

  #notReady(): RequestError {
    const why = this.#isDraining ? 'draining' : describeRecovery(this.#progress);
    return new RequestError('overloaded', `the server is not ready: ${why}; try again later`);
  }
}
