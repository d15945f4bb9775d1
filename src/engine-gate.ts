/**
 * Stands between the routes and the engine while the engine recovers: requests wait here for a while instead of failing.
 *
 * Once the engine serves, passing the gate costs one comparison.
 */
import type { Engine } from '../engine/index.js';
import type { Exchange } from './http/exchange.js';
import { RequestError } from './http/request-error.js';

export type ServerState = 'recovering' | 'serving' | 'draining';

const WAITING_MAX = 1024;
const WAIT_MS = 5000;

export class EngineGate {
  #engine: Engine | null = null;
  #isDraining = false;
  readonly #waiting = new Set<(engine: Engine) => void>();

  /** null while the engine recovers. */
  get engine(): Engine | null {
    return this.#engine;
  }

  get state(): ServerState {
    if (this.#isDraining) return 'draining';
    return this.#engine === null ? 'recovering' : 'serving';
  }

  /** Lets through what waits, and everything from now on. */
  open(engine: Engine): void {
    this.#engine = engine;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const run of waiting) run(engine);
  }

  startDraining(): void {
    this.#isDraining = true;
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
    if (this.#waiting.size >= WAITING_MAX) throw recovering();
    const timer = setTimeout(() => {
      this.#waiting.delete(admit);
      exchange.fail(recovering());
    }, WAIT_MS);
    const admit = (engine: Engine): void => {
      clearTimeout(timer);
      if (!exchange.isOpen) return;
      try {
        run(engine);
      } catch (error) {
        exchange.fail(error);
      }
    };
    this.#waiting.add(admit);
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
    this.#waiting.add(admit);
  }
}

const recovering = (): RequestError =>
  new RequestError('overloaded', 'the server is still recovering its data, try again later');
