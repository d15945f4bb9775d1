/**
 * Stands between the routes and the engine while the engine recovers: requests wait here for a while instead of failing. In a cluster it
 * also stands there whenever this node may not answer: then they are refused at once, so that they are sent to another.
 *
 * Once the engine serves, passing the gate costs a comparison or two.
 */
import type { Engine, RecoveryProgress } from '../engine/index.js';
import { formatBytes } from './format-bytes.js';
import type { Exchange } from './http/exchange.js';
import { quoteForMessage, RequestError } from './http/request-error.js';

/** shut: of a node of a cluster that may not answer now. */
export type ServerState = 'recovering' | 'shut' | 'serving' | 'draining';

/** What a node of a cluster has to be asked before it answers. */
export interface ClusterGuard {
  /** Whether it may not answer: what it would say may be older than what was acknowledged elsewhere. */
  readonly isShut: boolean;
  /** Why that is, in words. */
  readonly reason: string;
  /**
   * Calls `run` once the node has applied the log up to `sequence`, or `refuse` when that takes too long, or too many wait, of all clients
   * or of the one that `client` tells. Returns what has neither called.
   */
  whenApplied(sequence: number, client: () => string, run: () => void, refuse: () => void): () => void;
}

const WAITING_MAX = 1024;
const WAIT_MS = 5000;
const SEQUENCE = /^[0-9]{1,15}$/;

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

/** Has `forget` called when the client of `exchange`, which waits, goes; returns what ends that. */
function whenGone(exchange: Exchange, forget: () => void): () => void {
  const releaseBefore = exchange.release;
  const release = (): void => {
    forget();
    releaseBefore();
  };
  exchange.release = release;
  return () => {
    if (exchange.release === release) exchange.release = releaseBefore;
  };
}

export class EngineGate {
  #engine: Engine | null = null;
  /** null: this is no node of a cluster. */
  #guard: ClusterGuard | null = null;
  #progress: RecoveryProgress | null = null;
  #recoveryMs = 0;
  #isDraining = false;
  /** What waits for the engine: how it is let through, and how it is told that there will be none. */
  readonly #waiting = new Map<(engine: Engine) => void, () => void>();
  /** What waits for it, and goes on without it after a moment. */
  readonly #lingering = new Set<() => void>();

  /** null while the engine recovers, or this node may not answer. */
  get engine(): Engine | null {
    return this.#guard?.isShut === true ? null : this.#engine;
  }

  /** The same for whoever only counts and shows: null while the engine recovers. */
  get opened(): Engine | null {
    return this.#engine;
  }

  get state(): ServerState {
    if (this.#isDraining) return 'draining';
    if (this.#engine === null) return 'recovering';
    return this.#guard?.isShut === true ? 'shut' : 'serving';
  }

  /** Why a node of a cluster may not answer; null: it may, or it is none. */
  get reason(): string | null {
    return this.#guard?.isShut === true ? this.#guard.reason : null;
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

  /** Asks `guard` before anything is let through, from before open() on. */
  watch(guard: ClusterGuard): void {
    this.#guard = guard;
  }

  /** Lets through what waits, and everything from now on. `recoveryMs`: what it took to get here. */
  open(engine: Engine, recoveryMs: number): void {
    this.#engine = engine;
    this.#recoveryMs = recoveryMs;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [run, refuse] of waiting) {
      if (this.engine === null) refuse();
      else run(engine);
    }
    this.#letGoOn();
  }

  /** Refuses what waits for an engine that recovers. */
  startDraining(): void {
    this.#isDraining = true;
    const refusals = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const refuse of refusals) refuse();
    this.#letGoOn();
  }

  /**
   * Calls `run` with the engine: at once when it serves, else when it does, unless the client has gone by then. Nothing waits, and nothing
   * that `run` holds is kept, once it has.
   *
   * Fails the exchange with `overloaded` when that takes more than 5 s, or when 1,024 requests wait already. An error
   * thrown by a late `run` fails the exchange too.
   */
  pass(exchange: Exchange, run: (engine: Engine) => void): void {
    const { engine } = this;
    if (engine !== null) {
      if (this.#guard === null || exchange.head.sequence === '') run(engine);
      else this.#passAt(exchange, this.#guard, run, engine);
      return;
    }
    if (this.#isDraining || this.#engine !== null || this.#waiting.size >= WAITING_MAX) throw this.#notReady();
    if (!exchange.isOpen) return;
    const refuse = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(admit);
      exchange.fail(this.#notReady());
    };
    const timer = setTimeout(refuse, WAIT_MS);
    const admit = (engine: Engine): void => {
      clearTimeout(timer);
      stay();
      this.#runLate(exchange, () => run(engine));
    };
    this.#waiting.set(admit, refuse);
    const stay = whenGone(exchange, () => {
      clearTimeout(timer);
      this.#waiting.delete(admit);
    });
  }

  /** Calls `run` when the engine serves, or after `waitMs`, whichever comes first. */
  passWithin(waitMs: number, run: () => void): void {
    if (this.#engine !== null) {
      run();
      return;
    }
    const admit = (): void => {
      clearTimeout(timer);
      this.#lingering.delete(admit);
      run();
    };
    const timer = setTimeout(admit, waitMs);
    this.#lingering.add(admit);
  }

  #letGoOn(): void {
    for (const goOn of [...this.#lingering]) goOn();
  }

  /** Lets a request through once the node has applied what its header asks for. */
  #passAt(exchange: Exchange, guard: ClusterGuard, run: (engine: Engine) => void, engine: Engine): void {
    const { sequence } = exchange.head;
    if (!SEQUENCE.test(sequence)) {
      const message = `header "x-sabre-sequence": expected a number of up to 15 digits, got ${quoteForMessage(sequence)}`;
      throw new RequestError('invalid_request', message);
    }
    const late = (): void => {
      const message = `the node has not applied what x-sabre-sequence asks for, ${sequence}; try again later, or another node`;
      exchange.fail(new RequestError('overloaded', message));
    };
    let stay = (): void => {};
    const admit = (): void => {
      stay();
      this.#runLate(exchange, () => run(engine));
    };
    const forget = guard.whenApplied(Number(sequence), () => exchange.client, admit, late);
    stay = whenGone(exchange, forget);
  }

  /** Calls `run` for an exchange that has waited, unless its client has gone. */
  #runLate(exchange: Exchange, run: () => void): void {
    if (!exchange.isOpen) return;
    try {
      run();
    } catch (error) {
      exchange.fail(error);
    }
  }

  #notReady(): RequestError {
    const recovery = this.reason ?? describeRecovery(this.#progress);
    const why = this.#isDraining ? 'draining' : recovery;
    return new RequestError('overloaded', `the server is not ready: ${why}; try again later`);
  }
}
